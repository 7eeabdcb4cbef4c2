"""Inequalities that hold on every class of the atlas and follow from none that is known.

They are conjectures: nothing here proves them. ``python -m catalog.refuting.conjectures
docs/conjectures.md`` writes the page.

Of the parameters p, q, r, s of the atlas, the logarithms of the size and of the number of points
among them, the forms ``a p + b q <= c r + d s + e`` with small whole coefficients are tried. What
is a non-negative combination of listed inequalities follows from them; a linear program finds it.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path

import numpy as np
from scipy.optimize import linprog

from catalog.atlas import MOST_POINTS, POINTS, table
from catalog.atlas.atlas_table import AtlasTable
from catalog.atlas.storage import there
from catalog.refuting.candidates import members
from catalog.refuting.hunt import random_table
from lsclasses.dimensions import DIMENSIONS
from lsclasses.dimensions.expressions import Expression, Number
from lsclasses.dimensions.inequalities import INEQUALITIES
from lsclasses.dimensions.logarithms import Logarithmic
from lsclasses.errors import InvalidInput, LsclassesError, TooLarge
from lsclasses.files import atomic_write
from lsclasses.limits import Limit
from lsclasses.numbers import shown
from lsclasses.table import Table

__all__ = ["Conjecture", "Linear", "conjectures", "follows", "page"]

SHAPES: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
    ((1,), (1,)),
    ((1,), (2,)),
    ((2,), (1,)),
    ((1,), (1, 1)),
    ((1, 1), (1,)),
    ((2,), (1, 1)),
    ((1, 1), (2,)),
)
"""Coefficients on the left and on the right."""
CONSTANTS = (-1, 0, 1)
TIGHT = 3
"""At so many different values of the left side there is equality: what holds only because five
points are few is seldom tight at several values."""
ROUNDING = 1e-7
"""Of the linear program; what it takes for a consequence is left out, so a conjecture may be
missed for this, and none is added."""
CONCEPTS, MEMBER_POINTS, TABLES = 64, 16, 300
"""How large the members of the catalog are on which it has to hold, too, and how many tables."""
PATIENCE = Limit(seconds=0.25)
"""For one parameter of one of them; what takes longer is not compared there."""
STRIDE = 61
SHOWN = 40
"""How many the page lists."""
COUNTS = ("floor_log2(size)", "floor_log2(points)", "points")
"""What the parameters are compared with beside each other."""
OBVIOUS = (
    ("floor_log2(size)", "points"),
    ("floor_log2(points)", "points - 1"),
    ("1", "points"),
    ("1", "size"),
    ("floor_log2(size)", "size - 1"),
    ("randomized_ldim", "points/2"),
)
"""What is plain, and not listed: a tree's branches repeat no point."""
HEAD = """# Conjectures

Inequalities between parameters that hold on all {classes:,} classes on at most {points} points up
to symmetry ([atlas](atlas.md)), and on {others} others: members of the catalog of at most
{most_concepts} concepts on {most_points} points, and random tables. They are neither listed among
the [inequalities](dimensions.md#how-they-are-related), nor non-negative combinations of these and
of each other; what only the logarithm of a listed one says is not recognised. Nothing here proves
them. Some may be known; some may be false, and `lsclasses refute` looks for larger classes that
show it ([refute](refute.md)). This page is written by

```sh
python -m catalog.refuting.conjectures docs/conjectures.md
```

Of the parameters that flips of labels do not change, `points`, and the integer parts of the
logarithms of `size` and `points`, all p, q and r are tried in p <= q, p <= 2q, 2p <= q,
p <= q + r, p + q <= r, 2p <= q + r and p + q <= 2r, with the least of the constants -1, 0 and 1 on
the right with which it holds. Kept is what has equality at {tight} values of the left side or
more: on so few points much else is true by chance. The tightest come first: *equal* is the part
of the classes of the atlas on which both sides are equal.
"""
PROVED = """## Two that are proved

**The average degree of every projected one-inclusion graph is at most twice the randomized
Littlestone dimension.** Twice RL is D, the largest expected depth of a shattered tree. A tree for a
projection is one for the class, so the class itself is enough. One concept has degree 0. Otherwise
some point splits the class H into H_0 and H_1, of which H_0 is not larger; say it has the part
p <= 1/2 of the concepts, and the average degrees are d, d_0 and d_1. At most |H_0| edges run
between the two parts, so

    d <= p d_0 + (1 - p) d_1 + 2p <= 2p (1 + (D_0 + D_1)/2) + (1 - 2p) D_1
      <= 2p D + (1 - 2p) D = D,

where the second step is by induction; the third, as D is at least the expected depth with that
root, and D_1 <= D.

**RL = Ldim/2 if and only if there are exactly 2^Ldim concepts.** With 2^L concepts,
L/2 <= RL <= log2(size)/2 = L/2. With more, two concepts follow the same branch of a complete
shattered tree of depth L; a point at which they differ, asked at its end, makes a tree of expected
depth L + 2^-L.

```python
>>> from catalog.database.definitions import DEFINITIONS
>>> from catalog.refuting import Statement, survey
>>> for text in (
...     "projected_average_degree <= 2*randomized_ldim",
...     "size == 2**ldim when randomized_ldim == ldim/2",
...     "randomized_ldim == ldim/2 when size == 2**ldim",
... ):
...     print(sum(each.count("fails") for each in survey(Statement(text, DEFINITIONS))))
0
0
0

```
"""


Terms = tuple[tuple[int, str], ...]
Form = tuple[dict[str, Fraction], Fraction]
"""Coefficients of right - left, and its constant."""


@dataclass(frozen=True)
class Linear:
    """A linear inequality between parameters: the sum of left <= the sum of right + constant."""

    left: Terms
    right: Terms
    constant: int = 0

    @cached_property
    def coefficients(self) -> dict[str, int]:
        """Of right - left, by parameter."""
        found: dict[str, int] = {}
        for sign, terms in ((1, self.right), (-1, self.left)):
            for c, name in terms:
                found[name] = found.get(name, 0) + sign * c
        return found

    @property
    def form(self) -> Form:
        """The difference right - left as a linear form."""
        return {name: Fraction(c) for name, c in self.coefficients.items()}, Fraction(self.constant)

    def holds_on(self, others: Sequence[Mapping[str, Number]]) -> bool:
        """Whether it is true of classes with these parameters, as far as they are known."""
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
class Conjecture:
    """A linear inequality that holds on all classes that were looked at.

    Attributes
    ----------
    inequality : Linear
    equal : int
        On how many of them both sides are equal.
    classes : int
    """

    inequality: Linear
    equal: int
    classes: int

    @property
    def tightness(self) -> Fraction:
        """On which part of the classes both sides are equal."""
        return Fraction(self.equal, self.classes)


class _Values:
    """The combinations of parameters that occur on all classes, as integers, and how often."""

    def __init__(self, tables: Sequence[AtlasTable]) -> None:
        own = [
            name
            for name in DIMENSIONS
            if all(name in each.names and each.exact(name)[0].ndim == 1 for each in tables)
        ]
        self.names = (*own, *COUNTS)
        self.unit = math.lcm(*(each.exact(name)[1] for each in tables for name in own))
        counts = [Expression(text) for text in COUNTS]
        found: dict[tuple[int, ...], int] = {}
        for each in tables:
            distinct = each.distinct([*own, "size", "points"])
            for row, count in zip(distinct.values, distinct.count.tolist(), strict=True):
                values = [row[name] for name in own] + [formula(row) for formula in counts]
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

    def holding(self) -> Iterator[Conjecture]:
        """Each shape with the least constant with which it holds, if it is tight."""
        classes = int(self.counts.sum())
        for (left, right), chosen in itertools.product(SHAPES, self._choices()):
            ours, theirs = chosen
            if len(ours) != len(left) or len(theirs) != len(right):
                continue
            terms = (tuple(zip(left, ours, strict=True)), tuple(zip(right, theirs, strict=True)))
            # Most are far from true, which some of the classes show.
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
            if len(np.unique(lefts[equal])) >= TIGHT:
                terms = (
                    tuple(zip(left, ours, strict=True)),
                    tuple(zip(right, theirs, strict=True)),
                )
                yield Conjecture(Linear(*terms, constant), int(self.counts[equal].sum()), classes)

    def _choices(self) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Different names for the left and the right side; something that is no count occurs."""
        for n, m in sorted({(len(left), len(right)) for left, right in SHAPES}):
            for ours in itertools.combinations(self.names, n):
                rest = [name for name in self.names if name not in ours]
                for theirs in itertools.combinations(rest, m):
                    if not set(ours + theirs) <= set(COUNTS):
                        yield ours, theirs


def conjectures() -> list[Conjecture]:
    """All that hold, follow from nothing that is known nor from each other, the tightest first.

    On the classes on at most five points if their file is there, else on at most four.
    """
    values = _values()
    beyond = _others(values.names)
    held = [each for each in values.holding() if each.inequality.holds_on(beyond)]
    kept: list[Conjecture] = []
    for each in sorted(held, key=lambda each: (-each.equal, len(str(each.inequality)))):
        if not follows(each.inequality, [other.inequality for other in kept]):
            kept.append(each)
    # What came early may follow from what came later.
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
    """The parameters of other classes: small members of the catalog, and random tables."""
    rng = np.random.default_rng(0)
    found = [
        each
        for _, each in members()
        if len(each) <= CONCEPTS and MOST_POINTS <= len(each.points) <= MEMBER_POINTS
    ]
    found += [random_table(rng) for _ in range(TABLES)]
    return tuple(_parameters(each, names) for each in found)


def _parameters(table: Table, names: Sequence[str]) -> dict[str, Number]:
    values: dict[str, Number] = {}
    for name in names:
        if name in COUNTS:
            continue
        with suppress(TooLarge):
            value = DIMENSIONS[name].search(table, limit=PATIENCE)
            assert not isinstance(value, tuple)
            values[name] = value
    counts = {"size": len(table), "points": len(table.points)}
    for text in COUNTS:
        values[text] = int(Expression(text)(counts))  # type: ignore[arg-type]
    return values


# ---- what follows


def follows(inequality: Linear, others: Sequence[Linear] = ()) -> bool:
    """Whether an inequality is a combination of what is known, and of others.

    Known are the inequalities of the library that are linear, and that parameters are not negative.

    Examples
    --------
    >>> follows(Linear(((1, "vcdim"),), ((1, "points"),)))          # vcdim <= ldim <= points
    True
    >>> follows(Linear(((1, "ldim"),), ((1, "vcdim"),)))
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
    return tuple(form for left, right in (*texts, *OBVIOUS) if (form := _form(left, right)))


def _form(left: str, right: str) -> Form | None:
    """The difference of two sides as a linear form; None if it is none.

    It is one if it takes the values of one at points that were chosen at random.
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
    """Logarithms of counts as names."""
    for count in COUNTS:
        text = text.replace(count, count.replace("(", "__").replace(")", "__"))
    return text


def _counted(name: str) -> str:
    return next((count for count in COUNTS if _plain(count) == name), name)


# ---- the page


def page() -> str:
    """The page of the documentation."""
    tables = _tables()
    found = conjectures()
    head = HEAD.format(
        classes=sum(map(len, tables)),
        points=tables[-1].points,
        others=len(_others(_values().names)),
        most_concepts=CONCEPTS,
        most_points=MEMBER_POINTS,
        tight=TIGHT,
    )
    lines = [head, "| conjecture | equal |", "|---|---|"]
    for each in found[:SHOWN]:
        lines.append(f"| `{each.inequality}` | {shown(100 * each.tightness, 3)} % |")
    if len(found) > SHOWN:
        lines += ["", f"{len(found) - SHOWN} more are less tight."]
    return "\n".join([*lines, "", PROVED])


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(
        prog="python -m catalog.refuting.conjectures", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("file", type=Path, help="where to write the page")
    arguments = parser.parse_args()
    try:
        atomic_write(arguments.file, page())
    except LsclassesError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")


if __name__ == "__main__":
    main()
