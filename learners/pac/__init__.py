"""Learners of a hypothesis from a table of examples."""

from learners.pac.cover import EMCover
from learners.pac.decision_list import DecisionList, Rule
from learners.pac.greedy_cover import GreedyCover, greedy_list, rivest
from learners.pac.packed import Conjunction, PackedFeatures, conjunction_count
from learners.pac.sample_size import FewRows, promised_error, sample_size

__all__ = [
    "Conjunction",
    "DecisionList",
    "EMCover",
    "FewRows",
    "GreedyCover",
    "PackedFeatures",
    "Rule",
    "conjunction_count",
    "greedy_list",
    "promised_error",
    "rivest",
    "sample_size",
]
