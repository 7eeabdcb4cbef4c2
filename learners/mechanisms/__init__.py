"""Private mechanisms on integers, one file a family, each with its guarantee and its proof.

A mechanism is a frozen description: its parameters are integers and fractions, its ``privacy`` is
an event for the ledger (`learners.accounting`), and its method that runs it takes `Coins`.
"""

from learners.mechanisms.challenge_at import ChallengeAT
from learners.mechanisms.count_noise import CountNoise
from learners.mechanisms.count_trees import CountTree
from learners.mechanisms.counter import DyadicIntervals, TreeCounter
from learners.mechanisms.fresh_noise import FreshNoiseThreshold
from learners.mechanisms.hist_sparse import HistSparse
from learners.mechanisms.histograms import BoundedHistogram, StableHistogram
from learners.mechanisms.noise import DiscreteLaplace, difference_bound, noise_bound
from learners.mechanisms.randomized_response import RandomizedResponse
from learners.mechanisms.selection import ExponentialMechanism, PermuteAndFlip, ReportNoisyMax
from learners.mechanisms.sparse_vector import (
    AboveThreshold,
    CumulativeAboveThreshold,
    OneSidedThreshold,
    Sparse,
)

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
    "OneSidedThreshold",
    "PermuteAndFlip",
    "RandomizedResponse",
    "ReportNoisyMax",
    "Sparse",
    "StableHistogram",
    "TreeCounter",
    "difference_bound",
    "noise_bound",
]
