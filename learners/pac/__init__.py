"""Learners of a hypothesis from a sample, and distributions of samples."""

from learners.pac.aggregate import SubsampleAggregate
from learners.pac.agnostic import AgnosticEmpirical
from learners.pac.base import BatchLearner, FewRows
from learners.pac.distributions import (
    Distribution,
    FiniteDistribution,
    Mixture,
    NoisyLabels,
    UniformDistribution,
)
from learners.pac.entries import EmpiricalRiskMinimizer, FinalHypothesis
from learners.pac.generic import GenericLearner
from learners.pac.globally_stable import GloballyStableLearner, Stability, stability
from learners.pac.littlestone_parameters import (
    LittlestoneParameters,
    SampleComplexity,
    sample_complexity,
)
from learners.pac.merging import MergingSampleLearner
from learners.pac.private_littlestone import PrivateLittlestoneLearner
from learners.pac.samples import Sample, count_errors
from learners.pac.tournaments import Tournaments, tournaments
from learners.pac.voting import VotingSampleLearner

__all__ = [
    "AgnosticEmpirical",
    "BatchLearner",
    "Distribution",
    "EmpiricalRiskMinimizer",
    "FewRows",
    "FinalHypothesis",
    "FiniteDistribution",
    "GenericLearner",
    "GloballyStableLearner",
    "LittlestoneParameters",
    "Mixture",
    "NoisyLabels",
    "PrivateLittlestoneLearner",
    "Sample",
    "SampleComplexity",
    "Stability",
    "SubsampleAggregate",
    "Tournaments",
    "MergingSampleLearner",
    "VotingSampleLearner",
    "UniformDistribution",
    "count_errors",
    "sample_complexity",
    "stability",
    "tournaments",
]
