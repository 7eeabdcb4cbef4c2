"""Statements about classes made of classes: ``ldim(union(C, D)) <= ldim(C) + ldim(D) + 1``.

A statement may name quantities of C, of D, and of classes that are made of them
(`catalog.refuting.made_classes`). After ``forall x:`` or ``exists x:`` it is about the classes
``restrict(C, x, y)`` of the concepts with label y at x, for every point x or for some point x.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from catalog.parameters import PARAMETERS, value
from catalog.refuting.constants import constants_in
from catalog.refuting.hunt import PATIENCE
from catalog.refuting.made_classes import RESTRICT, MadeClass, Reader
from catalog.refuting.statement import Sides, Statement, split_index
from lsclasses.dimensions.expressions import Quantity
from lsclasses.dimensions.quantities import is_sequence, quantity_names
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.limits import Limit
from lsclasses.table import Table

KEPT = 1 << 14
"""Number of values of quantities that are kept."""
PREFIX = "made_class_quantity_"
"""Start of the names that replace quantities of made classes in formulas."""


def is_joint(text: str) -> bool:
    """Return whether a statement names a class, as in ``ldim(dual(C))``, or has a quantifier.

    Examples
    --------
    >>> is_joint("ldim(dual(C)) <= 2**(ldim + 1)"), is_joint("max(ldim, 2) <= size")
    (True, False)
    """
    names = "|".join(map(re.escape, (*quantity_names(), *PARAMETERS)))
    return bool(re.search(rf"\b(?:{names})\s*\(|^\s*(?:forall|exists)\b", text))


@dataclass(frozen=True)
class JointTrial:
    """One or two classes with both sides of a statement about them.

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
        If the text is not such a statement. The message gives the reason.

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
        point = self.point
        if point in ("C", "D", *quantity_names(), *PARAMETERS):
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
            raise InvalidInput(f"{formula.strip()!r} is no formula in {self.text!r}.") from None
        return f" {ast.unparse(_Substitution(self._name).visit(tree))} "

    def _name(self, quantity: str, node: ast.expr) -> str:
        """Return the new name of a quantity of a class."""
        new = f"{PREFIX}{len(self._named)}"
        self._named[new] = quantity, self._reader.read(node)
        return new

    def trial(self, C: Table, D: Table | None = None, *, seconds: float = PATIENCE) -> JointTrial:
        """Return both sides for non-empty classes.

        A ``forall`` is false if it is false at one point, even if a side has no value at another
        point. An ``exists`` is true if it is true at one point.

        Raises
        ------
        InvalidInput
            If a side has no value, and the remaining points do not decide.
        TooLarge
            If a search takes longer, and the remaining points do not decide.
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
        self._known = (*quantity_names(), *PARAMETERS)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        name = self._quantity(node.value)
        if name is None:
            return self.generic_visit(node)
        if not is_sequence(name):
            raise InvalidInput(f"{name} is a number, which has no entries.")
        node.value, node.slice = self._replaced(node.value, name), self.visit(node.slice)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = self._quantity(node)
        if name is None:
            return self.generic_visit(node)
        if is_sequence(name):
            raise InvalidInput(f"{name} is a sequence; {ast.unparse(node)}[2] is an entry of it.")
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
    return value(made, name, limit=Limit(seconds=seconds))
