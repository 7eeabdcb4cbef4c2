"""The installed packages: their distribution, and digests of their sources.

Other distributions may use the names of the packages `catalog` and `learners`. For example, a
distribution on PyPI has a package ``learners``. If it is installed later, it overwrites
``learners/__init__.py``. If it is elsewhere on Python's path, it hides the whole package. In both
cases, unrelated code fails.
"""

from __future__ import annotations

import hashlib
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path

COMPANIONS = ("catalog", "learners")
"""The packages that are installed with `lsclasses`."""

MARK = "A package of the distribution lsclasses."
"""Sentence in the docstring of each package of `COMPANIONS`, by which it is recognized."""

SOURCES = (".py", ".csv", ".json", ".toml")
"""Suffixes of the files of a package on which results may depend."""

HOME = Path(__file__).resolve().parents[1]


def foreign_package() -> str:
    """Return an error text if a package of another project hides a package of this library.

    The text is empty if all packages belong to this distribution.

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
            f"The package {name!r} of lsclasses is not in {str(HOME)!r}, or has no __init__.py. "
            f"Please {_again()}."
        )
    if found != own:
        return (
            f"Python imports the package {name!r} from {str(found)!r}, but lsclasses has a "
            f"package of this name in {str(own.parent)!r}. The other package comes first on "
            "Python's path. Rename it, uninstall it, or install lsclasses in a separate "
            "environment."
        )
    try:
        overwritten = MARK not in own.read_text(encoding="utf-8", errors="replace")
    except OSError:
        overwritten = False  # such as in a ZIP archive, where Python finds the file and we do not
    if overwritten:
        return (
            f"The file {str(own)!r} of lsclasses was overwritten by {_owner(name)}. Uninstall this "
            f"distribution, and {_again()}. The two distributions cannot be in one environment."
        )
    return ""


def _origin(spec: ModuleSpec | None) -> Path | None:
    """Return the file of a package, or None if the package or its file does not exist."""
    return None if spec is None or spec.origin is None else Path(spec.origin).resolve()


def _again() -> str:
    return (
        "reinstall lsclasses ('pip install --force-reinstall --no-deps .' in the folder of its "
        "pyproject.toml)"
    )


def _owner(name: str) -> str:
    """Return the other distributions that have a package of this name."""
    from importlib.metadata import packages_distributions

    others = sorted({*packages_distributions().get(name, ())} - {"lsclasses"})
    if not others:
        return f"another distribution that has a package {name!r}"
    return f"the distribution {' or '.join(map(repr, others))}"


def digests(*packages: str) -> dict[str, str]:
    """Return digests of the source files of each package, and of the plug-ins that extend it.

    The function does not import a package.

    Parameters
    ----------
    packages : str
        Names of top-level packages.

    Examples
    --------
    >>> [len(digest) for digest in digests("catalog", "lsclasses").values()][:2]
    [64, 64]
    """
    found = {}
    for root in sorted({*packages, *_plugged_in()}):
        digest = hashlib.sha256()
        for file in _sources(root):
            digest.update(f"{root}/{file.name}\n".encode() + file.read_bytes() + b"\n")
        found[root] = digest.hexdigest()
    return found


def sources_digest(*packages: str) -> str:
    """Return one digest of all digests that `digests` returns for some packages."""
    told = "".join(f"{root} {digest}\n" for root, digest in digests(*packages).items())
    return hashlib.sha256(told.encode()).hexdigest()


def _plugged_in() -> set[str]:
    """Return the top-level modules of the plug-ins, which add names by entry points."""
    from importlib.metadata import distributions

    found: set[str] = set()
    for distribution in distributions():
        if distribution.name == "lsclasses":
            continue  # Its packages are named by the caller.
        points = [e for e in distribution.entry_points if e.group.startswith("lsclasses.")]
        if points:
            found.update(e.value.partition(":")[0].partition(".")[0].strip() for e in points)
            found.update(
                (distribution.read_text("top_level.txt") or "").split()
                or (Path(f.parts[0]).stem for f in distribution.files or () if f.suffix == ".py")
            )
    # Scripts are listed by a way out of the folder, which names no module.
    return {each for each in found if each.isidentifier()}


def _sources(root: str) -> list[Path]:
    spec = find_spec(root)
    if spec is None:
        return []
    if spec.submodule_search_locations is None:
        return [Path(spec.origin)] if spec.has_location and spec.origin else []
    return sorted(
        file
        for folder in spec.submodule_search_locations
        for file in Path(folder).rglob("*")
        if file.suffix in SOURCES
    )
