"""Small instances of `learners.pac.agnostic` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Annotated

from learners.audit.instances import AuditEntry, Instance, UndetectedVariant
from learners.pac.agnostic import AgnosticEmpirical
from learners.pac.base import released
from learners.pac.generic import GenericLearner
from lsclasses.specifications import Option
from lsclasses.table import Table


def _instance(
    *,
    rate: Annotated[
        Fraction, Option("the share that is drawn, and what choosing labels costs")
    ] = Fraction(3, 4),
    inner: Annotated[Fraction, Option("epsilon of the private learner")] = Fraction(16),
    points: Annotated[int, Option("different points", minimum=3, maximum=6)] = 3,
    rows: Annotated[int, Option("rows of the sample", minimum=2, maximum=64)] = 4,
) -> Instance:
    """Two concepts that differ at one point, with an inner learner over two other concepts.

    Both concepts are 1 there, so that it is given the rows as they are. Its hypotheses are one that
    is 1 at the first point and 0 at the second, and all that have it the other way round: the more
    of these there are, the closer to its own epsilon it gets with few rows. Either a row moves from
    one of the points to the other, or labels are half 0 and half 1 at the point that the choice of
    a labelling is about, and one of them is changed.
    """
    rest = (0,) * (points - 3)
    C = Table([[1, 1, label, *rest] for label in (0, 1)])
    others = list(product((0, 1), repeat=points - 2))
    H = Table([[1, 0, *others[0]], *([0, 1, *other] for other in others)])
    learner = AgnosticEmpirical(C, GenericLearner(H, inner), rate, rows)
    half = (rows - 1) // 2
    same, mixed = ((1, 1),) * (rows - 1), ((2, 0),) * half + ((2, 1),) * (rows - 1 - half)
    pairs = (((0, 1), *same), ((1, 1), *same)), (((2, 0), *mixed), ((2, 1), *mixed))
    return Instance(learner, released, pairs)


AUDITS = (
    AuditEntry(
        "agnostic_empirical",
        "what a private learner makes of drawn rows with labels that fit all rows well",
        _instance,
        unseen=(
            UndetectedVariant(
                "the first rows are drawn",
                "nearly all rows are drawn, so that nothing is gained by drawing",
                "agnostic_empirical:rate=1/26,rows=26,inner=4,points=5",
            ),
            UndetectedVariant(
                "labels are chosen at twice the price",
                "the proof pays a factor of 4 for what the drawn points may be labelled, which no "
                "rows are known to need",
            ),
        ),
    ),
)
