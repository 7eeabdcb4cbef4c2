"""Learners of a hypothesis from a table of examples."""

from learners.pac.cover import EMCover
from learners.pac.decision_list import DecisionList, Rule
from learners.pac.greedy_cover import GreedyCover, greedy_list, rivest
from learners.pac.packed import Conjunction, PackedFeatures, conjunction_count

__all__ = [
    "Conjunction",
    "DecisionList",
    "EMCover",
    "GreedyCover",
    "PackedFeatures",
    "Rule",
    "conjunction_count",
    "greedy_list",
    "rivest",
]
