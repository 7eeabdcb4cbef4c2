"""Classes with structure on at most six points, complete up to symmetry.

Six points have 2^64 - 1 classes, but the classes with structure can be listed:

* ``maximum`` classes of VC dimension d have as many concepts as Sauer's lemma allows,
* ``maximal`` classes cannot be extended without raising their VC dimension,
* ``extremal`` classes shatter as many sets as they have concepts,
* ``intersection-closed`` classes contain the intersections of their concepts, after suitable flips.
  These classes are listed on at most five points.

Each class is listed once up to permutations of the points and flips of the labels, with the size of
its orbit. So the classes on named points are also counted.

Lists that take minutes are kept in files next to the atlas file. A file contains the least masks
and the sizes of the orbits, with their digests. A file that is damaged or has other content is
ignored, and the list is computed again.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from catalog.atlas.atlas_table import AtlasClass
from catalog.atlas.bitmasks import least
from catalog.atlas.closed import closed_up_to_flips
from catalog.atlas.columns import compute
from catalog.atlas.extensions import extremal, maximum
from catalog.atlas.maximal import maximal
from catalog.atlas.orbits import Representatives
from catalog.atlas.storage import default_path, digest
from lsclasses.errors import InvalidInput, LsclassesError, TooLarge, nearest
from lsclasses.files.writing import atomic_write, make_folder
from lsclasses.isomorphism import orbit_name

# ---- structured


KINDS = ("maximum", "maximal", "extremal", "intersection-closed")
OF_DIMENSION = ("maximum", "maximal")
"""Types whose classes are listed for one VC dimension at a time."""
COLUMNS_ON_SIX = (
    "size",
    "vcdim",
    "ldim",
    "star_number",
    "hollow_star_number",
    "teaching_dim",
    "recursive_teaching_dim",
)
"""Parameters that can be computed for many classes on six points at once."""
MOST_POINTS = 6


def structured(
    kind: str,
    points: int,
    vcdim: int | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Representatives:
    """Return all non-empty classes of a type, one of each orbit under permutations and flips.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    points : int
        Number of points, 1 to 6.
    vcdim : int, optional
        VC dimension, at most `points`, for maximum and maximal classes.
    progress : callable, optional
        Function that is called with the finished and the total number of steps of long searches.

    Raises
    ------
    InvalidInput
        If a parameter is out of range.
    TooLarge
        If the intersection-closed classes on six points are requested.

    Examples
    --------
    >>> found = structured("maximum", 4, 2)
    >>> len(found.masks), int(found.labelled.sum())
    (3, 400)
    >>> [len(structured("extremal", n).masks) for n in (1, 2, 3, 4)]
    [2, 4, 10, 46]
    """
    if kind not in KINDS:
        raise InvalidInput(f"The atlas has no {kind!r} classes. {nearest(kind, KINDS)}")
    if points not in range(1, MOST_POINTS + 1):
        raise InvalidInput(
            f"Classes with structure are listed on 1 to {MOST_POINTS} points. Got {points}."
        )
    if kind not in OF_DIMENSION:
        if vcdim is not None:
            raise InvalidInput(f"{kind.capitalize()} classes are listed for all VC dimensions.")
        if kind == "extremal":
            return extremal(points, progress=progress)
        if points == MOST_POINTS:
            raise TooLarge(
                "The intersection-closed classes on six points are too many to be listed: "
                "216,591,691 up to permutations. Samples of them can be drawn.",
                estimate=216_591_691,
            )
        return closed_up_to_flips(points)
    if vcdim is None or not 0 <= vcdim <= points:
        raise InvalidInput(no_dimension(kind, points, vcdim))
    if kind == "maximum":
        return maximum(points, vcdim)
    return maximal(points, vcdim, progress=progress)


def no_dimension(kind: str, points: int, vcdim: int | None) -> str:
    """Return the error message for a VC dimension that is missing or out of range."""
    return (
        f"{kind.capitalize()} classes are listed for one VC dimension, 0 to {points} on "
        f"{points} points. Got {'none' if vcdim is None else vcdim}."
    )


def check_column(name: str) -> None:
    """Check that a parameter is among `COLUMNS_ON_SIX`.

    Raises
    ------
    InvalidInput
        If the parameter is not among these columns.
    """
    if name not in COLUMNS_ON_SIX:
        raise InvalidInput(
            f"Classes with structure have no column {name!r}. {nearest(name, COLUMNS_ON_SIX)}"
        )


def column(masks: np.ndarray, points: int, name: str) -> np.ndarray:
    """Return the values of a parameter, one of `COLUMNS_ON_SIX`, for many classes."""
    return compute(masks, points, [name])[name].astype(np.int64)


def counts(found: Representatives, points: int, name: str) -> list[tuple[int, int, int]]:
    """Return each value of a parameter with its number of orbits and its number of classes.

    Examples
    --------
    >>> counts(structured("extremal", 3), 3, "vcdim")
    [(0, 1, 8), (1, 4, 68), (2, 4, 50), (3, 1, 1)]
    """
    values = column(found.masks, points, name)
    kinds, place, classes = np.unique(values, return_inverse=True, return_counts=True)
    labelled = np.zeros(len(kinds), dtype=np.int64)
    np.add.at(labelled, place, found.labelled)
    return list(zip(kinds.tolist(), classes.tolist(), labelled.tolist(), strict=True))


def named(masks: np.ndarray, points: int) -> Representatives:
    """Return, for each given class, the least mask of its orbit and the size of its orbit.

    >>> named(np.array([0b1000, 0b0001], dtype=np.uint64), 2).masks.tolist()
    [1, 1]
    """
    return Representatives(*least(masks, points))


def listed(found: Representatives, points: int) -> str:
    """Return the classes as CSV: names, represented classes, and numbers of concepts.

    >>> print(listed(structured("maximum", 3, 1), 3), end="")
    name,labelled,size
    3:17,8,4
    3:1b,24,4
    """
    rows = zip(found.masks.tolist(), found.labelled.tolist(), strict=True)
    lines = [f"{orbit_name(points, mask)},{named},{mask.bit_count()}" for mask, named in rows]
    return "\n".join(["name,labelled,size", *lines, ""])


def on_six_points(mask: int) -> AtlasClass:
    """Return the class on six points with the given mask, as the representative of its orbit.

    Examples
    --------
    >>> found = on_six_points(0x116)
    >>> found.name, found["vcdim"], found.labelled
    ('6:116', 1, 960)
    """
    masks, labelled = least(np.array([mask], dtype=np.uint64), MOST_POINTS)
    found = int(masks[0])
    values = {name: int(column(masks, MOST_POINTS, name)[0]) for name in COLUMNS_ON_SIX}
    return AtlasClass(MOST_POINTS, found, True, found, int(labelled[0]), values)


# ---- kept lists


Progress = Callable[[int, int], None]

MINUTES = {("extremal", MOST_POINTS, None): 12, ("maximal", MOST_POINTS, 3): 7}
"""Lists that are stored in files, with the minutes to compute each list on one processor."""


@dataclass(frozen=True)
class KeptList:
    """A list of classes with structure, and the file that stores it.

    Parameters
    ----------
    kind, points, vcdim
        Arguments of `catalog.atlas.structured.structured`.

    Examples
    --------
    >>> KeptList("extremal", 6).minutes, KeptList("extremal", 5).minutes
    (12, None)
    """

    kind: str
    points: int
    vcdim: int | None = None

    @property
    def minutes(self) -> int | None:
        """Number of minutes to compute the list, or None for a list that no file stores."""
        return MINUTES.get((self.kind, self.points, self.vcdim))

    @property
    def path(self) -> Path | None:
        """Path of the file. It is None if no file stores the list, or without a cache folder."""
        if self.minutes is None:
            return None
        try:
            folder = default_path().parent
        except LsclassesError:
            return None
        dimension = "" if self.vcdim is None else f"-vcdim{self.vcdim}"
        return folder / f"{self.kind}{self.points}{dimension}.npz"

    def load(self) -> Representatives | None:
        """Return the list from its file, or None if no complete file exists."""
        if self.path is None:
            return None
        try:
            with np.load(io.BytesIO(self.path.read_bytes()), allow_pickle=False) as content:
                found = Representatives(content["masks"], content["labelled"])
                digests = content["digests"].tolist()
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
            return None
        return found if digests == _digests(found) else None

    def compute(self, progress: Progress | None = None) -> Representatives:
        """Return the list, computed by `catalog.atlas.structured.structured`."""
        return structured(self.kind, self.points, self.vcdim, progress=progress)

    def keep(self, found: Representatives) -> None:
        """Write the list into its file, if `path` is not None.

        Raises
        ------
        InvalidInput
            If the file cannot be written.
        """
        if self.path is None:
            return
        content = io.BytesIO()
        digests = np.array(_digests(found))
        np.savez_compressed(content, masks=found.masks, labelled=found.labelled, digests=digests)
        make_folder(self.path.parent)
        atomic_write(self.path, content.getvalue())


def _digests(found: Representatives) -> list[str]:
    return [digest(found.masks.view(np.int64)), digest(found.labelled)]
