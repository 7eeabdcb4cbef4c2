"""The reference: a page for every module, from its docstrings."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import pkgutil
import re
import sys
from textwrap import dedent
from types import ModuleType

from docs.site.writing import Sources

PACKAGES = ("lsclasses", "catalog", "learners")
GUARDED = re.compile(r"^if TYPE_CHECKING:\n((?:(?: {4}.*)?\n)+)", re.MULTILINE)
"""What a module imports for annotations only."""


def modules() -> list[str]:
    """The names of all modules that can be imported without doing anything."""
    found = []
    for package in PACKAGES:
        root = importlib.import_module(package)
        inner = pkgutil.walk_packages(root.__path__, f"{package}.")
        found += [package, *(each.name for each in inner)]
    names = [name for name in found if not name.endswith((".__main__", "._kernel"))]
    for name in names:
        importlib.import_module(name)
    return names


def _typed(names: list[str]) -> None:
    """Give modules the names that they import for annotations only."""
    for name in names:
        module = sys.modules[name]
        for block in GUARDED.findall(inspect.getsource(module)):
            with contextlib.suppress(ImportError):
                exec(dedent(block), vars(module))


def _foreign(module: ModuleType) -> list[tuple[str, str]]:
    """The names that a module has from others and offers as its own, each with its home."""
    found = []
    for name in sorted(getattr(module, "__all__", ())):
        offered = getattr(module, name)
        home = getattr(offered, "__module__", module.__name__)
        if home != module.__name__:
            found.append((name, f"{home}.{getattr(offered, '__name__', name)}"))
    return found


def _page(name: str, names: list[str]) -> str:
    """The source of a page; what has its home in another module is linked to."""
    module = sys.modules[name]
    title = name.replace("_", r"\_")
    lines = [title, "=" * len(title), "", f".. automodule:: {name}", "   :members:"]
    lines.append("   :show-inheritance:")
    foreign = _foreign(module)
    # A function that is called like a module of its package is not indexed: the module is.
    hidden = [each for each in vars(module) if f"{name}.{each}" in names]
    lines.append(f"   :exclude-members: {', '.join([*hidden, *(each for each, _ in foreign)])}")
    for each in hidden:
        if inspect.isfunction(getattr(module, each)):
            lines += ["", f".. autofunction:: {name}.{each}", "   :no-index:"]
    if foreign:
        lines += ["", "**Names**", "", *(f"* `{each} <{home}>`" for each, home in foreign)]
    below = [each for each in names if each.rpartition(".")[0] == name]
    if below:
        lines += ["", ".. toctree::", "   :maxdepth: 1", "   :caption: Modules", ""]
        lines += [f"   {each}" for each in below]
    return "\n".join([*lines, ""])


def write(sources: Sources) -> None:
    """Put the sources of the pages there."""
    names = modules()
    _typed(names)
    for name in names:
        sources.put(f"reference/{name}.rst", _page(name, names))
    tops = "\n".join(PACKAGES)
    sources.put(
        "reference/index.md",
        "# Reference\n\nEvery module, from its docstrings. [Architecture](../docs/architecture.md) "
        "says what lives where.\n\n```{toctree}\n:maxdepth: 2\n\n" + tops + "\n```\n",
    )
