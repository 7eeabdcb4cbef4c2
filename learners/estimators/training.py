"""Learning from tables, step by step: budget, columns, features, learner.

The estimators and the command line both use these functions; scikit-learn is not needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from learners.accounting import Event, basic
from learners.boolean.greedy_cover import GreedyCover, greedy_list
from learners.boolean.packed import PackedFeatures
from learners.coins import Coins
from learners.estimators.columns import Column, FixedColumns
from learners.estimators.fitted_columns import choice_cost, fit_columns
from learners.estimators.guarantees import Guarantee, in_sequence, is_simulation
from learners.estimators.models import ListModel, VoteModel, pack
from learners.estimators.tables import Records
from learners.numbers import checked_epsilon, checked_positive
from learners.online.dp_winnow import DPWinnow, SampledVote, WinnowRun
from learners.online.features import Literals
from lsclasses.errors import InvalidInput
from lsclasses.numbers import shown

__all__ = [
    "Prepared",
    "exact_list",
    "prepare",
    "private_list",
    "private_winnow",
    "released_weights",
    "winnow_for",
]

STEP = 1
"""How much a full update should change the logarithm of a weight, where there is a choice."""
UPDATES = (5, 60)
"""The least and the largest number of updates that are chosen."""


@dataclass(frozen=True)
class Prepared:
    """A table as Boolean features, and what of the budget that has left.

    Attributes
    ----------
    columns : FixedColumns
    matrix : numpy.ndarray
        The features, shape (rows, features).
    left : Fraction
        The epsilon that is left for a learner.
    cost : Event or None
        What choosing the features cost; None if nothing is private any more.
    conditional : bool
        Whether nobody declared what the columns of the table are, see `Guarantee`.
    """

    columns: FixedColumns
    matrix: np.ndarray
    left: Fraction
    cost: Event | None
    conditional: bool

    def together(self, event: Event) -> Event | None:
        """The ledger of the features and a learner's release; None if nothing is private."""
        return None if self.cost is None else in_sequence([self.cost, event])

    def guarantee(self, event: Event, delta: Fraction, coins: Coins) -> Guarantee | None:
        """The guarantee that this ledger gives."""
        together = self.together(event)
        if together is None:
            return None
        return Guarantee.of(
            together,
            simulated=is_simulation(coins),
            conditional=self.conditional,
            delta=delta,
        )


def prepare(
    table: Records,
    declared: tuple[Column, ...],
    epsilon: Fraction,
    *,
    neighbours: str,
    unknown: str,
    coins: Coins,
    conditional: bool,
) -> Prepared:
    """Make features of a table, paying for private cut points first.

    Parameters
    ----------
    table : Records
    declared : tuple of Column
        One for every column.
    epsilon : Fraction
        The whole budget.
    neighbours, unknown : str
        As in `FixedColumns.matrix` and `fit_columns`.
    coins : Coins
    conditional : bool
        Whether the table is one whose columns nobody declared, see `Guarantee`.

    Raises
    ------
    InvalidInput
        If nothing of epsilon would be left for a learner; nothing is looked at then.
    """
    epsilon = checked_epsilon(epsilon)
    planned = choice_cost(declared, table.names, neighbours)
    left = epsilon - (Fraction(0) if planned is None else basic(planned)[0])
    if left <= 0:
        raise InvalidInput(
            f"The private cut points cost {shown(epsilon - left)} of epsilon, which leaves "
            f"nothing for learning. Got epsilon {shown(epsilon)}; it has to be more."
        )
    columns, cost = fit_columns(declared, table, neighbours, coins)
    return Prepared(columns, columns.matrix(table, unknown), left, cost, conditional)


def private_list(
    prepared: Prepared,
    labels: np.ndarray,
    k: int,
    delta: Fraction,
    coins: Coins,
    *,
    neighbours: str,
    classes: tuple[Any, Any],
    target: str = "",
    accuracy: Fraction | None = None,
) -> tuple[ListModel, PackedFeatures, Event]:
    """A decision list by `GreedyCover`, with what is left of the budget.

    Parameters
    ----------
    prepared : Prepared
    labels : numpy.ndarray
        0 or 1, shape (rows,).
    k : int
        The most literals of a rule.
    delta : Fraction
    coins : Coins
    neighbours : str
    classes : pair
        What the labels stand for.
    target : str
        The name of what is predicted.
    accuracy : Fraction, optional
        Warn (`learners.boolean.sample_size.FewRows`) if a theorem needs more rows for this error.

    Returns
    -------
    model : ListModel
    packed : PackedFeatures
        The candidates, to learn another list from.
    event : Event
        What the list cost.
    """
    learner = GreedyCover(prepared.left, delta, neighbours=neighbours)
    packed = pack(prepared.columns, prepared.matrix, k)
    found = learner.fit(packed, labels, coins, accuracy=accuracy)
    guarantee = prepared.guarantee(learner.privacy, learner.delta, coins)
    model = ListModel.of(found, prepared.columns, classes, target, guarantee)
    return model, packed, learner.privacy


def exact_list(
    columns: FixedColumns,
    packed: PackedFeatures,
    labels: np.ndarray,
    *,
    classes: tuple[Any, Any],
    target: str = "",
) -> ListModel:
    """The best list that greedy covering finds without privacy."""
    return ListModel.of(greedy_list(packed, labels), columns, classes, target)


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
    """The learner for a stream of about so many rows; numbers left out are chosen by a rule.

    Privacy holds for all of them. The rule expects a mistake on a quarter of the rows, so each of
    K updates gets rows/(8 K) of them, leaving half as a reserve; it draws 10 K experts an update;
    and K is the largest number from 5 to 60 for which a full update still changes logarithms of
    weights by 1. It looks at public numbers only.

    Parameters
    ----------
    features : int
    epsilon, delta : Fraction
    rows : int
    updates, draws, batch : int, optional

    Examples
    --------
    >>> learner = winnow_for(40, 1, Fraction(1, 10**6), 100_000)
    >>> learner.updates, learner.draws, learner.batch
    (17, 170, 735)
    """
    rows = checked_positive(rows, "number of rows")

    def learner(count: int) -> DPWinnow:
        return DPWinnow.for_budget(
            Literals(features),
            epsilon,
            delta,
            updates=count,
            draws=10 * count if draws is None else draws,
            batch=max(1, rows // (8 * count)) if batch is None else batch,
        )

    if updates is not None:
        return learner(checked_positive(updates, "number of updates"))
    low, high = UPDATES
    while low < high:
        middle = (low + high + 1) // 2
        tried = learner(middle)
        if tried.rate * tried.batch >= STEP:
            low = middle
        else:
            high = middle - 1
    return learner(low)


def private_winnow(
    released: Sequence[np.ndarray],
    columns: FixedColumns,
    guarantee: Guarantee | None,
    *,
    classes: tuple[Any, Any],
    target: str = "",
) -> VoteModel:
    """A model of the hypotheses that a `DPWinnow` released: the later half of them together.

    All of them are released and paid for, so that their sum costs nothing more; it errs less than
    the last one alone, which is a small sample of the weights.

    Parameters
    ----------
    released : sequence of numpy.ndarray
        The weights of each hypothesis in order, shape (features + 1,), see `released_weights`.
    columns : FixedColumns
    guarantee : Guarantee or None
    classes : pair
    target : str
    """
    weights = np.sum(released[len(released) // 2 :], axis=0).tolist()
    return VoteModel(
        columns, classes, target, guarantee, tuple(weights[: columns.count]), weights[columns.count]
    )


def released_weights(learner: DPWinnow, run: WinnowRun) -> list[np.ndarray]:
    """The weights of the hypotheses that were in force in a run, the one at its start included."""
    return [
        SampledVote(learner.features, phase.votes, learner.bias, learner.balanced).weights
        for phase in run.phases
    ]
