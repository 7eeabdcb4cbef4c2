"""Inequalities that hold on every class of the atlas and do not follow from known inequalities.

This module proves none of these inequalities. ``python -m catalog.refuting.conjectures --mine``
adds them to the conjectures (`catalog.refuting.conjecture_file`).

The module tries the forms ``a p + b q <= c r + d s + e`` with small whole coefficients in
parameters p, q, r, s of the atlas. A linear program finds the inequalities that follow from others,
as non-negative combinations of listed inequalities or of known conjectures.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property

import numpy as np
from scipy.optimize import linprog

from catalog.atlas import MOST_POINTS, POINTS, table
from catalog.atlas.atlas_table import AtlasTable
from catalog.atlas.storage import there
from catalog.refuting.candidates import candidates
from catalog.refuting.conjecture_file import read
from catalog.refuting.hunt import random_table
from lsclasses.dimensions import DIMENSIONS
from lsclasses.dimensions.expressions import Expression, Number
from lsclasses.dimensions.inequalities import INEQUALITIES
from lsclasses.dimensions.logarithms import Logarithmic
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.limits import Limit
from lsclasses.table import Table

SHAPES: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
    ((1,), (1,)),
    ((1,), (2,)),
    ((2,), (1,)),
    ((1,), (1, 1)),
    ((1, 1), (1,)),
    ((2,), (1, 1)),
    ((1, 1), (2,)),
)
"""Forms of inequalities: the coefficients on the left, and the coefficients on the right."""
CONSTANTS = (-1, 0, 1)
TIGHT = 3
"""Least number of different values of the left side at which both sides must be equal.

An inequality that holds only because five points are few seldom has equality at several values.
"""
ROUNDING = 1e-7
"""Rounding tolerance of the linear program.

An inequality within the tolerance counts as a consequence and is left out. So a conjecture may be
missed, but no wrong conjecture is added.
"""
CONCEPTS, OTHER_POINTS, TABLES = 32, 8, 300
"""Bounds on the classes beyond the atlas on which an inequality must also hold.

They are the largest number of concepts, the largest number of points, and the number of tables.
"""
PATIENCE = Limit(seconds=0.25)
"""Time limit for one parameter of one class beyond the atlas.

Parameters that take longer are not compared.
"""
STRIDE = 61
LEAST = Fraction(1, 5000)
"""Least share of the classes of the atlas on which both sides must be equal."""
COUNTS = ("floor_log2(size)", "floor_log2(points)", "points")
"""Numbers of a class with which known inequalities compare parameters."""
OBVIOUS = (
    ("floor_log2(size)", "points"),
    ("floor_log2(points)", "points - 1"),
    ("1", "points"),
    ("1", "size"),
    ("floor_log2(size)", "size - 1"),
    ("randomized_ldim", "points/2"),
)
"""Obvious inequalities ``left <= right`` that the library does not list.

The last one holds because no branch of a tree repeats a point.
"""
Terms = tuple[tuple[int, str], ...]
Form = tuple[dict[str, Fraction], Fraction]
"""The difference right - left as a linear form: its coefficients by parameter, and its constant."""


@dataclass(frozen=True)
class LinearInequality:
    """A linear inequality between parameters: left sum <= right sum + constant."""

    left: Terms
    right: Terms
    constant: int = 0

    @cached_property
    def coefficients(self) -> dict[str, int]:
        """Coefficients of right - left, by parameter."""
        found: dict[str, int] = {}
        for sign, terms in ((1, self.right), (-1, self.left)):
            for c, name in terms:
                found[name] = found.get(name, 0) + sign * c
        return found

    @property
    def form(self) -> Form:
        """Difference right - left as a linear form."""
        return {name: Fraction(c) for name, c in self.coefficients.items()}, Fraction(self.constant)

    def holds_on(self, others: Sequence[Mapping[str, Number]]) -> bool:
        """Return whether the inequality holds for the given values of parameters of some classes.

        Classes with an unknown value are ignored.
        """
        return all(
            sum(c * values[name] for name, c in self.coefficients.items()) + self.constant >= 0
            for values in others
            if self.coefficients.keys() <= values.keys()
        )

    def __str__(self) -> str:
        left, right = (
            " + ".join(name if c == 1 else f"{c}*{name}" for c, name in terms)
            for terms in (self.left, self.right)
        )
        tail = f" {'+' if self.constant > 0 else '-'} {abs(self.constant)}" * bool(self.constant)
        return f"{left} <= {right}{tail}"


@dataclass(frozen=True)
class Mined:
    """A linear inequality that holds on all examined classes.

    Attributes
    ----------
    inequality : LinearInequality
    equal : int
        Number of examined classes on which both sides are equal.
    classes : int
        Number of examined classes.
    """

    inequality: LinearInequality
    equal: int
    classes: int

    @property
    def tightness(self) -> Fraction:
        """Share of the classes on which both sides are equal."""
        return Fraction(self.equal, self.classes)


class _Values:
    """Combinations of parameters that occur on all classes, as integers, with frequencies."""

    def __init__(self, tables: Sequence[AtlasTable]) -> None:
        own = [
            name
            for name in DIMENSIONS
            if all(name in each.names and each.exact(name)[0].ndim == 1 for each in tables)
        ]
        self.names = tuple(own)
        self.unit = math.lcm(*(each.exact(name)[1] for each in tables for name in own))
        found: dict[tuple[int, ...], int] = {}
        for each in tables:
            distinct = each.distinct(own)
            for row, count in zip(distinct.values, distinct.count.tolist(), strict=True):
                values = [row[name] for name in own]
                key = tuple(int(value * self.unit) for value in values)  # type: ignore[arg-type]
                found[key] = found.get(key, 0) + count
        self._rows = np.array(list(found), dtype=np.int64)
        self.counts = np.array(list(found.values()), dtype=np.int64)

    def __getitem__(self, name: str) -> np.ndarray:
        column: np.ndarray = self._rows[:, self.names.index(name)]
        return column

    def _sum(self, terms: Terms, rows: slice = slice(None)) -> np.ndarray:
        total: np.ndarray = np.sum([c * self[name][rows] for c, name in terms], axis=0)
        return total

    def holding(self) -> Iterator[Mined]:
        """Yield the inequality of each shape with the least constant, if it is often tight."""
        classes = int(self.counts.sum())
        for (left, right), chosen in itertools.product(SHAPES, self._choices()):
            ours, theirs = chosen
            if len(ours) != len(left) or len(theirs) != len(right):
                continue
            terms = (tuple(zip(left, ours, strict=True)), tuple(zip(right, theirs, strict=True)))
            # Most inequalities are clearly false. A part of the classes is enough to decide this.
            some, most_allowed = slice(None, None, STRIDE), max(CONSTANTS) * self.unit
            if (self._sum(terms[0], some) - self._sum(terms[1], some)).max() > most_allowed:
                continue
            lefts = self._sum(terms[0])
            over = lefts - self._sum(terms[1])
            most = int(over.max())
            constant = most // self.unit
            equal = over == most
            if most % self.unit or constant not in CONSTANTS:
                continue
            count = int(self.counts[equal].sum())
            if len(np.unique(lefts[equal])) >= TIGHT and count >= LEAST * classes:
                terms = (
                    tuple(zip(left, ours, strict=True)),
                    tuple(zip(right, theirs, strict=True)),
                )
                yield Mined(LinearInequality(*terms, constant), count, classes)

    def _choices(self) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Yield choices of different names for the left and the right side."""
        for n, m in sorted({(len(left), len(right)) for left, right in SHAPES}):
            for ours in itertools.combinations(self.names, n):
                rest = [name for name in self.names if name not in ours]
                for theirs in itertools.combinations(rest, m):
                    yield ours, theirs


def mined() -> list[Mined]:
    """Return the inequalities that hold on all tried classes, without consequences of others.

    The inequalities have the forms of this module, and the tightest come first. The tried classes
    are the classes on at most four points, the classes on five points if `lsclasses atlas build`
    has written their file, and some larger classes.
    """
    values = _values()
    beyond = _others(values.names)
    held = [each for each in values.holding() if each.inequality.holds_on(beyond)]
    kept: list[Mined] = []
    for each in sorted(held, key=lambda each: (-each.equal, len(str(each.inequality)))):
        if not follows(each.inequality, [other.inequality for other in kept]):
            kept.append(each)
    # An early inequality may follow from a later inequality.
    for each in list(reversed(kept)):
        others = [other.inequality for other in kept if other is not each]
        if follows(each.inequality, others):
            kept.remove(each)
    return kept


@cache
def _values() -> _Values:
    return _Values(_tables())


def _tables() -> list[AtlasTable]:
    return [table(points) for points in POINTS] + ([table(MOST_POINTS)] if there() else [])


@cache
def _others(names: tuple[str, ...]) -> tuple[dict[str, Number], ...]:
    """Return the parameters of further classes: small candidates and random tables."""
    rng = np.random.default_rng(0)
    found = [
        each
        for _, each in candidates()
        if len(each) <= CONCEPTS and MOST_POINTS <= len(each.points) <= OTHER_POINTS
    ]
    found += [random_table(rng) for _ in range(TABLES)]
    return tuple(_parameters(each, names) for each in found)


def _parameters(table: Table, names: Sequence[str]) -> dict[str, Number]:
    values: dict[str, Number] = {}
    for name in names:
        with suppress(TooLarge):
            value = DIMENSIONS[name].search(table, limit=PATIENCE)
            assert not isinstance(value, tuple)
            values[name] = value
    return values


# ---- consequences


def follows(inequality: LinearInequality, others: Sequence[LinearInequality] = ()) -> bool:
    """Return whether an inequality follows from the known inequalities and some given inequalities.

    The known inequalities are the inequalities of the library, the linear conjectures with the
    status "known", and the inequalities that parameters are not negative.

    Examples
    --------
    >>> follows(LinearInequality(((1, "vcdim"),), ((1, "points"),)))    # vcdim <= ldim <= points
    True
    >>> follows(LinearInequality(((1, "ldim"),), ((1, "vcdim"),)))
    False
    """
    forms = [*_known(), *(each.form for each in others)]
    names = sorted(set(inequality.coefficients).union(*(form for form, _ in forms)))
    place = {name: i for i, name in enumerate(names)}
    matrix = np.zeros((len(forms), len(names)))
    for row, (form, _) in enumerate(forms):
        for name, slope in form.items():
            matrix[row, place[name]] = -float(slope)
    goal = np.zeros(len(names))
    for name, c in inequality.coefficients.items():
        goal[place[name]] = c
    found = linprog(goal, A_ub=matrix, b_ub=[float(c) for _, c in forms], method="highs")
    return bool(found.status == 0 and found.fun + inequality.constant >= -ROUNDING)


@cache
def _known() -> tuple[Form, ...]:
    texts = [(each.left, each.right) for each in INEQUALITIES if not each.every and not each.when]
    lines = [each.statement.split(" <= ") for each in read() if each.status == "known"]
    return tuple(form for left, right in (*texts, *OBVIOUS, *lines) if (form := _form(left, right)))


def _form(left: str, right: str) -> Form | None:
    """Return the difference of two sides as a linear form, or None if it is not linear.

    It counts as linear if it agrees with a linear form at random points.
    """
    sides = [Expression(_plain(text)) for text in (right, left)]
    names = sorted(sides[0].names | sides[1].names)

    def difference(at: Mapping[str, int]) -> Fraction:
        values = [side(at) for side in sides]
        if any(isinstance(value, Logarithmic) for value in values):
            raise InvalidInput("no rational number")
        return Fraction(values[0]) - Fraction(values[1])  # type: ignore[arg-type]

    zero = dict.fromkeys(names, 0)
    try:
        constant = difference(zero)
        slopes = {name: difference({**zero, name: 1}) - constant for name in names}
        rng = np.random.default_rng(0)
        for _ in range(8):
            at = {name: int(rng.integers(0, 12)) for name in names}
            if difference(at) != constant + sum(slopes[name] * at[name] for name in names):
                return None
    except (InvalidInput, TooLarge):
        return None
    return {_counted(name): c for name, c in slopes.items() if c}, constant


def _plain(text: str) -> str:
    """Return a formula with names for the logarithms of counts."""
    for count in COUNTS:
        text = text.replace(count, count.replace("(", "__").replace(")", "__"))
    return text


def _counted(name: str) -> str:
    return next((count for count in COUNTS if _plain(count) == name), name)
