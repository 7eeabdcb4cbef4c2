"""``python -m tests.reference FOLDER``: the reference of all modules, from their docstrings.

It is written by pdoc, with a search that works without a server and without the net. Whatever pdoc
warns of is an error: an annotation that does not resolve, a name in ``__all__`` that is not there.
"""

from __future__ import annotations

import importlib
import itertools
import pkgutil
import re
import sys
import typing
import warnings
from pathlib import Path
from types import ModuleType

PACKAGES = ("lsclasses", "catalog", "learners")
NO_PAGE = ("__main__",)


def modules() -> list[ModuleType]:
    """All modules; what they import when asked is there."""
    found = []
    for package in PACKAGES:
        root = importlib.import_module(package)
        names = [each.name for each in pkgutil.walk_packages(root.__path__, f"{package}.")]
        for name in (package, *names):
            if name.rpartition(".")[2] not in NO_PAGE:
                found.append(importlib.import_module(name))
    for module in found:
        for name in getattr(module, "__all__", ()):
            # pdoc reads the dictionary, where names are not that wait to be asked for.
            vars(module).setdefault(name, getattr(module, name))
    _resolve_inherited(found)
    return found


def _resolve_inherited(found: list[ModuleType]) -> None:
    """Give modules the names in annotations of fields that their dataclasses inherit."""
    public = {
        name: thing
        for each in found
        for name, thing in vars(each).items()
        if getattr(thing, "__module__", None) == each.__name__
        or name in getattr(each, "__all__", ())
    }
    for module in found:
        for kind in [each for each in vars(module).values() if isinstance(each, type)]:
            made = (kind.__init__, kind.__new__, kind)
            annotations = [getattr(each, "__annotations__", {}).values() for each in made]
            for annotation in itertools.chain.from_iterable(annotations):
                for name in re.findall(r"\w+", str(annotation)):
                    known = [public, *(vars(sys.modules[base.__module__]) for base in kind.__mro__)]
                    if there := [names[name] for names in known if name in names]:
                        vars(module).setdefault(name, there[0])
            home = sys.modules[kind.__module__]
            if home in found and issubclass(kind, tuple) and hasattr(kind, "_fields"):
                names = {**public, **vars(home)}
                kind.__new__.__annotations__ = typing.get_type_hints(kind, names)


def write(folder: Path) -> None:
    """Write the pages."""
    import pdoc

    pdoc.render.configure(docformat="numpy", math=True, search=True, footer_text="lsclasses")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        modules()
        pdoc.pdoc(*PACKAGES, output_directory=folder)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
