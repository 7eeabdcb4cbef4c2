"""Sanitizers: private synthetic data that approximate the share of every concept of a class."""

from learners.sanitizers.base import (
    SANITIZATION_ERROR,
    ExactSanitizer,
    Release,
    Sanitizer,
    SyntheticData,
    sanitization_error,
    worst_estimate,
)
from learners.sanitizers.fooling import FoolingRun, FoolingSanitizer
from learners.sanitizers.generators import DualGenerator, HedgeGenerator
from learners.sanitizers.independent import Answers, IndependentAnswers
from learners.sanitizers.mwem import MWEMRun, MWEMSanitizer
from learners.sanitizers.point_samples import PointSample
from learners.sanitizers.realizable import (
    REALIZABLE_ERROR,
    HistogramSanitizer,
    RealizableRelease,
    ReleasedPoints,
    realizable_error,
)
from learners.sanitizers.sketches import ConceptSet, CutSanitizer, RealizableFooling
from learners.sanitizers.splitting import LabelledBySplitting

__all__ = [
    "REALIZABLE_ERROR",
    "SANITIZATION_ERROR",
    "ConceptSet",
    "CutSanitizer",
    "DualGenerator",
    "Answers",
    "ExactSanitizer",
    "FoolingRun",
    "FoolingSanitizer",
    "HedgeGenerator",
    "HistogramSanitizer",
    "LabelledBySplitting",
    "IndependentAnswers",
    "MWEMRun",
    "MWEMSanitizer",
    "PointSample",
    "RealizableFooling",
    "RealizableRelease",
    "ReleasedPoints",
    "Release",
    "Sanitizer",
    "SyntheticData",
    "realizable_error",
    "sanitization_error",
    "worst_estimate",
]
