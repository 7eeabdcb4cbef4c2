"""Classes that are made of C and D, such as ``union(C, dual(dual(D)))``, as expressions.

An expression knows its points symbolically. The operations `SHARED` and a point x need classes on
the same points, and `same_points` decides whether two expressions always have the same points.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from catalog.refuting.candidates import disjoint_union, doubled, dual, lexicographic_sum, product
from lsclasses.errors import InvalidInput, nearest
from lsclasses.table import Table

OPERATIONS: dict[str, tuple[int, Callable[..., Table]]] = {
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
"""Operations by name, each with its number of classes and its function."""
SHARED = frozenset({"union", "intersection", "symmetric_difference"})
"""Operations on two classes with the same points."""
RESTRICT = "restrict"

Points = tuple[Any, ...]
"""A description of the points of an expression, with the points of its parts."""


@dataclass(frozen=True)
class MadeClass:
    """A class as an expression in C and D.

    Attributes
    ----------
    operation : str
        ``C``, ``D``, ``restrict``, or one of `OPERATIONS`.
    parts : tuple of MadeClass
        Operands.
    label : int
        Label y of ``restrict(part, x, y)``.

    Examples
    --------
    >>> made = MadeClass("restrict", (MadeClass("doubled", (MadeClass("C"),)),), 1)
    >>> str(made), made.points
    ('restrict(doubled(C), x, 1)', ('sum', ('C',), ('C',)))
    >>> made.table({"C": Table([[0, 1], [1, 1]])}, 2).labels.tolist()
    [[1, 1, 1, 1]]
    """

    operation: str
    parts: tuple[MadeClass, ...] = ()
    label: int = 0

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all operations in the expression, with C and D."""
        return frozenset({self.operation}).union(*(part.names for part in self.parts))

    @property
    def points(self) -> Points:
        """The points, as far as they are known without C and D."""
        match self.operation:
            case "C" | "D":
                return (self.operation,)
            case "dual":
                return ("concepts", str(self.parts[0]))
            case "doubled":
                return ("sum", self.parts[0].points, self.parts[0].points)
            case "product" | "disjoint_union":
                return ("sum", *(part.points for part in self.parts))
            case "lexicographic_sum":
                return ("copies", str(self.parts[0]), *(part.points for part in self.parts))
        return self.parts[0].points

    def table(self, classes: dict[str, Table], x: int | None = None) -> Table:
        """Return the class for given classes C and D, and a position x of a point.

        Raises
        ------
        InvalidInput
            If the class does not exist: the empty class has no dual class.
        """
        if self.operation in classes:
            return classes[self.operation]
        made = [part.table(classes, x) for part in self.parts]
        if self.operation == RESTRICT:
            assert x is not None
            return made[0].restrict(made[0].points[x], self.label)
        return OPERATIONS[self.operation][1](*made)

    def __str__(self) -> str:
        if not self.parts:
            return self.operation
        parts = [str(part) for part in self.parts]
        if self.operation == RESTRICT:
            parts += ["x", str(self.label)]
        return f"{self.operation}({', '.join(parts)})"


def same_points(one: Points, other: Points) -> bool | None:
    """Return whether two expressions have the same points only if C and D have the same points.

    The result is None if the points are different, or are the same only for some classes.

    Examples
    --------
    >>> same_points(("C",), ("C",)), same_points(("C",), ("D",))
    (False, True)
    >>> same_points(("C",), ("concepts", "C")) is None
    True
    """
    if one == other:
        return False
    if {one, other} == {("C",), ("D",)}:
        return True
    if one[0] != other[0] or one[0] not in ("sum", "copies"):
        return None
    start = 1 if one[0] == "sum" else 2
    if one[:start] != other[:start]:
        return None
    pairs = zip(one[start:], other[start:], strict=True)
    found = [same_points(*pair) for pair in pairs]
    return None if None in found else any(found)


@dataclass
class Reader:
    """Reader of the expressions of one statement, which decides whether C and D share points.

    Attributes
    ----------
    point : str
        Name of the point after ``forall`` or ``exists``, or an empty string.
    shared : bool
        Whether C and D must have the same points.
    restricted : list of MadeClass
        Classes of which x is a point, in the order of the statement, the inner ones first.
    """

    point: str
    shared: bool = False
    restricted: list[MadeClass] = field(default_factory=list)

    def read(self, node: ast.expr) -> MadeClass:
        """Return the class that a syntax tree describes.

        Raises
        ------
        InvalidInput
            If it does not describe a class, or needs two classes on different points to have the
            same points.
        """
        match node:
            case ast.Name(id="C" | "D" as name):
                return MadeClass(name)
            case ast.Call(func=ast.Name(id="restrict"), args=[inner, ast.Name(id=x), label]):
                return self._restricted(node, self.read(inner), x, label)
            case ast.Call(func=ast.Name(id=name), args=arguments) if name in OPERATIONS:
                return self._made(node, name, arguments)
        text = ast.unparse(node)
        hint = nearest(text.split("(")[0], (*OPERATIONS, RESTRICT))
        raise InvalidInput(
            f"A class is C, D, restrict(C, x, 0), or made by {', '.join(OPERATIONS)}. "
            f"Got {text!r}. {hint}".strip()
        )

    def _made(self, node: ast.expr, name: str, arguments: list[ast.expr]) -> MadeClass:
        expected = OPERATIONS[name][0]
        if len(arguments) != expected:
            raise InvalidInput(
                f"{name} takes {expected} class{'es' if expected > 1 else ''}. "
                f"Got {ast.unparse(node)}."
            )
        parts = tuple(map(self.read, arguments))
        if name in SHARED:
            self._require_same(parts[0], parts[1], f"{name} takes two classes on the same points.")
        return MadeClass(name, parts)

    def _restricted(self, node: ast.expr, inner: MadeClass, x: str, label: ast.expr) -> MadeClass:
        if x != self.point:
            raise InvalidInput(
                f"A point is named in front, as in 'forall {x}: ...'. Got {ast.unparse(node)!r}."
            )
        if ast.unparse(label) not in ("0", "1"):
            raise InvalidInput(f"restrict(C, x, y) takes a label 0 or 1. Got {ast.unparse(label)}.")
        if self.restricted:
            self._require_same(
                self.restricted[0], inner, f"{x} is a point of all classes that it restricts."
            )
        self.restricted.append(inner)
        return MadeClass(RESTRICT, (inner,), int(ast.unparse(label)))

    def _require_same(self, one: MadeClass, other: MadeClass, rule: str) -> None:
        found = same_points(one.points, other.points)
        if found is None:
            raise InvalidInput(f"{rule} Got {one} and {other}, which have different points.")
        self.shared |= found
