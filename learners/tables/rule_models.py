"""A model of a few disjoint rules and a default, made from a decision tree.

A rule lists, for some columns, the cells of `learners.tables.columns` in which a row may be: the
intervals between cut points, or the categories. This form merges all conditions of a tree path on
one column to a range, and shows which paths are logically empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import Unpack

import numpy as np

from learners import checked
from learners.rules.naive_bayes import SCORE_UNIT
from learners.rules.trees import Conditions, Leaf, Split, Tree
from learners.tables.bayes import POINTS, CellScores, cells_of
from learners.tables.columns import Cuts, FixedColumn, FixedColumns, shown
from learners.tables.models import Holds, Model, checked_name, plain
from learners.tables.rule_supports import (
    RuleEstimate,
    accuracies_json,
    accuracy_lines,
    shares,
    shares_right,
)
from learners.tables.saved import Common, Entries
from lsclasses.errors import InvalidInput
from lsclasses.numbers import integer, plural

HALVES = range(-2, 3)
"""Cut points of a score, as halves of a logarithm of odds: -1, -1/2, 0, 1/2 and 1."""

SCORE_NAME = "score"


def score_cuts(unit: int) -> tuple[int, ...]:
    """Return the cut points of the score of naive Bayes, -1, -1/2, 0, 1/2 and 1, times a unit.

    Examples
    --------
    >>> score_cuts(10)
    (-10, -5, 0, 5, 10)
    """
    return tuple(half * unit // 2 for half in HALVES)


Cells = dict[int, frozenset[int]]
"""The cells in which a row may be, for some columns. A score counts as a further last column."""


@dataclass(frozen=True)
class CellRule:
    """A rule that predicts its label if a row is in some cells of some columns.

    Attributes
    ----------
    cells : tuple of (int, tuple of int)
        Columns in rising order, each with some of its cells in rising order. If the model has a
        score, the score is one more column, after the last.
    label : int
        Predicted label.
    """

    cells: tuple[tuple[int, tuple[int, ...]], ...]
    label: int


@dataclass(frozen=True)
class RuleListModel(Model):
    """A model of disjoint rules and a default.

    There may be more than two classes. Then a label is the number of one of the classes.

    Attributes
    ----------
    rules : tuple of CellRule
    default : int
        Label if no rule fires.
    score : CellScores or None
        Score that was learned privately before the rules. Rules may use the score in addition to
        the columns.
    supports : tuple of tuple of int
        Noisy numbers of rows of each label at each leaf. Without leaves, noisy numbers of the rows
        that each rule and the default decide. Empty if they were not requested.
    leaves : tuple of CellRule
        All leaves of the tree with their labels, if there are supports. The rules and the default
        are made of these leaves.
    noise : Fraction or None
        Scale of the noise of supports, if it is known.

    Examples
    --------
    >>> from learners.tables.columns import Flag
    >>> columns = FixedColumns(("age", "smoker"), (Cuts([40, 60]), Flag()))
    >>> rules = (CellRule(((0, (1,)), (1, (1,))), 1),)
    >>> model = RuleListModel(columns, ("low", "high"), "risk", None, rules, 0, None, ())
    >>> print(model.text())
    if 40 <= age < 60 and smoker: high
    else: low
    >>> from learners.tables.records import as_records
    >>> model.predict(as_records([{"age": 50, "smoker": 1}, {"age": 20, "smoker": 1}]))
    ['high', 'low']
    """

    kind = "rule list"
    most_classes = 255
    rules: tuple[CellRule, ...]
    default: int
    score: CellScores | None
    supports: tuple[tuple[int, ...], ...]
    leaves: tuple[CellRule, ...] = field(default=(), kw_only=True)
    noise: Fraction | None = field(default=None, kw_only=True)

    @property
    def looks_at(self) -> tuple[str, ...]:
        """The columns that rules or probabilities use, in the order of the table."""
        if not self.leaves:
            return super().looks_at
        return replace(self, rules=self.leaves, leaves=(), supports=()).looks_at

    def _places(self, rules: tuple[CellRule, ...], holds: Holds, rows: int) -> np.ndarray:
        """Return the number of the rule that contains each row, or of rules if none does."""
        found = np.full(rows, len(rules), dtype=np.intp)
        known: dict[int, np.ndarray] = {}
        for i, rule in enumerate(rules):
            fires = np.ones(rows, dtype=bool)
            for j, cells in rule.cells:
                if j not in known:
                    known[j] = self._cells(j, holds, rows)
                fires &= np.isin(known[j], cells)
            found[fires] = i
        return found

    def _cells(self, j: int, holds: Holds, rows: int) -> np.ndarray:
        if j < len(self.columns.names):
            return cells_of(self.columns, j, holds)
        assert self.score is not None
        scores = self.score.of(self.columns, holds, rows)
        return np.searchsorted(np.array(score_cuts(self.score.unit)), scores, side="right")

    def _labels(self, holds: Holds, rows: int) -> np.ndarray:
        labels = np.array([*(rule.label for rule in self.rules), self.default], dtype=np.uint8)
        found: np.ndarray = labels[self._places(self.rules, holds, rows)]
        return found

    def places_of(self, matrix: np.ndarray) -> np.ndarray:
        """Return the place in `supports` of each row of features, shape (rows,).

        The place is the leaf or, without leaves, the rule, counted from 0. The default is last.
        """
        places = self.leaves or self.rules
        return self._places(places, lambda j: np.asarray(matrix[:, j]), len(matrix))

    def probabilities(self, table: object, unknown: str = "warn") -> np.ndarray:
        """Return the noisy shares of classes at the leaf of each row, shape (rows, classes).

        Raises
        ------
        InvalidInput
            If no noisy numbers of rows were paid for.
        """
        if not self.supports:
            raise InvalidInput(
                "This model has no probabilities. They are computed from noisy numbers of rows, "
                "which cost a share of epsilon when rules are learned. Learn it again with "
                "--report-support 0.2 (support_share=0.2 in Python)."
            )
        places = self._places(self.leaves or self.rules, *self._features(table, unknown))
        found: np.ndarray = self.shares()[places]
        return found

    def on(self, columns: FixedColumns) -> RuleListModel:
        """Return the rules for other columns, without rules that no row can reach."""
        flags = len(self.columns.names)

        def moved(rule: CellRule) -> CellRule | None:
            cells: Cells = {}
            for flag, (answer, *_) in rule.cells:
                if flag == flags:
                    cells[len(columns.names)] = frozenset(dict(rule.cells)[flag])
                    continue
                j, where = _holding((flag, None), columns)
                everything = frozenset(range(columns.columns[j].count + 1))
                cells[j] = cells.get(j, everything) & (where if answer else everything - where)
            if not all(cells.values()):
                return None
            return CellRule(tuple((j, tuple(sorted(cells[j]))) for j in sorted(cells)), rule.label)

        def there(rules: tuple[CellRule, ...]) -> tuple[CellRule, ...]:
            return tuple(rule for rule in map(moved, rules) if rule is not None)

        counted = self.leaves or self.rules
        kept = [i for i, rule in enumerate(counted) if moved(rule) is not None]
        kept += [] if self.leaves else [len(counted)]
        return replace(
            self,
            columns=columns,
            rules=there(self.rules),
            score=None if self.score is None else self.score.on(columns),
            supports=tuple(self.supports[i] for i in kept) if self.supports else (),
            leaves=there(self.leaves),
        )

    def scores_of(self, matrix: np.ndarray) -> np.ndarray | None:
        """Return the noisy shares of label 1 at the leaves of rows, or None without supports."""
        if not self.supports or len(self.classes) > 2:
            return None
        found: np.ndarray = self.shares()[self.places_of(matrix), 1]
        return found

    def chances_of(self, matrix: np.ndarray) -> np.ndarray | None:
        """Return the noisy shares of labels at the leaves of rows, or None without supports."""
        if not self.supports:
            return None
        found: np.ndarray = self.shares()[self.places_of(matrix)]
        return found

    def shares(self) -> np.ndarray:
        """Return the noisy shares of labels at each place of `supports`, shape (places, labels)."""
        return shares(self.supports, self.noise)

    def evidence(self) -> list[RuleEstimate]:
        """Return the noisy counts of each rule and of the default, if they were paid for."""
        labels = [*(rule.label for rule in self.rules), self.default]
        places: list[list[int]] = [[] for _ in labels]
        for i in range(len(self.supports)):
            leaf = self.leaves[i] if self.leaves else None
            met = (k for k, rule in enumerate(self.rules) if leaf and _meet(leaf, rule))
            places[next(met, len(self.rules)) if leaf else i].append(i)
        kinds = range(len(self.classes))
        return [
            RuleEstimate.of(
                tuple(sum(self.supports[i][b] for i in some) for b in kinds),
                label,
                len(some),
                self.noise,
            )
            for label, some in zip(labels, places, strict=True)
        ]

    @property
    def literals(self) -> int:
        """The number of conditions in the rules, including the conditions of a score."""
        own = sum(len(rule.cells) for rule in self.rules)
        scored = () if self.score is None else self.score.conditions(self.columns)
        return own + sum(len(listed) for _, listed in scored)

    def details(self) -> dict[str, object]:
        """Return literals, score and noisy numbers of rows as a mapping, for programs."""
        score = None if self.score is None else self.score.details(self.columns)
        return {
            "literals": self.literals,
            **({} if score is None else {"score": score}),
            **({"evidence": [each.to_json() for each in self.evidence()]} if self.supports else {}),
            **accuracies_json(self.accuracies(), self.supports),
        }

    def accuracies(self) -> list[tuple[str, float, float | None]]:
        """Return accuracy and balanced accuracy on the training rows, if they are paid for.

        They are computed from the noisy numbers of rows. Each number has its noise.
        """
        if not self.supports:
            return []
        said = [rule.label for rule in self.leaves or self.rules]
        said += [] if self.leaves else [self.default]
        names = "accuracy", "balanced accuracy"
        found = shares_right(self.supports, said, self.noise)
        return [(name, *numbers) for name, numbers in zip(names, found, strict=True)]

    def text(self) -> str:
        """Return the rules in words, with one rule on each line."""
        lines = [
            f"{'else ' if i else ''}if {self._condition(rule)}: {self.classes[rule.label]}"
            for i, rule in enumerate(self.rules)
        ]
        last = self.classes[self.default]
        lines.append(f"else: {last}" if lines else f"always: {last}")
        if self.supports:
            lines = [f"{line}  {said}" for line, said in zip(lines, self.evidence(), strict=True)]
        lines += accuracy_lines(self.accuracies(), self.supports)
        return "\n".join([*lines, *self._score_lines()])

    def _score_lines(self) -> Iterator[str]:
        """Yield lines with the terms of the score's sum, and its scale."""
        if self.score is not None:
            scale = "the logarithm of the odds"
            if self.score.unit == POINTS:
                scale = f"{POINTS} points multiply the odds by 2.72, 7 about double them"
            yield f"score of {self.classes[1]} ({self.literals} conditions in all; {scale}):"
            yield from self.score.lines(self.columns)

    def _condition(self, rule: CellRule) -> str:
        parts = []
        for j, cells in rule.cells:
            name, column = self._column(j)
            said = column.described_cells(shown(name), frozenset(cells))
            parts.append(f"({said})" if " or " in said and len(rule.cells) > 1 else said)
        return " and ".join(parts)

    def _column(self, j: int) -> tuple[str, FixedColumn]:
        if j < len(self.columns.names):
            return self.columns.names[j], self.columns.columns[j]
        assert self.score is not None
        unit = self.score.unit
        shown_as = unit if unit == SCORE_UNIT else 1
        return SCORE_NAME, Cuts(cut / shown_as for cut in score_cuts(unit))

    def listed(self) -> list[tuple[str, object]]:
        """Return the rules as pairs of a condition and a class. The last condition is `always`."""
        rules = [(self._condition(rule), self.classes[rule.label]) for rule in self.rules]
        return [*rules, ("always", self.classes[self.default])]

    def to_python(self, function: str = "predict") -> str:
        """Return Python source of a function of a row, a dict from columns' names to entries."""
        lines = [f"def {checked_name(function)}(row):", *self.columns.imports]
        asks_score = any(j == len(self.columns.names) for rule in self.rules for j, _ in rule.cells)
        if asks_score and self.score is not None:
            lines += self.score.source(self.columns)
        for rule in self.rules:
            tests = []
            for j, cells in rule.cells:
                name, column = self._column(j)
                if self.score is not None and j == len(self.columns.names):
                    tests.append(f"({_score_source(frozenset(cells), self.score.unit)})")
                else:
                    tests.append(f"({column.source_cells(name, frozenset(cells))})")
            lines += [
                f"    if {' and '.join(tests)}:",
                f"        return {plain(self.classes[rule.label])!r}",
            ]
        return "\n".join([*lines, f"    return {plain(self.classes[self.default])!r}", ""])

    def _rule_json(self) -> dict[str, object]:
        return {
            "rules": [{"if": _cells_to_json(rule), "then": rule.label} for rule in self.rules],
            "else": self.default,
            "score": None if self.score is None else self.score.to_json(),
            "supports": [list(counts) for counts in self.supports],
            **(
                {
                    "leaves": [
                        {"if": _cells_to_json(each), "then": each.label} for each in self.leaves
                    ]
                }
                if self.leaves
                else {}
            ),
            **({} if self.noise is None else {"noise": str(self.noise)}),
        }

    @classmethod
    def _from_rule(
        cls, data: Entries, columns: FixedColumns, **common: Unpack[Common]
    ) -> RuleListModel:
        score = None if data["score"] is None else CellScores.from_json(data["score"], columns)
        sizes = [column.count + 1 for column in columns.columns]
        sizes += [len(HALVES) + 1] * (score is not None)
        rules, leaves = (
            tuple(
                CellRule(_cells_from_json(entry["if"], sizes), _label(entry["then"], **common))
                for entry in data.get(name, [])
            )
            for name in ("rules", "leaves")
        )
        if not all(rule.cells for rule in rules):
            raise InvalidInput("a rule must test at least one column. Got a rule without tests.")
        for one, two in (*combinations(rules, 2), *combinations(leaves, 2)):
            if _meet(one, two):
                raise InvalidInput("the rules of a rule list must be disjoint. Two rules overlap.")
        default = _label(data["else"], **common)
        if leaves:
            _require_leaves(leaves, rules, default, sizes)
        labels = len(common["classes"])
        if score is not None and labels > 2:
            raise InvalidInput("only rules for two classes may use a score.")
        supports = tuple(
            tuple(integer(number, "support") for number in counts) for counts in data["supports"]
        )
        places = len(leaves) or len(rules) + 1
        if supports and [len(counts) for counts in supports] != [labels] * places:
            raise InvalidInput(
                f"the file must have supports of {labels} labels for each leaf, or for each of "
                f"{plural(len(rules), 'rule')} and the default, or no supports. "
                f"Got {data['supports']!r:.200}."
            )
        noise = checked.positive_fraction(data["noise"], "noise") if "noise" in data else None
        if not supports and (leaves or noise is not None):
            raise InvalidInput("leaves and their noise require supports. Got no supports.")
        if any(not -(1 << 63) <= number < 1 << 63 for counts in supports for number in counts):
            raise InvalidInput("a support must be an integer of 64 bits. Got a larger integer.")
        return cls(
            columns,
            rules=rules,
            default=default,
            score=score,
            supports=supports,
            leaves=leaves,
            noise=noise,
            **common,
        )


def _label(value: object, *, classes: tuple[object, ...], **_: object) -> int:
    label = integer(value, "label")
    if isinstance(value, bool) or not 0 <= label < len(classes):
        raise InvalidInput(
            f"a label must be the number of one of {len(classes)} classes. Got {value}."
        )
    return label


def _require_leaves(
    leaves: tuple[CellRule, ...], rules: tuple[CellRule, ...], default: int, sizes: list[int]
) -> None:
    """Refuse disjoint leaves that do not cover all rows, or have other labels than the rules."""
    volumes = (prod(Fraction(len(cells), sizes[j]) for j, cells in leaf.cells) for leaf in leaves)
    if sum(volumes) != 1:
        raise InvalidInput("every row must be in one leaf. Some rows are in no leaf.")
    for leaf in leaves:
        own = dict(leaf.cells)
        met = [rule for rule in rules if _meet(leaf, rule)]
        inside = all(
            set(own.get(j, range(sizes[j]))) <= set(cells)
            for rule in met
            for j, cells in rule.cells
        )
        if len(met) > 1 or not inside or leaf.label != (met[0].label if met else default):
            raise InvalidInput(
                "a leaf must be inside the rule that decides its rows, with the label of the rule."
            )


def _cells_to_json(rule: CellRule) -> list[object]:
    return [[j, list(cells)] for j, cells in rule.cells]


def _score_source(cells: frozenset[int], unit: int) -> str:
    """Return the Python expression for whether the integer ``score`` is in some cells."""
    return Cuts(score_cuts(unit)).described_cells("score", cells)


def _cells_from_json(
    data: Iterable[tuple[object, Iterable[object]]], sizes: list[int]
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    found = tuple(
        (integer(j, "column"), tuple(integer(cell, "cell") for cell in cells)) for j, cells in data
    )
    names = [j for j, _ in found]
    if names != sorted(set(names)) or not all(0 <= j < len(sizes) for j in names):
        raise InvalidInput(
            f"a rule must use different columns, counted from 0, in rising order. Got {names}."
        )
    for j, cells in found:
        if (
            list(cells) != sorted(set(cells))
            or not 0 < len(cells) < sizes[j]
            or not 0 <= cells[0] <= cells[-1] < sizes[j]
        ):
            raise InvalidInput(
                f"a rule must allow some of the {sizes[j]} cells of a column, but not all, rising. "
                f"Got {list(cells)}."
            )
    return found


def _meet(one: CellRule, two: CellRule) -> bool:
    """Return whether some row may be in the cells of both rules."""
    theirs = dict(two.cells)
    return all(set(cells) & set(theirs.get(j, cells)) for j, cells in one.cells)


# ---- from trees


def feature_conditions(
    columns: FixedColumns, *, ranges: bool = True, score: bool = False
) -> Conditions:
    """Return the conditions of a tree: features, and ranges between two cut points of a column.

    With a score, five more features state whether the score reaches each of `score_cuts`. These
    features have half of the prior weight. The other features are plain.

    Examples
    --------
    >>> from learners.tables.columns import Flag
    >>> columns = FixedColumns(("age", "smoker"), (Cuts([30, 40, 60]), Flag()))
    >>> feature_conditions(columns).listed
    ((0, None), (1, None), (2, None), (3, None), (0, 1), (0, 2), (1, 2))
    """
    listed: list[tuple[int, int | None]] = [(j, None) for j in range(columns.count)]
    if ranges:
        for column, place in zip(columns.columns, columns.places, strict=True):
            listed += combinations(place[: column.rising], 2)
    if not score:
        return Conditions(columns.count, listed)
    cuts = len(HALVES)
    extra: list[tuple[int, int | None]] = [(columns.count + j, None) for j in range(cuts)]
    weights = [cuts] * len(listed) + [len(listed)] * cuts
    return Conditions(columns.count + cuts, listed + extra, weights, len(listed))


def rules_of(
    tree: Tree, conditions: Conditions, columns: FixedColumns
) -> tuple[list[CellRule], int]:
    """Return the rules of a tree, and the label of the default.

    The rules leave out paths that no row can take, for all possible entries, and splits into equal
    branches. Two rules that differ in only one column are merged. The rules are the leaves of the
    label with fewer leaves (label 1 if both labels have equally many), for every table.

    Examples
    --------
    >>> columns = FixedColumns(("age",), (Cuts([30, 40, 60]),))
    >>> tree = Split(0, Split(2, Leaf(0), Split(0, Leaf(1), Leaf(0))), Leaf(0))
    >>> rules_of(tree, feature_conditions(columns), columns)
    ([CellRule(cells=((0, (1, 2)),), label=1)], 0)
    """
    leaves = _leaves(tree, conditions, columns)
    labels = [label for _, label in leaves]
    default = max(sorted(set(labels)), key=labels.count)
    everything = _everything(columns)
    listed = _merged([leaf for leaf in leaves if leaf[1] != default])
    return [_rule(cells, label, everything) for cells, label in listed], default


def leaves_of(tree: Tree, conditions: Conditions, columns: FixedColumns) -> tuple[CellRule, ...]:
    """Return all leaves that some row may reach, with their labels. Equal siblings are merged."""
    everything = _everything(columns)
    return tuple(
        _rule(cells, label, everything) for cells, label in _leaves(tree, conditions, columns)
    )


def _everything(columns: FixedColumns) -> Cells:
    sizes = [*(column.count + 1 for column in columns.columns), len(HALVES) + 1]
    return {j: frozenset(range(size)) for j, size in enumerate(sizes)}


def _rule(cells: Cells, label: int, everything: Cells) -> CellRule:
    kept = ((j, tuple(sorted(some))) for j, some in cells.items() if some != everything[j])
    return CellRule(tuple(kept), label)


def _leaves(tree: Tree, conditions: Conditions, columns: FixedColumns) -> list[tuple[Cells, int]]:
    """Return the cells and labels of the leaves that some row may reach."""
    everything = _everything(columns)
    holding = [_holding(pair, columns) for pair in conditions.listed]

    def simplified(tree: Tree, cells: Cells) -> Tree:
        if isinstance(tree, Leaf):
            return tree
        j, where = holding[tree.condition]
        if cells[j] <= where:
            return simplified(tree.holds, cells)
        if not cells[j] & where:
            return simplified(tree.fails, cells)
        holds = simplified(tree.holds, cells | {j: cells[j] & where})
        fails = simplified(tree.fails, cells | {j: cells[j] - where})
        return holds if holds == fails else Split(tree.condition, holds, fails)

    leaves: list[tuple[Cells, int]] = []
    for path, label in simplified(tree, everything).paths():
        cells = dict(everything)
        for condition, answer in path:
            j, where = holding[condition]
            cells[j] = cells[j] & where if answer else cells[j] - where
        leaves.append((cells, label))
    return leaves


def _merged(leaves: list[tuple[Cells, int]]) -> list[tuple[Cells, int]]:
    """Return the leaves, after merging any two of one label that differ in only one column."""
    for one, two in combinations(leaves, 2):
        differing = [j for j in one[0] if one[0][j] != two[0][j]]
        if one[1] == two[1] and len(differing) == 1:
            (j,) = differing
            union = ({**one[0], j: one[0][j] | two[0][j]}, one[1])
            return _merged([union, *(each for each in leaves if each not in (one, two))])
    return leaves


def _holding(pair: tuple[int, int | None], columns: FixedColumns) -> tuple[int, frozenset[int]]:
    """Return the column of a condition, and the cells in which the condition holds."""
    first, second = pair
    if first >= columns.count:
        cut = first - columns.count
        return len(columns.names), frozenset(range(cut + 1, len(HALVES) + 1))
    name, column, index = columns.feature(first)
    cells = column.holding(index)
    if second is not None:
        _, _, other = columns.feature(second)
        cells -= column.holding(other)
    return columns.names.index(name), cells
