"""Which statements of modules are run: each is preceded by one that marks it.

A tracer is told of every line and every call, which makes long tests several times as long. A mark
is a byte that is set.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterable, Iterator
from importlib.abc import MetaPathFinder
from importlib.machinery import SourceFileLoader
from pathlib import Path

NAME = "__lines__"
"""What the marks are called in a module."""


class Marking(MetaPathFinder):
    """Loads some modules with marks, and leaves the others alone.

    Parameters
    ----------
    root : Path
        Where the packages lie.
    modules : iterable of str
        Paths from there.
    """

    def __init__(self, root: Path, modules: Iterable[str]) -> None:
        self._paths = {m.removesuffix(".py").replace("/", "."): root / m for m in modules}
        self._modules = {str(root / m): m for m in modules}
        self._marks: dict[str, bytearray] = {}

    def pytest_sessionstart(self) -> None:
        """Stand before pytest's own finder, which loads the files that it is told to test."""
        sys.meta_path.remove(self)
        sys.meta_path.insert(0, self)

    def taken(self) -> dict[str, list[int]]:
        """For each module the lines of the statements that were run since this was asked last."""
        found = {}
        for path, marks in self._marks.items():
            found[self._modules[path]] = [line for line, mark in enumerate(marks) if mark]
            marks[:] = bytes(len(marks))
        return found

    def find_spec(self, name, path=None, target=None):  # type: ignore[no-untyped-def]
        if name not in self._paths:
            return None
        marks = self._marks

        class Loader(SourceFileLoader):
            def get_code(self, fullname):  # type: ignore[no-untyped-def]
                tree = marked(Path(self.path).read_text(encoding="utf-8"))
                return compile(tree, self.path, "exec", dont_inherit=True)

            def exec_module(self, module):  # type: ignore[no-untyped-def]
                lines = Path(self.path).read_bytes().count(b"\n") + 2
                setattr(module, NAME, marks.setdefault(self.path, bytearray(lines)))
                super().exec_module(module)

        where = str(self._paths[name])
        return importlib.util.spec_from_file_location(name, where, loader=Loader(name, where))


def marked(text: str) -> ast.Module:
    """Return the tree of a module in which every statement is preceded by its mark."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                setattr(node, field, [new for old in block for new in _with_mark(old)])
    return tree


def _with_mark(statement: ast.stmt) -> Iterator[ast.stmt]:
    shown = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    later = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
    if not shown and not later:
        lines = {statement.lineno}
        # Decorators and exceptions that are caught stand on lines of their own.
        for decorator in getattr(statement, "decorator_list", ()):
            lines |= set(range(decorator.lineno, statement.lineno))
        lines |= {handler.lineno for handler in getattr(statement, "handlers", ())}
        for line in sorted(lines):
            mark = ast.parse(f"{NAME}[{line}] = 1").body[0]
            for part in ast.walk(mark):
                ast.copy_location(part, statement)
            yield mark
    yield statement
