"""Preparation of tables for learning: test rows, features, and the remaining budget.

The estimators and the command line use these functions. They do not need scikit-learn.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from learners import checked
from learners.accounting import Event, Grouped, Sequential, basic
from learners.coins import Coins
from learners.not_private import NotPrivateNotice
from learners.tables.columns import Column, FixedColumn, FixedColumns, require_unknown
from learners.tables.declarations import columns_from_texts
from learners.tables.fitted_columns import choice_cost, fit_columns, require_readable
from learners.tables.groups import GroupRates, PrivateGroupCounts
from learners.tables.guarantees import Guarantee, in_sequence, is_simulation
from learners.tables.models import Model
from learners.tables.persons import first_rows, share_of_a_row
from learners.tables.records import Records
from learners.tables.schemas import Schema
from learners.tables.stated import Stated
from learners.tables.targets import read_target
from lsclasses.errors import InvalidInput
from lsclasses.numbers import as_printed, format_number

FIRST = 64
"""Number of rows in the first check for constant columns, because few columns are constant."""


@dataclass(frozen=True)
class Prepared:
    """A table as Boolean features, and the rest of the budget.

    Attributes
    ----------
    columns : FixedColumns
    matrix : numpy.ndarray
        Features, shape (rows, features).
    remaining : Fraction
        Epsilon that remains for a learner.
    cost : Event or None
        Privacy cost of choosing the features. None if the features are not private.
    conditional : bool
        Whether the columns of the table are undeclared, see `Guarantee`.
    rows_per_person : int
        Largest number of rows of one person, if the guarantee is about persons.
    later : Event or None
        Cost of a release after learning, which the ledger also contains.
    """

    columns: FixedColumns
    matrix: np.ndarray
    remaining: Fraction
    cost: Event | None
    conditional: bool
    rows_per_person: int | None = None
    later: Event | None = None

    def together(self, event: Event) -> Event | None:
        """Return the ledger of the features and a learner's release. None without privacy."""
        if self.cost is None:
            return None
        parts = in_sequence([self.cost, event, *([] if self.later is None else [self.later])])
        if self.rows_per_person is None:
            return parts
        return Sequential(
            tuple(Grouped(part, self.rows_per_person, "person") for part in parts.events)
        )

    def guarantee(self, event: Event, delta: Fraction | None, coins: Coins) -> Guarantee | None:
        """Return the guarantee of this ledger."""
        together = self.together(event)
        if together is None:
            return None
        return Guarantee.of(
            together,
            simulated=is_simulation(coins),
            conditional=self.conditional,
            delta=delta,
        )


def remaining_epsilon(epsilon: Fraction, cost: Event | None) -> Fraction:
    """Return the epsilon that remains for a learner after private cut points.

    Parameters
    ----------
    epsilon : Fraction
        Whole budget.
    cost : Event or None
        Privacy cost of the cut points, or None if they are not private.

    Raises
    ------
    InvalidInput
        If no epsilon remains.

    Examples
    --------
    >>> from learners.accounting import PureDP, Scope
    >>> cost = PureDP(Fraction(1, 4), scope=Scope.adaptive("replace_one"))
    >>> remaining_epsilon(Fraction(1), cost)
    Fraction(3, 4)
    """
    epsilon = checked.epsilon(epsilon)
    left = epsilon - (Fraction(0) if cost is None else basic(cost)[0])
    if left <= 0:
        raise InvalidInput(
            f"The private cut points cost {format_number(epsilon - left)} of epsilon, so no "
            f"epsilon remains for the learner. Give more epsilon. Got {format_number(epsilon)}."
        )
    return left


def prepare(
    table: Records,
    declared: tuple[Column, ...],
    epsilon: Fraction,
    *,
    neighbours: str,
    unknown: str,
    coins: Coins,
    conditional: bool,
    training: Records | None = None,
) -> Prepared:
    """Make features of a table, with private cut points for the columns that declare them.

    Private cut points are a release. Call `prepare` after the charge, and `require_readable` before
    the charge.

    Parameters
    ----------
    table : Records
    declared : tuple of Column
        Declaration of every column.
    epsilon : Fraction
        Whole budget.
    neighbours, unknown : str
        Parameters of `FixedColumns.matrix` and `fit_columns`.
    coins : Coins
    conditional : bool
        Whether the columns of the table are undeclared, see `Guarantee`.
    training : Records, optional
        Rows by which features are chosen. All rows by default. Features are made of all rows.

    Raises
    ------
    InvalidInput
        If no epsilon remains for a learner, or an entry cannot be read.
    """
    left = remaining_epsilon(epsilon, choice_cost(declared, table.names, neighbours))
    rows = table if training is None else training
    columns, cost = fit_columns(declared, rows, neighbours, coins)
    return Prepared(columns, columns.matrix(table, unknown), left, cost, conditional)


@dataclass(frozen=True)
class Task:
    """A table prepared for learning, with rows set aside for testing.

    Attributes
    ----------
    target : str
        Predicted column.
    classes : pair
        Classes of the labels 0 and 1.
    prepared : Prepared
        Features of the training rows.
    labels, test_labels : numpy.ndarray
        Labels of the training rows and of the test rows, dtype bool.
    test : numpy.ndarray
        Features of the test rows.
    columns : int
        Number of columns from which features are made.
    neighbours : str
        Neighbour relation of the guarantee.
    delta : Fraction
        Delta that may be spent on one row.
    groups : Groups or None
        Release of rates by group, if a share is paid for them.
    stated : Stated or None
    """

    target: str
    classes: tuple[object, object]
    prepared: Prepared
    labels: np.ndarray
    test: np.ndarray
    test_labels: np.ndarray
    columns: int
    neighbours: str
    delta: Fraction
    groups: Groups | None = None
    stated: Stated | None = None

    def with_groups(self, model: Model, coins: Coins) -> Model:
        """Return the model with its owner's statements, and with paid noisy rates by group."""
        model = replace(model, stated=self.stated)
        if self.groups is None:
            return model
        given = self.groups
        counts = given.mechanism.release(
            given.cells, len(given.names), self.labels, model.labels_of(self.prepared.matrix), coins
        )
        rates = GroupRates(given.column, given.names, counts, given.mechanism.noise.scale)
        return replace(model, groups=rates)


@dataclass(frozen=True)
class Groups:
    """The groups of the training rows, and the release of rates by group.

    Attributes
    ----------
    column : str
    names : tuple of str
    cells : numpy.ndarray
        Group of each row.
    mechanism : PrivateGroupCounts
    """

    column: str
    names: tuple[str, ...]
    cells: np.ndarray
    mechanism: PrivateGroupCounts


@dataclass(frozen=True)
class TaskPlan:
    """A table that was read and checked for a task, before the first coin is drawn.

    Attributes
    ----------
    target : str
        Predicted column.
    classes : pair
        Classes of the labels 0 and 1.
    features : Records
        Columns to learn from.
    declared : tuple of Column
        Declarations of these columns.
    labels : numpy.ndarray
        Label of each row, dtype bool.
    epsilon, delta : Fraction
        Whole budget of one row.
    neighbours, unknown : str
        Parameters of `prepare`.
    test_share : Fraction
        Probability with which each row is kept for testing.
    rows_per_person : int or None
        Largest number of rows of one person.
    groups : (str, Fraction, FixedColumn, numpy.ndarray) or None
        Column of the rates by group, its share of epsilon, its declaration and the cell of each
        row.
    stated : Stated or None
    """

    target: str
    classes: tuple[object, object]
    features: Records
    declared: tuple[Column, ...]
    labels: np.ndarray
    epsilon: Fraction
    delta: Fraction
    neighbours: str
    unknown: str
    test_share: Fraction
    rows_per_person: int | None
    groups: tuple[str, Fraction, FixedColumn, np.ndarray] | None
    stated: Stated | None

    @property
    def private(self) -> bool:
        """Whether all features are public or chosen privately."""
        return choice_cost(self.declared, self.features.names, self.neighbours) is not None

    def draw(self, coins: Coins) -> Task:
        """Draw the test rows, and make features of the others as `prepare` does.

        Raises
        ------
        InvalidInput
            If all rows are drawn for testing and the number of rows is public.
        """
        features, declared = self.features, self.declared
        # Each row is drawn independently, so tables that differ in one row have parts that do.
        testing = np.array(coins.flips(self.test_share, len(features)))
        kept, rest = np.flatnonzero(~testing), np.flatnonzero(testing)
        # This probability depends only on the number of rows. Refuse only if it is public.
        if not len(kept) and self.neighbours == "replace_one":
            raise InvalidInput(
                f"All {len(features)} rows were kept for testing. Learn from more rows, or keep "
                "no rows for testing."
            )
        _warn_of_constants(features, kept)
        prepared = prepare(
            features,
            declared,
            self.epsilon,
            neighbours=self.neighbours,
            unknown=self.unknown,
            coins=coins,
            conditional=False,  # the guarantee is about the rows of this table
            training=None if _all_fixed(declared) else features.rows(kept),
        )
        # The array stores one feature after the other.
        by_feature = prepared.matrix.T
        prepared = replace(
            prepared, matrix=by_feature[:, kept].T, rows_per_person=self.rows_per_person
        )
        grouped = None
        if self.groups is not None:
            name, share, column, cells = self.groups
            prepared, grouped = _paying_for_groups(
                prepared, (name, share), column, cells[kept], self.neighbours
            )
        return Task(
            self.target,
            self.classes,
            prepared,
            self.labels[kept],
            by_feature[:, rest].T,
            self.labels[rest],
            len(features.names),
            self.neighbours,
            self.delta,
            grouped,
            self.stated,
        )


def plan_task(
    table: Records,
    target: str,
    epsilon: Fraction,
    *,
    delta: Fraction = Fraction(0),
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
    sensitive: Collection[str] = (),
    report_groups: str | None = None,
) -> TaskPlan:
    """Read a table and check it for a task, without drawing a coin.

    Parameters
    ----------
    table : Records
    target : str
        Column to predict.
    epsilon : Fraction
        Whole budget.
    delta : Fraction
        Whole budget. 0 for a pure guarantee.
    positive, negative : str, optional
        Classes, see `learners.tables.targets.read_target`.
    cuts : iterable of str
        Declarations, see `learners.tables.declarations.columns_from_texts`.
    drop : collection of str
        Columns that are left out.
    schema : Schema, optional
        Declarations of all columns. `cuts` must not declare one of them a second time.
    person : str, optional
        Column that identifies the person of each row. Then only the first `rows_per_person` rows
        of each person are used (`first_rows`), the budget is about a person, and the relation is
        ``add_remove``.
    rows_per_person : int, optional
    test_share : Fraction
        Probability with which each row is kept for testing. If all rows are drawn, `TaskPlan.draw`
        refuses under ``replace_one``. Under ``add_remove`` the learner gets no rows, because a
        refusal would be likelier for fewer rows.
    neighbours, unknown : str
        Parameters of `prepare`.
    sensitive : collection of str
        Columns that are left out because they are sensitive. They may be declared, for groups.
    report_groups : str, optional
        ``COLUMN=SHARE``: a declared column that makes groups, and the share of epsilon for noisy
        rates of these groups.

    Raises
    ------
    InvalidInput
        If a parameter is out of range, a column does not exist, an entry cannot be read, or no row
        or column remains to learn from.

    Warns
    -----
    NotPrivateNotice
        If all labels are equal. `TaskPlan.draw` warns if a column is constant in the rows to learn
        from.
    """
    if not 0 <= test_share < 1:
        raise InvalidInput(
            "The share of rows for testing must be at least 0 and less than 1. "
            f"Got {format_number(test_share)}."
        )
    require_unknown(unknown)
    _require_persons(person, rows_per_person, neighbours, (target, *drop))
    if person is not None and rows_per_person is not None:
        table = first_rows(table, person, rows_per_person)
        epsilon, delta = share_of_a_row(epsilon, delta, rows_per_person)
    labels, classes = read_target(table, target, positive, negative)
    groups, left_out = parsed_groups(report_groups), set(sensitive)
    for name in (*sensitive, *(() if groups is None else groups[:1])):
        table.column(name)
    features, known = _features(
        table, target, person, cuts=cuts, drop=drop, schema=schema, left_out=left_out
    )
    declared = tuple(known[name] for name in features.names)
    remaining_epsilon(epsilon, choice_cost(declared, features.names, neighbours))
    require_readable(features, declared, unknown)
    grouped = None
    if groups is not None:
        found = _group_column(groups[0], known)
        cells = found.cells(found.features(table, groups[0], unknown))
        grouped = (*groups, found, cells)
    return TaskPlan(
        target,
        classes,
        features,
        declared,
        labels,
        epsilon,
        delta,
        neighbours,
        unknown,
        test_share,
        rows_per_person,
        grouped,
        _stated(schema, left_out, table.names),
    )


def parsed_groups(text: str | None) -> tuple[str, Fraction] | None:
    """Return the column and the share of epsilon in ``COLUMN=SHARE``.

    Raises
    ------
    InvalidInput
        If the string has another form, or the share leaves no budget for learning.

    Examples
    --------
    >>> parsed_groups("gender=0.1")
    ('gender', Fraction(1, 10))
    """
    if text is None:
        return None
    name, equals, share = text.rpartition("=")
    if not equals or not name.strip():
        raise InvalidInput(
            "Rates by group must be requested as COLUMN=SHARE, such as gender=0.1, with a share of "
            "epsilon. "
            f"Got {text!r}."
        )
    return name.strip(), checked.share(as_printed(share, "share of epsilon"), "share of epsilon")


def _group_column(name: str, known: Mapping[str, Column]) -> FixedColumn:
    """Return the declaration of the column that makes groups."""
    column = known.get(name)
    if not isinstance(column, FixedColumn):
        raise InvalidInput(
            f"Groups need a column with public cut points or categories, but {name!r} has no such "
            "declaration. Declare it by --cuts or in the schema. (A column that --sensitive leaves "
            "out still needs a declaration.)"
        )
    return column


def _paying_for_groups(
    prepared: Prepared,
    groups: tuple[str, Fraction],
    column: FixedColumn,
    cells: np.ndarray,
    neighbours: str,
) -> tuple[Prepared, Groups]:
    """Return the rest of the budget, and how the rates by group are released."""
    name, share = groups
    mechanism = PrivateGroupCounts(prepared.remaining * share, neighbours)
    names = tuple(
        column.described_cells(name, frozenset((cell,))) for cell in range(column.count + 1)
    )
    left = prepared.remaining * (1 - share)
    return (
        replace(prepared, remaining=left, later=mechanism.privacy),
        Groups(name, names, cells, mechanism),
    )


def _stated(
    schema: Schema | None, left_out: Collection[str], names: Collection[str]
) -> Stated | None:
    """Return the statements about a model, made by a schema and by left-out columns."""
    sensitive = {*left_out} | (set() if schema is None else set(schema.sensitive) & set(names))
    declared = "" if schema is None else schema.declared
    if not sensitive and not declared:
        return None
    return Stated(tuple(sorted(sensitive)), tuple(sorted(left_out)), declared)


def _require_persons(
    person: str | None, rows: int | None, neighbours: str, taken: Collection[str]
) -> None:
    """Refuse a column of persons for which no guarantee is possible."""
    if (person is None) != (rows is None):
        raise InvalidInput(
            "A guarantee for persons needs both a column that identifies persons (--person) and "
            "the public number of rows that are used of each person (--rows-per-person)."
        )
    if person is None:
        return
    if neighbours != "add_remove":
        raise InvalidInput(
            "The number of used rows of persons depends on the persons. So a guarantee for "
            "persons needs add_remove (--neighbours add_remove), which protects the number of "
            f"rows. Got {neighbours!r}."
        )
    if person in taken:
        raise InvalidInput(
            f"{person!r} identifies persons, so it must be neither the target nor dropped."
        )


def _features(
    table: Records,
    target: str,
    person: str | None,
    *,
    cuts: Iterable[str],
    drop: Collection[str],
    schema: Schema | None,
    left_out: set[str],
) -> tuple[Records, dict[str, Column]]:
    """Return the columns to learn from, with the declarations of these and of left-out columns."""
    if target in {*drop, *left_out}:
        raise InvalidInput(f"The target {target!r} cannot be dropped.")
    known: dict[str, Column] = {}
    if schema is not None:
        cuts = list(cuts)
        apart = {text.partition("=")[0].strip() for text in cuts}
        schema.require(table.names, {target, person or target, *drop, *left_out, *apart})
        known = {
            name: column
            for name, column in schema.columns.items()
            if name not in {target, person, *drop}
        }
        drop = {*drop, *schema.dropped.intersection(table.names)} - {target}
    declared = table.without([target, *drop])
    features = declared.without(left_out.intersection(declared.names))
    if not features.names:
        raise InvalidInput(
            f"No column remains to learn from except the target {target!r} and dropped columns."
        )
    columns = columns_from_texts(cuts, declared.names, target, known)
    return features, dict(zip(declared.names, columns, strict=True))


def _all_fixed(declared: Iterable[Column]) -> bool:
    """Return whether the rows choose no features."""
    return all(isinstance(column, FixedColumn) for column in declared)


def _warn_of_constants(table: Records, kept: np.ndarray) -> None:
    constant = [
        name
        for name, column in zip(table.names, table.columns, strict=True)
        if _is_constant(column[kept[:FIRST]]) and _is_constant(column[kept])
    ]
    if constant and len(kept) > 1:
        warnings.warn(
            f"constant in the rows learned from: {', '.join(map(repr, constant))}. They are kept, "
            "because leaving them out would reveal that they are constant. Drop columns only for "
            "public reasons.",
            NotPrivateNotice,
            stacklevel=3,
        )


def _is_constant(column: np.ndarray) -> bool:
    if column.dtype.kind != "O":
        return bool((column[1:] == column[:1]).all())
    return all(entry == column[0] for entry in column[1:])
