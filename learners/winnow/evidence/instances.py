"""Small instances of `DPWinnow` for audits, chosen so that audits detect many wrong variants."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Annotated, Any

from learners.audit.instances import AuditEntry, Instance, UndetectedVariant, neighbouring_streams
from learners.coins import Coins
from learners.exact import Stepwise
from learners.playing.features import Literals
from learners.winnow.algorithm import DPWinnow
from learners.winnow.winnow_states import EndedPhase, WinnowState
from lsclasses.errors import InvalidInput
from lsclasses.options import Option

UPDATE = "update"
"""Item of a stream at which the next phase begins if the phase has ended."""
LEARNS = "learn", "receive", "_learn"
"""Methods of `DPWinnow` that the audit replaces, so that a subclass may not override them."""


@dataclass(frozen=True)
class _Hypotheses:
    """The current hypothesis after each example, and the number of hypotheses so far.

    An example is read in one step, and the next phase begins in another step. The draws of the next
    phase do not depend on the noise of the previous phase, so two short steps take less time than a
    long step.
    """

    learner: DPWinnow

    def __post_init__(self) -> None:
        kind = type(self.learner)
        if any(getattr(kind, name) is not getattr(DPWinnow, name) for name in LEARNS):
            raise InvalidInput(
                "The audit of DPWinnow reads an example by `_heard` and `_after`, as its `_learn` "
                f"does. {kind.__name__} learns in another way. Audit it by a separate program."
            )

    def start(self, coins: Coins) -> WinnowState:
        return self.learner.start(coins)

    def answer(
        self, state: Any, item: Any, coins: Coins
    ) -> tuple[WinnowState | EndedPhase, tuple[int, tuple[int, ...]] | None]:
        if item != UPDATE:
            return self.learner._heard(state, item[:-1], item[-1], coins), None
        after = self.learner._after(state, coins)
        return after, (after.updates, tuple(after.votes.array.tolist()))


def _examples(features: int) -> list[tuple[int, ...]]:
    """Return all examples with one or two features, else two very different mistakes.

    The two mistakes are mistakes of the first hypothesis that differ as much as possible. They move
    the scores by +1 and -1. The first raises one score and lowers all others. The second lowers
    this score and raises half of the others. With more raised scores it would not be a mistake.
    """
    if features <= 2:
        return list(product((0, 1), repeat=features + 1))
    alone = (1, *(0,) * (features - 1))
    raised = range(1, 1 + features // 2)
    return [(*alone, 1), (*(0 if j in raised else 1 for j in range(features)), 0)]


def _instance(
    *,
    rate: Annotated[Fraction, Option("increase of log-weights per mistake")] = Fraction(1),
    updates: Annotated[int, Option("largest number of drawn hypotheses", minimum=1, maximum=2)] = 2,
    draws: Annotated[
        int, Option("number of experts drawn for a hypothesis", minimum=1, maximum=3)
    ] = 1,
    batch: Annotated[
        int, Option("number of mistakes that count in a phase", minimum=1, maximum=4)
    ] = 2,
    threshold: Annotated[
        int,
        Option("approximate number of mistakes that ends a phase", minimum=-(10**6), maximum=10**6),
    ] = 1,
    epsilon: Annotated[Fraction, Option("epsilon for counting mistakes")] = Fraction(2),
    features: Annotated[
        int,
        Option(
            "number of features. With one or two, negations are experts, too", minimum=1, maximum=16
        ),
    ] = 6,
    rounds: Annotated[int, Option("number of examples", minimum=1, maximum=3)] = 2,
) -> Instance:
    """Return all neighbouring streams of these examples."""
    mechanism = DPWinnow(
        Literals(features),
        rate,
        updates,
        draws,
        threshold,
        epsilon,
        batch,
        bias=False,
        balanced=features <= 2,
    )
    pairs = tuple(
        (_with_updates(zero), _with_updates(one))
        for zero, one in neighbouring_streams(_examples(features), rounds)
    )
    return Instance(mechanism, lambda learner: Stepwise(_Hypotheses(learner)), pairs)


def _with_updates(examples: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(item for example in examples for item in (example, UPDATE))


AUDITS = (
    AuditEntry(
        "dp_winnow",
        "the hypotheses of the private Winnow, and when they change",
        _instance,
        Fraction("6.37"),
        "the claim charges a count of mistakes and 4 times the rate for each draw. If an example "
        "on which the first hypothesis errs is replaced by another such example, the loss of "
        "each draw is less than 4 times the rate, and the count of mistakes does not change",
        unseen=(
            UndetectedVariant(
                "keeps the stored mistakes at the end of a phase, so that they count again",
                "these mistakes count twice only in the draws, and a draw loses at most three "
                "quarters of the epsilon that the claim charges for it",
                "dp_winnow:epsilon=5/4",
            ),
        ),
    ),
)
