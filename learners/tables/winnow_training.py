"""Learning a weighted vote of features from the rows of a task."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Annotated

import numpy as np

from learners.budget import LARGEST_EPSILON, Budget
from learners.coins import Coins
from learners.number_arguments import least_integer
from learners.pac.base import FewRows
from learners.playing.features import Literals
from learners.tables.columns import FixedColumns
from learners.tables.entries import Delta, TableEntry, Trained, Training
from learners.tables.guarantees import Guarantee
from learners.tables.models import VoteModel
from learners.tables.task import TableTask, TrainingData
from learners.winnow.algorithm import DPWinnow
from learners.winnow.plan import WinnowParameters
from learners.winnow.votes import SampledVote, WinnowRun
from learners.winnow.winnow_costs import rate_for
from learners.winnow.winnow_states import WinnowState
from lsclasses.numbers import plural
from lsclasses.options import Option

STEP = 1
"""Least change of a logarithm of a weight by an update of `batch` mistakes, by default."""
FAIR_MARGIN = Fraction(1, 2)
"""Margin with which the warning `FewRows` is decided. A vote with this margin never wins by less
than three to one. Few labels have this margin."""
COUNTING = Fraction(1, 3)
"""Share of epsilon for counting mistakes."""
UPDATES = (5, 60)
"""Least and largest default number of updates."""


@lru_cache(maxsize=16)
def winnow_for(
    features: int,
    epsilon: Fraction,
    delta: Fraction,
    rows: int,
    *,
    updates: int | None = None,
    draws: int | None = None,
    batch: int | None = None,
) -> DPWinnow:
    """Return the learner for a stream of about `rows` rows, with defaults for omitted numbers.

    Privacy holds for all defaults. The rule expects a mistake on a quarter of the rows, so each of
    K updates gets rows/(8 K) mistakes, which leaves half as a reserve. The rule draws 10 K experts
    per update. K is the largest number from 5 to 60 for which a full update still changes
    logarithms of weights by 1 at the rate of zCDP. The calibrated rate is larger, but it takes a
    second to compute, so only the returned learner has it. The rule looks only at public numbers.

    Parameters
    ----------
    features : int
        Number of features.
    epsilon, delta : Fraction
        Privacy parameters.
    rows : int
        Number of rows.
    updates, draws, batch : int, optional
        Parameters of the learner, chosen by default.

    Examples
    --------
    >>> learner = winnow_for(40, 1, Fraction(1, 10**6), 100_000)
    >>> learner.updates, learner.draws, learner.batch
    (17, 170, 735)
    """
    epsilon = Fraction(epsilon)

    def sizes(count: int) -> tuple[int, int]:
        return (
            10 * count if draws is None else draws,
            max(1, rows // (8 * count)) if batch is None else batch,
        )

    def too_many(count: int) -> bool:
        drawn, mistakes = sizes(count)
        return rate_for((1 - COUNTING) * epsilon, delta, drawn * count) * mistakes < STEP

    low, high = UPDATES
    if updates is None:
        updates = least_integer(too_many, low, high + 1) - 1
    drawn, mistakes = sizes(updates)
    return DPWinnow.within(
        # An earlier step checked whether such a weak budget is intended.
        Budget(epsilon, delta, allow_weak_privacy=True),
        Literals(features),
        updates=updates,
        draws=drawn,
        batch=mistakes,
        share=COUNTING,
    )


def warn_of_short_stream(learner: DPWinnow, rows: int, epsilon: Fraction, delta: Fraction) -> None:
    """Warn (`FewRows`) if the theorem is vacuous for `rows` rows, even with margin 1/2.

    In this case, its bound on mistakes is at least the number of rows, for all parameters.

    Parameters
    ----------
    learner : DPWinnow
        Learner whose mistake bound is compared with the number of rows.
    rows : int
        Number of rows.
    epsilon, delta : Fraction
        Budget of the learner.

    References
    ----------
    [BF25, Thm 4.5], with the constants of `learners.winnow.plan`
    """
    if epsilon > LARGEST_EPSILON:
        return  # The theorem is not about budgets without a privacy guarantee.
    budget = Budget(epsilon, delta, allow_weak_privacy=True)
    best = WinnowParameters.from_theorem(budget, learner.experts, FAIR_MARGIN, rows)
    if best.vacuous:
        warnings.warn(
            f"Even for labels with a margin of {FAIR_MARGIN}, the theorem about private Winnow "
            f"allows {best.mistakes} mistakes with {learner.experts} experts at this budget, but "
            f"there are {rows} rows. The vote is private, but need not be accurate.",
            FewRows,
            stacklevel=2,
        )


def private_winnow(
    released: Sequence[np.ndarray],
    columns: FixedColumns,
    guarantee: Guarantee | None,
    *,
    classes: tuple[object, object],
    target: str = "",
) -> VoteModel:
    """Return the model that averages the later half of the hypotheses that a `DPWinnow` released.

    All of them are released and paid for, so their sum has no further privacy cost. The sum errs
    less than the last hypothesis, which is a small sample of the weights.

    Parameters
    ----------
    released : sequence of numpy.ndarray
        Weights of each hypothesis in order, shape (features + 1,), see `released_weights`.
    columns : FixedColumns
        Columns that the rules use, with fixed bins.
    guarantee : Guarantee or None
        Guarantee of the model, or None if the model is not private.
    classes : pair
        The two class labels.
    target : str
        Name of the target column.
    """
    weights = np.sum(released[len(released) // 2 :], axis=0).tolist()
    return VoteModel(
        columns, classes, target, guarantee, tuple(weights[: columns.count]), weights[columns.count]
    )


def released_weights(learner: DPWinnow, run: WinnowRun[WinnowState]) -> list[np.ndarray]:
    """Return the weights of all current hypotheses during a run, including the initial one."""
    return [
        SampledVote(learner.features, phase.votes, learner.bias, learner.balanced).weights
        for phase in run.phases
    ]


@dataclass(frozen=True, kw_only=True)
class WinnowTraining(Training):
    """Training of a weighted vote by `DPWinnow`, which reads each row once, in random order."""

    delta: Delta = Fraction(1, 10**6)
    updates: Annotated[
        int | None, Option("largest number of updates of the weights", minimum=1)
    ] = None
    draws: Annotated[
        int | None,
        Option("number of features that the learner draws for each hypothesis", minimum=1),
    ] = None
    batch: Annotated[
        int | None,
        Option("largest number of mistakes that the learner collects before one update", minimum=1),
    ] = None

    def _learner(self, features: int, epsilon: Fraction, delta: Fraction, rows: int) -> DPWinnow:
        return winnow_for(
            features,
            epsilon,
            delta,
            rows,
            updates=self.updates,
            draws=self.draws,
            batch=self.batch,
        )

    def require(self, task: TableTask) -> None:
        """Refuse parameters whose hypotheses consist of too many drawn features."""
        if columns := task.largest_columns:
            rows = len(task.labels)
            self._learner(columns.count, task.remaining, task.delta, rows).require_room()

    def learn(self, data: TrainingData, coins: Coins) -> Trained:
        """Average the later half of the released hypotheses."""
        task, rows = data.task, len(data.labels)
        learner = self._learner(data.columns.count, data.remaining, task.delta, rows)
        warn_of_short_stream(learner, rows, data.remaining, task.delta)
        order = np.array(coins.shuffle(rows))
        run = learner.run(data.matrix[order], data.labels[order], coins)
        model = private_winnow(
            released_weights(learner, run),
            data.columns,
            data.guarantee(learner.privacy, task.delta, coins),
            classes=task.pair,
            target=task.target,
        )
        sizes = (
            f"at most {plural(learner.updates, 'update')} of {plural(learner.batch, 'mistake')}, "
            f"{plural(learner.draws, 'draw')} each"
        )
        return Trained(model, sizes)


LEARNERS = (
    TableEntry(
        "winnow",
        "a weighted vote of features, privately, reading the rows once in random order",
        WinnowTraining,
        "A hypothesis is a vote of features that are drawn by their weights. When the number of "
        "mistakes, plus noise, reaches a threshold, the learner updates the weights and draws a "
        "new hypothesis.",
    ),
)
