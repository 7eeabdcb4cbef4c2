"""Small instances of `learners.pac.private_littlestone` for its audits, chosen by their power."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Annotated

from learners.audit.instances import (
    AuditEntry,
    ClaimedDelta,
    ClaimedEpsilon,
    Instance,
    neighbouring_tables,
)
from learners.coins import Coins
from learners.pac.littlestone_parameters import LittlestoneParameters
from learners.pac.private_littlestone import PrivateLittlestoneLearner
from learners.pac.samples import Sample
from lsclasses.hypothesis import Concept, Hypothesis
from lsclasses.soa import SOA
from lsclasses.specifications import Option
from lsclasses.table import Table


def _choice(
    learner: PrivateLittlestoneLearner,
) -> Callable[[tuple[tuple[int, ...], tuple[int, ...]], Coins], str]:
    """The release from the outcomes on the batches and fresh rows; one point, so labels suffice.

    That a row is in one batch only, and so changes one outcome, is what the proof adds.
    """

    def run(data: tuple[tuple[int, ...], tuple[int, ...]], coins: Coins) -> str:
        labels, fresh = data
        outcomes: Counter[Hypothesis] = Counter(
            Concept.from_labels(learner.domain, [label]) for label in labels
        )
        rows = Sample(learner.domain, [(0, label) for label in fresh])
        return str(learner.choose(outcomes, rows, coins))

    return run


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    delta: ClaimedDelta = Fraction(1, 100),
    batches: Annotated[int, Option("how many there are", minimum=1, maximum=16)] = 12,
    fresh: Annotated[int, Option("rows after the batches", minimum=1, maximum=8)] = 4,
) -> Instance:
    """All outcomes on the batches and all fresh rows, one of which differs."""
    parameters = LittlestoneParameters(
        dimension=1,
        auxiliary=1,
        budget=1,
        batches=batches,
        fresh=fresh,
        epsilon=epsilon,
        delta=delta,
        choice_epsilon=epsilon,
    )
    learner = PrivateLittlestoneLearner(SOA(Table([[0], [1]])), parameters)
    outcomes, rows = (
        list(combinations_with_replacement((0, 1), size)) for size in (batches, fresh)
    )
    pairs = (
        *(
            ((one, same), (other, same))
            for one, other in neighbouring_tables((0, 1), batches, "replace_one")
            for same in rows
        ),
        *(
            ((same, one), (same, other))
            for one, other in neighbouring_tables((0, 1), fresh, "replace_one")
            for same in outcomes
        ),
    )
    return Instance(learner, _choice, pairs)


AUDITS = (
    AuditEntry(
        "private_littlestone",
        "a hypothesis from those that came up on many batches, by fresh rows",
        _instance,
    ),
)
