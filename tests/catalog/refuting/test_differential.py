"""Answers of `refute` to random statements, against a direct enumeration.

Every eighth statement is checked on all classes on at most three points, or on all pairs of classes
on at most two points each. The other statements are checked on one point less. The slow tests check
all statements on the larger number of points.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from catalog.refuting import Statement as Known
from catalog.refuting import survey
from catalog.refuting.joint import Joint, is_joint
from catalog.refuting.open_constants import OpenStatement, least_constants
from catalog.refuting.operations import refute_joint
from lsclasses import Table
from tests.catalog.refuting.plain_statements import (
    ONE,
    OTHER,
    SAME,
    Env,
    NoValue,
    Plain,
    Statement,
    Term,
    Writer,
    distinct,
    for_every_index,
    measure,
    orbits,
    pairs,
    restrict,
    restricted,
)

POINTS = (1, 2, 3)
SLOW = pytest.param(300, id="slow", marks=pytest.mark.slow)
DEPTHS = [pytest.param(100, id="fast"), SLOW]
"""Number of random statements of each form.

The slow tests check all statements on the larger number of points.
"""

Made = tuple[str, Callable[[Env], Plain], bool]
C: Made = ("", lambda env: env["C"], True)
NAMED_C: Made = ("C", lambda env: env["C"], True)
NAMED_D: Made = ("D", lambda env: env["D"], True)
ZEROS: Made = ("restrict(C, x, 0)", lambda env: restrict(env["C"], env["x"], 0), True)
ONES: Made = ("restrict(C, x, 1)", lambda env: restrict(env["C"], env["x"], 1), True)


def plain(table: Table) -> Plain:
    return Plain(frozenset(map(tuple, table.labels.tolist())), len(table.points))


# ---- one class


@pytest.mark.parametrize("count", DEPTHS)
def test_statements_about_one_class(count: int) -> None:
    random = Random(0)
    for _ in range(count):
        claim, condition = Writer(random, [C]).joined(), Writer(random, [C]).joined()
        text, met = claim.text, None
        if random.random() < 0.5:
            text, met = f"{claim.text} when {condition.text}", condition.truth
        for found in itertools.islice(survey(Known(text)), len(POINTS)):
            expected: dict[str, int] = {}
            for each, alike in distinct(found.points):
                env: Env = {"C": each}
                holds = True if met is None else met(env)
                outcome = "not met" if holds is False else "no value"
                if holds:
                    truth = claim.truth(env)
                    outcome = {True: "holds", False: "fails", None: "no value"}[truth]
                expected[outcome] = expected.get(outcome, 0) + alike
            labelled = found.values["labelled"].tolist()
            got: dict[str, int] = {}
            for place, number in zip(found.distinct.inverse.tolist(), labelled, strict=True):
                outcome = found.outcomes[place]
                got[outcome] = got.get(outcome, 0) + number
            assert got == expected, text


def check_one(statement: Statement, random: Random, most: int) -> None:
    """Compare the smallest counterexample among all classes on few points, or the numbers."""
    numbers = {True: 0, False: 0, None: 0}
    smallest = None
    every = (random.choice(orbit) for n in range(1, most + 1) for orbit in orbits(n))
    for each in sorted(every, key=lambda each: measure((each,))):
        truth = statement.truth({"C": each})
        numbers[truth] += 1
        if truth is False:
            smallest = measure((each,))
            break
    found = refute_joint(Joint(statement.text), seconds=0)
    assert (found.counterexample is None) == (smallest is None), statement.text
    if found.counterexample is None:
        assert (found.tried, found.undecided) == (numbers[True], numbers[None]), statement.text
    else:
        counterexample = plain(found.counterexample.C)
        assert measure((counterexample,)) == smallest, statement.text
        assert statement.truth({"C": counterexample}) is False, statement.text


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, int], int]:
    """Set the number of points of the exhaustive search for the i-th statement, and return it."""

    def limit(i: int, count: int) -> int:
        most = 3 if count == 300 or i % 8 == 0 else 2
        monkeypatch.setattr("catalog.refuting.operations.POINTS", range(1, most + 1))
        monkeypatch.setattr("catalog.refuting.operations.PAIR_POINTS", most - 1)
        return most

    return limit


@pytest.mark.parametrize("count", DEPTHS)
@pytest.mark.parametrize("quantifier", ["forall", "exists"])
def test_statements_with_a_quantifier(
    quantifier: str, count: int, limited: Callable[[int, int], int]
) -> None:
    random = Random(1)
    for i in range(count // 2):
        name = random.choice(["", "", "complement", "dual"])
        over, text = C[1], "C"
        if name:
            make = ONE[name]
            over, text = (lambda env, make=make: make(env["C"])), f"{name}(C)"
        made: list[Made] = [C, NAMED_C]
        for y in (0, 1):
            part = f"restrict({text}, x, {y})"
            of = lambda env, y=y, over=over: restrict(over(env), env["x"], y)  # noqa: E731
            made += [(part, of, name != "dual")] * 2
        statement = Writer(random, made).implication()
        if name and "restrict" not in statement.text:
            over = C[1]
        check_one(restricted(statement, quantifier, over), random, limited(i, count))


@pytest.mark.parametrize("count", DEPTHS)
def test_statements_about_classes_made_of_one_class(
    count: int, limited: Callable[[int, int], int]
) -> None:
    random = Random(2)
    number = 0
    while number < count:
        most = limited(number, count)
        made: list[Made] = [C, NAMED_C]
        for _ in range(2):
            name = random.choice(list(ONE))
            text, make, small = random.choice(made)
            small = small and name in ("complement", "majority")
            of = lambda env, name=name, make=make: ONE[name](make(env))  # noqa: E731
            made.append((f"{name}({text or 'C'})", of, small))
        writer = Writer(random, made)
        if random.random() < 0.2:
            text, make, _ = made[-1]
            comparison = Writer(random, made[:1] + made[-1:]).comparison("k")
            statement = for_every_index(comparison, _most_points(comparison.text, made))
        else:
            statement = writer.implication()
        if is_joint(statement.text):
            check_one(statement, random, most)
            number += 1


def _most_points(text: str, made: list[Made]) -> Callable[[Env], int]:
    named = [make for name, make, _ in made if not name or f"({name})" in text]
    return lambda env: max(make(env).points for make in named)


# ---- two classes


@pytest.mark.parametrize("count", DEPTHS)
def test_statements_about_pairs_of_classes(count: int, limited: Callable[[int, int], int]) -> None:
    random = Random(3)
    number = 0
    while number < count:
        shared = random.random() < 0.5
        made: list[Made] = [C, NAMED_C, NAMED_D]
        operations = SAME if shared else OTHER
        for _ in range(2):
            name = random.choice(list(operations))
            join = operations[name]
            turned = random.random() < 0.3
            a, b = ("D", "C") if turned else ("C", "D")
            small = name in SAME or name == "disjoint_union"
            of = lambda env, join=join, a=a, b=b: join(env[a], env[b])  # noqa: E731
            made.append((f"{name}({a}, {b})", of, small))
        statement = Writer(random, made[-2:] + made).implication()
        quantified = shared and random.random() < 0.3
        if quantified:
            parts = [
                (f"restrict({text}, x, 1)", lambda env, make=make: restrict(make(env), env["x"], 1))
                for text, make, _ in made[1:]
            ]
            some: list[Made] = [*made, *((text, make, True) for text, make in parts)]
            body = Writer(random, some).implication()
            statement = restricted(body, random.choice(["forall", "exists"]), C[1])
            if "restrict(D" in statement.text and "restrict(C" not in statement.text:
                continue
        if "D" not in statement.text:
            continue
        joint = Joint(statement.text)
        assert joint.pairs
        check_pairs(statement, joint, limited(number, count) - 1)
        number += 1


def check_pairs(statement: Statement, joint: Joint, most: int) -> None:
    found = refute_joint(joint, seconds=0)
    expected = None
    for one, two in pairs(most, shared=joint.shared):
        if statement.truth({"C": one, "D": two}) is False:
            expected = measure((one, two))
            break
    if expected is None:
        assert found.counterexample is None, statement.text
        return
    assert found.counterexample is not None and found.smallest, statement.text
    assert found.counterexample.D is not None
    pair = plain(found.counterexample.C), plain(found.counterexample.D)
    assert measure(pair) == expected, statement.text
    assert statement.truth({"C": pair[0], "D": pair[1]}) is False, statement.text


# ---- open constants

Row = tuple[tuple[Fraction, ...], Fraction]


@pytest.mark.parametrize("count", [pytest.param(200, id="fast"), SLOW])
@pytest.mark.parametrize("names", ["c", "cd"])
def test_statements_with_constants(names: str, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catalog.refuting.surveying.POINTS", POINTS)
    random = Random(names)
    seen = {"corners": 0, "impossible": 0, "bounding": 0}
    for _ in range(count // 2):
        writer = Writer(random, [C])
        terms = [writer.shifted() for _ in names]
        rest, other = writer.term(1), writer.quantity()
        if random.random() < 0.5:
            # The left side is at most the right side on many classes with negative weights.
            rest, other = writer.named("ldim", "star_number", "diameter"), writer.named("vcdim")
        condition = writer.joined() if random.random() < 0.3 else Statement("1 <= 1", _always)
        weighted = " + ".join(f"{name}*({t.text})" for name, t in zip(names, terms, strict=True))
        left, right = rest.text, f"{weighted} + {other.text}"
        sign, factor = random.choice([("<=", 1), (">=", -1)])
        text = f"{left} {sign} {right} when {condition.text} and points <= 3"
        rows = _rows(terms, rest, other, condition, factor)
        found = least_constants(OpenStatement(text), seconds=0)
        corners = [corner.values for corner in found.corners]
        assert corners == _least(rows, len(names)), text
        bounded = any(min(weights) < 0 for weights, _ in rows)
        assert (found.bounding is not None) == (bounded and bool(corners)), text
        conflict = [(each.weights, each.least) for each in found.impossible]
        assert bool(conflict) == (not corners) and set(conflict) <= set(rows), text
        for i in range(len(conflict)):
            assert _vertices(conflict[:i] + conflict[i + 1 :], len(names)), text
        assert not (conflict and _vertices(conflict, len(names))), text
        seen["corners"] += len(corners) > 1 or any(map(any, corners))
        seen["impossible"] += len(conflict) > 1
        seen["bounding"] += found.bounding is not None
    assert min(seen.values()) >= 2, seen


def _always(env: Env) -> bool | None:
    return True


def _rows(
    terms: list[Term], rest: Term, other: Term, condition: Statement, factor: int
) -> list[Row]:
    """Return the inequalities ``weights . constants >= least`` of all classes."""
    found: dict[Row, None] = {}
    for each, _ in itertools.chain(*map(distinct, POINTS)):
        env: Env = {"C": each}
        if condition.truth(env):
            try:
                weights = tuple(factor * term.value(env) for term in terms)
                found[weights, factor * (rest.value(env) - other.value(env))] = None
            except NoValue:
                continue
    return list(found)


def _vertices(rows: list[Row], constants: int) -> list[tuple[Fraction, ...]]:
    """Return the vertices of the region, of which a region that is not empty has one."""
    axes: list[Any] = [
        (tuple(Fraction(i == j) for j in range(constants)), Fraction(0)) for i in range(constants)
    ]
    strongest: dict[tuple[Fraction, ...], Row] = {}
    for weights, least in rows:
        scale = max(map(abs, weights)) or Fraction(1)
        row = tuple(w / scale for w in weights), least / scale
        strongest[row[0]] = max(row, strongest.get(row[0], row))
    every = [*axes, *strongest.values()]
    found = set()
    for borders in itertools.combinations(every, constants):
        if constants == 1:
            (((a,), p),) = borders
            if not a:
                continue
            point: tuple[Fraction, ...] = (p / a,)
        else:
            ((a, b), p), ((c, d), q) = borders
            if not (determinant := a * d - b * c):
                continue
            point = ((p * d - b * q) / determinant, (a * q - p * c) / determinant)
        if point not in found and all(
            sum(w * v for w, v in zip(weights, point, strict=True)) >= least
            for weights, least in every
        ):
            found.add(point)
    return sorted(found)


def _least(rows: list[Row], constants: int) -> list[tuple[Fraction, ...]]:
    """Return the vertices such that no other point of the region is at most as large."""
    vertices = _vertices(rows, constants)
    return [v for v in vertices if not any(_below(v, p, q) for p in vertices for q in vertices)]


def _below(v: tuple[Fraction, ...], p: tuple[Fraction, ...], q: tuple[Fraction, ...]) -> bool:
    """Return whether a point of the segment from p to q is at most v, and different from v."""
    low, high = Fraction(0), Fraction(1)
    for limit, start, end in zip(v, p, q, strict=True):
        slope = end - start
        if slope > 0:
            high = min(high, (limit - start) / slope)
        elif slope < 0:
            low = max(low, (limit - start) / slope)
        elif start > limit:
            return False
    if low > high:
        return False
    ends = {tuple(a + t * (b - a) for a, b in zip(p, q, strict=True)) for t in (low, high)}
    return ends != {v}
