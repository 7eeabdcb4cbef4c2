"""Functions of a module that is loaded get the code of a mutant.

Where the compiled module and the compiled mutant differ is known from their code objects, which are
compared in pairs. If they differ in functions only, those functions are looked up among all objects
that live, whatever wraps them, and their code is exchanged. A mutant that differs in what runs at
import (constants, decorators, defaults, bodies of classes) can't be tried in this way.
"""

from __future__ import annotations

import ast
import functools
import gc
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType

from tests.mutants.sampling import compiled

MARK = "__mutant_was_run__"
"""What the changed function calls first, so that it is known to have been run."""
Name = tuple[str, int]
"""The qualified name and the first line of a function: what its code is known by."""


class Live:
    """The functions of a module as they are in this process, and its functions' caches.

    Parameters
    ----------
    path : Path
        The file of the module.
    ours : sequence of str
        Names of the packages whose caches are emptied by `forget`.
    """

    def __init__(self, path: Path, ours: tuple[str, ...]) -> None:
        self._functions: dict[Name, list[FunctionType]] = defaultdict(list)
        self._caches = []
        # What tests/conftest.py has frozen is not among the objects otherwise.
        gc.unfreeze()
        gc.collect()
        for each in gc.get_objects():
            if type(each) is FunctionType:
                if each.__code__.co_filename == str(path):
                    self._functions[_name(each.__code__)].append(each)
            elif type(each) is functools._lru_cache_wrapper and (
                str(getattr(each, "__module__", "")).split(".")[0] in ours
            ):
                self._caches.append(each)
        # Collecting garbage in a fork would copy every page.
        gc.freeze()

    def takes(self, change: Change) -> bool:
        """Whether the change can be made here: each function is there and closes over the same."""
        if any(self._functions.get(name) for name in change.alike):
            return False
        return change.first in self._functions and all(
            function.__code__.co_freevars == code.co_freevars
            for name, code in change.codes.items()
            for function in self._functions.get(name, ())
        )

    def forget(self) -> None:
        """Empty the caches: what they hold was computed without the mutant."""
        for each in self._caches:
            each.cache_clear()

    def make(self, change: Change, mark: Callable[[], None]) -> None:
        """Exchange the code, and have the changed function call the mark."""
        for name, code in change.codes.items():
            for function in self._functions.get(name, ()):
                function.__code__ = code
                function.__globals__[MARK] = mark
        assert all(f.__code__ is change.codes[change.first] for f in self._functions[change.first])


@dataclass(frozen=True)
class Change:
    """What a mutant does to the functions of a module.

    Attributes
    ----------
    first : (qualified name, line)
        The outermost function that changes.
    codes : dict
        The new code of this function and of all within it.
    alike : set
        Names that more than one of them have: lambdas on a line.
    """

    first: Name
    codes: dict[Name, CodeType]
    alike: set[Name]


def change(text: str, mutated: str, path: Path) -> Change | None:
    """The change of functions that makes one module of another; None if there is more to it."""
    old, new = (compiled(each, str(path)) for each in (text, mutated))
    chains = list(_differences(old, new, ()))
    if len(chains) != 1:
        return None
    functions = [code for code in chains[0] if code.co_flags & _OPTIMIZED]
    # Lambdas and comprehensions can't be marked; the function around them is.
    named = [code for code in functions if not code.co_name.startswith("<")]
    if not named or chains[0][-1] is not functions[-1] or functions[0] is not named[0]:
        return None
    tree = ast.parse(mutated)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and _name_of(node) == (
            named[-1].co_name,
            named[-1].co_firstlineno,
        ):
            shown = ast.get_docstring(node, clean=False) is not None
            mark = ast.parse(f"{MARK}()").body[0]
            for part in ast.walk(mark):
                ast.copy_location(part, node.body[0])
            node.body.insert(int(shown), mark)
    marked = compiled(tree, str(path))
    outermost = next(c for c in _codes(marked) if _name(c) == _name(named[0]))
    inside = [outermost, *_codes(outermost)]
    if not any(MARK in code.co_names for code in inside):
        return None
    counts = Counter(map(_name, inside))
    alike = {name for name, count in counts.items() if count > 1}
    return Change(_name(outermost), {_name(code): code for code in inside}, alike)


_OPTIMIZED = 0x1
"""The flag of the code of functions, which classes and modules don't have."""


def _name(code: CodeType) -> Name:
    return code.co_qualname, code.co_firstlineno


def _name_of(node: ast.FunctionDef) -> Name:
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    return node.name, first


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield all code within some code, at any depth."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _codes(each)


def _differences(
    old: CodeType, new: CodeType, around: tuple[CodeType, ...]
) -> Iterator[tuple[CodeType, ...]]:
    """Yield the code that differs, itself and not only by what is in it; after that around it."""
    chain = (*around, new)
    inside = [[c for c in each.co_consts if isinstance(c, CodeType)] for each in (old, new)]
    if _own(old) != _own(new) or len(inside[0]) != len(inside[1]):
        yield chain
        return
    for pair in zip(*inside, strict=True):
        yield from _differences(*pair, chain)


def _own(code: CodeType) -> object:
    constants = [
        None if isinstance(each, CodeType) else (type(each), repr(each)) for each in code.co_consts
    ]
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    # A table of exceptions is part of what runs; the table of lines is not.
    return code.co_code, constants, names, code.co_flags, _name(code), code.co_exceptiontable
