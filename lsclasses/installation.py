"""Whether the packages `catalog` and `learners` that Python finds are those of this distribution.

They have names that others may use, too: there is a distribution on PyPI whose package is called
``learners``. Installed afterwards, it overwrites ``learners/__init__.py``; elsewhere on Python's
path, it hides the whole package. Either way something fails that has nothing to do with it.
"""

from __future__ import annotations

from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path

COMPANIONS = ("catalog", "learners")
"""The packages that are installed beside `lsclasses`."""

MARK = "A package of the distribution lsclasses."
"""Stands in the docstring of each of them."""

HOME = Path(__file__).resolve().parents[1]


def foreign_package() -> str:
    """What is wrong with a package of the same name, and the remedy; empty if nothing.

    No package is imported.

    Examples
    --------
    >>> foreign_package()
    ''
    """
    return next(filter(None, map(_problem, COMPANIONS)), "")


def _problem(name: str) -> str:
    own = HOME / name / "__init__.py"
    try:
        found = _origin(find_spec(name))
    except (ImportError, ValueError):
        found = None
    if found is None:
        return (
            f"The package {name!r} that belongs to lsclasses is not in {str(HOME)!r}, or lacks its "
            f"__init__.py: {_again()}."
        )
    if found != own:
        return (
            f"Python takes the package {name!r} from {str(found)!r}, and lsclasses comes with its "
            f"own one, in {str(own.parent)!r}: another package of this name stands before it on "
            "Python's path, so rename that one, uninstall it, or keep lsclasses in an environment "
            "of its own."
        )
    try:
        overwritten = MARK not in own.read_text(encoding="utf-8", errors="replace")
    except OSError:
        overwritten = False  # such as in a ZIP archive, where Python finds the file and we do not
    if overwritten:
        return (
            f"The file {str(own)!r} of lsclasses was overwritten by {_owner(name)}: uninstall "
            f"that, and {_again()}; the two cannot be in one environment."
        )
    return ""


def _origin(spec: ModuleSpec | None) -> Path | None:
    """The file of a package; None if there is none, or it is a folder without one."""
    return None if spec is None or spec.origin is None else Path(spec.origin).resolve()


def _again() -> str:
    return (
        "install lsclasses anew ('pip install --force-reinstall --no-deps .' where its "
        "pyproject.toml is)"
    )


def _owner(name: str) -> str:
    """The other distributions that have a package of this name."""
    from importlib.metadata import packages_distributions

    others = sorted({*packages_distributions().get(name, ())} - {"lsclasses"})
    if not others:
        return f"another distribution that has a package {name!r}"
    return f"the distribution {' or '.join(map(repr, others))}"
