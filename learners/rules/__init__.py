"""Tables of Boolean features, and learners of decision lists from them."""

from learners.pac.base import FewRows
from learners.rules.algorithm import DecisionListLearner
from learners.rules.cover import EMCover
from learners.rules.decision_list import DecisionList, Rule
from learners.rules.gibbs_tree import GibbsTree
from learners.rules.greedy_cover import GreedyCover, greedy_list, rivest
from learners.rules.naive_bayes import NaiveBayes
from learners.rules.packed import Conjunction, PackedFeatures, conjunction_count
from learners.rules.sample_size import promised_error, sample_size
from learners.rules.trees import Conditions, Leaf, Split

__all__ = [
    "Conditions",
    "Conjunction",
    "DecisionList",
    "DecisionListLearner",
    "EMCover",
    "FewRows",
    "GibbsTree",
    "GreedyCover",
    "Leaf",
    "NaiveBayes",
    "PackedFeatures",
    "Rule",
    "Split",
    "conjunction_count",
    "greedy_list",
    "promised_error",
    "rivest",
    "sample_size",
]
