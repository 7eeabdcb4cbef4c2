"""Audits of mechanisms and events of other libraries: claim, measured lower bound and verdict.

The table needs the extras ``opendp``, ``diffprivlib`` and ``dp-accounting``. Libraries that are not
installed are named after the table. Sampled audits certify their lower bounds at confidence
1 - 10^-6, so a lower bound above a claim is not chance. Lower bounds are rounded down. OpenDP draws
from the operating system, so its rows change from run to run.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.special import ndtr

from learners.adapters import (
    ExternalFinding,
    ExternalMechanism,
    from_diffprivlib,
    from_estimator,
    from_opendp,
    of_event,
)
from learners.audit import DistributionAudit, Enclosure, of_distributions
from learners.audit.enclosures import text_above, text_below
from lsclasses.numbers import format_number
from lsclasses.verdicts import Verdict

SAMPLES = 10_000
FITS = 1_000
MOST_BRANCHES = 4096
"""Number of branches from which a mechanism is sampled."""

Entry = tuple[str, ExternalMechanism, list[Any], int]
"""Library, mechanism, neighbouring inputs, and number of samples."""


def opendp() -> Iterator[Entry]:
    """Measurements of OpenDP. The distance of the inputs is the argument of the privacy map."""
    import opendp.prelude as dp

    dp.enable_features("contrib", "floating-point")
    integers = dp.atom_domain(T="i64"), dp.absolute_distance(T="i64")
    floats = dp.atom_domain(T="f64", nan=False), dp.absolute_distance(T="f64")
    scores = (
        dp.vector_domain(dp.atom_domain(T="f64", nan=False)),
        dp.linf_distance(T="f64", monotonic=False),
    )
    table = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T="i64"))
    changes = dp.l01inf_distance(dp.absolute_distance(T="i64"))
    found = [
        (dp.m.make_laplace(*integers, scale=1.0), 1, "Laplace, integers", [0, 1]),
        (dp.m.make_geometric(*integers, scale=1.0, bounds=(0, 5)), 1, "geometric, bounded", [2, 3]),
        (dp.m.make_laplace(*floats, scale=1.0), 1.0, "Laplace, floats", [0.0, 1.0]),
        (dp.m.make_gaussian(*integers, scale=1.0), 1, "Gaussian, integers", [0, 1]),
        (
            dp.m.make_randomized_response_bool(0.75),
            1,
            "randomized response, booleans",
            [False, True],
        ),
        (
            dp.m.make_randomized_response(["a", "b", "c"], 0.6),
            1,
            "randomized response, three categories",
            ["a", "b"],
        ),
        (
            dp.m.make_noisy_max(*scores, dp.max_divergence(), scale=2.0),
            1.0,
            "noisy max, pure",
            [[0.0, 1.0, 1.0], [1.0, 0.0, 0.0]],
        ),
        (
            dp.m.make_noisy_max(*scores, dp.zero_concentrated_divergence(), scale=1.0),
            1.0,
            "noisy max, zCDP",
            [[0.0, -0.75, -5.0], [-1.0, 0.25, -6.0]],
        ),
        (
            dp.m.make_laplace_threshold(table, changes, scale=1.0, threshold=2),
            (1, 1, 1),
            "Laplace with a threshold",
            [{}, {"a": 1}],
        ),
    ]
    for measurement, distance, name, inputs in found:
        yield "OpenDP", from_opendp(measurement, distance, name), inputs, SAMPLES


def diffprivlib() -> Iterator[Entry]:
    """Mechanisms of diffprivlib. The inputs differ by the sensitivity."""
    from diffprivlib import mechanisms

    exponential = [
        mechanisms.Exponential(epsilon=1, sensitivity=1, utility=utility)
        for utility in ([0, 1, 1], [1, 0, 0])
    ]
    flips = [
        mechanisms.PermuteAndFlip(epsilon=1, sensitivity=1, utility=utility)
        for utility in ([0, 1, 1], [1, 0, 0])
    ]
    values: list[tuple[Any, list[Any]]] = [
        (mechanisms.Binary(epsilon=1, value0="a", value1="b"), ["a", "b"]),
        (mechanisms.Geometric(epsilon=1, sensitivity=1), [0, 1]),
        (mechanisms.GeometricTruncated(epsilon=1, sensitivity=1, lower=0, upper=3), [1, 2]),
        (mechanisms.Laplace(epsilon=1, sensitivity=1), [0.0, 1.0]),
        (mechanisms.LaplaceBoundedDomain(epsilon=1, sensitivity=1, lower=0, upper=1), [0.0, 1.0]),
        (mechanisms.GaussianDiscrete(epsilon=1, delta=0.1), [0, 1]),
        (mechanisms.Uniform(delta=0.25, sensitivity=1), [0.0, 1.0]),
    ]
    for mechanism, inputs in values:
        yield "diffprivlib", from_diffprivlib(mechanism), inputs, SAMPLES
    for made in (exponential, flips):
        adapted = from_diffprivlib(made[0], inputs_are_mechanisms=True)
        yield "diffprivlib", adapted, made, SAMPLES


def estimators() -> Iterator[Entry]:
    """Estimators of diffprivlib. One row of the training set is replaced."""
    from diffprivlib.models import GaussianNB, LinearRegression

    rows = [[0.0], [0.2], [0.8], [1.0]]
    inputs = [(rows, [0, 0, 1, 1]), ([[1.0], *rows[1:]], [0, 0, 1, 1])]
    yield (
        "diffprivlib",
        from_estimator(
            lambda: GaussianNB(epsilon=1.0, bounds=(0, 1), priors=[0.5, 0.5]),
            lambda fitted: tuple(fitted.theta_.ravel()),
            name="GaussianNB",
        ),
        inputs,
        FITS,
    )
    numbers = [(rows, [0.0, 0.2, 0.8, 1.0]), (rows, [1.0, 0.2, 0.8, 1.0])]
    yield (
        "diffprivlib",
        from_estimator(
            lambda: LinearRegression(epsilon=1.0, bounds_X=(0, 1), bounds_y=(0, 1)),
            lambda fitted: (*fitted.coef_.ravel(), float(fitted.intercept_)),
            name="LinearRegression",
        ),
        numbers,
        FITS,
    )


def events() -> Iterator[tuple[str, Fraction, Fraction, Enclosure, Verdict]]:
    """Events of dp-accounting with the distributions of the mechanisms that they describe.

    Each tuple contains the name, the delta, and the result of `of_event`. The randomized responses
    replace a row. The binned normal distributions belong to an added or removed row.
    """
    import dp_accounting

    zero, quarter = Fraction(0), Fraction(1, 4)
    response = of_distributions([3 * quarter, quarter], [quarter, 3 * quarter])
    # With probability 1/2 the answer is a uniform bit, so 3/4 of the answers are true.
    event = dp_accounting.RandomizedResponseDpEvent(0.5, 2)
    yield "randomized response", zero, *of_event(event, response)
    pair = [
        [a * b for a in side for b in side]
        for side in ([3 * quarter, quarter], [quarter, 3 * quarter])
    ]
    twice = of_distributions(*pair)
    listed = dp_accounting.ComposedDpEvent([event, event])
    yield "two randomized responses, as a list", zero, *of_event(listed, twice)
    composed = dp_accounting.SelfComposedDpEvent(event, 2)
    yield "two randomized responses, self-composed", zero, *of_event(composed, twice)
    delta = Fraction(1, 10**5)
    gaussian = dp_accounting.GaussianDpEvent(1.0)
    yield (
        "Gaussian, one binned pair",
        delta,
        *of_event(gaussian, _binned_gaussians(), delta, "add_remove"),
    )


def _binned_gaussians() -> DistributionAudit:
    """Return the loss of normal distributions with means 0 and 1, in bins of width 1/100."""
    edges = np.arange(-1000, 1101) / 100
    sides = []
    for mean in (0.0, 1.0):
        x = edges - mean
        # Differences of the smaller tail have small relative errors.
        upper = np.diff(-ndtr(-x))
        inner = np.where(x[:-1] > 0, upper, np.diff(ndtr(x)))
        sides.append(np.concatenate(([ndtr(x[0])], inner, [ndtr(-x[-1])])))
    return of_distributions(*sides, error=1e-9)


def main() -> None:
    """Print the table, and a witness for each disagreement."""
    print("| library | mechanism | claimed | measured at least | verdict | seconds |")
    print("|---|---|---|---|---|---|")
    witnesses: list[str] = []
    missing: list[str] = []
    for listed in (opendp, diffprivlib, estimators):
        _installed(listed, missing, lambda each=listed: _audit_all(each, witnesses))
    _installed(events, missing, _compare_events)
    for line in (*witnesses, *missing):
        print(f"\n{line}")


def _installed(listed: Callable[..., Any], missing: list[str], job: Callable[[], None]) -> None:
    try:
        job()
    except ImportError as problem:
        missing.append(f"{listed.__name__} was skipped: {problem}.")


def _audit_all(listed: Callable[[], Iterator[Entry]], witnesses: list[str]) -> None:
    for library, mechanism, inputs, samples in listed():
        before = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = mechanism.audit(inputs, samples=samples, depth=32, max_branches=MOST_BRANCHES)
        spent = time.perf_counter() - before
        way = "" if found.audit.enumerated else " (sampled)"
        print(
            f"| {library} | {mechanism.name} | {mechanism.claim} | "
            f"{text_below(found.measured.lower, 4)} | {found.verdict}{way} | {spent:.1f} |",
            flush=True,
        )
        if found.verdict == Verdict.VIOLATED:
            witnesses.append(_witness(library, mechanism, found))


def _compare_events() -> None:
    for name, delta, claimed, measured, verdict in events():
        at = f", delta = {format_number(delta)}" if delta else ""
        print(
            f"| dp-accounting | {name} | epsilon = {format_number(claimed)}{at} | "
            f"{text_below(measured.lower, 4)} | {verdict} | |",
            flush=True,
        )


def _witness(library: str, mechanism: ExternalMechanism, found: ExternalFinding) -> str:
    event = ", ".join(map(repr, found.event.outcomes[:4]))
    more = len(found.event.outcomes) - 4
    shown = f"{event} and {more} more" if more > 0 else event
    probabilities = " and ".join(
        f"{float(each):.4g}"
        if isinstance(each, Fraction)
        else f"{text_below(each.lower, 4)} to {text_above(each.upper, 4)}"
        for each in found.event.probabilities
    )
    return (
        f"{library} {mechanism.name}: the inputs {found.pair[0]!r} and {found.pair[1]!r} give the "
        f"outputs {shown} with the probabilities {probabilities}."
    )
