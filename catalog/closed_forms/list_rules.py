"""Decision lists over literals and short conjunctions of {0,1}^n, compared by their labels.

Literal i is the variable i with the value 1, and literal n + i is the variable i with the value 0.
A rule is a conjunction of literals with a label.
"""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lsclasses.domain import OnDomain, Vectors
from lsclasses.errors import TooLarge
from lsclasses.hypothesis import Constant, Hypothesis
from lsclasses.point_names import Label, Point, check_label
from lsclasses.random_integers import uniform_below
from lsclasses.stacks import GrowingArray, Listed, Stack

SMALL = 12
"""Largest number of variables of two lists that are compared at all points."""
MOST_CASES = 1 << 17
"""Largest number of cases that are distinguished to count where two lists differ."""

Conjunction = tuple[int, ...]
"""A conjunction: its literals in increasing order. The literals have different variables."""
Rules = tuple[tuple[Conjunction, Label], ...]


class WrittenAsList(Hypothesis):
    """A hypothesis that may be written as a decision list over conjunctions of literals."""

    @abstractmethod
    def _as_list(self) -> LiteralList | None:
        """Return a list with equal labels, or None if no such list is known."""

    def _is_comparable(self) -> bool:
        """Return whether all lists over the features of this list are compared exactly.

        The value depends only on the features. A private learner that compares lists otherwise
        refuses some samples, and no guarantee covers this error.
        """
        return True

    def _canonical(self, patches: Mapping[Point, Label]) -> Hypothesis:
        one = self._as_list() if self._is_comparable() else None
        if one is None or any(y != self._label(x) for x, y in patches.items()):
            return super()._canonical(patches)
        return one._normal_list()

    def _disagreements(self, other: Hypothesis) -> Iterator[Point]:
        one, found = self._as_list(), as_list(other)
        if one is None or found is None or not self._is_comparable():
            return super()._disagreements(other)
        return _differences(one, found)

    def _distance(self, other: Hypothesis) -> int:
        one, found = self._as_list(), as_list(other)
        return super()._distance(other) if one is None or found is None else _distance(one, found)


class LiteralList(OnDomain[Vectors], WrittenAsList):
    """A decision list over conjunctions of literals.

    The label of a point is the label of the first rule whose conjunction holds, or the default.

    Parameters
    ----------
    domain : Vectors
        The points of {0,1}^n.
    rules : iterable of (iterable of int, label)
        Literals of each conjunction, and the label of the rule.
    default : 0 or 1
        Label where no conjunction holds.

    Notes
    -----
    *Equality.* Two lists that depend on at most `SMALL` variables are compared at all values of
    these variables. A list of single literals that depends on more variables has a normal form (see
    `layers`). Equality of other lists is a hard problem, because a list of conjunctions with three
    literals computes every formula in disjunctive normal form with three literals a term. So their
    comparison raises `TooLarge`.

    Examples
    --------
    >>> X = Vectors(2, 200)
    >>> h = LiteralList(X, [([0], 1), ([3], 0)], 1)           # if x1: 1, else if x4: 0, else 1
    >>> h((0,) * 200), h((0, 0, 0) + (1,) * 197)
    (1, 0)
    >>> h == LiteralList(X, [([0], 1), ([203], 1)], 0)        # if x1: 1, else if not x4: 1, else 0
    True
    >>> h
    <if x1: 1, else if x4: 0, else 1>
    """

    __slots__ = ("_domain", "_key", "default", "rules")

    def __init__(
        self, domain: Vectors, rules: Iterable[tuple[Iterable[int], Label]], default: Label
    ) -> None:
        self._domain = domain
        self.rules: Rules = tuple((tuple(sorted(set(c))), check_label(b)) for c, b in rules)
        self.default = check_label(default)
        self._key: Hashable = None

    @classmethod
    def _of(cls, domain: Vectors, rules: Rules, default: Label) -> LiteralList:
        """Return the list of rules whose conjunctions are sorted."""
        found = cls.__new__(cls)
        found._domain, found.rules, found.default, found._key = domain, rules, default, None
        return found

    def _label(self, x: Point) -> Label:
        n = self._domain.n
        for conjunction, label in self.rules:
            if all(x[i] if i < n else not x[i - n] for i in conjunction):  # type: ignore[index]
                return label
        return self.default

    @property
    def variables(self) -> list[int]:
        """The variables that the rules test, in increasing order."""
        return sorted({i % self._domain.n for conjunction, _ in self.rules for i in conjunction})

    # ---- comparison

    def _extension(self) -> Hashable:
        if self._key is None:
            self._key = self._normal_form()
        return self._key

    def _normal_form(self) -> tuple[str, Any, Any]:
        n = self._domain.n
        if len(tested := self.variables) <= SMALL:
            return _essential(tested, self._table(tested))
        if any(len(conjunction) > 1 for conjunction, _ in self.rules):
            raise TooLarge(
                f"A decision list over conjunctions is compared at all values of its variables. It "
                f"tests {len(tested)} variables. The limit is {SMALL}.",
                estimate=len(tested),
                limit=SMALL,
            )
        found, default = layers(n, self.rules, self.default)
        kept = sorted(i % n for block, _ in found for i in block)
        if len(kept) <= SMALL:
            short = LiteralList(self._domain, _in_rules(found), default)
            return _essential(kept, short._table(kept))
        return "layers", tuple(found), default

    def _table(self, variables: list[int]) -> NDArray[np.bool_]:
        """Return the labels for all values of the variables, the first variable slowest.

        The shape has an axis of two values for each variable.
        """
        n, count = self._domain.n, len(variables)
        axis = {v: place for place, v in enumerate(variables)}
        labels = np.full((2,) * count, bool(self.default))
        for conjunction, label in reversed(self.rules):
            if not _contradicts(conjunction, n):
                where: list[Any] = [slice(None)] * count
                for i in conjunction:
                    where[axis[i % n]] = int(i < n)
                labels[tuple(where)] = bool(label)
        return labels

    def _patched_extension(self, patches: Mapping[Point, Label]) -> Hashable:
        wrong = {x: y for x, y in patches.items() if y != self._label(x)}
        if not wrong:
            return self._extension()
        n = self._domain.n
        if n > SMALL:
            raise TooLarge(
                f"A decision list with changed labels is compared at all points of {{0,1}}^n. Got "
                f"n={n}. The limit is n={SMALL}.",
                estimate=n,
                limit=SMALL,
            )
        labels = self._table(list(range(n)))
        for x, y in wrong.items():
            labels[tuple(point_bytes(x))] = bool(y)
        return _essential(list(range(n)), labels)

    def _normal_list(self) -> LiteralList:
        """Return a list with equal labels, which is equal for lists with equal labels."""
        kind, first, second = self._normal_form()
        if kind == "layers":
            return LiteralList(self._domain, _in_rules(first), second)
        shape = (2,) * len(first)
        labels = np.unpackbits(np.frombuffer(second, np.uint8), count=1 << len(first))
        return _first_list(self._domain, list(first), labels.reshape(shape).astype(bool))

    # ---- values of variables

    def fixed(self, variable: int, value: int) -> LiteralList:
        """Return the list that results if a variable has a fixed value.

        The result has equal labels at all points with this value, and does not test the variable.
        """
        n = self._domain.n
        true, false = (variable, n + variable) if value else (n + variable, variable)
        rules: list[tuple[Conjunction, Label]] = []
        default = self.default
        for conjunction, label in self.rules:
            if false in conjunction:
                continue
            rest = (
                tuple(i for i in conjunction if i != true) if true in conjunction else conjunction
            )
            if not rest:
                default = label
                break
            rules.append((rest, label))
        while rules and rules[-1][1] == default:
            rules.pop()
        return LiteralList._of(self._domain, tuple(rules), default)

    def _as_list(self) -> LiteralList:
        return self

    def _stack(self) -> Stack[Any]:
        return ConjunctionStack(self._domain.n) if _is_short(self) else Listed()

    def __repr__(self) -> str:
        n = self._domain.n
        parts = [
            "if " + " & ".join(f"{'not ' if i >= n else ''}x{i % n + 1}" for i in c) + f": {b}"
            for c, b in self.rules[:8]
        ]
        if len(self.rules) > 8:
            parts.append(f"... ({len(self.rules)} rules)")
        return f"<{', else '.join([*parts, str(self.default)])}>"


def as_list(h: Hypothesis) -> LiteralList | None:
    """Return a decision list with the labels of a hypothesis, or None if no list is known."""
    if isinstance(h, Constant) and isinstance(h.domain, Vectors):
        return LiteralList._of(h.domain, (), h.label)
    return h._as_list() if isinstance(h, WrittenAsList) else None


def layers(
    n: int, rules: Rules, default: Label
) -> tuple[list[tuple[tuple[int, ...], Label]], Label]:
    """Return the normal form of a list of single literals, as labelled blocks and a default.

    If an earlier rule tests the variable of a rule, the rule either never decides or always
    decides. Neighbouring rules with equal labels form a block, and the last block has another label
    than the default. If the last block has a single literal, its opposite with the default's label
    joins the block before. So the last block has two literals, or it is the only block. With these
    properties, the blocks are unique (Li, Adeyeye, Murrugarra, Aguilar and Laubenbacher 2013).

    Examples
    --------
    >>> layers(4, (((0,), 1), ((3,), 0), ((0,), 0)), 1)
    ([((0, 7), 1)], 0)
    """
    tested: dict[int, int] = {}
    found: list[tuple[list[int], Label]] = []
    for (literal,), label in rules:
        if literal % n in tested:
            if tested[literal % n] == literal:
                continue
            default = label
            break
        tested[literal % n] = literal
        if found and found[-1][1] == label:
            found[-1][0].append(literal)
        else:
            found.append(([literal], label))
    while found and found[-1][1] == default:
        found.pop()
    if found and len(found[-1][0]) == 1:
        ((literal,), label) = found[-1]
        if len(found) > 1:
            found.pop()
            found[-1][0].append((literal + n) % (2 * n))
            default = label
        elif literal >= n:
            found = [([literal - n], 1 - label)]
            default = label
    return [(tuple(sorted(block)), label) for block, label in found], default


def _in_rules(blocks: Iterable[tuple[tuple[int, ...], Label]]) -> Iterator[tuple[list[int], Label]]:
    return (([i], label) for block, label in blocks for i in block)


def _contradicts(conjunction: Conjunction, n: int) -> bool:
    return len({i % n for i in conjunction}) < len(conjunction)


def _essential(variables: list[int], labels: NDArray[np.bool_]) -> tuple[str, Any, Any]:
    """Return the variables on which a function depends, and its packed labels at their values."""
    kept: list[int] = []
    for v in variables:
        axis = len(kept)
        zeros, ones = labels.take([0], axis), labels.take([1], axis)
        if np.array_equal(zeros, ones):
            labels = zeros.squeeze(axis)
        else:
            kept.append(v)
    return "values", tuple(kept), np.packbits(labels.reshape(-1)).tobytes()


def _first_list(domain: Vectors, variables: list[int], labels: NDArray[np.bool_]) -> LiteralList:
    """Return a list for a function of few variables, which depends only on the function.

    Its conjunctions are as short as possible. Every block contains all conjunctions of this length
    that hold only at remaining points with one label, and at some remaining point.
    """
    n, count = domain.n, len(variables)
    for k in range(count + 1):
        left = np.ones((2,) * count, dtype=bool)
        rules: list[tuple[list[int], Label]] = []
        conjunctions = [
            (chosen, values)
            for size in range(1, k + 1)
            for chosen in itertools.combinations(range(count), size)
            for values in itertools.product((1, 0), repeat=size)
        ]
        label, failures = 0, 0
        while failures < 2 and len(set(labels[left].tolist())) > 1:
            covered = np.zeros_like(left)
            for chosen, values in conjunctions:
                where: list[Any] = [slice(None)] * count
                for place, value in zip(chosen, values, strict=True):
                    where[place] = value
                inside = labels[tuple(where)][left[tuple(where)]]
                if inside.size and (inside == bool(label)).all():
                    covered[tuple(where)] = True
                    literals = [
                        variables[p] + (0 if value else n)
                        for p, value in zip(chosen, values, strict=True)
                    ]
                    rules.append((literals, label))
            failures = 0 if covered.any() else failures + 1
            left &= ~covered
            label = 1 - label
        rest = set(labels[left].tolist())
        if len(rest) <= 1:
            return LiteralList(domain, rules, int(rest.pop()) if rest else 1 - rules[-1][1])
    raise AssertionError("Conjunctions of all variables decide every point.")


# ---- where two lists differ


def _differences(g: LiteralList, h: LiteralList) -> Iterator[Point]:
    """Yield the points where two lists differ, in lexicographic order.

    The variables are fixed in their order. A case in which the lists are equal ends, so every other
    case leads to a point.
    """
    n = g.domain.n
    stack: list[tuple[tuple[int, ...], LiteralList, LiteralList]] = [((), g, h)]
    while stack:
        x, one, other = stack.pop()
        if one == other:
            continue
        place = len(x)
        # The values of variables that neither list tests are in lexicographic order, too.
        if place == n:
            yield x
            continue
        for value in (1, 0):
            stack.append(((*x, value), one.fixed(place, value), other.fixed(place, value)))


def _distance(g: LiteralList, h: LiteralList) -> int:
    """Return the number of points where two lists differ, by the variables of their first rules.

    Cases with equal lists are counted together.
    """
    cases = {(g.rules, g.default, h.rules, h.default): 1}
    total, done = 0, 0
    for free in range(g.domain.n, -1, -1):
        later: dict[tuple[Rules, Label, Rules, Label], int] = {}
        for (first, a, second, b), number in cases.items():
            one, other = LiteralList._of(g.domain, first, a), LiteralList._of(g.domain, second, b)
            if not one.rules:
                one, other = other, one
            if not one.rules:
                total += number * (one.default != other.default) << free
            elif not other.rules and all(len(conjunction) == 1 for conjunction, _ in one.rules):
                ones = _ones(one, free)
                total += number * ((1 << free) - ones if other.default else ones)
            else:
                variable = one.rules[0][0][0] % g.domain.n
                for value in (0, 1):
                    f, e = one.fixed(variable, value), other.fixed(variable, value)
                    key = f.rules, f.default, e.rules, e.default
                    later[key] = later.get(key, 0) + number
        cases, done = later, done + len(later)
        if done > MOST_CASES:
            raise TooLarge(
                f"Counting the points where two decision lists differ takes more than {MOST_CASES} "
                "cases.",
                limit=MOST_CASES,
            )
    return total


def _ones(h: LiteralList, free: int) -> int:
    """Return the number of points with label 1 of a list of single literals, of free variables."""
    found, default = layers(h.domain.n, h.rules, h.default)
    total, left = 0, free
    for block, label in found:
        total += label * ((1 << left) - (1 << left - len(block)))
        left -= len(block)
    return total + default * (1 << left)


# ---- stacks


def _is_short(h: LiteralList) -> bool:
    return len(h.rules) <= 1 and all(len(conjunction) <= 2 for conjunction, _ in h.rules)


class ConjunctionStack(Stack[LiteralList]):
    """A stack of decision lists that have at most one rule with at most two literals.

    Parameters
    ----------
    n : int
        Number of variables.
    """

    def __init__(self, n: int) -> None:
        self._n = n
        self._literals = GrowingArray(np.int32, (2,))
        self._label = GrowingArray(np.bool_)

    def accepts(self, h: Hypothesis) -> bool:
        """Return whether this stack can store a hypothesis.

        It must be a decision list with at most one rule of at most two literals.
        """
        return isinstance(h, LiteralList) and h.domain.n == self._n and _is_short(h)

    def append(self, h: LiteralList) -> None:
        """Put a list on the stack."""
        # Literal 2 n holds everywhere.
        always = (2 * self._n,) * 2
        if h.rules and not (_contradicts(h.rules[0][0], self._n) or h.rules[0][1] == h.default):
            self._literals.append((*h.rules[0][0], *always)[:2])
            self._label.append(h.rules[0][1])
        else:
            self._literals.append(always)
            self._label.append(h.default)

    def labels(self, x: Point) -> NDArray[np.bool_]:
        """Return the labels of the lists at a point."""
        values = literal_values(x)
        first, second = self._literals.array
        labels: NDArray[np.bool_] = values[first] & values[second]
        labels = labels == self._label.array
        return labels


def point_bytes(x: Point) -> bytes:
    """Return the values of the variables at a point as a string of bytes."""
    return bytes(x)  # type: ignore[call-overload,no-any-return]


def literal_values(x: Point) -> NDArray[np.bool_]:
    """Return an array with the values of all literals at a point, and a final entry 1.

    Examples
    --------
    >>> literal_values((1, 0)).astype(int).tolist()
    [1, 0, 0, 1, 1]
    """
    ones = np.frombuffer(point_bytes(x), np.uint8).astype(bool)
    values: NDArray[np.bool_] = np.concatenate([ones, ~ones, [True]])
    return values


# ---- random points


def point_near(h: Hypothesis, domain: Vectors, rng: np.random.Generator) -> Point:
    """Return a random point that often reaches a late rule of a list.

    With probability 1/2 the point is uniform. Otherwise a rule or the default is uniform, and the
    point is uniform except that a random literal of every earlier rule that held is changed. A
    change can let another earlier rule hold, so the point reaches the chosen rule with certainty
    only if the rules test single literals of different variables.
    """
    x: NDArray[Any] = np.frombuffer(rng.bytes(domain.n), np.uint8) & 1
    if rng.integers(2) and isinstance(h, LiteralList) and h.rules:
        x, n = x.copy(), domain.n
        for conjunction, _ in h.rules[: uniform_below(rng, len(h.rules) + 1)]:
            if all(x[i % n] == (i < n) for i in conjunction):
                i = conjunction[uniform_below(rng, len(conjunction))]
                x[i % n] = int(i >= n)
    point: tuple[int, ...] = tuple(x.tolist())
    return point
