"""Statements about classes made of classes: ``ldim(union(C, D)) <= ldim(C) + ldim(D) + 1``.

Every quantity may be asked of a class that is made of C, of C and D, or of what is left of one
after an example ``(x, y)``. ``forall x:`` and ``exists x:`` let x run over the points of C.

All pairs on few points are tried first, C up to permutations of the points and D with all names of
points, as the points of a union are shared. So a pair that is found there is one on fewest points,
and among these of fewest concepts.
"""

from __future__ import annotations

import ast
import itertools
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from catalog.atlas import POINTS, table
from catalog.atlas.orbits import class_count
from catalog.parameters import PARAMETERS, value
from catalog.refuting.candidates import (
    candidates,
    disjoint_union,
    doubled,
    dual,
    lexicographic_sum,
    product,
)
from catalog.refuting.constants import constants_in
from catalog.refuting.hunt import PATIENCE, random_table
from catalog.refuting.statement import Sides, Statement
from lsclasses.dimensions.expressions import Quantity
from lsclasses.dimensions.quantities import is_sequence, quantity_names
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.isomorphism import class_of_mask
from lsclasses.limits import Limit
from lsclasses.points import nearest
from lsclasses.table import Table

PAIR_POINTS = 3
"""All pairs of classes on at most that many points are tried."""
KEPT = 1 << 14
"""How many values of quantities are kept."""
OF_EMPTY = {"size": 0, "ldim": -1, "vcdim": -1}
"""The quantities that the empty class has."""

MADE: dict[str, tuple[int, Callable[..., Table]]] = {
    "union": (2, lambda one, other: one.union(other)),
    "intersection": (2, lambda one, other: one.intersection(other)),
    "symmetric_difference": (2, lambda one, other: one.symmetric_difference(other)),
    "product": (2, product),
    "disjoint_union": (2, disjoint_union),
    "lexicographic_sum": (2, lexicographic_sum),
    "dual": (1, dual),
    "complement": (1, lambda C: Table(1 - C.labels)),
    "doubled": (1, doubled),
    "majority": (1, lambda C: C.majority(3)),
}
"""What is made of one class or of two, by name: how many classes it takes, and how it is made."""
SHARED = frozenset({"union", "intersection", "symmetric_difference"})
"""These take two classes on the same points."""


def is_joint(text: str) -> bool:
    """Whether a statement asks a quantity of a class that is named or made.

    >>> is_joint("ldim(dual(C)) <= 2**(ldim + 1)"), is_joint("max(ldim, 2) <= size")
    (True, False)
    """
    asked = "|".join(map(re.escape, (*quantity_names(), *PARAMETERS)))
    return bool(re.search(rf"\b(?:{asked})\s*\(|^\s*(?:forall|exists)\b", text))


@dataclass(frozen=True)
class JointTrial:
    """Two classes, or one, with both sides of a statement about them.

    Attributes
    ----------
    C, D : Table
        `D` is None if the statement is about one class.
    x : int or None
        The point at which it fails, if it has ``forall``.
    sides : Sides or None
        None if the condition is not met.
    """

    C: Table
    D: Table | None
    x: int | None
    sides: Sides | None

    @property
    def fails(self) -> bool:
        """Whether the statement is false there."""
        return self.sides is not None and not self.sides.holds


class Joint:
    """A statement about quantities of classes that are made of C and D.

    Parameters
    ----------
    text : str
        As for `Statement`, where ``ldim(union(C, D))`` is a quantity of a class that is made, by
        one of `MADE` or by ``restrict(C, x, 0)``; a name without a class is a quantity of C.
        ``forall x:`` or ``exists x:`` may stand in front.

    Raises
    ------
    InvalidInput
        If it is no such text; the message says why.

    Examples
    --------
    >>> statement = Joint("ldim(union(C, D)) <= ldim(C) + ldim(D)")
    >>> zero, one = Table([[0]]), Table([[1]])
    >>> statement.trial(zero, one).sides
    Sides(left=1, right=0, holds=False, equal=False)
    >>> Joint("forall x: ldim(restrict(C, x, 0)) < ldim").trial(Table([[0, 0], [0, 1]])).x
    0
    """

    def __init__(self, text: str) -> None:
        self.text = " ".join(text.split())
        found = re.match(r"(forall|exists)\s+(\w+)\s*:(.*)", self.text)
        self.quantifier, self.point = (found[1], found[2]) if found else ("", "")
        body = found[3] if found else self.text
        self._asked: dict[str, tuple[str, ast.expr]] = {}
        parts = re.split(r"(\bwhen\b|\band\b|<=|>=|==|!=|<|>|=)", body)
        put = "".join(part if i % 2 else self._substituted(part) for i, part in enumerate(parts))
        if constants := constants_in(put):
            raise InvalidInput(
                "Constants are left open in statements about the parameters of one class only. "
                f"Got {constants[0]!r} in {self.text!r}."
            )
        self.statement = Statement(put, dict.fromkeys(self._asked, _never))
        names = {
            node.id
            for _, made in self._asked.values()
            for node in ast.walk(made)
            if isinstance(node, ast.Name)
        }
        self.pairs = "D" in names
        self.shared = bool(self.pairs and names & SHARED)

    def _substituted(self, formula: str) -> str:
        """A formula in which a new name stands for each quantity of a class that is made."""
        if not re.search(r"\w\s*\(", formula):
            return formula
        try:
            tree = ast.parse(formula.strip(), mode="eval")
        except SyntaxError:
            raise InvalidInput(f"{formula.strip()!r} is no formula in {self.text!r}.") from None
        return f" {ast.unparse(_Substitution(self).visit(tree))} "

    def asked(self, name: str, made: ast.expr) -> str:
        """The name in the formula of a quantity of a class, which is checked."""
        self._require(made)
        new = f"asked_{len(self._asked)}"
        self._asked[new] = name, made
        return new

    def _require(self, made: ast.expr) -> None:
        """Raise `InvalidInput` unless this describes a class."""
        match made:
            case ast.Name(id="C" | "D"):
                return
            case ast.Call(func=ast.Name(id="restrict"), args=[inner, ast.Name(id=x), label]):
                if x != self.point or not self.point:
                    raise InvalidInput(
                        f"A point is named in front, as in 'forall {x}: ...'. Got {self.text!r}."
                    )
                if not (isinstance(label, ast.Constant) and label.value in (0, 1)):
                    raise InvalidInput(
                        f"restrict(C, x, y) takes a label 0 or 1. Got {ast.unparse(label)}."
                    )
                self._require(inner)
            case ast.Call(func=ast.Name(id=name), args=arguments) if name in MADE:
                if len(arguments) != MADE[name][0]:
                    raise InvalidInput(
                        f"{name} takes {MADE[name][0]} class"
                        f"{'es' if MADE[name][0] > 1 else ''}. Got {ast.unparse(made)}."
                    )
                for each in arguments:
                    self._require(each)
            case _:
                text = ast.unparse(made)
                hint = nearest(text.split("(")[0], (*MADE, "restrict"))
                raise InvalidInput(
                    f"A class is C, D, restrict(C, x, 0), or made by {', '.join(MADE)}. "
                    f"Got {text!r}. {hint}".strip()
                )

    def trial(self, C: Table, D: Table | None = None, *, seconds: float = PATIENCE) -> JointTrial:
        """Both sides for non-empty classes.

        Raises
        ------
        InvalidInput
            If a side has no value there.
        TooLarge
            If a search takes longer.
        """
        if not self.quantifier:
            return JointTrial(C, D, None, self._sides(C, D, None, seconds))
        first: JointTrial | None = None
        stops = self.quantifier == "exists"
        for x in range(len(C.points)):
            found = JointTrial(C, D, x, self._sides(C, D, x, seconds))
            if found.sides is not None and found.sides.holds == stops:
                return found
            if first is None or first.sides is None:
                first = found
        assert first is not None
        return first

    def _sides(self, C: Table, D: Table | None, x: int | None, seconds: float) -> Sides | None:
        values = {
            name: _value(self._made(made, C, D, x), asked, seconds)
            for name, (asked, made) in self._asked.items()
        }
        own = {
            name: _value(C, name, seconds) for name in self.statement.names if name not in values
        }
        return self.statement.sides(values | own)

    def _made(self, made: ast.expr, C: Table, D: Table | None, x: int | None) -> Table:
        match made:
            case ast.Name(id="C"):
                return C
            case ast.Name(id="D"):
                assert D is not None
                return D
            case ast.Call(func=ast.Name(id="restrict"), args=[inner, _, ast.Constant(value=y)]):
                whole = self._made(inner, C, D, x)
                assert x is not None
                return whole.restrict(whole.points[x], y)
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return MADE[name][1](*(self._made(each, C, D, x) for each in arguments))
        raise AssertionError(ast.dump(made))

    def __str__(self) -> str:
        return self.text


class _Substitution(ast.NodeTransformer):
    """Names in place of quantities of classes."""

    def __init__(self, joint: Joint) -> None:
        self._joint = joint
        self._known = (*quantity_names(), *PARAMETERS)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        name = self._quantity(node.value)
        if name is None:
            return self.generic_visit(node)
        if not is_sequence(name):
            raise InvalidInput(f"{name} is a number, which has no entries.")
        node.value, node.slice = self._asked(node.value, name), self.visit(node.slice)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = self._quantity(node)
        if name is None:
            return self.generic_visit(node)
        if is_sequence(name):
            raise InvalidInput(f"{name} is a sequence; {ast.unparse(node)}[2] is an entry of it.")
        return self._asked(node, name)

    def _quantity(self, node: ast.expr) -> str | None:
        """The quantity that a call asks of a class."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            return None
        return node.func.id if node.func.id in self._known else None

    def _asked(self, node: ast.expr, name: str) -> ast.Name:
        assert isinstance(node, ast.Call)
        if len(node.args) != 1 or node.keywords:
            raise InvalidInput(f"{name} is asked of one class. Got {ast.unparse(node)!r}.")
        return ast.Name(self._joint.asked(name, node.args[0]), ast.Load())


class _Never:
    """A parameter whose value `Joint` gives."""

    flips_change = True

    def __call__(self, table: Table) -> Quantity:
        raise AssertionError("its value is given")


_never = _Never()


def _value(made: Table, name: str, seconds: float) -> Quantity:
    if made.is_empty:
        if name in OF_EMPTY:
            return OF_EMPTY[name]
        raise InvalidInput(f"The empty class has no {name}.")
    return _searched(made.labels.tobytes(), len(made.points), name, seconds)


@lru_cache(maxsize=KEPT)
def _searched(labels: bytes, points: int, name: str, seconds: float) -> Quantity:
    """The quantity of a class with these labels, whatever its points are called."""
    made = Table(np.frombuffer(labels, dtype=np.uint8).reshape(-1, points))
    return value(made, name, limit=Limit(seconds=seconds))


# ---- the search


@dataclass(frozen=True)
class JointRefutation:
    """The outcome of a search for classes that refute a statement about classes made of classes.

    Attributes
    ----------
    statement : Joint
    counterexample : JointTrial or None
    smallest : bool
        Whether it is one of those that were all tried.
    points : int
        The number of points up to which all classes, or pairs, were tried before the end.
    tried, undecided, others, undecided_others : int
        On how many of all on at most that many points, and of others, both sides were compared, and
        on how many they could not be.
    """

    statement: Joint
    counterexample: JointTrial | None
    smallest: bool
    points: int
    tried: int
    undecided: int
    others: int
    undecided_others: int


def refute_joint(
    statement: Joint,
    *,
    seconds: float = 10,
    seed: int = 0,
    show: Callable[[str], None] = lambda text: None,
) -> JointRefutation:
    """Search for classes C and D that refute a statement about what is made of them.

    Parameters
    ----------
    statement : Joint
    seconds : float
        For the search beyond what is tried exhaustively.
    seed : int
        Of the random tables.
    show : callable
        Told what is being done.

    Examples
    --------
    >>> found = refute_joint(Joint("ldim(union(C, D)) <= ldim(C) + ldim(D)"))
    >>> found.counterexample.C.labels.tolist(), found.counterexample.D.labels.tolist()
    ([[0]], [[1]])
    """
    tried = undecided = 0
    most = PAIR_POINTS if statement.pairs else POINTS[-1]
    for points in range(1, most + 1):
        show(f"all on {points} points ...")
        for C, D in _all(points, pairs=statement.pairs):
            found = _tried(statement, C, D, PATIENCE)
            tried += found is not None
            undecided += found is None
            if found is not None and found.fails:
                return JointRefutation(statement, found, True, points, tried, undecided, 0, 0)
    others = undecided_others = 0
    end = time.monotonic() + seconds
    for C, D in _others(statement, seed):
        if time.monotonic() >= end:
            break
        if not (others + undecided_others) % 64:
            show(f"{others} others ...")
        found = _tried(statement, C, D, min(PATIENCE, max(end - time.monotonic(), 0.01)))
        others += found is not None
        undecided_others += found is None
        if found is not None and found.fails:
            small = _shrunk(statement, found)
            return JointRefutation(
                statement, small, False, most, tried, undecided, others, undecided_others
            )
    return JointRefutation(statement, None, False, most, tried, undecided, others, undecided_others)


def _tried(statement: Joint, C: Table, D: Table | None, seconds: float) -> JointTrial | None:
    """The trial; None if it is undecided."""
    try:
        return statement.trial(C, D, seconds=seconds)
    except (InvalidInput, TooLarge):
        return None


def _all(points: int, *, pairs: bool) -> Iterator[tuple[Table, Table | None]]:
    """All classes up to permutations, or pairs of one of them and any class, fewest concepts first.

    A second class on fewer points is not tried: one with constant points stands for it.
    """
    masks = table(points, flips=False)["mask"].tolist()
    firsts = sorted((class_of_mask(points, mask) for mask in masks), key=len)
    if not pairs:
        yield from ((C, None) for C in firsts)
        return
    every = [class_of_mask(points, mask) for mask in range(1, class_count(points) + 1)]
    by_size: dict[int, list[Table]] = {}
    for D in every:
        by_size.setdefault(len(D), []).append(D)
    for total in range(2, 2 ** (points + 1) + 1):
        for C in firsts:
            for D in by_size.get(total - len(C), ()):
                yield C, D


def _others(statement: Joint, seed: int) -> Iterator[tuple[Table, Table | None]]:
    """Larger classes: of the catalog and what is made of it, then random ones, without end."""
    rng = np.random.default_rng(seed)
    if not statement.pairs:
        yield from ((C, None) for _, C in candidates(flips=False))
    known = (C for _, C in candidates(flips=False) if len(C) <= 16 and len(C.points) <= 6)
    some = list(itertools.islice(known, 60)) if statement.pairs else []
    for C, D in itertools.product(some, repeat=2):
        if not statement.shared or len(C.points) == len(D.points):
            yield C, D
    while True:
        C = random_table(rng)
        if not statement.pairs:
            yield C, None
            continue
        D = random_table(rng)
        points = min(len(C.points), len(D.points))
        if statement.shared:
            C, D = (Table(np.unique(T.labels[:, :points], axis=0)) for T in (C, D))
        yield C, D


def _shrunk(statement: Joint, found: JointTrial) -> JointTrial:
    """Classes without a concept or a point that could be left out."""
    changed = True
    while changed:
        changed = False
        for C, D in _smaller(found.C, found.D, shared=statement.shared):
            smaller = _tried(statement, C, D, PATIENCE)
            if smaller is not None and smaller.fails:
                found, changed = smaller, True
                break
    return found


def _smaller(C: Table, D: Table | None, *, shared: bool) -> Iterator[tuple[Table, Table | None]]:
    for x in range(len(C.points)) if len(C.points) > 1 else ():
        yield _without(C, x, 1), _without(D, x, 1) if D is not None and shared else D
    if D is not None and not shared:
        for x in range(len(D.points)) if len(D.points) > 1 else ():
            yield C, _without(D, x, 1)
    for i in range(len(C)) if len(C) > 1 else ():
        yield _without(C, i, 0), D
    if D is not None:
        for i in range(len(D)) if len(D) > 1 else ():
            yield C, _without(D, i, 0)


def _without(table: Table, index: int, axis: int) -> Table:
    return Table(np.unique(np.delete(table.labels, index, axis=axis), axis=0))
