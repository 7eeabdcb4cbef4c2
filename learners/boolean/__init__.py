"""Tables of Boolean features, and learners of decision lists from them."""

from learners.boolean.cover import EMCover
from learners.boolean.decision_list import DecisionList, Rule
from learners.boolean.gibbs_tree import GibbsTree
from learners.boolean.greedy_cover import GreedyCover, greedy_list, rivest
from learners.boolean.learner import DecisionListLearner
from learners.boolean.naive_bayes import NaiveBayes
from learners.boolean.packed import Conjunction, PackedFeatures, conjunction_count
from learners.boolean.sample_size import FewRows, promised_error, sample_size
from learners.boolean.trees import Conditions, Leaf, Split

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
