"""Lists of classes with structure that take minutes, kept in files next to the atlas file.

A file has the least masks and the sizes of the orbits, with their digests. A file that is damaged
or has other content is ignored, and the list is computed again.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from catalog.atlas.enumeration import Representatives
from catalog.atlas.storage import default_path, digest
from catalog.atlas.structured import MOST_POINTS, structured
from lsclasses.errors import LsclassesError
from lsclasses.files.writing import atomic_write, make_folder

Progress = Callable[[int, int], None]

MINUTES = {("extremal", MOST_POINTS, None): 12, ("maximal", MOST_POINTS, 3): 7}
"""The lists that are kept, with the minutes of one processor that they take."""


@dataclass(frozen=True)
class KeptList:
    """A list of classes with structure, and the file that keeps it.

    Parameters
    ----------
    kind, points, vcdim
        As for `catalog.atlas.structured.structured`.

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
        """The minutes that the list takes, or None for a list that is not kept."""
        return MINUTES.get((self.kind, self.points, self.vcdim))

    @property
    def path(self) -> Path | None:
        """The path of the file, or None if the list is not kept or no cache folder is known."""
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
        """Write the list into its file, if the list is kept.

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
