"""The functions of this project behind the two sides of a comparison, read from its source.

A side is followed from ``computed=`` or ``stated=`` (of `bound_outcome`, the runs or the bound)
through local names, and into helpers that compare; below, all functions count that are called by
name, and methods of objects that are made in the same function. What both sides are made from is
the instance, and no side's; nor are `INSTRUMENTS`, and properties, which are data.

Not seen are methods of objects that come from elsewhere, such as what a game calls of a learner;
what one helper returns for both sides; and two sides within one expression, such as a distance.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

INSTRUMENTS = (
    *("learners.balls", "learners.number_arguments", "lsclasses.numbers", "learners.checked"),
    *("learners.coins", "learners.exact"),  # laws, by following all coins
    *(
        "catalog",
        "lsclasses.specifications",
        "lsclasses.options",
        "lsclasses.registry",
    ),  # classes by name
)
ROUNDING = ("_digits", "_rounded")
FILLING = ("append", "add", "update", "extend", "setdefault")
"""The methods that put into a local what it is made from."""

Where = tuple[ast.AST, "Scope"]
"""An expression, and the scope of its names."""


def followed(function: object) -> bool:
    """Whether it is a function of the project, but of no instrument."""
    home = f"{getattr(function, '__module__', '')}."
    return (
        isinstance(function, FunctionType)
        and home.startswith(("catalog.", "learners.", "lsclasses.", "tests."))
        and not home.startswith(tuple(f"{each}." for each in INSTRUMENTS))
        and function.__name__ not in ROUNDING
    )


def assigned(node: ast.AST) -> list[tuple[ast.AST, ast.AST]]:
    """What gets a value at a node of the syntax tree, and what the value is made from."""
    match node:
        case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)) if len(targets) == len(values):
            return list(zip(targets, values, strict=True))
        case ast.Assign([target], made) | ast.NamedExpr(target, made):
            return [(target, made)]
        case ast.AugAssign(target, _, made) | ast.AnnAssign(target, _, ast.expr() as made):
            return [(target, made)]
        case ast.For(target, made) | ast.comprehension(target, made):
            return [(target, made)]
        case ast.Call(ast.Attribute(target, name), values) if name in FILLING:
            return [(target, made) for made in values]
        case ast.FunctionDef(name):
            return [(ast.Name(name), node)]
    return []


class Scope:
    """A function's source, and what its parameters are where it is called as a helper."""

    def __init__(self, function: FunctionType) -> None:
        text = inspect.getsource(function)
        block = ast.parse(f"if True:\n{text}" if text[0].isspace() else text)
        tree = next(node for node in ast.walk(block) if isinstance(node, ast.FunctionDef))
        self.nodes = list(ast.walk(tree))
        self.function = function
        self.given: Mapping[str, Where] = {}
        self.known = vars(sys.modules[function.__module__])
        self.local: dict[str, list[ast.AST]] = {}
        for node in self.nodes:
            for target, made in assigned(node):
                base = target
                while isinstance(base, ast.Subscript | ast.Attribute):
                    base = base.value
                for name in ast.walk(base):
                    if isinstance(name, ast.Name):
                        self.local.setdefault(name.id, []).append(made)
        self.hidden = {*inspect.signature(function).parameters, *self.local}

    def resolve(self, node: ast.AST) -> Any:
        """The function, class or module that an expression names; None if the source hides it."""
        found = None
        if isinstance(node, ast.Name) and node.id not in self.hidden:
            found = self.known.get(node.id)
        elif isinstance(node, ast.Attribute):
            base = self.resolve(node.value) or self._type(getattr(node.value, "id", ""))
            found = getattr(base, node.attr, None) if isinstance(base, ModuleType | type) else None
        found = inspect.unwrap(found) if callable(found) else found
        return getattr(found, "__func__", found)

    def _type(self, local: str) -> Any:
        """The class of a local that is made once, by the class or a method of the class."""
        if local == "self":
            return self.known.get(self.function.__qualname__.split(".")[0])
        match self.local.get(local):
            case [ast.Call(ast.Name(name) | ast.Attribute(ast.Name(name)))]:
                return self.known.get(name)
        return None

    def helper(self, call: ast.AST) -> Scope | None:
        """The scope of a function that is called, with its arguments."""
        if not isinstance(call, ast.Call) or not followed(callee := self.resolve(call.func)):
            return None
        given = dict(zip(inspect.signature(callee).parameters, call.args, strict=False))
        given |= {each.arg: each.value for each in call.keywords if each.arg}
        scope = copy(scope_of(callee))
        scope.given = {name: (value, self) for name, value in given.items()}
        return scope


@cache
def scope_of(work: Callable[..., object]) -> Scope:
    """The scope of a function, without its decorators."""
    return Scope(inspect.unwrap(work))


def calls(scope: Scope, function: object) -> bool:
    """Whether a function calls another one by name."""
    return any(scope.resolve(node) is function for node in scope.nodes)


@cache
def below(function: FunctionType) -> frozenset[FunctionType]:
    """A function of the project and all that it calls by name, however far below."""
    found, waiting = set(), [function]
    while waiting:
        if followed(each := waiting.pop()) and each not in found:
            found.add(each)
            scope = scope_of(each)
            waiting += map(scope.resolve, scope.nodes)
    return frozenset(found)


def side(start: Where, instance: frozenset = frozenset()) -> tuple[set, frozenset]:
    """The functions behind an expression, and the expressions that are followed to find them."""
    functions, seen, waiting = set(), set(), [start]
    while waiting:
        expression, scope = waiting.pop()
        if expression in seen | instance:
            continue
        seen.add(expression)
        for node in ast.walk(expression):
            if followed(found := scope.resolve(node)):
                functions |= below(found)
            if isinstance(node, ast.Name):
                waiting += [scope.given[node.id]] if node.id in scope.given else []
                waiting += [(made, scope) for made in scope.local.get(node.id, ())]
    return functions, frozenset(seen)


def common(computed: Where, stated: Where) -> set[FunctionType]:
    """The functions behind both sides."""
    instance = side(computed)[1] & side(stated)[1]
    return side(computed, instance)[0] & side(stated, instance)[0]


def comparisons(scope: Scope) -> Iterator[tuple[Where, Where]]:
    """The computed and the stated side of what a function, or a helper beside it, compares."""
    for node in scope.nodes:
        called = getattr(scope.resolve(getattr(node, "func", node)), "__qualname__", "")
        given = {each.arg: each.value for each in getattr(node, "keywords", ())}
        if called == "compare" and given.keys() >= {"computed", "stated"}:
            yield (given["computed"], scope), (given["stated"], scope)
        elif called == "bound_outcome" and len(getattr(node, "args", ())) > 3:
            yield (node.args[3], scope), (node.args[2], scope)
        elif (helper := scope.helper(node)) and helper.known is scope.known and not scope.given:
            yield from comparisons(helper)
