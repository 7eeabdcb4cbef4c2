"""Models learned from a table, which predict classes and can be printed and saved.

A model contains the features of the columns, so it predicts from original rows. Its file holds only
values that may be published: the rule, the public features, and the ledger
(`learners.tables.saved`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from keyword import iskeyword
from math import isfinite
from typing import TYPE_CHECKING, ClassVar, Unpack

import numpy as np

from learners.tables.columns import FixedColumns
from learners.tables.groups import GroupRates
from learners.tables.guarantees import Guarantee
from learners.tables.records import as_records
from learners.tables.saved import Common, Entries, SavedModel, checked_text
from learners.tables.stated import Stated
from lsclasses.errors import InvalidInput
from lsclasses.numbers import integer
from lsclasses.point_names import check_label

if TYPE_CHECKING:
    from learners.rules.decision_list import DecisionList
    from learners.rules.packed import PackedFeatures

WEIGHT_LIMIT = 1 << 62
"""Largest sum of weights. Sums must fit into integers of 64 bits."""

FEW = 1 << 10
"""Largest number of rows whose votes are computed as one matrix product. Votes of more rows are
added up feature by feature."""

Holds = Callable[[int], np.ndarray]
"""A function from the number of a feature to its truth values on all rows, shape (rows,)."""


def pack(columns: FixedColumns, matrix: np.ndarray, k: int) -> PackedFeatures:
    """Return the candidates of a decision list: conjunctions of at most k features and negations.

    Parameters
    ----------
    columns : FixedColumns
        Columns that the rules use, with fixed bins.
    matrix : numpy.ndarray
        Features, shape (rows, features).
    k : int
        Largest number of features in a conjunction.

    Raises
    ------
    TooLarge
        If there are too many candidates.
    """
    from learners.rules.packed import PackedFeatures

    # The features are named by their numbers, because descriptions may coincide.
    names = [str(j) for j in range(columns.count)]
    return PackedFeatures.from_matrix(matrix, names).conjunctions(k)


@dataclass(frozen=True)
class Model(SavedModel):
    """A classification rule for the rows of a table.

    Attributes
    ----------
    columns : FixedColumns
        Columns from which the model computes the features of a row.
    classes : tuple
        Classes of the labels 0 and 1.
    target : str
        Predicted column, or an empty string if it has no name.
    guarantee : Guarantee or None
        Guarantee of the rule, or None if the rule is not private.
    groups : GroupRates or None
        Noisy rates by group, if they were paid for.
    stated : Stated or None
        Statements of the owner of the rows about the model, if there are any.
    """

    most_classes: ClassVar[int] = 2
    columns: FixedColumns
    classes: tuple[object, ...]
    target: str
    guarantee: Guarantee | None
    groups: GroupRates | None = field(default=None, kw_only=True)
    stated: Stated | None = field(default=None, kw_only=True)

    @property
    def looks_at(self) -> tuple[str, ...]:
        """The columns that the rule uses, in the order of the table."""
        found: set[str] = set()

        def holds(j: int) -> np.ndarray:
            found.add(self.columns.feature(j)[0])
            return np.zeros(0, dtype=bool)

        self._labels(holds, 0)
        return tuple(name for name in self.columns.names if name in found)

    @abstractmethod
    def _labels(self, holds: Holds, rows: int) -> np.ndarray: ...

    def labels_of(self, matrix: np.ndarray) -> np.ndarray:
        """Return the labels of rows of features: shape (rows, features) to (rows,), dtype uint8."""
        return self._labels(lambda j: np.asarray(matrix[:, j]), len(matrix))

    def scores_of(self, matrix: np.ndarray) -> np.ndarray | None:
        """Return the probabilities of label 1 of rows of features, shape (rows,).

        The result is None if the model has no probabilities, or more than two classes.
        """
        return None

    def chances_of(self, matrix: np.ndarray) -> np.ndarray | None:
        """Return the class probabilities of rows of features, shape (rows, classes).

        The result is None if the model has no probabilities.
        """
        found = self.scores_of(matrix)
        return None if found is None else np.column_stack([1 - found, found])

    def labels(self, table: object, unknown: str = "warn") -> np.ndarray:
        """Return the labels of the rows of a table, shape (rows,), dtype uint8.

        Only the columns that the rule uses must exist.

        Parameters
        ----------
        table : Records, data frame, sequence of dicts, or array of shape (rows, columns)
            See `learners.tables.records.as_records`.
        unknown : str
            Treatment of undeclared categories, see `UNKNOWN`.

        Raises
        ------
        InvalidInput
            If such a column is absent, or an entry is missing or does not match the declaration.
        """
        return self._labels(*self._features(table, unknown))

    def _features(self, table: object, unknown: str) -> tuple[Holds, int]:
        """Return the features of a table, computed on demand, and its number of rows."""
        table = as_records(table)
        known: dict[str, np.ndarray] = {}

        def holds(j: int) -> np.ndarray:
            name, column, index = self.columns.feature(j)
            if name not in known:
                known[name] = column.features(table.cells(name), unknown)
            return known[name][:, index]

        return holds, len(table)

    def predict(self, table: object, unknown: str = "warn") -> list[object]:
        """Return the classes of the rows of a table, see `labels`."""
        return [self.classes[label] for label in self.labels(table, unknown).tolist()]

    def on(self, columns: FixedColumns) -> Model:
        """Return the rule for columns whose features replace the flags of the current columns.

        Parameters
        ----------
        columns : FixedColumns
            Columns with as many features as this model has flags.
        """
        return replace(self, columns=columns)

    @abstractmethod
    def to_python(self, function: str = "predict") -> str:
        """Return Python source of a function of a row, a dict from columns' names to entries.

        Unlike `predict`, the function does not check its row. The entry NaN reaches no cut point.
        """

    @abstractmethod
    def _rule_json(self) -> dict[str, object]: ...

    @classmethod
    @abstractmethod
    def _from_rule(cls, data: Entries, columns: FixedColumns, **common: Unpack[Common]) -> Model:
        """Read the model from the data of its rule and the parts common to all models."""

    def _entries(self) -> dict[str, object]:
        return {
            "target": self.target,
            "classes": [plain(label) for label in self.classes],
            "columns": self.columns.to_json(),
            **self._rule_json(),
            **({} if self.groups is None else {"groups": self.groups.to_json()}),
            **({} if self.stated is None else {"stated": self.stated.to_json()}),
        }

    @classmethod
    def _of_entries(cls, data: Entries, guarantee: Guarantee | None) -> Model:
        classes = tuple(data["classes"])
        if not 2 <= len(set(classes)) == len(classes) <= cls.most_classes or not all(
            isinstance(label, (str, int)) or (isinstance(label, float) and isfinite(label))
            for label in classes
        ):
            raise InvalidInput(
                f"two different classes are needed{', or more' * (cls.most_classes > 2)}. "
                f"Got {data['classes']!r:.200}."
            )
        model = cls._from_rule(
            data,
            FixedColumns.from_json(data["columns"]),
            classes=classes,
            target=checked_text(data["target"], "target"),
            guarantee=guarantee,
        )
        return replace(
            model,
            groups=GroupRates.from_json(data["groups"]) if "groups" in data else None,
            stated=Stated.from_json(data["stated"]) if "stated" in data else None,
        )


def plain(label: object) -> object:
    """Return a class as a Python value, even if it is a NumPy value."""
    return label.item() if isinstance(label, np.generic) else label


def checked_name(function: str) -> str:
    """Return the given name of a function, after a check that it is valid in Python."""
    if not function.isidentifier() or iskeyword(function):
        raise InvalidInput(f"A function needs a name such as 'predict'. Got {function!r}.")
    return function


# ---- decision lists


@dataclass(frozen=True)
class ListRule:
    """A rule that predicts its label if some features hold or fail as stated.

    Attributes
    ----------
    tests : tuple of (int, bool)
        Features, and whether they must hold. A rule without tests always fires.
    label : int
        Label that the rule predicts.
    """

    tests: tuple[tuple[int, bool], ...]
    label: int


@dataclass(frozen=True)
class ListModel(Model):
    """A decision list: if, else if, ..., else.

    Attributes
    ----------
    rules : tuple of ListRule
        Rules of the list, in order.
    default : int
        Label if no rule fires.

    Examples
    --------
    >>> from learners.tables.columns import Cuts, Flag
    >>> columns = FixedColumns(("age", "smoker"), (Cuts([40, 60]), Flag()))
    >>> rules = (ListRule(((0, False),), 0), ListRule(((1, True), (2, True)), 1))
    >>> model = ListModel(columns, ("low", "high"), "risk", None, rules, 0)
    >>> print(model.text())
    if age < 40: low
    else if age >= 60 and smoker: high
    else: low
    >>> from learners.tables.records import as_records
    >>> model.predict(as_records([{"age": 70, "smoker": 1}, {"age": 20, "smoker": 1}]))
    ['high', 'low']
    """

    kind = "decision list"
    rules: tuple[ListRule, ...]
    default: int

    @classmethod
    def of(
        cls,
        found: DecisionList,
        columns: FixedColumns,
        classes: tuple[object, object],
        target: str = "",
        guarantee: Guarantee | None = None,
    ) -> ListModel:
        """Return the simplified model of a decision list on features made by `pack`."""
        rules = tuple(
            ListRule(tuple((int(name), wanted) for name, wanted in found.names[j].literals), label)
            for j, label in found.rules
        )
        return cls(columns, classes, target, guarantee, rules, found.default).simplified()

    def _labels(self, holds: Holds, rows: int) -> np.ndarray:
        found = np.full(rows, self.default, dtype=np.uint8)
        left = np.ones(rows, dtype=bool)
        for rule in self.rules:
            fires = left.copy()
            for feature, wanted in rule.tests:
                fires &= holds(feature) == wanted
            found[fires] = rule.label
            left &= ~fires
        return found

    def text(self) -> str:
        """Return the list in words, with one rule on each line."""
        lines = [
            f"{'else ' if i else ''}if {self._condition(rule)}: {self.classes[rule.label]}"
            for i, rule in enumerate(self.rules)
        ]
        last = self.classes[self.default]
        return "\n".join([*lines, f"else: {last}" if lines else f"always: {last}"])

    def _condition(self, rule: ListRule) -> str:
        parts = [self.columns.described(feature, wanted) for feature, wanted in rule.tests]
        return " and ".join(parts) or "always"

    def on(self, columns: FixedColumns) -> ListModel:
        """Return the list for other columns, simplified by relations between their features."""
        return replace(self, columns=columns).simplified()

    def listed(self) -> list[tuple[str, object]]:
        """Return the rules as pairs of a condition and a class. The last condition is `always`."""
        rules = [(self._condition(rule), self.classes[rule.label]) for rule in self.rules]
        return [*rules, ("always", self.classes[self.default])]

    def to_python(self, function: str = "predict") -> str:
        """Return Python source of a function of a row, a dict from columns' names to entries.

        Unlike `predict`, the function does not check its row. The entry NaN reaches no cut point.

        Examples
        --------
        >>> from learners.tables.columns import Cuts
        >>> columns = FixedColumns(("age",), (Cuts([40]),))
        >>> model = ListModel(columns, ("low", "high"), "", None, (ListRule(((0, False),), 0),), 1)
        >>> print(model.to_python("risk"))
        def risk(row):
            if float(row['age']) < 40:
                return 'low'
            return 'high'
        <BLANKLINE>
        """
        lines = [f"def {checked_name(function)}(row):", *self.columns.imports]
        for rule in self.rules:
            tests = [self.columns.source(feature, wanted) for feature, wanted in rule.tests]
            lines += [
                f"    if {' and '.join(tests) or 'True'}:",
                f"        return {plain(self.classes[rule.label])!r}",
            ]
        return "\n".join([*lines, f"    return {plain(self.classes[self.default])!r}", ""])

    def simplified(self) -> ListModel:
        """Return an equivalent list with fewer rules, using relations between features.

        The features of a column divide its entries into cells: numbers between cut points, and
        categories. The simplified list leaves out rules that can no longer fire, tests that always
        hold after the earlier rules, and rules whose rows would get an equal label from later
        rules. Simplifying looks only at the list, so it costs no privacy.

        Examples
        --------
        >>> from learners.tables.columns import Cuts
        >>> columns = FixedColumns(("age",), (Cuts([40, 60]),))
        >>> rules = tuple(ListRule(((j, holds),), label)
        ...               for j, holds, label in [(1, True, 1), (0, False, 0), (1, False, 1)])
        >>> print(ListModel(columns, (0, 1), "", None, rules, 0).simplified().text())
        if age < 40: 0
        else: 1
        """
        left = {
            name: frozenset(range(column.count + 1))
            for name, column in zip(self.columns.names, self.columns.columns, strict=True)
        }
        kept: list[ListRule] = []
        decided: list[dict[str, frozenset[int]]] = []
        default = self.default
        for rule in self.rules:
            fires = {name: cells & left[name] for name, cells in self._cells(rule).items()}
            if not all(fires.values()) or any(
                all(fires.get(name, left[name]) <= cells for name, cells in earlier.items())
                for earlier in decided
            ):
                continue
            tests = rule.tests
            for test in rule.tests:
                fewer = ListRule(tuple(each for each in tests if each != test), rule.label)
                name = self.columns.feature(test[0])[0]
                if self._cells(fewer).get(name, left[name]) & left[name] == fires[name]:
                    tests = fewer.tests
            if not tests:
                default = rule.label
                break
            kept.append(ListRule(tests, rule.label))
            decided.append(self._cells(kept[-1]))
            names = {self.columns.feature(feature)[0] for feature, _ in tests}
            if len(names) == 1:
                (name,) = names
                left[name] -= fires[name]
        for i in reversed(range(len(kept))):
            if self._needless(i, kept, default):
                del kept[i]
        return replace(self, rules=tuple(kept), default=default)

    def _cells(self, rule: ListRule) -> dict[str, frozenset[int]]:
        """Return, for every column that a rule uses, the cells in which the rule can fire."""
        found: dict[str, frozenset[int]] = {}
        for feature, wanted in rule.tests:
            name, column, index = self.columns.feature(feature)
            everything = frozenset(range(column.count + 1))
            cells = column.holding(index) if wanted else everything - column.holding(index)
            found[name] = found.get(name, everything) & cells
        return found

    def _needless(self, i: int, rules: list[ListRule], default: int) -> bool:
        """Return whether a later rule gives the same rows the same label, without conflicts."""
        cells, label = self._cells(rules[i]), rules[i].label
        for later in rules[i + 1 :]:
            theirs = self._cells(later)
            if later.label == label:
                if all(name in cells and cells[name] <= theirs[name] for name in theirs):
                    return True
            elif not any(name in cells and not cells[name] & theirs[name] for name in theirs):
                return False
        return label == default

    def _rule_json(self) -> dict[str, object]:
        return {
            "rules": [
                {"if": [list(test) for test in rule.tests], "then": rule.label}
                for rule in self.rules
            ],
            "else": self.default,
        }

    @classmethod
    def _from_rule(
        cls, data: Entries, columns: FixedColumns, **common: Unpack[Common]
    ) -> ListModel:
        rules = tuple(
            ListRule(
                tuple((_index(j, columns.count), _truth(wanted)) for j, wanted in entry["if"]),
                check_label(entry["then"]),
            )
            for entry in data["rules"]
        )
        return cls(columns, rules=rules, default=check_label(data["else"]), **common)


# ---- weighted votes


@dataclass(frozen=True)
class VoteModel(Model):
    """A weighted vote of features, each for or against label 1.

    Attributes
    ----------
    weights : tuple of int
        Weight of each feature.
    bias : int
        Bias. The label is 1 if and only if the weights of the features that hold, less the weights
        of the features that do not hold, plus the bias are at least 0.

    Examples
    --------
    >>> from learners.tables.columns import Cuts, Flag
    >>> columns = FixedColumns(("age", "smoker"), (Cuts([40, 60]), Flag()))
    >>> model = VoteModel(columns, ("low", "high"), "risk", None, (1, 0, 3), -2)
    >>> print(model.text())
    high if the sum of these is at least 0, else low:
      -2
      +3 if smoker, else -3
      +1 if age >= 40, else -1
    >>> from learners.tables.records import as_records
    >>> model.predict(as_records([{"age": 70, "smoker": 1}, {"age": 70, "smoker": 0}]))
    ['high', 'low']
    """

    kind = "weighted vote"
    weights: tuple[int, ...]
    bias: int

    def labels_of(self, matrix: np.ndarray) -> np.ndarray:
        """Return the labels of rows of features: shape (rows, features) to (rows,), dtype uint8."""
        if len(matrix) > FEW:
            return super().labels_of(matrix)
        weights = np.array(self.weights, dtype=np.int64)
        score = matrix @ (2 * weights) + (self.bias - int(weights.sum()))
        return (score >= 0).astype(np.uint8)

    def _labels(self, holds: Holds, rows: int) -> np.ndarray:
        score = np.full(rows, self.bias, dtype=np.int64)
        for feature, weight in enumerate(self.weights):
            if weight:
                score += np.where(holds(feature), weight, -weight)
        return (score >= 0).astype(np.uint8)

    def _ordered(self) -> list[tuple[int, int]]:
        """Return the features with weights other than 0, the heaviest first."""
        heavy = [(feature, weight) for feature, weight in enumerate(self.weights) if weight]
        return sorted(heavy, key=lambda pair: -abs(pair[1]))

    def text(self) -> str:
        """Return the weights in words, the largest weight first."""
        lines = [
            f"{self.classes[1]} if the sum of these is at least 0, else {self.classes[0]}:",
            f"  {self.bias:+d}",
        ]
        lines += [
            f"  {weight:+d} if {self.columns.described(feature)}, else {-weight:+d}"
            for feature, weight in self._ordered()
        ]
        return "\n".join(lines)

    def to_python(self, function: str = "predict") -> str:
        """Return Python source of a function that computes the weighted vote for a row.

        Examples
        --------
        >>> from learners.tables.columns import Cuts
        >>> columns = FixedColumns(("age",), (Cuts([40]),))
        >>> print(VoteModel(columns, (0, 1), "", None, (3,), -1).to_python("risk"))
        def risk(row):
            score = -1
            score += 3 if float(row['age']) >= 40 else -3
            return 1 if score >= 0 else 0
        <BLANKLINE>
        """
        negative, positive = (plain(label) for label in self.classes)
        return "\n".join(
            [
                f"def {checked_name(function)}(row):",
                *self.columns.imports,
                f"    score = {self.bias}",
                *(
                    f"    score += {weight} if {self.columns.source(feature)} else {-weight}"
                    for feature, weight in self._ordered()
                ),
                f"    return {positive!r} if score >= 0 else {negative!r}",
                "",
            ]
        )

    def _rule_json(self) -> dict[str, object]:
        return {"weights": list(self.weights), "bias": self.bias}

    @classmethod
    def _from_rule(
        cls, data: Entries, columns: FixedColumns, **common: Unpack[Common]
    ) -> VoteModel:
        weights = tuple(integer(weight, "weight") for weight in data["weights"])
        if len(weights) != columns.count:
            raise InvalidInput(f"there must be {columns.count} weights. Got {len(weights)}.")
        bias = integer(data["bias"], "bias")
        if sum(map(abs, weights)) + abs(bias) > WEIGHT_LIMIT:
            raise InvalidInput(f"weights and bias may add up to {WEIGHT_LIMIT} at most.")
        return cls(columns, weights=weights, bias=bias, **common)


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise InvalidInput(f"a condition must be true or false. Got {value!r}.")
    return value


def _index(value: object, count: int) -> int:
    index = integer(value, "feature")
    if not 0 <= index < count:
        raise InvalidInput(f"a feature must be one of {count}, counted from 0. Got {index}.")
    return index
