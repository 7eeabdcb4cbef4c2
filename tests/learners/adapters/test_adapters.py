"""Adapters read the claims of other libraries and find the losses that are known."""

from __future__ import annotations

import math
import random
import sys
from fractions import Fraction
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from learners.adapters import (
    ExternalMechanism,
    event_epsilon,
    from_diffprivlib,
    from_estimator,
    from_opendp,
    of_event,
)
from learners.audit import of_distributions
from lsclasses.errors import InvalidInput
from lsclasses.verdicts import Verdict


class Measurement:
    """The interface of a measurement of OpenDP."""

    def __init__(self, measure: str, loss: object) -> None:
        self.output_measure, self.loss = measure, loss
        self.rng = random.Random(1)

    def map(self, distance: object) -> object:
        return self.loss

    def __call__(self, bit: int) -> int:
        return bit if self.rng.random() < 0.75 else 1 - bit


@pytest.mark.parametrize(
    ("measure", "loss", "claim", "verdict"),
    [
        ("MaxDivergence", 1.1, "epsilon = 1.1", Verdict.CONSISTENT),
        ("MaxDivergence", 0.5, "epsilon = 0.5", Verdict.VIOLATED),
        ("Approximate(MaxDivergence)", (0.9, 0.25), "delta = 0.25", Verdict.CONSISTENT),
        ("ZeroConcentratedDivergence", 0.55, "rho = 0.55", Verdict.CONSISTENT),
        ("ZeroConcentratedDivergence", 0.1, "rho = 0.1", Verdict.VIOLATED),
    ],
)
def test_measurements_state_their_claims(measure, loss, claim, verdict) -> None:
    mechanism = from_opendp(Measurement(measure, loss), 1)
    assert claim in mechanism.claim
    assert mechanism.audit([0, 1], samples=4000).verdict == verdict


def test_other_measures_are_refused() -> None:
    with pytest.raises(InvalidInput, match="Got RenyiDivergence"):
        from_opendp(Measurement("RenyiDivergence", 1.0), 1)


class Flip:
    """The interface of a mechanism of diffprivlib, which fails if a number is 0."""

    epsilon, delta, _rng = 1.0, 0.0, None

    def __init__(self, utility=None) -> None:
        self.utility = utility

    def randomise(self, value):
        number = self._rng.random()
        if number <= 0:
            raise RuntimeError("no value")
        if self.utility is None:
            return value if number < 0.7 else 1 - value
        return int(number < 0.5 + 0.1 * self.utility)


def test_mechanisms_of_diffprivlib_are_enumerated() -> None:
    mechanism = Flip()
    found = from_diffprivlib(mechanism).audit([0, 1])
    assert found.verdict == Verdict.HOLDS and found.audit.enumerated
    assert abs(found.measured.upper - math.log(7 / 3)) < 1e-9
    assert mechanism._rng is None  # the audit uses copies
    utilities = from_diffprivlib(Flip(), inputs_are_mechanisms=True)
    found = utilities.audit([Flip(0), Flip(1)])
    assert abs(found.measured.upper - math.log(0.5 / 0.4)) < 1e-9


class Staircase:
    """The interface of a mechanism of diffprivlib that draws from a generator of NumPy."""

    epsilon, delta = 1.0, 0.0

    def __init__(self, scale: float) -> None:
        self.scale, self._rng = scale, np.random.default_rng()

    def randomise(self, value):
        return value + self.scale * (self._rng.geometric(0.5) - self._rng.geometric(0.5))


def test_mechanisms_that_draw_from_numpy_receive_its_generator() -> None:
    found = from_diffprivlib(Staircase(1)).audit([0, 1], tail=2**-20)
    assert found.audit.enumerated and abs(found.measured.lower - math.log(2)) < 1e-3

    class Unbounded(Staircase):
        def randomise(self, value):
            return value + self.scale * self._rng.laplace()

    loud, quiet = (from_diffprivlib(Unbounded(scale)) for scale in (1, 0.2))
    assert loud.source == "numpy"
    assert loud.audit([0, 1], samples=2000).verdict == Verdict.CONSISTENT
    assert quiet.audit([0, 1], samples=2000).verdict == Verdict.VIOLATED


def test_negligible_events_do_not_refute_a_pure_claim() -> None:
    """An error of probability 2^-53 on one input only is not a violation."""

    def run(bit, rng):
        number = rng.random()
        return "error" if bit and number <= 0 else number < 0.5

    found = ExternalMechanism("rare", run, "random", Fraction(1, 10)).audit([0, 1])
    assert found.verdict == Verdict.HOLDS
    assert found.audit.epsilon().lower == math.inf
    assert found.blind_spots == found.audit.blind_spots


@pytest.mark.parametrize(("epsilon", "verdict"), [("0.6931", "violated"), ("0.693147", "holds")])
def test_a_claim_may_be_exceeded_by_rounding_only(epsilon: str, verdict: str) -> None:
    """The needed epsilon is ln 2 = 0.6931471..., and the tolerance is about 1.7 * 10^-6."""

    def run(bit, coins):
        return bit ^ coins.flip(Fraction(1, 3))

    found = ExternalMechanism("response", run, "coins", Fraction(epsilon)).audit([0, 1])
    assert found.verdict == verdict


def test_estimators_are_fitted_for_every_draw() -> None:
    class Share:
        epsilon = 0.5
        rng = random.Random(3)

        def fit(self, X, y):
            self.share_ = sum(y) / len(y) + self.rng.gauss(0, 0.2)
            return self

    mechanism = from_estimator(Share, lambda fitted: fitted.share_)
    rows = [[0], [1]]
    found = mechanism.audit([(rows, [0, 0]), (rows, [0, 1])], samples=4000)
    assert found.verdict == Verdict.VIOLATED and mechanism.name == "Share"


QUARTER = Fraction(1, 4)
RESPONSE = [3 * QUARTER, QUARTER]


def test_events_of_dp_accounting_are_compared() -> None:
    dp_accounting = pytest.importorskip("dp_accounting")
    event = dp_accounting.RandomizedResponseDpEvent(0.5, 2)
    claimed, measured, verdict = of_event(event, of_distributions(RESPONSE, RESPONSE[::-1]))
    assert verdict == Verdict.HOLDS and abs(measured.upper - math.log(3)) < 1e-12
    assert math.log(3) <= claimed < math.log(3) + 1e-3
    more = of_distributions([Fraction(9, 10), Fraction(1, 10)], [Fraction(1, 10), Fraction(9, 10)])
    assert of_event(event, more)[2] == Verdict.VIOLATED
    assert event_epsilon(dp_accounting.GaussianDpEvent(1.0), 1e-5, "add_remove") > 4.3
    assert event_epsilon(dp_accounting.NonPrivateDpEvent(), 0) == math.inf
    assert event_epsilon(dp_accounting.GaussianDpEvent(1.0), 0) == math.inf


def test_infinite_and_refused_claims_of_events(monkeypatch) -> None:
    """An accountant whose epsilon is infinite at delta 0 and 1 otherwise."""

    class Accountant:
        def __init__(self, relation) -> None:
            assert relation == "add"

        def compose(self, event):
            return self

        def get_epsilon(self, delta: float) -> float:
            return 1.0 if delta else math.inf

    library, pld = ModuleType("dp_accounting"), ModuleType("dp_accounting.pld")
    library.NeighboringRelation = SimpleNamespace(REPLACE_ONE="replace", ADD_OR_REMOVE_ONE="add")
    pld.PLDAccountant = Accountant
    monkeypatch.setitem(sys.modules, "dp_accounting", library)
    monkeypatch.setitem(sys.modules, "dp_accounting.pld", pld)
    assert event_epsilon("event", 0, "add_remove") == math.inf
    assert event_epsilon("event", "1e-5", "add_remove") == 1
    disjoint = of_distributions([1, 0], [0, 1])
    claimed, measured, verdict = of_event("event", disjoint, 0, "add_remove")
    assert (claimed, measured.lower, verdict) == (math.inf, math.inf, Verdict.HOLDS)
    assert of_event("event", disjoint, 0.5, "add_remove")[2] == Verdict.VIOLATED
    with pytest.raises(InvalidInput, match="Got 2"):
        event_epsilon("event", 2, "add_remove")
    with pytest.raises(InvalidInput, match="Got 'swap'"):
        event_epsilon("event", 0, "swap")
