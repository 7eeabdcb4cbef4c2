"""Small instances of `learners.pop.algorithm` for its audits, chosen by their power."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Annotated

from learners.audit.instances import AuditEntry, HiddenAnswers, Instance, Pairs, challenged
from learners.coins import Coins
from learners.exact import Stepwise
from learners.playing.base.state import Prediction
from learners.playing.learner import Kept, OnlineLearner
from learners.pop.algorithm import POP
from learners.pop.plan import POPParameters
from lsclasses.errors import InvalidInput
from lsclasses.numbers import format_number
from lsclasses.points import Label, Point
from lsclasses.soa import SOA
from lsclasses.specifications import Option
from lsclasses.table import Table

NO_MORE = "no more"
"""What is left of a predictor that halted with a prediction, until its label would be told."""


@dataclass(frozen=True)
class _Predictions:
    """A predictor as a program that predicts and learns in separate steps.

    What is explored of a step does not depend on how the one before it went, so two short steps
    take less than a long one. Whether it halted with a prediction or after it had been told the
    label is not seen.
    """

    learner: OnlineLearner

    def start(self, coins: Coins) -> Kept:
        return self.learner.start(coins)

    def answer(
        self, state: Kept, item: tuple[Point] | tuple[Point, Label], coins: Coins
    ) -> tuple[Kept, tuple[int, bool] | None]:
        if len(item) == 1:
            after, predicted = self.learner.predict(state, item[0], coins)
            assert isinstance(predicted, Prediction)
            return NO_MORE if after is None else after, (predicted.label, predicted.coin)
        return None if state == NO_MORE else self.learner.learn(state, *item, coins), None


def others_predictions(learner: OnlineLearner) -> Stepwise:
    """The view of all users but one: predictions, and which of them are coins."""
    return Stepwise(HiddenAnswers(_Predictions(learner)))


def challenged_examples(rounds: int, points: int) -> Pairs:
    """All pairs of streams that differ in one user's example, whose prediction is hidden.

    For each example, the point is asked and then the label revealed.
    """
    examples = list(product(range(points), (0, 1)))
    rests = ((rest, rest) for rest in product(examples, repeat=rounds - 1))
    return tuple(
        (_asked_and_told(zero), _asked_and_told(one))
        for zero, one in challenged(rests, combinations(examples, 2))
    )


def _asked_and_told(
    stream: Iterable[tuple[tuple[Point, Label], bool]],
) -> tuple[tuple[tuple[Point, ...], bool], ...]:
    return tuple(item for (x, y), hidden in stream for item in (((x,), hidden), ((x, y), hidden)))


Scale = Annotated[Fraction, Option("scale of the noise")]


def few_copies(
    copies: int,
    rounds: int,
    scale: Fraction,
    *,
    halting: Fraction = Fraction(0),
    reports: int = 1,
) -> POPParameters:
    """POP parameters with few copies and little noise, and the epsilon and delta that they cost.

    The noise is for all rounds, of the given scale; `halting` is what halting costs, 0 for never.

    Raises
    ------
    InvalidInput
        If the scale is not positive, or with these parameters delta would be 1 or more.
    """
    if scale <= 0:
        raise InvalidInput(f"The parameter 'scale' must be positive. Got {format_number(scale)}.")
    none = Fraction(0)
    return POPParameters(
        copies,
        reports,
        rounds,
        rounds / scale,
        none,
        halting,
        none,
        none,
        halting="cumulative" if halting else "never",
        raise_delta=True,
    )


def _instance(
    *,
    copies: Annotated[int, Option("copies of the base learner", minimum=1, maximum=16)] = 7,
    rounds: Annotated[int, Option("how many examples", minimum=1, maximum=5)] = 5,
    scale: Scale = Fraction(1, 3),
    points: Annotated[int, Option("different points", minimum=1, maximum=2)] = 1,
    halting: Annotated[Fraction, Option("what halting costs, 0 for never")] = Fraction(0),
    reports: Annotated[int, Option("after about how many it halts", minimum=1, maximum=8)] = 1,
) -> Instance:
    """All streams on a few points, which the class labels in all ways."""
    everything = Table([list(labels) for labels in product((0, 1), repeat=points)])
    parameters = few_copies(copies, rounds, scale, halting=halting, reports=reports)
    learner = POP(SOA(everything), parameters)
    pairs = challenged_examples(rounds, points)
    return Instance(learner, others_predictions, pairs)


AUDITS = (
    AuditEntry(
        "pop",
        "predictions of noisy majorities; one user's example differs, its prediction hidden",
        _instance,
        Fraction("10.76"),
        "noise is for all rounds, the one of the challenge too; one of seven copies learns",
    ),
)
