"""Random statements as text and as functions of plain classes, for differential tests.

A class is a set of tuples with its number of points. The values come from `tests.oracles` and
from the set operations below. No code of `catalog.refuting` evaluates them.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any, NamedTuple

from tests import oracles

Word = tuple[int, ...]


class Plain(NamedTuple):
    """A class on points 0, ..., points - 1."""

    concepts: frozenset[Word]
    points: int


Env = dict[str, Any]
"""The classes C and D, a point x, an index k, and constants c and d."""
Value = Callable[[Env], Fraction]


class NoValue(Exception):
    """A term without a value."""


class Term(NamedTuple):
    """A formula, as text and as a function."""

    text: str
    value: Value


# ---- classes


@cache
def classes(points: int) -> tuple[Plain, ...]:
    """Return all non-empty classes on some points, in the order of their sizes."""
    cube = list(itertools.product((0, 1), repeat=points))
    return tuple(
        Plain(frozenset(chosen), points)
        for size in range(1, len(cube) + 1)
        for chosen in itertools.combinations(cube, size)
    )


@cache
def orbits(points: int) -> tuple[tuple[Plain, ...], ...]:
    """Return the classes on some points, grouped by permutations of the points."""
    found: dict[Any, list[Plain]] = {}
    for C in classes(points):
        least = min(
            tuple(sorted(tuple(c[x] for x in order) for c in C.concepts))
            for order in itertools.permutations(range(points))
        )
        found.setdefault(least, []).append(C)
    return tuple(map(tuple, found.values()))


def restrict(C: Plain, x: int, y: int) -> Plain:
    return Plain(frozenset(c for c in C.concepts if c[x] == y), C.points)


def dual(C: Plain) -> Plain:
    if not C.concepts:
        raise NoValue
    concepts = sorted(C.concepts)
    return Plain(frozenset(tuple(c[x] for c in concepts) for x in range(C.points)), len(concepts))


def pointwise(join: Callable[[int, int], int]) -> Callable[[Plain, Plain], Plain]:
    def made(C: Plain, D: Plain) -> Plain:
        pairs = itertools.product(C.concepts, D.concepts)
        return Plain(frozenset(tuple(map(join, c, d)) for c, d in pairs), C.points)

    return made


def lexicographic_sum(C: Plain, D: Plain) -> Plain:
    found = set()
    for i, c in enumerate(sorted(C.concepts)):
        for d in D.concepts:
            before, after = i * D.points, (len(C.concepts) - 1 - i) * D.points
            found.add((*c, *(0,) * before, *d, *(0,) * after))
    return Plain(frozenset(found), C.points + len(C.concepts) * D.points)


ONE: dict[str, Callable[[Plain], Plain]] = {
    "dual": dual,
    "complement": lambda C: Plain(frozenset(tuple(1 - y for y in c) for c in C.concepts), C.points),
    "doubled": lambda C: Plain(frozenset((*c, *c) for c in C.concepts), 2 * C.points),
    "majority": lambda C: Plain(
        frozenset(
            tuple(int(sum(labels) >= 2) for labels in zip(*three, strict=True))
            for three in itertools.product(C.concepts, repeat=3)
        ),
        C.points,
    ),
}
SAME: dict[str, Callable[[Plain, Plain], Plain]] = {
    "union": lambda C, D: Plain(C.concepts | D.concepts, C.points),
    "intersection": lambda C, D: Plain(C.concepts & D.concepts, C.points),
    "symmetric_difference": pointwise(operator.xor),
}
OTHER: dict[str, Callable[[Plain, Plain], Plain]] = {
    "product": lambda C, D: Plain(
        frozenset((*c, *d) for c in C.concepts for d in D.concepts), C.points + D.points
    ),
    "disjoint_union": lambda C, D: Plain(
        frozenset(
            [(*c, *(0,) * D.points) for c in C.concepts]
            + [(*(0,) * C.points, *d) for d in D.concepts]
        ),
        C.points + D.points,
    ),
    "lexicographic_sum": lexicographic_sum,
}

ONE = {name: cache(made) for name, made in ONE.items()}
OTHER = {name: cache(made) for name, made in OTHER.items()}

# ---- quantities

CHEAP: dict[str, Callable[[Plain], int]] = {
    "size": lambda C: len(C.concepts),
    "points": lambda C: C.points,
    "ldim": lambda C: oracles.ldim_recursive(C.concepts),
    "vcdim": lambda C: oracles.vcdim(C.concepts),
}
"""Quantities that are fast for classes on many points."""
QUANTITIES: dict[str, Callable[[Plain], int]] = {
    **CHEAP,
    "star_number": lambda C: oracles.star_number(C.concepts),
    "hollow_star_number": lambda C: oracles.hollow_star_number(C.concepts),
    "threshold_dim": lambda C: oracles.threshold_dim(C.concepts),
    "teaching_dim": lambda C: oracles.teaching_dim(C.concepts),
}


@cache
def quantity(name: str, C: Plain) -> int:
    return {**QUANTITIES, **PARTIAL}[name](C)


def _diameter(C: Plain) -> int:
    if not C.concepts:
        raise NoValue
    pairs = itertools.product(C.concepts, repeat=2)
    return max(sum(a != b for a, b in zip(*pair, strict=True)) for pair in pairs)


PARTIAL: dict[str, Callable[[Plain], int]] = {"diameter": _diameter}
"""Quantities without a value for the empty class."""


@cache
def growth(C: Plain, n: int) -> int:
    if not 0 <= n <= C.points:
        raise NoValue
    return oracles.growth_function(C.concepts, n)


@cache
def distinct(points: int) -> tuple[tuple[Plain, int], ...]:
    """Return a class for each combination of values of all quantities, with their number."""
    found: dict[Any, list[Plain]] = {}
    for C in classes(points):
        values = [quantity(name, C) for name in (*QUANTITIES, *PARTIAL)]
        values += [growth(C, n) for n in range(points + 1)]
        found.setdefault(tuple(values), []).append(C)
    return tuple((alike[0], len(alike)) for alike in found.values())


# ---- statements

SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
    "==": operator.eq,
    "!=": operator.ne,
}


class Statement(NamedTuple):
    """A statement, as text and as a function to True, False or None (no value)."""

    text: str
    truth: Callable[[Env], bool | None]


def conjunction(truths: Iterable[bool | None]) -> bool | None:
    found = list(truths)
    return False if False in found else None if None in found else True


class Writer:
    """Writer of random statements about given classes."""

    def __init__(
        self, random: Random, made: list[tuple[str, Callable[[Env], Plain], bool]]
    ) -> None:
        self.random = random
        self.made = made

    def number(self, most: int = 3) -> Term:
        n = self.random.randint(0, most)
        return Term(str(n), lambda env: Fraction(n))

    def quantity(self, index: str = "") -> Term:
        """A quantity of a class, by its bare name for C or with the class in brackets."""
        text, make, small = self.random.choice(self.made)
        if index or (small and self.random.random() < 0.15):
            of = f"({text})" if text else ""
            n = self.random.randint(0, 2)
            if index:
                return Term(
                    f"growth_function{of}[{index}]",
                    lambda env: Fraction(growth(make(env), env["k"])),
                )
            return Term(f"growth_function{of}[{n}]", lambda env: Fraction(growth(make(env), n)))
        names = [*QUANTITIES, *PARTIAL] if small else list(CHEAP)
        name = self.random.choice(names)
        term = f"{name}({text})" if text else name
        return Term(term, lambda env: Fraction(quantity(name, make(env))))

    def named(self, *names: str) -> Term:
        """One of some quantities of C."""
        name = self.random.choice(names)
        return Term(name, lambda env: Fraction(quantity(name, env["C"])))

    def shifted(self) -> Term:
        """A quantity minus a number, which is often negative."""
        one, two = self.quantity(), self.number(4)
        return Term(f"{one.text} - {two.text}", lambda env: one.value(env) - two.value(env))

    def term(self, depth: int = 2, index: str = "") -> Term:
        kind = self.random.random()
        if depth == 0 or kind < 0.3:
            return self.quantity(index) if self.random.random() < 0.7 else self.number()
        one, two = self.term(depth - 1, index), self.term(depth - 1)
        a, b = one.value, two.value
        if kind < 0.5:
            return Term(f"({one.text} + {two.text})", lambda env: a(env) + b(env))
        if kind < 0.65:
            return Term(f"({one.text} - {two.text})", lambda env: a(env) - b(env))
        if kind < 0.75:
            return Term(f"{one.text} * {two.text}", lambda env: a(env) * b(env))
        if kind < 0.85:
            return Term(f"{one.text}/({two.text})", lambda env: _quotient(a(env), b(env)))
        join = min if kind < 0.93 else max
        name = join.__name__
        return Term(f"{name}({one.text}, {two.text})", lambda env: join(a(env), b(env)))

    def comparison(self, index: str = "") -> Statement:
        left, right = self.term(1, index), self.term(2)
        sign = self.random.choice(["<=", "<=", "<=", ">=", ">=", "<", ">", "==", "!="])

        def truth(env: Env) -> bool | None:
            try:
                return SIGNS[sign](left.value(env), right.value(env))
            except NoValue:
                return None

        return Statement(f"{left.text} {sign} {right.text}", truth)

    def joined(self, index: str = "") -> Statement:
        parts = [self.comparison(index) for _ in range(self.random.choice([1, 1, 1, 2]))]
        text = " and ".join(part.text for part in parts)
        return Statement(text, lambda env: conjunction(part.truth(env) for part in parts))

    def implication(self) -> Statement:
        """A statement with a condition, or without one. A false condition makes it true."""
        claim = self.joined()
        if self.random.random() < 0.5:
            return claim
        condition = self.joined()

        def truth(env: Env) -> bool | None:
            met = condition.truth(env)
            return True if met is False else None if met is None else claim.truth(env)

        return Statement(f"{claim.text} when {condition.text}", truth)


def _quotient(a: Fraction, b: Fraction) -> Fraction:
    if not b:
        raise NoValue
    return a / b


def restricted(statement: Statement, quantifier: str, over: Callable[[Env], Plain]) -> Statement:
    """Return the statement for every point x of a class, or for some point."""

    def truth(env: Env) -> bool | None:
        try:
            points = over(env).points
        except NoValue:
            return None
        found = [statement.truth({**env, "x": x}) for x in range(points)]
        if quantifier == "forall":
            return conjunction(found)
        return True if True in found else None if None in found else False

    return Statement(f"{quantifier} x: {statement.text}", truth)


def for_every_index(comparison: Statement, most: Callable[[Env], int]) -> Statement:
    """Return a comparison for every k at which it has values, or None if no such k exists."""

    def truth(env: Env) -> bool | None:
        found = [comparison.truth({**env, "k": k}) for k in range(most(env) + 1)]
        return (
            conjunction(each for each in found if each is not None)
            if any(each is not None for each in found)
            else None
        )

    return Statement(f"{comparison.text} for every k", truth)


def pairs(most: int, *, shared: bool) -> Iterator[tuple[Plain, Plain]]:
    """Yield all pairs of classes, in the order of their points and then of their concepts."""
    shapes = [(a, b) for a in range(1, most + 1) for b in range(1, most + 1)]
    found = [
        (C, D) for a, b in shapes if a == b or not shared for C in classes(a) for D in classes(b)
    ]
    yield from sorted(found, key=measure)


def measure(pair: tuple[Plain, ...]) -> tuple[int, int]:
    """Return the number of points and of concepts in total."""
    return sum(C.points for C in pair), sum(len(C.concepts) for C in pair)
