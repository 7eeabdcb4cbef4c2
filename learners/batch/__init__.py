"""Learners of a hypothesis from a sample, and the distributions that samples come from."""

from learners.batch.aggregate import SubsampleAggregate
from learners.batch.agnostic import AgnosticEmpirical
from learners.batch.base import BatchLearner, FewRows
from learners.batch.distributions import (
    Distribution,
    FiniteDistribution,
    Mixture,
    NoisyLabels,
    UniformDistribution,
)
from learners.batch.generic import GenericLearner
from learners.batch.globally_stable import GloballyStableLearner
from learners.batch.littlestone_parameters import (
    LittlestoneParameters,
    SampleComplexity,
    sample_complexity,
)
from learners.batch.plain import EmpiricalRiskMinimizer, FinalHypothesis
from learners.batch.private_littlestone import PrivateLittlestoneLearner
from learners.batch.samples import Sample, count_errors
from learners.batch.stability import Stability, stability
from learners.batch.tournaments import Tournaments, tournaments

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
    "UniformDistribution",
    "count_errors",
    "sample_complexity",
    "stability",
    "tournaments",
]
