"""Private mechanisms on integers, each with its guarantee and its proof.

A mechanism is an immutable object. Its parameters are integers and fractions. Its ``privacy`` is an
event for the ledger (`learners.accounting`). The method that runs the mechanism takes `Coins`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from learners.mechanisms.challenge_at import ChallengeAT
    from learners.mechanisms.count_noise import CountNoise
    from learners.mechanisms.count_trees import CountTree
    from learners.mechanisms.counter import DyadicIntervals, TreeCounter
    from learners.mechanisms.fresh_noise import FreshNoiseThreshold
    from learners.mechanisms.hist_sparse import HistSparse
    from learners.mechanisms.histograms import BoundedHistogram, StableHistogram
    from learners.mechanisms.list_histogram import ListHistogram
    from learners.mechanisms.noise import DiscreteLaplace, difference_bound, noise_bound
    from learners.mechanisms.randomized_response import RandomizedResponse
    from learners.mechanisms.selection import ExponentialMechanism, PermuteAndFlip, ReportNoisyMax
    from learners.mechanisms.sparse_vector import (
        AboveThreshold,
        CumulativeAboveThreshold,
        OneSidedThreshold,
        Sparse,
    )
    from learners.mechanisms.voting_counters import VotingCounters

__all__ = [
    "AboveThreshold",
    "BoundedHistogram",
    "ChallengeAT",
    "CountNoise",
    "CountTree",
    "CumulativeAboveThreshold",
    "DiscreteLaplace",
    "DyadicIntervals",
    "ExponentialMechanism",
    "FreshNoiseThreshold",
    "HistSparse",
    "ListHistogram",
    "OneSidedThreshold",
    "PermuteAndFlip",
    "RandomizedResponse",
    "ReportNoisyMax",
    "Sparse",
    "StableHistogram",
    "TreeCounter",
    "VotingCounters",
    "difference_bound",
    "noise_bound",
]

HOMES = {
    "AboveThreshold": "learners.mechanisms.sparse_vector",
    "BoundedHistogram": "learners.mechanisms.histograms",
    "ChallengeAT": "learners.mechanisms.challenge_at",
    "CountNoise": "learners.mechanisms.count_noise",
    "CountTree": "learners.mechanisms.count_trees",
    "CumulativeAboveThreshold": "learners.mechanisms.sparse_vector",
    "DiscreteLaplace": "learners.mechanisms.noise",
    "DyadicIntervals": "learners.mechanisms.counter",
    "ExponentialMechanism": "learners.mechanisms.selection",
    "FreshNoiseThreshold": "learners.mechanisms.fresh_noise",
    "HistSparse": "learners.mechanisms.hist_sparse",
    "ListHistogram": "learners.mechanisms.list_histogram",
    "OneSidedThreshold": "learners.mechanisms.sparse_vector",
    "PermuteAndFlip": "learners.mechanisms.selection",
    "RandomizedResponse": "learners.mechanisms.randomized_response",
    "ReportNoisyMax": "learners.mechanisms.selection",
    "Sparse": "learners.mechanisms.sparse_vector",
    "StableHistogram": "learners.mechanisms.histograms",
    "TreeCounter": "learners.mechanisms.counter",
    "VotingCounters": "learners.mechanisms.voting_counters",
    "difference_bound": "learners.mechanisms.noise",
    "noise_bound": "learners.mechanisms.noise",
}
"""Module that defines each public name of this package. A module is imported on the first access to
one of its names, because most learners need only one or two modules."""


def __getattr__(name: str) -> Any:
    if name in HOMES:
        return getattr(import_module(HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
