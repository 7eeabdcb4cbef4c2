"""Registries: named objects, each listed next to its code and imported on demand.

A folder of this project lists its names in a file ``names.toml``. The file has a table for each
group, and each line has a name and the place of its object::

    [learners]
    pop = "learners.pop.algorithm:LEARNERS"

`own_names` finds these files in the folders of the three packages, so a new line needs no
installation. A plug-in lists its names as entry points of the groups ``lsclasses.learners``,
``lsclasses.families`` and so on. Names of this project take precedence, so a query for such a name
never reads the metadata of other packages.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lsclasses.errors import MEANT, InvalidInput, nearest
from lsclasses.installation import COMPANIONS, HOME, foreign_package

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

T = TypeVar("T")

LISTING = "names.toml"
"""Name of the file that lists the named objects of a folder."""

PREFIX = "lsclasses."
"""Prefix of the names of the entry point groups of plug-ins."""

DISTRIBUTION = "lsclasses"
"""The distribution of this project. Its folders list its names, so it has no entry points."""


FEW = 5
"""Number of known names in the error message for an unknown name of a registry with aliases."""


@dataclass(frozen=True)
class Place:
    """The module and the name of an object that a registry imports on demand.

    Parameters
    ----------
    name : str
        Name of the object in its registry.
    value : str
        The module, or ``module:attribute``. The attribute may have dots.
    package : str
        Distribution that lists the name, empty if it is unknown.
    """

    name: str
    value: str
    package: str = ""

    def __str__(self) -> str:
        return f"{self.value} of the package {self.package!r}" if self.package else self.value

    def load(self) -> Any:
        """Return the object, after an import of its module."""
        module, _, attribute = self.value.partition(":")
        found = import_module(module.strip())
        for part in filter(None, attribute.strip().split(".")):
            found = getattr(found, part)
        return found


@cache
def own_names() -> Mapping[str, Mapping[str, Place]]:
    """Return the names that the folders of this project list, by group.

    Raises
    ------
    InvalidInput
        If two folders list one name.

    Examples
    --------
    >>> own_names()["families"]["points"].value
    'catalog.points:Points'
    """
    found: dict[str, dict[str, Place]] = {}
    for package in (DISTRIBUTION, *COMPANIONS):
        for folder, inner, files in os.walk(HOME / package):
            inner[:] = [each for each in inner if not each.startswith(("_", "."))]
            if LISTING in files:
                listed = tomllib.loads(Path(folder, LISTING).read_text(encoding="utf-8"))
                for group, names in listed.items():
                    for name, value in names.items():
                        place = Place(name, value, DISTRIBUTION)
                        other = found.setdefault(group, {}).setdefault(name, place)
                        if other is not place:
                            raise InvalidInput(
                                f"Two folders list {name!r} under [{group}] in {LISTING}: "
                                f"{other.value} and {value}. Remove one of the two lines."
                            )
    return found


@cache
def entry_points_of_plugins() -> Callable[..., EntryPoints]:
    """Return all entry points of installed packages.

    All registries share the result, because reading the entry points is slow.
    """
    from importlib.metadata import entry_points

    return entry_points().select


def spelling(word: str) -> str:
    """Return a word in lower case, with underscores instead of spaces, hyphens and dashes.

    Examples
    --------
    >>> spelling("Sauer-Shelah  lemma")
    'sauer_shelah_lemma'
    """
    return "_".join(re.split(r"[\s_\u2010-\u2013-]+", word.casefold().strip()))


class Registry(Mapping[str, T]):
    """The entries of one group by name. A module is imported when its entry is used.

    The place of a name contains an object with the name, or a tuple of objects of which one has the
    name.

    Parameters
    ----------
    group : str
        Group of the names, such as ``families``. Plug-ins use the entry point group
        ``lsclasses.families``.
    noun : str
        Noun for an entry, used in messages.
    read : callable
        ``read(loaded)`` returns the entry of a loaded object, or raises `InvalidInput`.
    first : sequence of str
        Names that come first in listings, in this order. The other names follow in alphabetical
        order.
    aliases : callable, optional
        ``aliases()`` returns other names of entries, in lower case and with underscores. A query
        accepts them in every spelling, for example "VC dimension". Listings omit them.
    answers : callable, optional
        ``answers()`` returns sentences about words that are not entries, by their `spelling`. The
        error message for such a word contains its sentence instead of the nearest names.

    Examples
    --------
    >>> import catalog
    >>> "thresholds" in catalog.FAMILIES.names()
    True
    >>> catalog.FAMILIES["thresholds"].title
    'Thresholds on n points'
    """

    def __init__(
        self,
        group: str,
        noun: str,
        read: Callable[[Any], T],
        *,
        first: Sequence[str] = (),
        aliases: Callable[[], Mapping[str, str]] | None = None,
        answers: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        self.group = PREFIX + group
        self.noun = noun
        self._read = read
        self._own = group
        self._order = {name: place for place, name in enumerate(first)}
        self._aliases = aliases
        self._answers = answers
        self._places: dict[str, Place] = {}
        self._loaded: dict[str, T] = {}

    def names(self) -> tuple[str, ...]:
        """Return the names of all entries, in the order of listings.

        Raises
        ------
        InvalidInput
            If two packages use one name, or if no package lists a name. A query for one name of
            this project succeeds even then.
        """
        if not self._places:
            places = dict(own_names().get(self._own, {}))
            for place in self._plugged_in():
                other = places.setdefault(place.name, place)
                if other.value != place.value:
                    raise InvalidInput(
                        f"Two installed packages define the {self.noun} {place.name!r}: "
                        f"{other} and {place}. Uninstall one of them."
                    )
            self._places = {each.name: each for each in sorted(places.values(), key=self._rank)}
        if not self._places:
            raise InvalidInput(
                f"No {self.noun} is known. No folder of lsclasses has the group [{self._own}] in "
                f"its {LISTING}, so the installation is damaged, or is a ZIP archive. "
                + (foreign_package() or "Install lsclasses again.")
            )
        return tuple(self._places)

    def _plugged_in(self) -> Iterator[Place]:
        """Yield the places that other distributions list as entry points."""
        for entry in entry_points_of_plugins()(group=self.group):
            package = entry.dist.name if entry.dist else ""
            if package != DISTRIBUTION:
                yield Place(entry.name, entry.value, package)

    def _rank(self, place: Place) -> tuple[int, str]:
        return self._order.get(place.name, len(self._order)), place.name

    def _find(self, name: object) -> Place | None:
        """Return the place of a name. Only other packages' names need metadata of plug-ins."""
        own = own_names().get(self._own, {})
        if isinstance(name, str) and name in own:
            return own[name]
        return self._places.get(str(name)) if name in self.names() else None

    def __contains__(self, name: object) -> bool:
        return (isinstance(name, str) and name in self._loaded) or self._find(name) is not None

    def get(self, name: str, default: Any = None) -> Any:
        """Return the entry with a given name, or the default if no entry has the name.

        Examples
        --------
        >>> import catalog
        >>> catalog.FAMILIES.get("nosuch") is None
        True
        """
        if name in self._loaded:
            return self._loaded[name]
        if name in self:
            return self[name]
        return default

    def __getitem__(self, name: str) -> T:
        """Return the entry of that name. No other entry is imported.

        Raises
        ------
        InvalidInput
            If no entry has the name, with the nearest names in the message. If the entry cannot
            be loaded.
        """
        if name in self._loaded:
            return self._loaded[name]
        place = self._require(name)
        if place.name not in self._loaded:
            self._loaded[place.name] = self._load(place)
        return self._loaded[place.name]

    def require(self, name: str) -> str:
        """Return the name of the entry with a given name or alias.

        Raises
        ------
        InvalidInput
            If no entry has the name. The message contains the nearest names.
        """
        return self._require(name).name

    def _known_as(self, name: object) -> str:
        """Return the name of the entry that a spelling, an alias or a title denotes."""
        assert self._aliases is not None
        word, aliases = spelling(str(name)), self._aliases()
        for known in (word, word.removesuffix("s")):
            if known in self.names() or known in aliases:
                return aliases.get(known, known)
        return word

    def _require(self, name: str) -> Place:
        place = self._find(name)
        if place is None and self._aliases is not None:
            place = self._find(self._known_as(name))
        if place is None:
            answer = self.answer(str(name)) or self.nearest(name)
            raise InvalidInput(f"There is no {self.noun} {name!r}. {answer}")
        return place

    def answer(self, name: str) -> str:
        """Return the sentence about a word that is not an entry, or an empty string."""
        word, answers = spelling(name), self._answers()
        return answers.get(word) or answers.get(word.removesuffix("s"), "")

    def nearest(self, name: str) -> str:
        """Return a sentence with the known names that are nearest to an unknown name."""
        names = self.names()
        if self._aliases is None:
            return nearest(name, names)
        known = {
            *names,
            *(each for each in self._aliases() if len(each) >= MEANT and "(" not in each),
        }
        few = ", ".join(names[:FEW])
        return nearest(name, known, otherwise=f"Some of the {len(names)} names are {few}.")

    def place(self, name: str) -> str:
        """Return the name of an entry and its place in the code, for messages."""
        return f"{self.noun} {name!r} ({self._require(name)})"

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __len__(self) -> int:
        return len(self.names())

    def forget(self) -> None:
        """Discard all entries, so that the next query finds newly installed packages."""
        entry_points_of_plugins.cache_clear()
        own_names.cache_clear()
        self._places, self._loaded = {}, {}

    def _load(self, place: Place) -> T:
        try:
            loaded = place.load()
        except (Exception, SystemExit) as error:
            if problem := foreign_package():
                raise InvalidInput(problem) from error
            raise InvalidInput(
                f"The {self.noun} {place.name!r} ({place}) cannot be loaded: {error!r}. "
                "Mend or uninstall the package that provides it."
            ) from error
        if isinstance(loaded, tuple):
            # A module that declares several entries lists them in one tuple.
            loaded = next(
                (each for each in loaded if getattr(each, "name", None) == place.name), loaded
            )
        try:
            found = self._read(loaded)
        except InvalidInput as error:
            raise InvalidInput(
                f"The name {place.name!r} ({place}) names no {self.noun}. {error}"
            ) from None
        name = getattr(found, "name", place.name)
        if name != place.name:
            raise InvalidInput(
                f"The name {place.name!r} ({place}) names the {self.noun} {name!r}. Both names "
                "must be equal."
            )
        return found


def instance_of(kind: type[T], sentence: str) -> Callable[[object], T]:
    """Return a function `read` for a `Registry` that accepts only instances of a class.

    Parameters
    ----------
    kind : type
        The class.
    sentence : str
        Sentence of the error message that explains how to make an instance.
    """

    def read(loaded: object) -> T:
        if not isinstance(loaded, kind):
            raise InvalidInput(f"{sentence} Got {loaded!r:.200}.")
        return loaded

    return read
