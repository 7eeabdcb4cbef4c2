"""Checks of sanitizers that authors of plug-ins run on their code."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from learners import checked
from learners.accounting import Event
from learners.bounds import Bound
from learners.checks import no_other_randomness
from learners.coins import SeededCoins
from learners.sanitizers.base import (
    SANITIZATION_ERROR,
    Release,
    Sanitizer,
    SyntheticData,
    sanitization_error,
)
from learners.sanitizers.point_samples import PointSample
from learners.sanitizers.realizable import REALIZABLE_ERROR, realizable_error
from lsclasses.domain import FiniteDomain
from lsclasses.errors import InvalidInput
from lsclasses.table import Table
from lsclasses.verdicts import Verdict

ROWS = 60
"""Number of rows of data sets for a sanitizer without a fixed number of rows."""
SEEDS = 4
LAWS = (0.1, 1.0, 30.0)
"""Shapes of the data sets, from data at a few points to data at all points of the domain."""


def check_sanitizer(sanitizer: Sanitizer, *, rows: int | None = None, seed: int = 1) -> None:
    """Check that a sanitizer satisfies the requirements of commands, learners and audits.

    The check uses data sets at a few points, and data sets at all points of the domain. It requires
    for each data set:

    * With the same coins, the sanitizer makes the same release, and draws from no other generator.
    * The release has an estimate between 0 and 1 for every concept, single and in a table.
    * Synthetic data can be rounded to any number of rows with the proved accuracy.
    * No applicable bound is exceeded more often than allowed.

    The check also requires that ``privacy``, if it is stated, is an event of the ledger, and that
    the sanitizer refuses a data set without points and points of another domain.

    Parameters
    ----------
    sanitizer : Sanitizer
        Sanitizer for a small class.
    rows : int, optional
        Number of rows of the data sets, if the sanitizer does not fix this number. By default 60.
    seed : int
        Seed of the random draws.

    Raises
    ------
    InvalidInput
        If the sanitizer breaks one of these rules. The message names the rule.

    Examples
    --------
    >>> from learners.budget import Budget
    >>> import catalog
    >>> from learners.sanitizers.mwem import MWEMSanitizer
    >>> C = catalog.build("thresholds:n=6").to_table()
    >>> check_sanitizer(MWEMSanitizer.for_error(C, Fraction(1, 4), Budget(1, Fraction(1, 10**6))))
    >>> class Forgetful(Sanitizer):
    ...     concept_class = C
    ...     def bounds(self, rows=None):
    ...         return (Bound("[nowhere]", "sanitization error", "1/9", Fraction(1, 9)),)
    ...     def _release(self, sample, coins):
    ...         return SyntheticData(self.domain, (1,) * 6, len(sample))
    >>> check_sanitizer(Forgetful())
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: Forgetful exceeds a bound that it states, sanitization error <= \
1/9 = 1/9 [nowhere], on 12 data sets of 60 rows: it is 2/3.
    """
    name, C = type(sanitizer).__name__, sanitizer.concept_class
    if not isinstance(C, Table) or not len(C):
        raise InvalidInput(f"{name} must be for a Table with at least one concept. Got {C!r}.")
    if sanitizer.privacy is not None and not isinstance(sanitizer.privacy, Event):
        raise InvalidInput(
            f"{name} must state its cost in `privacy`, as an event of the ledger "
            f"(learners.accounting). Got {sanitizer.privacy!r}."
        )
    size = sanitizer.rows or checked.positive(rows or ROWS, "number of rows")
    _check_refusals(sanitizer, name)
    samples = _samples(C, size, seed)
    with no_other_randomness("sanitizer"):
        released = [
            _released(sanitizer, name, sample, seed + number)
            for number, sample in enumerate(samples)
        ]
    for sanitized in released:
        _check_estimates(sanitized, C, name)
    _check_bounds(sanitizer, name, list(zip(released, samples, strict=True)), size)


def _samples(C: Table, size: int, seed: int) -> list[PointSample]:
    rng, points = np.random.default_rng(seed), len(C.domain)
    return [
        PointSample.at(C.domain, rng.choice(points, size, p=rng.dirichlet([law] * points)))
        for law in LAWS
        for _ in range(SEEDS)
    ]


def _check_refusals(sanitizer: Sanitizer, name: str) -> None:
    other = FiniteDomain(("no point of the sanitizer",))
    for points, what in (
        (PointSample(other, other), "Points of another domain"),
        (["no point of the sanitizer"], "A point of another domain"),
        ([], "A data set without points"),
    ):
        try:
            sanitizer.release(points, SeededCoins(0))
        except InvalidInput:
            continue
        except Exception as error:
            raise InvalidInput(
                f"{what} must be refused with InvalidInput. {name} raised {error!r}."
            ) from None
        raise InvalidInput(f"{what} must be refused with InvalidInput. {name} accepted it.")


def _released(sanitizer: Sanitizer, name: str, sample: PointSample, seed: int) -> Release:
    one, two = (sanitizer.release(sample, SeededCoins(seed)) for _ in "ab")
    if not isinstance(one, Release):
        raise InvalidInput(f"The release of {name} must be a Release. Got {one!r}.")
    if one != two or hash(one) != hash(two):
        raise InvalidInput(
            f"With the same data and the same coins, two releases must be equal and have equal "
            f"hashes. {name} released {one!r} and {two!r}."
        )
    if one.domain != sanitizer.domain:
        raise InvalidInput(
            f"The release of {name} is about {one.domain.describe()}, another domain."
        )
    return one


def _check_estimates(sanitized: Release, C: Table, name: str) -> None:
    estimates = sanitized.estimates(C)
    if len(estimates) != len(C):
        raise InvalidInput(
            f"Every concept of a table must have an estimate: {len(C)}. {name} gave "
            f"{len(estimates)}."
        )
    for place, (concept, estimate) in enumerate(zip(C, estimates, strict=True)):
        if not 0 <= estimate <= 1:
            raise InvalidInput(
                f"Estimates must be shares, between 0 and 1. The estimate of concept {place} by "
                f"{name} is {estimate}."
            )
        if (alone := sanitized.estimate(concept)) != estimate:
            raise InvalidInput(
                f"The estimate of concept {place} by {name} is {estimate} in a table and {alone} "
                "as a single estimate."
            )
    if not isinstance(sanitized, SyntheticData):
        return
    for size in (1, 7, 1000):
        data = sanitized.dataset(size)
        off = max(abs(a - b) for a, b in zip(data.frequencies(C), estimates, strict=True))
        if len(data) != size or off > Fraction(len(C.domain), 4 * size):
            raise InvalidInput(
                f"{size} rows with the shares of the weights must be off by at most |X|/(4n). The "
                f"rows of {name} are {len(data)}, off by {off}."
            )


def _check_bounds(
    sanitizer: Sanitizer, name: str, runs: list[tuple[Release, PointSample]], size: int
) -> None:
    measure = {SANITIZATION_ERROR: sanitization_error, REALIZABLE_ERROR: realizable_error}
    for bound in sanitizer.bounds(size):
        if not isinstance(bound, Bound):
            raise InvalidInput(f"The claims about {name} must be Bounds. Got {bound!r}.")
        if bound.quantity not in measure:
            continue
        found = [
            measure[bound.quantity](sanitized, sanitizer.concept_class, sample)
            for sanitized, sample in runs
        ]
        if bound.check(found) == Verdict.VIOLATED:
            raise InvalidInput(
                f"{name} exceeds a bound that it states, {bound}, on {len(runs)} data sets of "
                f"{size} rows: it is {max(found)}."
            )
