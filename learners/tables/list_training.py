"""Learning a decision list from a prepared table."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np

from learners import checked
from learners.accounting import Event
from learners.coins import Coins
from learners.rules.greedy_cover import GreedyCover, greedy_list
from learners.rules.packed import PackedFeatures
from learners.tables.columns import FixedColumns
from learners.tables.entries import (
    Delta,
    Neighbours,
    Person,
    RowsPerPerson,
    TableEntry,
    Trained,
    Training,
)
from learners.tables.models import ListModel, pack
from learners.tables.training import Prepared, Task
from lsclasses.frozen import set_frozen_fields
from lsclasses.specifications import Option


def private_list(
    prepared: Prepared,
    labels: np.ndarray,
    k: int,
    delta: Fraction,
    coins: Coins,
    *,
    neighbours: str,
    classes: tuple[object, object],
    target: str = "",
    accuracy: Fraction | None = None,
) -> tuple[ListModel, PackedFeatures, Event]:
    """Learn a decision list by `GreedyCover`, with the rest of the budget.

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
        Warn (`learners.rules.sample_sizes.FewRows`) if a theorem needs more rows for this error.

    Returns
    -------
    model : ListModel
    packed : PackedFeatures
        The candidates, to learn another list from.
    event : Event
        What the list cost.
    """
    learner = GreedyCover(prepared.remaining, delta, neighbours=neighbours)
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
    classes: tuple[object, object],
    target: str = "",
) -> ListModel:
    """Learn a list by greedy covering without privacy."""
    return ListModel.of(greedy_list(packed, labels), columns, classes, target)


@dataclass(frozen=True, kw_only=True)
class ListTraining(Training):
    """A decision list by `private_list`."""

    delta: Delta = Fraction(1, 10**6)
    k: Annotated[int, Option("the most conditions in a rule", minimum=1)] = 1
    person: Person = None
    rows_per_person: RowsPerPerson = None
    neighbours: Neighbours = "replace_one"
    accuracy: Annotated[
        Fraction, Option("say how many rows a theorem needs for this error; 0 for not")
    ] = Fraction(1, 10)

    def __post_init__(self) -> None:
        super().__post_init__()
        set_frozen_fields(self, delta=checked.delta(self.delta))

    def learn(self, task: Task, coins: Coins) -> Trained:
        """Learn a list of rules."""
        model, packed, _ = private_list(
            task.prepared,
            task.labels,
            self.k,
            task.delta,
            coins,
            neighbours=self.neighbours,
            classes=task.classes,
            target=task.target,
            accuracy=self.accuracy or None,
        )
        return Trained(model, f"{packed.count} candidate conditions (k = {self.k})")


LEARNERS = (
    TableEntry(
        "decision-list",
        "if / else-if rules, privately, by covering rows greedily",
        ListTraining,
    ),
)
