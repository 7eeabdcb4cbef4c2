"""Statements about constructed classes, as in ``ldim(union(C, D)) <= ldim(C) + ldim(D) + 1``.

A statement may name quantities of C, of D, and of classes that are made of them. After ``forall
x:`` or ``exists x:`` it is about the classes ``restrict(C, x, y)`` of the concepts with label y at
x, for every point x or for some point x.

Classes that are made of C and D, such as ``union(C, dual(dual(D)))``, are expressions. Each
expression has a symbolic description of its points. The operations `SHARED` and a point x need
classes on the same points, and `same_points` decides whether two expressions always have the same
points.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from catalog.atlas.private_values import SEQUENCES
from catalog.parameters import PARAMETERS, is_sequence, value
from catalog.refuting.candidates import disjoint_union, doubled, dual, lexicographic_sum, product
from catalog.refuting.hunt import PATIENCE
from catalog.refuting.open_constants import constants_in
from catalog.refuting.statement import COMPARISONS, LISTED, Sides, Statement, split_index
from lsclasses.dimensions.expressions import FUNCTIONS, Quantity
from lsclasses.dimensions.quantities import quantity_names
from lsclasses.errors import InvalidInput, TooLarge, nearest
from lsclasses.limits import Limit
from lsclasses.table import Table

# ---- made classes


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
"""Names of the operations on two classes with the same points."""
RESTRICT = "restrict"
NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
MONOTONE = re.compile(
    r"(.+?) is monotone under sub-?classes( when .+| for every [a-z])?", re.IGNORECASE
)
"""A statement that the values of a formula do not decrease from a class to a larger class."""

Points = tuple[Any, ...]
"""A symbolic description of the points of an expression, nested like the expression."""


@dataclass(frozen=True)
class MadeClass:
    """An expression that constructs a class from classes C and D.

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
        """A symbolic description of the points of the class, for arbitrary C and D."""
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
        """Return the class that the expression constructs from given classes C and D.

        `x` is the position of the point x, if the expression contains it.

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
    """Return when two expressions have the same points.

    The result is False if they always have the same points. It is True if they have the same points
    exactly when C and D have the same points. In all other cases, it is None.

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
    """A parser of the expressions in a statement. It determines whether C and D share points.

    Attributes
    ----------
    point : str
        Name of the point after ``forall`` or ``exists``, or an empty string.
    shared : bool
        Whether C and D must have the same points.
    restricted : list of MadeClass
        Expressions of classes that have x as a point, in the order of the statement. The operands
        of an expression come before the expression.
    """

    point: str
    shared: bool = False
    restricted: list[MadeClass] = field(default_factory=list)

    def read(self, node: ast.expr) -> MadeClass:
        """Return the expression of a class that a syntax tree describes.

        Raises
        ------
        InvalidInput
            If the tree does not describe a class, or combines two classes that must have the same
            points but have different points.
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


# ---- joint


KEPT = 1 << 14
"""Largest number of values of quantities that are stored for reuse."""
PREFIX = "made_class_quantity_"
"""Beginning of the names that replace quantities such as ``ldim(dual(C))`` in formulas."""


def is_joint(text: str) -> bool:
    """Return whether a statement is about constructed classes.

    Such a statement names a class, as in ``ldim(dual(C))``, has a quantifier, or ends with ``is
    monotone under sub-classes``.

    Examples
    --------
    >>> is_joint("ldim(dual(C)) <= 2**(ldim + 1)"), is_joint("max(ldim, 2) <= size")
    (True, False)
    >>> is_joint("V(C)[2] <= V(union(C, D))[2]")
    True
    """
    if "monotone" in text.casefold():
        return True
    names = "|".join(map(re.escape, _known_names()))
    return bool(re.search(rf"\b(?:{names})\s*\(|^\s*(?:forall|exists)\b", text))


def expand_monotone(text: str) -> str:
    """Return the inequality that ``FORMULA is monotone under sub-classes`` stands for.

    A parameter is monotone if its value for a class C is at most its value for every class that
    contains C. Each such class is the union of C and another class D. Other statements are returned
    unchanged.

    Raises
    ------
    InvalidInput
        If the formula already names a constructed class, or has no parameter.

    Examples
    --------
    >>> expand_monotone("V[2] is monotone under sub-classes")
    'V(C)[2] <= V(union(C, D))[2]'
    >>> expand_monotone("ldim - vcdim is monotone under sub-classes when points <= 2")
    'ldim(C) - vcdim(C) <= ldim(union(C, D)) - vcdim(union(C, D)) when points <= 2'
    """
    found = MONOTONE.fullmatch(text)
    if found is None:
        if "monotone" in text.casefold():
            raise InvalidInput(
                "Only a condition ('when ...') or 'for every k' may follow 'is monotone under "
                f"sub-classes', as in 'V[2] is monotone under sub-classes'. Got {text!r}."
            )
        return text
    formula, condition = found[1], found[2] or ""
    _, index = split_index(condition)
    named = [name for name in NAME.findall(formula) if name not in (*FUNCTIONS, index)]
    if not named or is_joint(formula) or any(sign in formula for sign in COMPARISONS):
        raise InvalidInput(
            "'is monotone under sub-classes' follows a formula in parameters of one class, such as "
            f"'V[2] is monotone under sub-classes'. Got {text!r}."
        )
    known = _known_names()
    for name in named:
        if name not in known:
            raise InvalidInput(
                f"There is no parameter {name!r}. {nearest(name, known, otherwise=LISTED)}"
            )

    def of(made: str) -> str:
        return NAME.sub(lambda name: f"{name[0]}({made})" if name[0] in named else name[0], formula)

    return f"{of('C')} <= {of('union(C, D)')}{condition}"


def _known_names() -> tuple[str, ...]:
    """Return the names of all quantities of a class, with the values of private learners."""
    return (*quantity_names(), *PARAMETERS, *SEQUENCES)


@dataclass(frozen=True)
class JointTrial:
    """One or two classes with the values of both sides of a statement about them.

    Attributes
    ----------
    C, D : Table
        `D` is None if the statement is about one class.
    x : int or None
        Position of a point, if the statement has a quantifier. A false ``forall`` is false at x,
        and a true ``exists`` is true at x. Otherwise x is one of the points.
    sides : Sides or None
        Both sides at x, or None if the condition is false.
    """

    C: Table
    D: Table | None
    x: int | None
    sides: Sides | None

    @property
    def fails(self) -> bool:
        """Whether the statement is false for these classes."""
        return self.sides is not None and not self.sides.holds


class Joint:
    """A statement about quantities of classes that are made of C and D.

    Parameters
    ----------
    text : str
        Statement as for `Statement`, which can name quantities such as ``ldim(union(C, D))``. A
        quantity without a class is a quantity of C. ``forall x:`` or ``exists x:`` may precede the
        statement, and the quantifier is about the implication from the condition to the comparison.

    Attributes
    ----------
    quantifier, point : str
        ``forall`` or ``exists``, and the name of the point, or empty strings.
    pairs : bool
        Whether the statement is about two classes.
    shared : bool
        Whether these classes must have the same points.

    Raises
    ------
    InvalidInput
        If the string is not such a statement. The message gives the reason.

    Examples
    --------
    >>> statement = Joint("ldim(union(C, D)) <= ldim(C) + ldim(D)")
    >>> zero, one = Table([[0]]), Table([[1]])
    >>> statement.trial(zero, one).sides
    Sides(left=1, right=0, holds=False, equal=False)
    >>> str(Joint("ldim is monotone under sub-classes"))
    'ldim(C) <= ldim(union(C, D))'
    >>> Joint("forall x: ldim(restrict(C, x, 0)) < ldim").trial(Table([[0, 0], [0, 1]])).x
    0
    """

    def __init__(self, text: str) -> None:
        self.text = expand_monotone(" ".join(text.split()))
        found = re.match(r"(forall|exists)\s+(\w+)\s*:(.*)", self.text)
        self.quantifier, self.point = (found[1], found[2]) if found else ("", "")
        point = self.point
        if point in ("C", "D", *_known_names()):
            raise InvalidInput(
                f"The name of a point must differ from C, D and all parameters. Got {self.text!r}."
            )
        body, index = split_index((found[3] if found else self.text).strip())
        self._reader = Reader(point)
        self._named: dict[str, tuple[str, MadeClass]] = {}
        parts = re.split(r"(\bwhen\b|\band\b|<=|>=|==|!=|<|>|=)", body)
        put = "".join(part if i % 2 else self._substituted(part) for i, part in enumerate(parts))
        put += f" for every {index}" * bool(index)
        if point in (constants := constants_in(put)):
            raise InvalidInput(
                f"{point} is a point, which can only be used in restrict(C, {point}, 0). "
                f"Got {self.text!r}."
            )
        if constants:
            raise InvalidInput(
                "Only statements about parameters of C have open constants. "
                f"Got {constants[0]!r} in {self.text!r}."
            )
        self.statement = Statement(put, dict.fromkeys(self._named, _never))
        made = [made for _, made in self._named.values()]
        self.pairs = any("D" in each.names for each in made)
        self.shared = self.pairs and self._reader.shared

    def _substituted(self, formula: str) -> str:
        """Return a formula with new names for the quantities of made classes."""
        if PREFIX in formula:
            raise InvalidInput(f"{PREFIX!r} is not the start of a parameter. Got {self.text!r}.")
        if not re.search(r"\w\s*\(", formula):
            return formula
        try:
            tree = ast.parse(formula.strip(), mode="eval")
        except SyntaxError:
            raise InvalidInput(f"{formula.strip()!r} is not a formula in {self.text!r}.") from None
        return f" {ast.unparse(_Substitution(self._name).visit(tree))} "

    def _name(self, quantity: str, node: ast.expr) -> str:
        """Return the new name of a quantity of a class."""
        new = f"{PREFIX}{len(self._named)}"
        self._named[new] = quantity, self._reader.read(node)
        return new

    def trial(self, C: Table, D: Table | None = None, *, seconds: float = PATIENCE) -> JointTrial:
        """Return the values of both sides for non-empty classes C and D.

        A ``forall`` is false if it is false at one point, even if a side has no value at another
        point. An ``exists`` is true if it is true at one point.

        Raises
        ------
        InvalidInput
            If a side has no value, and the remaining points do not decide.
        TooLarge
            If a search reaches its limit, and the remaining points do not decide.
        """
        classes = {"C": C} if D is None else {"C": C, "D": D}
        if not self.quantifier:
            return JointTrial(C, D, None, self._sides(classes, None, seconds, {}))
        over = self._reader.restricted[0].table(classes) if self._reader.restricted else C
        kept: dict[MadeClass, Table] = {}
        shown: JointTrial | None = None
        problem: InvalidInput | TooLarge | None = None
        for x in range(len(over.points)):
            try:
                found = JointTrial(C, D, x, self._sides(classes, x, seconds, kept))
            except (InvalidInput, TooLarge) as error:
                problem = problem or error
                continue
            if (self.quantifier == "forall") == found.fails:
                return found
            if shown is None or shown.sides is None:
                shown = found
        if problem is not None:
            raise problem
        assert shown is not None, "a class has at least one point"
        return shown

    def _sides(
        self,
        classes: dict[str, Table],
        x: int | None,
        seconds: float,
        kept: dict[MadeClass, Table],
    ) -> Sides | None:
        values = _Values(self._named, classes, x, seconds, kept)
        last = values.most_points() if self.statement.index else None
        return self.statement.sides(values, last_index=last)

    def __str__(self) -> str:
        return self.text


class _Values(Mapping[str, Quantity]):
    """The quantities of a statement, each computed when a formula reads it.

    So a quantity without a value, such as the diameter of the empty class, matters only where the
    condition is true. Classes that do not depend on x are kept in ``kept`` for all points x.
    """

    def __init__(
        self,
        named: Mapping[str, tuple[str, MadeClass]],
        classes: dict[str, Table],
        x: int | None,
        seconds: float,
        kept: dict[MadeClass, Table],
    ) -> None:
        self._named, self._classes, self._x, self._seconds = named, classes, x, seconds
        self._tables: dict[MadeClass, Table] = {}
        self._kept = kept

    def __getitem__(self, name: str) -> Quantity:
        if name in self._named:
            quantity, made = self._named[name]
            return _value(self._table(made), quantity, self._seconds)
        return _value(self._classes["C"], name, self._seconds)

    def __contains__(self, name: object) -> bool:
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self._named)

    def __len__(self) -> int:
        return len(self._named)

    def most_points(self) -> int:
        """Return the largest number of points of C, D and the made classes that exist."""
        found = [len(each.points) for each in self._classes.values()]
        for _, made in self._named.values():
            try:
                found.append(len(self._table(made).points))
            except InvalidInput:
                continue
        return max(found)

    def _table(self, made: MadeClass) -> Table:
        tables = self._tables if RESTRICT in made.names else self._kept
        if made not in tables:
            tables[made] = made.table(self._classes, self._x)
        return tables[made]


class _Substitution(ast.NodeTransformer):
    """Replaces quantities of classes by names."""

    def __init__(self, name: Callable[[str, ast.expr], str]) -> None:
        self._name = name
        self._known = _known_names()

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        name = self._quantity(node.value)
        if name is None:
            return self.generic_visit(node)
        if not (name in SEQUENCES or is_sequence(name)):
            raise InvalidInput(f"{name} is a number, which has no entries.")
        node.value, node.slice = self._replaced(node.value, name), self.visit(node.slice)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = self._quantity(node)
        if name is None:
            return self.generic_visit(node)
        if name in SEQUENCES or is_sequence(name):
            raise InvalidInput(f"{name} is a sequence. {ast.unparse(node)}[2] is an entry of it.")
        return self._replaced(node, name)

    def _quantity(self, node: ast.expr) -> str | None:
        """Return the name of the quantity of a class that a call stands for."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            return None
        return node.func.id if node.func.id in self._known else None

    def _replaced(self, node: ast.expr, name: str) -> ast.Name:
        assert isinstance(node, ast.Call)
        if len(node.args) != 1 or node.keywords:
            raise InvalidInput(f"{name} takes one class. Got {ast.unparse(node)!r}.")
        return ast.Name(self._name(name, node.args[0]), ast.Load())


class _Never:
    """A parameter whose value `_Values` computes."""

    flips_change = True

    def __call__(self, table: Table) -> Quantity:
        raise AssertionError("its value is given")


_never = _Never()


def _value(made: Table, name: str, seconds: float) -> Quantity:
    return _searched(made.labels.tobytes(), made.labels.shape, name, seconds)


@lru_cache(maxsize=KEPT)
def _searched(labels: bytes, shape: tuple[int, int], name: str, seconds: float) -> Quantity:
    """Return the quantity of a class with these labels, for every choice of names."""
    made = Table(np.array(bytearray(labels), dtype=np.uint8).reshape(shape))
    if name in SEQUENCES:
        return SEQUENCES[name](made)
    return value(made, name, limit=Limit(seconds=seconds))
