"""Learning from tables, step by step: budget, columns, features, learner.

The estimators and the command line both use these functions; scikit-learn is not needed.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from learners.accounting import Event, Grouped, Sequential, basic
from learners.coins import Coins
from learners.numbers import LARGEST_EPSILON, checked_epsilon, checked_positive
from learners.playing.features import Literals
from learners.rules.greedy_cover import GreedyCover, greedy_list
from learners.rules.packed import PackedFeatures
from learners.rules.sample_size import FewRows
from learners.tables.columns import Column, FixedColumns, require_unknown
from learners.tables.declarations import columns_from_texts
from learners.tables.fitted_columns import choice_cost, fit_columns
from learners.tables.guarantees import Guarantee, in_sequence, is_simulation
from learners.tables.models import ListModel, VoteModel, pack
from learners.tables.persons import first_rows
from learners.tables.records import Records
from learners.tables.schemas import Schema
from learners.tables.targets import read_target
from learners.winnow.algorithm import DPWinnow, WinnowRun
from learners.winnow.plan import WinnowParameters
from learners.winnow.votes import SampledVote
from lsclasses.errors import InvalidInput
from lsclasses.numbers import shown

__all__ = [
    "Prepared",
    "Task",
    "exact_list",
    "prepare",
    "private_list",
    "private_winnow",
    "released_weights",
    "set_task",
    "warn_of_short_stream",
    "winnow_for",
]

STEP = 1
"""How much a full update should change the logarithm of a weight, where there is a choice."""
FAIR_MARGIN = Fraction(1, 2)
"""A margin that few labels have: that of a vote which never wins by less than three to one."""
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
    rows_per_person : int
        How many rows of the table one person has, at most, where the guarantee is about persons.
    """

    columns: FixedColumns
    matrix: np.ndarray
    left: Fraction
    cost: Event | None
    conditional: bool
    rows_per_person: int | None = None

    def together(self, event: Event) -> Event | None:
        """The ledger of the features and a learner's release; None if nothing is private."""
        if self.cost is None:
            return None
        parts = in_sequence([self.cost, event])
        if self.rows_per_person is None:
            return parts
        return Sequential(tuple(Grouped(part, self.rows_per_person) for part in parts.events))

    def guarantee(self, event: Event, delta: Fraction | None, coins: Coins) -> Guarantee | None:
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


@dataclass(frozen=True)
class Task:
    """A table made ready for learning, with rows set aside for testing.

    Attributes
    ----------
    target : str
        The column that is predicted.
    classes : pair
        What the labels 0 and 1 stand for.
    prepared : Prepared
        The features of the rows to learn from.
    labels, test_labels : numpy.ndarray
        Of the rows to learn from and of those for testing, dtype bool.
    test : numpy.ndarray
        The features of the rows for testing.
    columns : int
        How many columns features are made of.
    neighbours : str
        The relation that the guarantee is about.
    """

    target: str
    classes: tuple[Any, Any]
    prepared: Prepared
    labels: np.ndarray
    test: np.ndarray
    test_labels: np.ndarray
    columns: int
    neighbours: str


def set_task(
    table: Records,
    target: str,
    epsilon: Fraction,
    coins: Coins,
    *,
    positive: str | None = None,
    negative: str | None = None,
    cuts: Iterable[str] = (),
    drop: Collection[str] = (),
    schema: Schema | None = None,
    person: str | None = None,
    rows_per_person: int | None = None,
    test_share: Fraction = Fraction(0),
    neighbours: str = "replace_one",
    unknown: str = "warn",
) -> Task:
    """Draw the rows for testing and make features of the others, as `prepare` does.

    Parameters
    ----------
    table : Records
    target : str
        The column to predict.
    epsilon : Fraction
        The whole budget.
    coins : Coins
    positive, negative : str, optional
        The classes, see `learners.tables.targets.read_target`.
    cuts : iterable of str
        See `learners.tables.declarations.columns_from_texts`.
    drop : collection of str
        Columns that are left out.
    schema : Schema, optional
        Declares all columns; `cuts` declares none of them a second time.
    person : str, optional
        The column that says whose row it is. Then only the first `rows_per_person` rows of each
        person are used (`first_rows`), epsilon is about a person, and the relation is
        ``add_remove``.
    rows_per_person : int, optional
    test_share : Fraction
        With which probability each row is kept for testing. If all are, nothing is left to learn
        from: under ``replace_one`` that is refused; under ``add_remove`` it is learned from, as a
        refusal would be likelier for fewer rows.
    neighbours, unknown : str
        As in `prepare`.

    Raises
    ------
    InvalidInput
        If a parameter is out of range, a column does not exist, an entry cannot be read, or no row
        or column is left to learn from.

    Warns
    -----
    UserWarning
        If all labels are equal, or a column is constant in the rows to learn from.
    """
    if not 0 <= test_share < 1:
        raise InvalidInput(
            "The share of rows for testing must be at least 0 and less than 1. "
            f"Got {shown(test_share)}."
        )
    require_unknown(unknown)
    if (person is None) != (rows_per_person is None):
        raise InvalidInput(
            "Persons are told by a column (--person), of each a public number of rows is used "
            "(--rows-per-person): both are needed."
        )
    if person is not None and rows_per_person is not None:
        if neighbours != "add_remove":
            raise InvalidInput(
                "How many rows are left of persons depends on them, so that a guarantee for "
                "persons is one under add_remove (--neighbours add_remove), which protects the "
                f"number of rows. Got {neighbours!r}."
            )
        if person in (target, *drop):
            raise InvalidInput(f"{person!r} says whose row it is, so it is no target nor dropped.")
        table = first_rows(table, person, rows_per_person)
        epsilon = epsilon / rows_per_person
    labels, classes = read_target(table, target, positive, negative)
    if target in drop:
        raise InvalidInput(f"The target {target!r} cannot be dropped.")
    known: dict[str, Column] = {}
    if schema is not None:
        cuts = list(cuts)
        apart = {text.partition("=")[0].strip() for text in cuts}
        schema.require(table.names, {target, person or target, *drop, *apart})
        known = {
            name: column
            for name, column in schema.columns.items()
            if name not in {target, person, *drop}
        }
        drop = {*drop, *schema.dropped.intersection(table.names)} - {target}
    features = table.without([target, *drop])
    if not features.names:
        raise InvalidInput(
            f"No column is left to learn from besides the target {target!r} and what is dropped."
        )
    declared = columns_from_texts(cuts, features.names, target, known)
    # Each row is drawn for itself: rows that differ in one have parts that differ in one.
    testing = np.array([coins.flip(test_share) for _ in range(len(table))])
    kept, rest = np.flatnonzero(~testing), np.flatnonzero(testing)
    # How likely that is follows from the number of rows, which may be refused where it is public.
    if not len(kept) and neighbours == "replace_one":
        raise InvalidInput(
            f"All {len(table)} rows were kept for testing. Learn from more rows, or keep none."
        )
    training = features.rows(kept)
    _warn_of_constants(training)
    prepared = prepare(
        training,
        declared,
        epsilon,
        neighbours=neighbours,
        unknown=unknown,
        coins=coins,
        conditional=False,  # the guarantee is about the rows of this table
    )
    prepared = replace(prepared, rows_per_person=rows_per_person)
    # Looked at before anything is learned, so that what is wrong in them is told in time.
    test = prepared.columns.matrix(features.rows(rest), unknown)
    return Task(
        target, classes, prepared, labels[kept], test, labels[rest], len(features.names), neighbours
    )


def _warn_of_constants(table: Records) -> None:
    constant = [
        name
        for name, column in zip(table.names, table.columns, strict=True)
        if _is_constant(column)
    ]
    if constant and len(table) > 1:
        warnings.warn(
            f"constant in the rows learned from: {', '.join(map(repr, constant))}. They are kept: "
            "leaving them out would say that they are constant. Drop what is useless on public "
            "grounds.",
            stacklevel=3,
        )


def _is_constant(column: np.ndarray) -> bool:
    if column.dtype.kind != "O":
        return bool((column[1:] == column[:1]).all())
    return all(entry == column[0] for entry in column[1:])


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
        Warn (`learners.rules.sample_size.FewRows`) if a theorem needs more rows for this error.

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


def warn_of_short_stream(learner: DPWinnow, rows: int, epsilon: Fraction, delta: Fraction) -> None:
    """Warn (`FewRows`) if the theorem promises nothing for so many rows, even with a margin of 1/2.

    Its bound on mistakes then is no less than the number of rows, whatever the parameters.

    Parameters
    ----------
    learner : DPWinnow
    rows : int
    epsilon, delta : Fraction
        The budget of the learner.

    References
    ----------
    [BF25, Thm 4.5], with the constants of `learners.winnow.plan`
    """
    if epsilon > LARGEST_EPSILON:
        return  # a budget without a promise of privacy, for which the theorem was not made
    best = WinnowParameters.from_theorem(learner.experts, FAIR_MARGIN, rows, epsilon, delta)
    if best.vacuous:
        warnings.warn(
            f"Even for labels with a margin of {FAIR_MARGIN}, the theorem about private Winnow "
            f"allows {best.mistakes} mistakes with {learner.experts} experts at this budget; there "
            f"are {rows} rows. The vote is private, but need not be accurate.",
            FewRows,
            stacklevel=2,
        )


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
