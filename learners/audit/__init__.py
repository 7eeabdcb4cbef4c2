"""Measured privacy cost of a release, exact where it can be enumerated and else from samples.

The exact audits take the output distributions of the production code for two inputs
(`exact_distribution`), or the distributions of an adversary's view in a game. They compute
delta(epsilon), the hockey-stick divergence sum_o max(0, P(o) - e^epsilon Q(o)), the larger value of
both directions. The release is (epsilon, delta)-DP for this pair if and only if
delta(epsilon) <= delta. Numbers are balls or pairs of floats that contain the true value. They
cover all parts that the enumeration cut. Samples and counts give lower bounds with a confidence.

A verdict (`lsclasses.verdicts.Verdict`) is *holds*, *violated* or *undecided*. *Holds* means that
the upper bound on delta(epsilon) exceeds the claimed delta by at most the resolution, which is
10^-12 by default (`RESOLUTION`). An audit from samples gives *violated* or *consistent*. No verdict
is a proof for other instances.
"""

from learners.audit.blind_spots import BlindSpots
from learners.audit.certified_events import CertifiedEvent, clopper_pearson
from learners.audit.claims import RESOLUTION, Finding
from learners.audit.cumulants import ZCDPBound
from learners.audit.enclosures import Enclosure
from learners.audit.games import ExploredGame, audit_game
from learners.audit.given_distributions import (
    DistributionAudit,
    DistributionFinding,
    TradeoffCurve,
    WitnessEvent,
    of_distributions,
)
from learners.audit.interactive_programs import interactive
from learners.audit.losses import PrivacyLoss
from learners.audit.pairs import PairFinding, audit, audit_joint, neighbouring_pairs
from learners.audit.programs import ProgramAudit, ProgramFinding, program
from learners.audit.sampled_audits import SampledFinding, audit_samples
from learners.audit.strategies import GameFinding, PlayedAdversary, Strategy, view_loss

__all__ = [
    "BlindSpots",
    "CertifiedEvent",
    "DistributionAudit",
    "DistributionFinding",
    "Enclosure",
    "TradeoffCurve",
    "WitnessEvent",
    "ZCDPBound",
    "of_distributions",
    "ExploredGame",
    "Finding",
    "GameFinding",
    "PlayedAdversary",
    "PairFinding",
    "PrivacyLoss",
    "ProgramAudit",
    "ProgramFinding",
    "RESOLUTION",
    "SampledFinding",
    "Strategy",
    "audit",
    "audit_game",
    "audit_joint",
    "audit_samples",
    "clopper_pearson",
    "interactive",
    "neighbouring_pairs",
    "program",
    "view_loss",
]
