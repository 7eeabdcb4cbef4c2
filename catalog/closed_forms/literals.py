"""Rules made of literals on {0,1}^n: conjunctions, disjunctions, and the rules of their SOA.

A literal is *active* at a point if its variable has the value that the literal requires. Sets of
literals are bits of integers. Bit i is variable i with value `asked`, bit n + i its opposite.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalog.closed_forms.by_formula import written
from catalog.closed_forms.exceptions import AllBut
from lsclasses.domain import Vectors
from lsclasses.errors import TooLarge
from lsclasses.hypothesis import Constant, Hypothesis, patched_in_order
from lsclasses.point_names import Label, Point
from lsclasses.searching.bitsets import members
from lsclasses.stacks import GrowingArray, Stack, unsigned

REGION_LIMIT = 1 << 12
"""Largest number of points in a set whose nearest rule is searched."""


@dataclass(frozen=True)
class LiteralBits:
    """The literals on n variables, numbered as bits of an integer.

    Bit i is the first literal of variable i, which is active where the variable is `asked`. Bit n +
    i is the opposite literal, which is active at all other points.

    Parameters
    ----------
    n : int
        Number of variables.
    both : bool
        Whether both literals of a variable exist, or only the first literal.
    asked : 0 or 1
        Value of a variable at which the first literal of the variable is active.

    Examples
    --------
    >>> literals = LiteralBits(3, both=True, asked=1)
    >>> bin(literals.active((1, 0, 1)))
    '0b10101'
    >>> literals.point(0b001)
    (1, 0, 0)
    """

    n: int
    both: bool
    asked: Label

    @property
    def all(self) -> int:
        """The set of all literals, as bits."""
        return (1 << self.n * (1 + self.both)) - 1

    def active(self, x: Point) -> int:
        """Return the literals that are active at a point."""
        first = int("".join(map(str, reversed(x))), 2)  # type: ignore[call-overload]
        full = (1 << self.n) - 1
        if not self.asked:
            first ^= full
        return first | (full ^ first) << self.n if self.both else first

    def point(self, active: int) -> tuple[int, ...]:
        """Return the point where, among the first literals of variables, only some are active.

        The bits of `active` are these literals.
        """
        return tuple(self.asked if active >> i & 1 else 1 - self.asked for i in range(self.n))

    def quiet_point(self, literals: int, active: int = 0) -> tuple[int, ...]:
        """Return a point where some literals are active and some are not.

        Among the literals in `literals`, exactly the literals in `active` are active.
        No two of the literals may be opposite.
        """
        return self.point((active | (literals & ~active) >> self.n) & ((1 << self.n) - 1))

    def name(self, literal: int) -> str:
        """Return the name of a literal in a conjunction or disjunction.

        In a conjunction, a named literal is active where it is false, because it then makes the
        conjunction 0. So `asked` is 0 for conjunctions.
        """
        return f"{'~' if literal >= self.n else ''}x{literal % self.n + 1}"

    def shown(self, literals: int) -> str:
        """Return a set of literals as a string."""
        return "{" + ", ".join(map(self.name, members(literals))) + "}"

    def opposite(self, literal: int) -> int:
        """Return the set of the opposite literal, which is empty if no opposite literal exists."""
        return 1 << (literal + self.n) % (2 * self.n) if self.both else 0


class LiteralRule(Hypothesis):
    """A rule with one label in a region of {0,1}^n, and the other label elsewhere.

    The region consists of the points where no decisive literal, and at most one other literal, is
    active.

    Conjunctions and disjunctions have decisive literals only. A conjunction is 1 where all its
    negated literals are inactive, and a disjunction is 0 where all its literals are inactive. The
    SOA tolerates one active literal among the other literals.

    Parameters
    ----------
    literals : LiteralBits
        All literals, with their numbers.
    label : 0 or 1
        Label of the region where few literals are active.
    decisive : int
        Literals that must be inactive in the region. With opposite literals, the region is empty.
    others : int
        Literals of which at most one may be active in the region. They are disjoint from the
        decisive literals, and no two of all these literals are opposite.

    Notes
    -----
    The rule determines its literals, except that a single other literal has no effect. Every other
    literal matters where another one of them is active. A decisive literal matters where none of
    the others is active.

    Examples
    --------
    >>> literals = LiteralBits(2, both=False, asked=1)
    >>> h = LiteralRule(literals, 0, 0b01, 0)
    >>> [h(x) for x in h.domain]
    [0, 0, 1, 1]
    >>> h == LiteralRule(literals, 0, 0b01, 0b10)
    True
    """

    def __init__(self, literals: LiteralBits, label: Label, decisive: int, others: int = 0) -> None:
        self.literals = literals
        self.label = label
        half = decisive & ((1 << literals.n) - 1)
        if half & decisive >> literals.n:
            decisive, others = literals.all, 0
        self.decisive = decisive
        self.others = others if others.bit_count() > 1 else 0

    @cached_property
    def domain(self) -> Vectors:
        """The points {0,1}^n that the rule labels."""
        return Vectors(2, self.literals.n)

    @property
    def is_constant(self) -> bool:
        """Whether the rule is constant, because its region is empty."""
        return self.literals.both and self.decisive == self.literals.all

    def _label(self, x: Point) -> Label:
        return self.label if self._holds(self.literals.active(x)) else 1 - self.label

    def _holds(self, active: int) -> bool:
        return not active & self.decisive and (active & self.others).bit_count() <= 1

    # ---- comparison

    def _extension(self) -> Hashable:
        return "literals", self.label, self.decisive, self.others, frozenset()

    def _patched_extension(self, patches: Mapping[Point, Label]) -> tuple[Any, ...]:
        """Return the closest rule, if any is close, and the points where it is wrong.

        If no rule is close, return the points of the region. Regions of two rules differ in more
        than 1/(n + 4) of the larger region. (Case 1: the first rule has a variable that the second
        rule lacks. Wherever the variable matters, one of two neighbours is in exactly one region,
        which gives at least a third of the region of the first rule. The sizes also differ. Case 2:
        both rules have the same variables. Then some subcube in all other variables lies in one
        region only, and a region consists of at most n + 1 such subcubes.) So a set that differs
        from a region in less than 1/(16 (n + 4)) of the region differs so little from no other
        region, and the shares of points determine its literals.
        """
        changed = {self.literals.active(x) for x in patches}
        if self._is_close(len(changed)):
            return "literals", self.label, self.decisive, self.others, frozenset(changed)
        points = changed.symmetric_difference(self._region())
        near = self._rule_near(points)
        if near is None:
            return "points", self.label, frozenset(points)
        wrong = points.symmetric_difference(near._region())
        return "literals", self.label, near.decisive, near.others, frozenset(wrong)

    def _canonical(self, patches: Mapping[Point, Label]) -> Hypothesis:
        wrong = {x: y for x, y in patches.items() if y != self._label(x)}
        if not wrong:
            return LiteralRule(self.literals, self.label, self.decisive, self.others)
        kind, label, *rule, points = self._patched_extension(wrong)
        changed = sorted(self.literals.point(p) for p in points)
        if kind == "points":
            return AllBut(self.domain, 1 - label, changed)
        near = LiteralRule(self.literals, label, *rule)
        return patched_in_order(near, {x: 1 - near._label(x) for x in changed})

    def _is_close(self, differences: int) -> bool:
        """Return whether a set with so many differences from the region is close to no other."""
        return 16 * (self.literals.n + 4) * differences < max(self._region_size(), 1)

    def _region_size(self) -> int:
        if self.is_constant:
            return 0
        free = self.literals.n - self.decisive.bit_count() - self.others.bit_count()
        return (1 + self.others.bit_count()) << free

    def _region(self) -> Iterator[int]:
        """Return the points of the region, as sets of active literals."""
        return (p for fixed in self._subcubes_of_region() for p in self._subcube(fixed))

    def _subcubes_of_region(self) -> Iterator[int]:
        """Yield disjoint subcubes that make up the region."""
        if not self.is_constant:
            inactive = self.decisive | self.others
            for literal in (None, *members(self.others)):
                fixed = 0
                for other in members(inactive):
                    fixed |= 1 << other if other == literal else self._negation(other)
                yield fixed

    def _negation(self, literal: int) -> int:
        """Return the opposite of a literal, or a separate mark for inactive if there is none."""
        return 1 << (literal + self.literals.n) % (2 * self.literals.n)

    def _subcube(self, fixed: int) -> Iterator[int]:
        """Yield all points where given literals, or marks of inactive ones, are fixed, in order."""
        n, keep, asked = self.literals.n, self.literals.all, self.literals.asked
        free = [i for i in range(n) if not (fixed >> i | fixed >> n + i) & 1]
        for values in itertools.product((0, 1), repeat=len(free)):
            active = fixed
            for i, value in zip(free, values, strict=True):
                active |= 1 << (i if value == asked else n + i)
            yield active & keep

    def _rule_near(self, points: set[int]) -> LiteralRule | None:
        """Return the rule whose region is close to a set of points, if there is one."""
        literals, number = self.literals, len(points)
        n = literals.n
        if not points:
            return LiteralRule(literals, self.label, literals.all) if literals.both else None
        if number > REGION_LIMIT:
            raise TooLarge(
                f"To compare a hypothesis that was changed at many points, {number} points would "
                f"have to be searched for a rule of literals. The limit is {REGION_LIMIT}.",
                estimate=number,
                limit=REGION_LIMIT,
            )
        width = n * (1 + literals.both)
        table = np.array([[p >> i & 1 for i in range(width)] for p in points], dtype=np.int64)
        together = table.T @ table
        active = together.diagonal()
        decisive = 2 * (n + 1) * active < number
        seldom = 4 * (n + 1) * together < number
        variable = np.arange(width) % n
        seldom[variable[:, None] == variable[None, :]] = False
        seldom[decisive] = False
        others = _bits(seldom[:, ~decisive].any(axis=0), np.flatnonzero(~decisive))
        if others & others >> n:
            return None
        near = LiteralRule(literals, self.label, _bits(decisive, np.arange(width)), others)
        inside = sum(near._holds(p) for p in points)
        differences = near._region_size() - inside + number - inside
        return near if near._is_close(differences) else None

    def _disagreements(self, other: Hypothesis) -> Iterator[Point]:
        other = written(other)
        subcubes = self._subcubes_of_difference(other)
        if subcubes is None:
            return super()._disagreements(other)
        return heapq.merge(*(map(self.literals.point, self._subcube(each)) for each in subcubes))

    def _distance(self, other: Hypothesis) -> int:
        subcubes = self._subcubes_of_difference(other)
        if subcubes is None:
            return super()._distance(other)
        return sum(1 << self.literals.n - fixed.bit_count() for fixed in subcubes)

    def _subcubes_of_difference(self, other: Hypothesis) -> list[int] | None:
        """Return disjoint subcubes of the points of different labels, or None if this is hard."""
        other = written(other)
        if isinstance(other, Constant):
            if other.label != self.label:
                return list(self._subcubes_of_region())
            other = LiteralRule(self.literals, self.label, 0)
        if (
            not isinstance(other, LiteralRule)
            or self.literals != other.literals
            or self.label != other.label
        ):
            return None
        return list(self._difference(other))

    def _difference(self, other: LiteralRule) -> Iterator[int]:
        """Yield disjoint subcubes that make up the points in exactly one of two regions.

        Variables are fixed one by one. A branch outside of both regions is dropped. A branch in
        exactly one region leads to a difference, because no further literal needs to be active. Few
        branches stay in both regions.
        """
        n, all_literals = self.literals.n, self.literals.all
        relevant = self.decisive | self.others | other.decisive | other.others
        variables = sorted({literal % n for literal in members(relevant)})
        stack = [(0, 0)]
        while stack:
            fixed, depth = stack.pop()
            active = fixed & all_literals
            inside = self._holds(active), other._holds(active)
            if not any(inside):
                continue
            if depth < len(variables):
                i = variables[depth]
                stack += [(fixed | 1 << i, depth + 1), (fixed | 1 << n + i, depth + 1)]
            elif inside[0] != inside[1]:
                yield fixed

    def _stack(self) -> LiteralStack:
        return LiteralStack(self.literals)

    def random_neighbour(self, rng: np.random.Generator) -> Point:
        """Return a random point in the region or next to it.

        If the region is empty, any point may be returned.
        """
        n = self.literals.n
        values = rng.integers(2, size=n).tolist()
        if not self.is_constant:
            for literal in members(self.decisive | self.others):
                values[literal % n] = int(literal >= n)
            if rng.integers(2):
                flipped = int(rng.integers(n))
                values[flipped] = 1 - values[flipped]
        return self.literals.point(sum(1 << i for i, value in enumerate(values) if value))

    def __repr__(self) -> str:
        if self.is_constant:
            return f"<Always {1 - self.label}>"
        text = f"<{self.label} where none of {self.literals.shown(self.decisive)} is active"
        if self.others:
            text += f" and at most one of {self.literals.shown(self.others)}"
        return text + ">"


class LiteralStack(Stack[LiteralRule]):
    """A stack of rules, stored as their sets of literals in words of up to 64 bits.

    Parameters
    ----------
    literals : LiteralBits
        Literals of the rules.
    """

    def __init__(self, literals: LiteralBits) -> None:
        self._literals = literals
        size = literals.all + 1
        self._dtype = unsigned(min(size, 1 << 64))
        self._words = -(-(size.bit_length() - 1) // 64)
        self._label = GrowingArray(np.bool_)
        self._decisive = GrowingArray(self._dtype, (self._words,))
        self._others = GrowingArray(self._dtype, (self._words,))
        self._tolerant = False

    def accepts(self, h: Hypothesis) -> bool:
        """Return whether this stack can store a hypothesis.

        It must be a `LiteralRule` over the literals of the stack.
        """
        return isinstance(h, LiteralRule) and h.literals == self._literals

    def append(self, h: LiteralRule) -> None:
        """Put a rule on the stack."""
        self._label.append(h.label)
        self._decisive.append(self._split(h.decisive))
        self._others.append(self._split(h.others))
        self._tolerant |= bool(h.others)

    def _split(self, literals: int) -> NDArray[Any]:
        """Return a set of literals as words."""
        words = [literals >> 64 * i & (1 << 64) - 1 for i in range(self._words)]
        return np.array(words, self._dtype)

    def labels(self, x: Point) -> NDArray[np.bool_]:
        """Return the labels of the rules at a point."""
        active = self._split(self._literals.active(x))[:, None]
        beyond: NDArray[np.bool_] = (self._decisive.array & active).any(axis=0)
        if self._tolerant:
            beyond |= np.bitwise_count(self._others.array & active).sum(axis=0) > 1
        beyond ^= self._label.array
        return beyond


def _bits(flags: Any, literals: np.ndarray) -> int:
    """Return the set of the literals that are flagged."""
    return sum(1 << int(literal) for literal in literals[flags])
