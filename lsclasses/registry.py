"""Registries: named things, each described where it is written and found by an entry point.

An installed package, this one or a plug-in, lists the names of what it adds in its metadata, in
groups such as ``lsclasses.families``; see ``[project.entry-points]`` in ``pyproject.toml``. A
module is imported when the thing in it is asked for, or all are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from typing import Any, TypeVar

from lsclasses.errors import InvalidInput
from lsclasses.installation import foreign_package
from lsclasses.points import nearest

T = TypeVar("T")


@cache
def installed() -> Callable[..., EntryPoints]:
    """Selects of what installed packages list; all registries share one look, which takes long."""
    return entry_points().select


class Registry(Mapping[str, T]):
    """The entries of one kind by name, imported on demand; names alone import nothing.

    An entry point has the thing's name. It names the thing, or a tuple of things one of which has
    that name.

    Parameters
    ----------
    group : str
        The entry point group that lists them.
    noun : str
        What one of them is, for messages.
    read : callable
        ``read(loaded)`` gives the thing from what an entry point names, or raises `InvalidInput`.
    first : sequence of str
        Names that stand before the others, in this order; the others are in alphabetical order.

    Examples
    --------
    >>> import catalog
    >>> "thresholds" in catalog.FAMILIES.names()
    True
    >>> catalog.FAMILIES["thresholds"].title
    'Thresholds on n points'
    """

    def __init__(
        self, group: str, noun: str, read: Callable[[Any], T], *, first: Sequence[str] = ()
    ) -> None:
        self.group = group
        self.noun = noun
        self._read = read
        self._order = {name: place for place, name in enumerate(first)}
        self._points: dict[str, EntryPoint] = {}
        self._loaded: dict[str, T] = {}

    def names(self) -> tuple[str, ...]:
        """Every name, in the order of listings.

        Raises
        ------
        InvalidInput
            If two packages use one name, or nothing is listed: the package is not installed.
        """
        if not self._points:
            found = installed()(group=self.group)
            for entry in sorted(found, key=self._rank):
                other = self._points.setdefault(entry.name, entry)
                if other.value != entry.value:
                    self._points = {}
                    raise InvalidInput(
                        f"Two installed packages define the {self.noun} {entry.name!r}: "
                        f"{_origin(other)} and {_origin(entry)}. Uninstall one of them."
                    )
        if not self._points:
            raise InvalidInput(
                f"No {self.noun} is known: they are listed in the metadata of installed packages "
                "(entry point group "
                f"{self.group!r}), and lsclasses is not installed. Run 'pip install .' where its "
                "pyproject.toml is."
            )
        return tuple(self._points)

    def _rank(self, entry: EntryPoint) -> tuple[int, str]:
        return self._order.get(entry.name, len(self._order)), entry.name

    def __contains__(self, name: object) -> bool:
        return name in self.names()

    def __getitem__(self, name: str) -> T:
        """The entry of that name; no other is imported.

        Raises
        ------
        InvalidInput
            If there is none, and the message names the nearest; or it cannot be loaded.
        """
        if name not in self._loaded:
            self.require(name)
            self._loaded[name] = self._load(self._points[name])
        return self._loaded[name]

    def require(self, name: str) -> None:
        """Raise `InvalidInput`, with the nearest names, if there is no entry of that name."""
        if name not in self.names():
            raise InvalidInput(f"There is no {self.noun} {name!r}. {self.nearest(name)}")

    def nearest(self, name: str) -> str:
        """A sentence with the names that may have been meant."""
        return nearest(name, self.names())

    def place(self, name: str) -> str:
        """The name of an entry in messages, and where its package defines it."""
        return f"{self.noun} {name!r} ({_origin(self._points[name])})"

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __len__(self) -> int:
        return len(self.names())

    def forget(self) -> None:
        """Look for entry points anew, after a package has been installed."""
        installed.cache_clear()
        self._points, self._loaded = {}, {}

    def _load(self, entry: EntryPoint) -> T:
        try:
            loaded = entry.load()
        except (Exception, SystemExit) as error:
            if problem := foreign_package():
                raise InvalidInput(problem) from error
            raise InvalidInput(
                f"The {self.place(entry.name)} cannot be loaded: {error!r}. "
                "Mend or uninstall the package that provides it."
            ) from error
        if isinstance(loaded, tuple):
            # A module that declares several things lists them in one tuple.
            loaded = next(
                (each for each in loaded if getattr(each, "name", None) == entry.name), loaded
            )
        try:
            found = self._read(loaded)
        except InvalidInput as error:
            raise InvalidInput(
                f"The entry point {entry.name!r} ({_origin(entry)}) names no {self.noun}. {error}"
            ) from None
        name = getattr(found, "name", entry.name)
        if name != entry.name:
            raise InvalidInput(
                f"The entry point {entry.name!r} ({_origin(entry)}) names the {self.noun} "
                f"{name!r}; both names must be the same."
            )
        return found


def instance_of(kind: type[T], sentence: str) -> Callable[[object], T]:
    """A reader of `Registry` for instances of a class; the sentence says how one is made."""

    def read(loaded: object) -> T:
        if not isinstance(loaded, kind):
            raise InvalidInput(f"{sentence} Got {loaded!r:.200}.")
        return loaded

    return read


def _origin(entry: EntryPoint) -> str:
    """The object that an entry point names, and its package."""
    return f"{entry.value} of the package {entry.dist.name!r}" if entry.dist else entry.value
