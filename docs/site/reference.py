"""The reference: a page of the names that most users need, and a page for every module."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import pkgutil
import re
import sys
from textwrap import dedent
from types import ModuleType
from typing import Any

from docs.site.writing import Sources, toctree
from lsclasses.markdown import fill_markdown
from lsclasses.registry import Registry

API = "docs/api.md"
"""The page that lists the names that most users need, each in a line with its import path."""
NAME = re.compile(r"^\* `([\w.]+)`(?:: .*(?:\n  .*)*)?$", re.MULTILINE)
PACKAGES = ("lsclasses", "catalog", "learners")
GUARDED = re.compile(r"^if TYPE_CHECKING:\n((?:(?: {4}.*)?\n)+)", re.MULTILINE)
"""Imports of a module for annotations only."""


def modules() -> list[str]:
    """Return the names of all modules that can be imported without doing anything."""
    found = []
    for package in PACKAGES:
        root = importlib.import_module(package)
        inner = pkgutil.walk_packages(root.__path__, f"{package}.")
        found += [package, *(each.name for each in inner)]
    # The claims and the instances of `evidence` are on the pages about coverage and audits.
    names = [
        name
        for name in found
        if not name.endswith((".__main__", "._kernel")) and "evidence" not in name.split(".")
    ]
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
    """Return the names that a module exports from other modules, each with its home."""
    found = []
    for name in sorted(getattr(module, "__all__", ())):
        offered = getattr(module, name)
        home = getattr(offered, "__module__", module.__name__)
        if home != module.__name__:
            found.append((name, f"{home}.{getattr(offered, '__name__', name)}"))
    return found


def _page(name: str, names: list[str]) -> str:
    """Return the source of a page, with links to names whose home is another module."""
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


def api_names(page: str) -> list[str]:
    r"""Return the import paths that the page lists.

    Examples
    --------
    >>> api_names("## Classes\n\n* `lsclasses.Table`\n* `catalog.build`\n")
    ['lsclasses.Table', 'catalog.build']
    """
    return NAME.findall(page)


def resolve(path: str) -> Any:
    """Return the object at an import path, which may be an attribute of a class.

    Raises
    ------
    LookupError
        If no module or attribute has this path.

    Examples
    --------
    >>> resolve("lsclasses.Table.ldim").__name__
    'ldim'
    """
    parts = path.split(".")
    for split in range(len(parts) - 1, 0, -1):
        with contextlib.suppress(ModuleNotFoundError):
            found: Any = importlib.import_module(".".join(parts[:split]))
            for part in parts[split:]:
                if not hasattr(found, part):
                    raise LookupError(f"The page {API} lists {path!r}, which does not exist.")
                found = getattr(found, part)
            return found
    raise LookupError(f"The page {API} lists {path!r}, whose module does not exist.")


def summary(found: Any) -> str:
    """Return the first line of a docstring, or the contents of a registry."""
    if isinstance(found, Registry):
        return f"Every {found.noun} by its name on the command line, such as `{next(iter(found))}`."
    return (inspect.getdoc(found) or "").partition("\n")[0]


def _home(path: str, found: Any) -> str:
    """Return the path under which the reference documents an object."""
    if hasattr(found, "__qualname__"):
        return f"{found.__module__}.{found.__qualname__}"
    return path.rpartition(".")[0]


def _described(path: str) -> str:
    found = resolve(path)
    first = summary(found).replace("|", r"\|").replace("``", "`")
    return f"| {{py:obj}}`{path} <{_home(path, found)}>` | {first} |"


def api_page(page: str) -> str:
    """Return the page with tables of links and first lines of docstrings instead of bare names."""
    lines: list[str] = []
    for line in NAME.sub(r"* `\1`", page).splitlines():
        name = NAME.match(line)
        if name and not lines[-1].startswith("|"):
            lines += ["| name | description |", "|---|---|"]
        lines.append(_described(name[1]) if name else line)
    return "\n".join([*lines, ""])


def with_summaries(page: str) -> str:
    r"""Return the page with the first line of the docstring behind each name.

    Examples
    --------
    >>> print(with_summaries("* `lsclasses.pages.game_page`"))
    * `lsclasses.pages.game_page`: Return a web page with the game of online learning on a class.
    """
    described = NAME.sub(lambda name: f"* `{name[1]}`: {summary(resolve(name[1]))}", page)
    return fill_markdown(described)


def write(sources: Sources) -> None:
    """Write the sources of the pages into the folder."""
    names = modules()
    _typed(names)
    for name in names:
        sources.put(f"reference/{name}.rst", _page(name, names))
    sources.put(API, api_page(sources.text(API)) + toctree("../reference/index"))
    sources.put(
        "reference/index.md",
        "# All modules\n\nThese pages contain the docstrings of every module. "
        "[The Python API](../docs/api.md) lists the names that most users need. "
        "[Architecture](../docs/architecture.md) describes the packages.\n\n"
        + toctree(*PACKAGES, hidden=False),
    )
