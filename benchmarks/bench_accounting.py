"""Privacy accounting: noise and totals, compared with exact composition and with dp_accounting.

``python -m benchmarks accounting`` prints three tables. The first table has the deviation of
discrete Gaussian noise. The second table has the total epsilon of compositions. The third table has
the gains of learners that all accountants calibrate. Google's dp_accounting is
compared if it is installed (``pip install -e '.[peers]'``). Exact values are sums of probabilities.
For adaptive choices, the exact value is the optimum of choices that are fixed in advance, which is
a lower bound.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from fractions import Fraction

import catalog
from learners.accounting import (
    BoundedRange,
    Event,
    InAdvance,
    PureDP,
    Scope,
    SelfComposed,
    total,
    zcdp,
    zcdp_rho,
)
from learners.accounting.bounded_ranges import _rough_fixed_delta
from learners.accounting.discrete_gaussians import least_parameter, summed_delta
from learners.budget import Budget
from learners.experts.dartboard import ShrinkingDartboard
from learners.experts.hedge import DPHedge
from learners.playing.expert_sources import LossVectors
from learners.sanitizers.mwem import MWEMSanitizer
from learners.winnow.plan import WinnowParameters

DATA = Scope.adaptive("replace_one")

NOISE = [
    (Fraction(epsilon), Fraction(1, 10**digits), changes)
    for epsilon, digits in (("0.1", 6), (1, 2), (1, 6), (1, 12), (4, 6), (12, 6))
    for changes in (1, 20)
]
"""Epsilon, delta and the number of counts that one row changes by 1."""

COMPOSED = [
    ("pure", Fraction(1, 10), 100, Fraction(1, 10**6)),
    ("pure", Fraction(1, 10), 100, Fraction(2, 10**12)),
    ("pure", Fraction(1, 10), 1000, Fraction(1, 10**12)),
    ("pure", Fraction(1), 20, Fraction(1, 10**6)),
    ("choices", Fraction(1), 5, Fraction(1, 10**6)),
    ("choices", Fraction(1, 2), 20, Fraction(1, 10**6)),
    ("choices", Fraction(1, 10), 100, Fraction(1, 100)),
    ("choices", Fraction(1, 10), 100, Fraction(1, 10**6)),
    ("choices", Fraction(1, 10), 1000, Fraction(1, 10**6)),
    ("choices", Fraction(1, 100), 10**4, Fraction(1, 10**6)),
    ("choices", Fraction(1, 1000), 10**5, Fraction(1, 10**6)),
]
"""Kind, loss (or range) of one release, number of releases and delta."""


WINNOW = [
    (202, Fraction(1, 2), 10**6, 1),
    (202, Fraction(1, 5), 10**8, 1),
    (96, Fraction(1), 40_000, 4),
]
"""Experts, margin, rounds and epsilon of the calibrated Winnow."""

EXPERTS = [
    (DPHedge, 1000, 10**4, 1, 6),
    (DPHedge, 100, 10**6, 4, 6),
    (DPHedge, 1000, 10**4, 1, 2),
    (ShrinkingDartboard, 1000, 10**4, 1, 6),
    (ShrinkingDartboard, 16, 3000, 4, 6),
    (ShrinkingDartboard, 100, 10**5, 1, 2),
]
"""Learners from experts, with experts, rounds, epsilon and the digits of delta."""

MWEM = [
    ("thresholds:n=16", Fraction(1, 5), 1),
    ("intervals:n=128", Fraction(1, 10), 1),
    ("thresholds:n=256", Fraction(1, 20), 1),
    ("intervals:n=32", Fraction(1, 10), 4),
]
"""Class, error and epsilon of the calibrated sanitizer."""

LARGEST_EXACT = 2000
"""Largest number of releases whose optimum is computed in floating point."""


def least(holds: Callable[[float], bool], low: float, high: float) -> float:
    """The least number in an interval that holds, up to the precision of floating point."""
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def exact_parameter(epsilon: Fraction, delta: Fraction, changes: int) -> float:
    """The parameter at which the delta of the noise crosses the given delta."""
    top = float(changes / (2 * zcdp_rho(epsilon, delta)))

    def holds(parameter: float) -> bool:
        return float(summed_delta(Fraction(parameter), changes, epsilon).mid()) <= float(delta)

    return least(holds, top / 3, top)


def peer_noise(variance: float, delta: Fraction, changes: int) -> str:
    """Epsilon of one count with the noise of the sum of all changed counts, by dp_accounting."""
    try:
        from dp_accounting.pld import privacy_loss_distribution as peer
    except ImportError:
        return "not installed"
    found = peer.from_discrete_gaussian_mechanism(
        math.sqrt(variance * changes), sensitivity=changes, value_discretization_interval=1e-4
    )
    return f"{found.get_epsilon_for_delta(float(delta)):.4f}"


def noise() -> None:
    print("| epsilon | delta | changed counts | zCDP | least | this project | by dp_accounting |")
    print("|---|---|---|---|---|---|---|")
    for epsilon, delta, changes in NOISE:
        old = math.sqrt(changes / (2 * zcdp_rho(epsilon, delta)))
        new = least_parameter(epsilon, delta, changes, changes, True)
        exact = math.sqrt(exact_parameter(epsilon, delta, changes))
        peer = peer_noise(float(new), delta, changes)
        row = f"{old:.3f} (+{100 * (old / exact - 1):.0f} %) | {exact:.3f} | {math.sqrt(new):.3f}"
        print(f"| {float(epsilon):g} | {float(delta):.0e} | {changes} | {row} | {peer} |")


def peer_total(kind: str, loss: Fraction, count: int, delta: Fraction) -> str:
    """Epsilon by the privacy loss distributions of dp_accounting, in which a choice is pure."""
    try:
        from dp_accounting.pld import common
        from dp_accounting.pld import privacy_loss_distribution as peer
    except ImportError:
        return "not installed"
    one = peer.from_privacy_parameters(
        common.DifferentialPrivacyParameters(float(loss), 0.0),
        value_discretization_interval=min(1e-3, float(loss) / 4),
    )
    return f"{one.self_compose(count).get_epsilon_for_delta(float(delta)):.4f}"


def exact_total(kind: str, loss: float, count: int, delta: float) -> float:
    """The optimal epsilon of pure releases, or of choices that are fixed in advance."""

    def spent(epsilon: float) -> float:
        if kind != "pure":
            return _rough_fixed_delta(loss, count, epsilon)
        likely, found = -math.log1p(math.exp(-loss)), 0.0
        for i in range(count + 1):
            ways = math.lgamma(count + 1) - math.lgamma(i + 1) - math.lgamma(count - i + 1)
            excess = -math.expm1(min(epsilon - (count - 2 * i) * loss, 0.0))
            found += math.exp(ways + count * likely - i * loss) * excess
        return found

    return least(lambda epsilon: spent(epsilon) <= delta, 0.0, loss * count)


def totals() -> None:
    head = "release | loss | number | delta | zCDP | exact | this project | method | seconds"
    print(f"| {head} | dp_accounting |\n|{'---|' * 10}")
    for kind, loss, count, delta in COMPOSED:
        choice = BoundedRange(loss, scope=DATA)
        events: list[tuple[str, Event]] = [
            ("adaptive choices", SelfComposed(choice, count)),
            ("choices fixed in advance", InAdvance(choice, count)),
        ]
        if kind == "pure":
            events = [("pure", SelfComposed(PureDP(loss, scope=DATA), count))]
        for name, event in events:
            before = time.process_time()
            found = total(event, delta)
            seconds = time.process_time() - before
            old = float(zcdp(event, delta)[0])
            shown, note = "–", ""
            if count <= LARGEST_EXACT:
                exact = exact_total(kind, float(loss), count, float(delta))
                shown, note = f"{exact:.4f}", f" (+{100 * (old / exact - 1):.0f} %)"
            size = f"{float(loss):g} | {count} | {float(delta):.0e}"
            result = f"{float(found.epsilon):.4f} | {found.method} | {seconds:.2f}"
            peer = peer_total(kind, loss, count, delta)
            print(f"| {name} | {size} | {old:.4f}{note} | {shown} | {result} | {peer} |")


def calibrated() -> None:
    """Bounds of the learners that all accountants calibrate, and their ratio to zCDP."""
    head = "learner | instance | epsilon | delta | bound by zCDP | bound | ratio"
    print(f"| {head} |\n|{'---|' * 7}")
    delta = Fraction(1, 10**6)
    for kind, experts, rounds, epsilon, digits in EXPERTS:
        budget = Budget(epsilon, Fraction(1, 10**digits))
        old, new = (
            next(
                float(each.value or 0)
                for each in kind.within(
                    budget, LossVectors(experts), rounds, composition=name
                ).bounds
                if each.quantity == "expected regret"
            )
            for name in ("zcdp", "best")
        )
        instance = f"{experts} experts, {rounds:.0e} rounds"
        cells = f"{epsilon} | 10^-{digits} | {old:.0f} | {new:.0f} | {new / old:.3f}"
        print(f"| `{kind.__name__}`, expected regret | {instance} | {cells} |")
    for experts, margin, rounds, epsilon in WINNOW:
        given = Budget(epsilon, delta), experts, margin, rounds
        old, new = (
            WinnowParameters.from_theorem(*given, composition=name).mistakes
            for name in ("zcdp", "best")
        )
        instance = f"{experts} experts, margin {margin}, {rounds:.0e} rounds"
        cells = f"{epsilon} | 10^-6 | {old} | {new} | {new / old:.3f}"
        print(f"| `DPWinnow`, mistakes | {instance} | {cells} |")
    for spec, alpha, epsilon in MWEM:
        old, new = (
            MWEMSanitizer.for_error(
                catalog.build(spec), alpha, Budget(epsilon, delta), composition=name
            ).needed
            for name in ("zcdp", "best")
        )
        instance = f"`{spec}`, error {alpha}"
        cells = f"{epsilon} | 10^-6 | {old} | {new} | {new / old:.3f}"
        print(f"| `MWEMSanitizer`, rows | {instance} | {cells} |")


def main() -> None:
    print("Deviation of discrete Gaussian noise, and epsilon of the noise of this project:\n")
    noise()
    print("\nTotal epsilon:\n")
    totals()
    print("\nCalibrated learners:\n")
    calibrated()
