"""Learners that run on any concept class, private learners among them.

This package has the names that most programs need. A name imports its module when it
is used, so ``import learners`` loads no other package. The estimators need scikit-learn, so
``from learners import *`` leaves them out. ``from learners import OnlineClassifier`` works.

>>> from learners import ONLINE_LEARNERS, RandomConcept, SeededCoins, play
>>> import catalog
>>> C = catalog.build("thresholds:n=7")
>>> learner = ONLINE_LEARNERS["pop"].learner(C, 100, epsilon=1)
>>> play(learner, RandomConcept(C), 100, SeededCoins(1)).played
100

A package of the distribution lsclasses.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from learners.accounting import Privacy
    from learners.audit import audit as audit_mechanism
    from learners.audit import audit_game, audit_samples
    from learners.budget import Budget
    from learners.budget_files import BudgetFile
    from learners.coins import SecureCoins, SeededCoins
    from learners.experts.agnostic import AgnosticExperts
    from learners.experts.batched_online import SanitizedOnline
    from learners.experts.dartboard import ShrinkingDartboard
    from learners.experts.hedge import DPHedge, FollowTheLeader, Hedge
    from learners.experts.sparse import SparseVectorExperts
    from learners.forest.algorithm import ForestSOA
    from learners.forest.rerun import RerunForest
    from learners.layers.algorithm import LayeredSOA
    from learners.learner_comparison import Comparison, compare
    from learners.majorities.algorithm import SparseMajority
    from learners.majorities.sparse_halving import SparseHalving
    from learners.merging.algorithm import MergingSOA
    from learners.optimal.predictor import OptimalAnswers
    from learners.pac.aggregate import SubsampleAggregate
    from learners.pac.agnostic import AgnosticEmpirical
    from learners.pac.base import BatchLearner
    from learners.pac.distributions import FiniteDistribution, UniformDistribution
    from learners.pac.entries import BATCH_LEARNERS, EmpiricalRiskMinimizer, FinalHypothesis
    from learners.pac.generic import GenericLearner
    from learners.pac.merging import MergingSampleLearner
    from learners.pac.private_littlestone import PrivateLittlestoneLearner
    from learners.pac.samples import Sample
    from learners.pac.voting import VotingSampleLearner
    from learners.playing.adversaries import Optimal, RandomConcept
    from learners.playing.base.halving import Halving
    from learners.playing.base.proper_soa import ProperSOA
    from learners.playing.base.winnow import Winnow
    from learners.playing.entries import ONLINE_LEARNERS
    from learners.playing.learner import OnlineLearner
    from learners.playing.play import play, replay
    from learners.playing.transcript import Transcript
    from learners.pop.agnostic import AgnosticPOP
    from learners.pop.algorithm import POP
    from learners.rules.algorithm import DecisionListLearner
    from learners.tables import Binarizer as Binarizer
    from learners.tables import DecisionListClassifier as DecisionListClassifier
    from learners.tables import OnlineClassifier as OnlineClassifier
    from learners.tables import PrivateDecisionListClassifier as PrivateDecisionListClassifier
    from learners.tables import PrivateLogisticRegression as PrivateLogisticRegression
    from learners.tables import PrivateNaiveBayesClassifier as PrivateNaiveBayesClassifier
    from learners.tables import PrivateRuleListClassifier as PrivateRuleListClassifier
    from learners.tables import PrivateWinnowClassifier as PrivateWinnowClassifier
    from learners.voting.algorithm import VotingLearner
    from learners.winnow.algorithm import DPWinnow
    from lsclasses.randomized_soa import RandomizedSOA
    from lsclasses.soa import SOA, ConservativeSOA

_HOMES = {
    "accounting": ("Privacy",),
    "audit": ("audit_game", "audit_mechanism", "audit_samples"),
    "budget": ("Budget",),
    "budget_files": ("BudgetFile",),
    "coins": ("SecureCoins", "SeededCoins"),
    "learner_comparison": ("Comparison", "compare"),
    "experts.agnostic": ("AgnosticExperts",),
    "experts.batched_online": ("SanitizedOnline",),
    "experts.dartboard": ("ShrinkingDartboard",),
    "experts.hedge": ("DPHedge", "FollowTheLeader", "Hedge"),
    "experts.sparse": ("SparseVectorExperts",),
    "forest.algorithm": ("ForestSOA",),
    "forest.rerun": ("RerunForest",),
    "layers.algorithm": ("LayeredSOA",),
    "majorities.algorithm": ("SparseMajority",),
    "majorities.sparse_halving": ("SparseHalving",),
    "pac.aggregate": ("SubsampleAggregate",),
    "pac.agnostic": ("AgnosticEmpirical",),
    "pac.base": ("BatchLearner",),
    "pac.distributions": ("FiniteDistribution", "UniformDistribution"),
    "pac.entries": ("BATCH_LEARNERS", "EmpiricalRiskMinimizer", "FinalHypothesis"),
    "pac.generic": ("GenericLearner",),
    "pac.private_littlestone": ("PrivateLittlestoneLearner",),
    "pac.samples": ("Sample",),
    "merging.algorithm": ("MergingSOA",),
    "pac.merging": ("MergingSampleLearner",),
    "pac.voting": ("VotingSampleLearner",),
    "playing.adversaries": ("Optimal", "RandomConcept"),
    "playing.base.halving": ("Halving",),
    "playing.base.proper_soa": ("ProperSOA",),
    "playing.base.winnow": ("Winnow",),
    "playing.entries": ("ONLINE_LEARNERS",),
    "playing.learner": ("OnlineLearner",),
    "playing.play": ("play", "replay"),
    "playing.transcript": ("Transcript",),
    "optimal.predictor": ("OptimalAnswers",),
    "pop.agnostic": ("AgnosticPOP",),
    "pop.algorithm": ("POP",),
    "rules.algorithm": ("DecisionListLearner",),
    "tables": (
        "Binarizer",
        "DecisionListClassifier",
        "OnlineClassifier",
        "PrivateDecisionListClassifier",
        "PrivateLogisticRegression",
        "PrivateNaiveBayesClassifier",
        "PrivateRuleListClassifier",
        "PrivateWinnowClassifier",
    ),
    "voting.algorithm": ("VotingLearner",),
    "winnow.algorithm": ("DPWinnow",),
}
"""Names by the modules that define them."""

_LSCLASSES = {"ConservativeSOA": "soa", "RandomizedSOA": "randomized_soa", "SOA": "soa"}
"""Learners of the package lsclasses, by their modules."""

_MODULES = {
    **{name: f"learners.{module}" for module, names in _HOMES.items() for name in names},
    **{name: f"lsclasses.{module}" for name, module in _LSCLASSES.items()},
}

__all__ = [
    "AgnosticEmpirical",
    "AgnosticExperts",
    "AgnosticPOP",
    "BATCH_LEARNERS",
    "BatchLearner",
    "Budget",
    "BudgetFile",
    "Comparison",
    "ConservativeSOA",
    "DPHedge",
    "DPWinnow",
    "DecisionListLearner",
    "EmpiricalRiskMinimizer",
    "FinalHypothesis",
    "FiniteDistribution",
    "FollowTheLeader",
    "ForestSOA",
    "GenericLearner",
    "Halving",
    "Hedge",
    "LayeredSOA",
    "MergingSOA",
    "MergingSampleLearner",
    "ONLINE_LEARNERS",
    "OnlineLearner",
    "Optimal",
    "OptimalAnswers",
    "POP",
    "Privacy",
    "PrivateLittlestoneLearner",
    "ProperSOA",
    "RandomConcept",
    "RandomizedSOA",
    "RerunForest",
    "SOA",
    "Sample",
    "SanitizedOnline",
    "SecureCoins",
    "SeededCoins",
    "ShrinkingDartboard",
    "SparseHalving",
    "SparseMajority",
    "SparseVectorExperts",
    "SubsampleAggregate",
    "Transcript",
    "UniformDistribution",
    "VotingLearner",
    "VotingSampleLearner",
    "Winnow",
    "audit_game",
    "audit_mechanism",
    "audit_samples",
    "compare",
    "play",
    "replay",
]


def __dir__() -> list[str]:
    return sorted(_MODULES)


def __getattr__(name: str) -> object:
    if name in _MODULES:
        # The package `learners.audit` has its own function `audit`.
        found = "audit" if name == "audit_mechanism" else name
        return getattr(_import_module(_MODULES[name]), found)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
