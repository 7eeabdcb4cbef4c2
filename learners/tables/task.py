"""Tasks of learning from tables: the target, the declared columns and the budget.

The command line and the estimators describe what they learn by a `TableTask`. It is complete before
the first coin is drawn, so all errors in a table precede the charge. `TableTask.draw` then makes
the `TrainingData`: the rows to learn from as features and labels, and the rest of the budget.

`TaskOptions` are the options of a user, on the command line or in Python, that describe a task. One
of them is a schema. This module does not need scikit-learn.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Annotated

import numpy as np

from learners.accounting import Event, Grouped, Sequential
from learners.coins import Coins
from learners.tables.columns import (
    Column,
    FixedColumn,
    FixedColumns,
    choice_cost,
    fit_columns,
    remaining_epsilon,
    require_readable,
    require_unknown,
)
from learners.tables.declarations import columns_from_texts
from learners.tables.groups import Groups, GroupShare
from learners.tables.guarantees import Guarantee, in_sequence, is_simulation
from learners.tables.missing_values import MissingMarkers
from learners.tables.models import Model
from learners.tables.persons import first_rows, require_persons, share_of_a_row
from learners.tables.records import Records, load_records, read_separator, require_names
from learners.tables.stated import Stated
from learners.tables.targets import TargetOptions
from lsclasses.errors import InvalidInput
from lsclasses.files.comma_separated import split_declaration, split_names
from lsclasses.files.sources import PathLike
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import as_printed, plural
from lsclasses.options import Option
from lsclasses.outputs import Reads

__all__ = ["TableTask", "TaskOptions", "TrainingData"]


@dataclass(frozen=True, kw_only=True)
class TableTask:
    """The whole input of learning from a table, except the coins.

    Parameters
    ----------
    features : Records
        Columns to learn from.
    declared : tuple of Column
        Declarations of these columns.
    labels : numpy.ndarray
        Class of each row, shape (rows,): 0 or 1, or the number of the class.
    classes : tuple
        Classes of the labels.
    target : str
        Name of the predicted column.
    epsilon, delta : Fraction
        Budget of everything that is computed from one row.
    neighbours : {"replace_one", "add_remove"}
        Neighbour relation of the guarantee.
    unknown : {"warn", "error", "ignore"}
        Treatment of undeclared categories.
    test_share : Fraction, optional
        Probability with which each row is kept for testing. None learns from all rows.
    rows_per_person : int, optional
        Largest number of rows of one person, if the guarantee is about persons.
    conditional : bool
        Whether the rows may have been computed from other rows, see `Guarantee`.
    groups : GroupShare, optional
        Groups for which noisy rates are released, with their share of epsilon.
    stated : Stated, optional
        Statements of the owner of the rows about the model.

    Raises
    ------
    InvalidInput
        If no epsilon remains for a learner after private cut points.
    """

    features: Records
    declared: tuple[Column, ...]
    labels: np.ndarray
    classes: tuple[object, ...]
    target: str = ""
    epsilon: Fraction
    delta: Fraction = Fraction(0)
    neighbours: str
    unknown: str
    test_share: Fraction | None = None
    rows_per_person: int | None = None
    conditional: bool = False
    groups: GroupShare | None = None
    stated: Stated | None = None

    def __post_init__(self) -> None:
        require_unknown(self.unknown)
        if self.groups is not None and self.test_share is None:
            raise InvalidInput("Rates by group need a share of test rows. Got none.")
        remaining_epsilon(self.epsilon, self.cost)

    @cached_property
    def cost(self) -> Sequential | None:
        """The privacy cost of choosing the features, or None if they are not chosen privately."""
        return choice_cost(self.declared, self.features.names, self.neighbours)

    @property
    def remaining(self) -> Fraction:
        """The epsilon that remains for a learner after private cut points and rates by group."""
        left = remaining_epsilon(self.epsilon, self.cost)
        return left if self.groups is None else left * (1 - self.groups.share)

    @property
    def largest_columns(self) -> FixedColumns | None:
        """Columns with the most possible features, or None if the number depends on rows."""
        columns = [column.largest for column in self.declared]
        if any(column is None for column in columns):
            return None
        return FixedColumns(self.features.names, tuple(each for each in columns if each))

    @property
    def pair(self) -> tuple[object, object]:
        """The classes of the labels 0 and 1, for a learner of two classes."""
        negative, positive = self.classes
        return negative, positive

    def require_classes(self, *, several: bool) -> None:
        """Refuse more than two classes, unless a learner learns several classes.

        Raises
        ------
        InvalidInput
        """
        if len(self.classes) > 2 and not several:
            raise InvalidInput(
                f"This learner needs two classes. Got {len(self.classes)} classes. The learners "
                "best, rules, naive-bayes and logistic learn several classes. Or name one "
                "class with --positive, so that all others count as 0."
            )

    def require_readable(self) -> None:
        """Read all entries as declared, without coins, so that errors precede the charge.

        Raises
        ------
        InvalidInput
            If an entry cannot be read.
        """
        require_readable(self.features, self.declared, self.unknown)

    def draw(self, coins: Coins) -> TrainingData:
        """Draw the test rows, and make features of the other rows, with private cut points.

        Private cut points are a release, so this method follows the charge.

        Raises
        ------
        InvalidInput
            If all rows are drawn for testing and the number of rows is public.
        """
        kept, rest = self._split(coins)
        # The features of the test rows must not influence the choice of features.
        fixed = all(isinstance(column, FixedColumn) for column in self.declared)
        rows = self.features if fixed or not len(rest) else self.features.rows(kept)
        columns, cost = fit_columns(self.declared, rows, self.neighbours, coins)
        matrix = columns.matrix(self.features, self.unknown)
        left = remaining_epsilon(self.epsilon, self.cost)
        none = matrix[:0], self.labels[:0]
        data = TrainingData(self, columns, matrix, self.labels, left, cost, *none)
        return data if self.test_share is None else data.split(kept, rest)

    def _split(self, coins: Coins) -> tuple[np.ndarray, np.ndarray]:
        """Return the numbers of the training rows and of the test rows."""
        rows = len(self.features)
        if self.test_share is None:
            return np.arange(rows), np.arange(0)
        # Each row is drawn independently, so tables that differ in one row have parts that do.
        testing = np.array(coins.flips(self.test_share, rows), dtype=bool)
        kept, rest = np.flatnonzero(~testing), np.flatnonzero(testing)
        # This probability depends only on the number of rows. Refuse only if it is public.
        if not len(kept) and self.neighbours == "replace_one":
            raise InvalidInput(
                f"All {rows} rows were kept for testing. Learn from more rows, or keep "
                "no rows for testing."
            )
        self.features.warn_of_constants(kept)
        return kept, rest


@dataclass(frozen=True)
class TrainingData:
    """The rows to learn from as Boolean features and labels, and the rest of the budget.

    Attributes
    ----------
    task : TableTask
        Target, columns and neighbour relation.
    columns : FixedColumns
        Features of the columns.
    matrix : numpy.ndarray
        Features of the rows, shape (rows, features), dtype bool.
    labels : numpy.ndarray
        Class of each row, shape (rows,).
    remaining : Fraction
        Epsilon that remains for a learner.
    cost : Event or None
        Privacy cost of choosing the features. None if the features are not private.
    test, test_labels : numpy.ndarray
        Features and labels of the test rows, which may be none.
    groups : Groups or None
        Groups of the rows and the release of rates by group, if a share is paid for them.
    """

    task: TableTask
    columns: FixedColumns
    matrix: np.ndarray
    labels: np.ndarray
    remaining: Fraction
    cost: Event | None
    test: np.ndarray
    test_labels: np.ndarray
    groups: Groups | None = None

    @property
    def common_label(self) -> int:
        """The most frequent label of the rows to learn from, or the last of several such labels."""
        kinds = len(self.task.classes)
        counts = np.bincount(self.labels.astype(np.intp), minlength=kinds)
        return kinds - 1 - int(counts[::-1].argmax())

    def split(self, kept: np.ndarray, rest: np.ndarray) -> TrainingData:
        """Return the data in which some of the rows are for learning, and others for testing.

        Parameters
        ----------
        kept, rest : numpy.ndarray
            Positions of the rows for learning and for testing.
        """
        # The array stores one feature after the other.
        by_feature = self.matrix.T
        data = replace(
            self,
            matrix=by_feature.take(kept, axis=1).T,
            labels=self.labels[kept],
            test=by_feature.take(rest, axis=1).T,
            test_labels=self.labels[rest],
        )
        given = self.task.groups
        if given is None:
            return data
        groups, left = given.paid_from(self.remaining, kept, self.task.neighbours)
        return replace(data, groups=groups, remaining=left)

    def together(self, event: Event) -> Event | None:
        """Return the cost of features, release and rates together, or None without privacy."""
        if self.cost is None:
            return None
        later = [] if self.groups is None else [self.groups.mechanism.privacy]
        parts = in_sequence([self.cost, event, *later])
        rows = self.task.rows_per_person
        if rows is None:
            return parts
        return Sequential(tuple(Grouped(part, rows, "person") for part in parts.events))

    def guarantee(self, event: Event, delta: Fraction | None, coins: Coins) -> Guarantee | None:
        """Return the guarantee of the ledger of `together`, or None without privacy.

        Parameters
        ----------
        event : Event
            Privacy cost of a learner.
        delta : Fraction, optional
            Delta at which the total is stated.
        coins : Coins
            Source of the random draws.
        """
        together = self.together(event)
        if together is None:
            return None
        return Guarantee.of(
            together,
            simulated=is_simulation(coins),
            conditional=self.task.conditional,
            delta=delta,
        )

    def with_groups(self, model: Model, coins: Coins) -> Model:
        """Return the model with the owner's statements and, if paid, noisy rates by group."""
        model = replace(model, stated=self.task.stated)
        if self.groups is None:
            return model
        rates = self.groups.release(self.labels, model.labels_of(self.matrix), coins)
        return replace(model, groups=rates)


# ---- options

TEST_SHARE = Option(
    "probability with which a row is used only for tests of the model",
    minimum=0,
    below=1,
    noun="share of rows for testing",
)


@dataclass(frozen=True, kw_only=True)
class TaskOptions(TargetOptions):
    """The options that describe a task, such as the target, the columns and the test rows.

    All learners of ``lsclasses learn`` share them. A schema can also declare target and columns.

    **Rows without a target.** With `drop_unlabelled`, a learner receives only the rows with a
    target. A learner that is (epsilon, delta)-DP under ``add_remove`` is then (epsilon, delta)-DP
    about all rows, under ``add_remove``. *Proof.* Whether a row is kept depends only on this row.
    So if a row with a target is added to a table, one row is added to the kept rows. If a row
    without a target is added, the kept rows do not change. In both cases, the kept rows are equal
    or neighbours. Under ``replace_one``, the number of kept rows would count as public, but it
    changes if a row with a target is replaced by a row without a target.

    Raises
    ------
    InvalidInput
        If an option is out of range, or the schema and an option declare different targets.

    Examples
    --------
    >>> from learners.tables.records import as_records
    >>> table = as_records([{"age": 41, "ill": 1}, {"age": 29, "ill": 0}])
    >>> options = TaskOptions(target="ill", cuts=["age=30,40"])
    >>> task = options.task(table, Fraction(1))
    >>> task.features.names, task.declared, task.labels.tolist()
    (('age',), (Cuts(points=(30.0, 40.0)),), [True, False])
    """

    cuts: Annotated[
        Collection[str],
        Option(
            "conditions on a column, from which the learner builds the model. The option may be "
            "repeated, once for each column. Public cut points: age=30,40,50. Equal steps in a "
            "public range: age=0..100/9. Private cut points: age=0..100/50:3@0.1 spends epsilon "
            "0.1 on 3 cut points from a grid of 50 steps. "
            "Public categories: job=cook,nurse. Missing values as a further category: "
            "job=cook,nurse+missing. The column name '*' denotes all columns without other "
            "conditions. A column without conditions must contain only 0 and 1. FILE is a JSON "
            "file with the conditions of each column",
            metavar="COLUMN=SPEC|FILE",
        ),
        Reads(unless="="),
    ] = ()
    drop: Annotated[
        Collection[str],
        Option(
            "columns to leave out, separated by commas. '' denotes the column without a name, "
            "such as the index of a data frame",
            metavar="COLUMNS",
        ),
    ] = ()
    missing: Annotated[
        Collection[str],
        Option(
            "further strings that mark missing values: NULL,N/A (in every column) or age=-1 (in "
            "one column)",
            metavar="MARKERS",
        ),
    ] = ()
    separator: Annotated[
        str, Option("character between the entries of a line, or the word tab", metavar="CHARACTER")
    ] = ","
    drop_unlabelled: Annotated[
        bool,
        Option(
            "leave out rows without a target. This option needs --neighbours add_remove, because "
            "only this relation protects the number of remaining rows"
        ),
    ] = False
    test_split: Annotated[Fraction, TEST_SHARE] = Fraction(1, 5)
    sensitive: Annotated[
        Collection[str],
        Option(
            "sensitive columns, separated by commas. The model does not use these columns. If "
            "only the schema marks a column as sensitive, the model may use the column, but the "
            "command warns",
            metavar="COLUMNS",
        ),
    ] = ()
    report_groups: Annotated[
        str | None,
        Option(
            "print noisy rates of right and wrong predictions for each group of rows. The groups "
            "are the declared values of COLUMN, and the rates cost the share SHARE of epsilon. "
            "If the model must not use COLUMN, add COLUMN to --drop",
            metavar="COLUMN=SHARE",
        ),
    ] = None
    unknown: Annotated[
        str,
        Option(
            "policy for entries that are not declared categories of their column: warn, "
            "error, ignore",
            metavar="POLICY",
        ),
    ] = "warn"

    def __post_init__(self) -> None:
        share = TEST_SHARE.fraction(as_printed(self.test_split, TEST_SHARE.name))
        require_unknown(self.unknown)
        set_frozen_fields(self, test_split=share, separator=read_separator(self.separator))

    def read(self, path: PathLike) -> Records:
        """Read the table of the task, without a column of empty name if the options drop it."""
        _ = self.declaration  # reports contradictions before the file is read
        schema_drops = () if self.declared is None else self.declared.dropped
        dropped = {*split_names(self.drop), *schema_drops}
        return load_records(path, drop=dropped & {""}, separator=self.separator)

    def task(
        self,
        table: Records,
        epsilon: Fraction,
        *,
        delta: Fraction = Fraction(0),
        neighbours: str = "replace_one",
        person: str | None = None,
        rows_per_person: int | None = None,
    ) -> TableTask:
        """Return the task on a table, after all its entries were read as declared.

        Parameters
        ----------
        table : Records
            Rows of the table.
        epsilon, delta : Fraction
            Whole budget. The delta of a pure guarantee is 0.
        neighbours : {"replace_one", "add_remove"}
            Neighbour relation of the guarantee.
        person : str, optional
            Column that identifies the person of each row. Then only the first `rows_per_person`
            rows of each person are used (`first_rows`), the budget is about a person, and the
            relation is ``add_remove``.
        rows_per_person : int, optional
            Largest number of used rows of a person.

        Raises
        ------
        InvalidInput
            If a column does not exist, an entry cannot be read, no column remains to learn from, or
            no epsilon remains for a learner.

        Warns
        -----
        NotPrivateNotice
            If all labels are equal. `TableTask.draw` warns if a column is constant in the rows to
            learn from.
        """
        target = self.declaration.name
        table = table.with_markers(self._markers(table.names))
        dropped = split_names(self.drop, table.names)
        # A column without a name may be absent, because `read` leaves it out.
        drop = [each for name in dropped for each in table.named(name) or [name] * bool(name)]
        schema_drops = () if self.declared is None else self.declared.dropped
        require_names(table, {target, *dropped, *schema_drops})
        require_persons(person, rows_per_person, neighbours, (target, *drop))
        table = self._labelled(table, target, neighbours)
        if person is not None and rows_per_person is not None:
            table = first_rows(table, person, rows_per_person)
            epsilon, delta = share_of_a_row(epsilon, delta, rows_per_person)
        sensitive = set(split_names(self.sensitive, table.names))
        for name in sorted(sensitive):
            table.cells(name)
        groups = None if self.report_groups is None else GroupShare.parse(self.report_groups)
        if groups is not None:
            table.cells(groups.column)
        features, known = self._features(table, set(drop), sensitive, person)
        labels, classes = self.declaration.labels(table.cells(target))
        if groups is not None and len(classes) > 2:
            raise InvalidInput(
                f"Rates by group need two classes. Got {len(classes)} classes. Remove "
                "--report-groups, or name one class with --positive."
            )
        task = TableTask(
            features=features,
            declared=tuple(known[name] for name in features.names),
            labels=labels,
            classes=classes,
            target=target,
            epsilon=epsilon,
            delta=delta,
            neighbours=neighbours,
            unknown=self.unknown,
            test_share=self.test_split,
            rows_per_person=rows_per_person,
            stated=self._stated(sensitive, table.names),
        )
        task.require_readable()
        if groups is None:
            return task
        return replace(task, groups=groups.of_rows(table, known, self.unknown))

    def _labelled(self, table: Records, target: str, neighbours: str) -> Records:
        """Return the rows with a target. Refuse other rows, unless an option leaves them out."""
        if self.drop_unlabelled and neighbours != "add_remove":
            raise InvalidInput(
                "--drop-unlabelled leaves out rows, so the number of used rows depends on the "
                "rows. It needs --neighbours add_remove, which protects the number of rows. Got "
                f"{neighbours!r}."
            )
        missing = table.cells(target).missing()
        if not missing.any():
            return table
        if not self.drop_unlabelled:
            first = table.cells(target).place(int(np.argmax(missing)))
            raise InvalidInput(
                f"The target {target!r} is missing in {plural(int(missing.sum()), 'row')}, first "
                f"in {first}. Add --drop-unlabelled --neighbours add_remove to leave these rows "
                "out, or fill in the target."
            )
        return table.rows(np.flatnonzero(~missing))

    def _features(
        self, table: Records, drop: set[str], sensitive: set[str], person: str | None
    ) -> tuple[Records, dict[str, Column]]:
        """Return the columns to learn from, and the declarations of these and sensitive columns."""
        target, schema, cuts = self.declaration.name, self.declared, list(self.cuts)
        if target in drop | sensitive:
            raise InvalidInput(f"The target {target!r} cannot be left out (--drop, --sensitive).")
        known: dict[str, Column] = {}
        if schema is not None:
            apart = {split_declaration(text)[0] for text in cuts}
            schema.require(table.names, {target, person or target, *drop, *sensitive, *apart})
            known = {
                name: column
                for name, column in schema.columns.items()
                if name not in {target, person, *drop}
            }
            drop |= schema.dropped.intersection(table.names) - {target}
        declared = table.without([target, *drop])
        features = declared.without(sensitive.intersection(declared.names))
        if not features.names:
            raise InvalidInput(
                f"No column remains to learn from except the target {target!r} and dropped columns."
            )
        columns = columns_from_texts(cuts, declared.names, target, known)
        return features, {
            name: column.with_markers(table.markers.of(name))
            if isinstance(column, FixedColumn)
            else column
            for name, column in zip(declared.names, columns, strict=True)
        }

    def _markers(self, names: Collection[str]) -> MissingMarkers:
        """Return the markers of missing values, which the schema or an option declares."""
        declared = () if self.declared is None else self.declared.missing
        everywhere = MissingMarkers(frozenset(declared))
        return everywhere | MissingMarkers.parse(self.missing, names)

    def _stated(self, left_out: set[str], names: Collection[str]) -> Stated | None:
        """Return the statements about a model, made by a schema and by left-out columns."""
        schema = self.declared
        sensitive = left_out | (set() if schema is None else set(schema.sensitive) & set(names))
        by = "" if schema is None else schema.declared
        if not sensitive and not by:
            return None
        return Stated(tuple(sorted(sensitive)), tuple(sorted(left_out)), by)
