"""Small instances of `learners.sanitizers.discriminators` for its audits, chosen by their power."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction
from itertools import product
from typing import Annotated

from learners.audit.instances import (
    AuditEntry,
    ClaimedEpsilon,
    Instance,
    Pairs,
    Run,
    neighbouring_tables,
)
from learners.coins import Coins
from learners.sanitizers.discriminators import (
    FoolingDiscriminator,
    MarkedPoints,
    RealizableDiscriminator,
)
from learners.sanitizers.points import PointSample
from lsclasses.specifications import Option
from lsclasses.table import Table


def _answers(discriminator: FoolingDiscriminator | RealizableDiscriminator) -> Run:
    def run(data: tuple[tuple[int, ...], tuple[int, ...]], coins: Coins) -> Hashable:
        points, proposal = data
        sample = PointSample(discriminator.of.domain, points)
        return str(discriminator.answer(MarkedPoints(sample), proposal, coins))

    return run


def _proposed(points: int, rows: int, proposals: Iterable[tuple[int, ...]]) -> Pairs:
    """All neighbouring data sets, with every proposal."""
    pairs = neighbouring_tables(list(range(points)), rows, "replace_one")
    return tuple(((zero, q), (one, q)) for q in proposals for zero, one in pairs)


def _small(points: int, three: list[tuple[int, ...]]) -> Table:
    """Everything on two points; on three points the concepts on which most is lost."""
    return Table(list(product((0, 1), repeat=points)) if points < 3 else three)


Alpha = Annotated[Fraction, Option("the error that is looked for")]
Points = Annotated[int, Option("points of the domain", minimum=1, maximum=3)]
Rows = Annotated[int, Option("points of the data", minimum=1, maximum=4)]


def _fooling(
    *,
    epsilon: ClaimedEpsilon = Fraction(8),
    alpha: Alpha = Fraction(1, 2),
    points: Points = 3,
    rows: Rows = 3,
) -> Instance:
    C = _small(points, [(0, 0, 1), (0, 1, 0), (0, 1, 1)])
    discriminator = FoolingDiscriminator(C, rows, alpha, epsilon)
    proposals = [q for q in product((0, 1), repeat=points) if any(q)]
    pairs = _proposed(points, rows, proposals)
    return Instance(discriminator, _answers, pairs)


def _realizable(
    *,
    epsilon: ClaimedEpsilon = Fraction(8),
    alpha: Alpha = Fraction(1, 2),
    points: Points = 3,
    rows: Rows = 3,
) -> Instance:
    C = _small(points, [(0, 0, 1), (0, 1, 0), (1, 0, 1)])
    discriminator = RealizableDiscriminator(C, rows, alpha, epsilon)
    pairs = _proposed(points, rows, product((0, 1), repeat=len(C)))
    return Instance(discriminator, _answers, pairs)


AUDITS = (
    AuditEntry(
        "fooling_discriminator",
        "a concept that holds more often on the data than on proposed data",
        _fooling,
        Fraction("5.46"),
        "no replaced point makes all three releases lose in the same direction",
    ),
    AuditEntry(
        "realizable_discriminator",
        "a concept on which a proposed set of concepts is wrong",
        _realizable,
        Fraction("5.73"),
        "no replaced point makes all four releases lose in the same direction",
    ),
)
