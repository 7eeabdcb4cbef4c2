"""The file of the classes on five points, computed part by part.

The classes are enumerated first, in one step. Then the given executor computes their columns for
some thousands of classes at a time. Finished parts are kept in a folder next to the file until the
file is complete, so that an interrupted build resumes from them. An existing file keeps its
columns.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
import zlib
from collections.abc import Sequence
from concurrent.futures import Executor
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np

from catalog.atlas import table
from catalog.atlas.atlas_table import AtlasTable
from catalog.atlas.columns import CHUNK, column_names, compute, computed_here
from catalog.atlas.orbits import Representatives, representatives
from catalog.atlas.storage import AtlasFile, digest, write
from lsclasses.errors import InvalidInput, LsclassesError
from lsclasses.files.writing import atomic_write, make_folder
from lsclasses.limits import Progress
from lsclasses.parallel import finished

SAMPLE = 64
"""Number of classes on which a build computes the columns of an existing file again, as a check."""

Columns = dict[str, np.ndarray]


class Built(NamedTuple):
    """The summary of a build of the atlas file.

    Attributes
    ----------
    classes : int
        Number of classes in the file.
    kept, computed : tuple of str
        Columns that the file had already, and columns that were computed.
    resumed : int
        Number of parts from an earlier build.
    remark : str
        Reason why an existing file was not used, or an empty string.
    """

    classes: int
    kept: tuple[str, ...]
    computed: tuple[str, ...]
    resumed: int
    remark: str = ""


def parts_folder(path: Path) -> Path:
    """Return the folder with the finished parts of an incomplete atlas file."""
    return path.with_name(path.name + ".parts")


def build(
    path: Path,
    *,
    points: int = 5,
    executor: Executor | None = None,
    progress: Progress | None = None,
    command: str = "catalog.atlas.building.build",
    chunk: int = CHUNK,
) -> Built:
    """Compute the columns that an atlas file lacks, and write the file.

    Columns that need a missing package are left out.

    Parameters
    ----------
    path : Path
        Path of the file. Only a file that an earlier build wrote is replaced. Any other existing
        file is refused.
    points : int
        Number of points, 1 to 5.
    executor : concurrent.futures.Executor, optional
        Executor of the parts, as in `lsclasses.parallel.finished`. By default, this process
        computes them. The content of the file does not depend on the executor.
    progress : callable, optional
        Function that is called with the number of finished parts and the number of parts.
    command : str
        Command in the metadata of the file.
    chunk : int
        Number of classes in a part.

    Raises
    ------
    InvalidInput
        If the file or the folder of its parts cannot be written.
    WorkersLost
        If the executor lost workers permanently. Finished parts are kept.
    """
    classes = representatives(points)
    own = {"mask": classes.masks, "labelled": classes.labelled}
    wanted = tuple(filter(computed_here, column_names(points, flips=True)))
    kept, remark = _kept(path, points, classes.masks, wanted)
    new = tuple(name for name in wanted if name not in kept)
    if not new and kept:
        return Built(len(classes.masks), tuple(kept), (), 0, remark)
    parts = _Parts(parts_folder(path), points, new, classes, chunk)
    found = parts.finished()
    resumed = len(found)
    missing = [number for number in range(parts.count) if number not in found]
    for place, columns in finished(_part, map(parts.task, missing), executor):
        number = missing[place]
        parts.keep(number, columns)
        found[number] = columns
        if progress is not None:
            progress(len(found), parts.count)
    computed = {
        name: np.concatenate([found[number][name] for number in range(parts.count)]) for name in new
    }
    both = {**kept, **computed}
    write(path, points, {**own, **{name: both[name] for name in wanted}}, command)
    parts.remove()
    return Built(len(classes.masks), tuple(kept), new, resumed, remark)


def computed_table(points: int = 5) -> AtlasTable:
    """Return the table of all classes up to permutations and flips, without a file.

    This process computes each column on demand. The classes on five points take some seconds, and
    cheap columns take a second or two each.

    Examples
    --------
    >>> computed_table(3)["ldim"].max()
    np.int64(3)
    """
    classes = representatives(points)
    own = {"mask": classes.masks, "labelled": classes.labelled}
    return AtlasTable.computed(points, own, flips=True)


def complete_table() -> AtlasTable:
    """Return the classes on five points with all columns.

    The table is read from the file if the file exists and has every column. Otherwise each column
    is computed on demand.
    """
    with suppress(LsclassesError):
        T = table(5)
        if set(column_names(5, flips=True)) <= set(T.names):
            return T
    return computed_table()


def _kept(path: Path, points: int, masks: np.ndarray, wanted: Sequence[str]) -> tuple[Columns, str]:
    """Return the columns of an existing file whose values agree with a recomputed sample."""
    if not path.exists() or not path.stat().st_size:
        return {}, ""
    try:
        file = AtlasFile(path)
        if not np.array_equal(file.load("mask"), masks):
            return {}, f"{str(path)!r} has other classes, so all columns are computed again."
        names = [name for name in wanted if name in file.names]
        kept = {name: file.load(name) for name in names}
    except InvalidInput as error:
        return {}, f"{error} So all columns are computed again."
    sample = np.linspace(0, len(masks) - 1, SAMPLE).astype(np.int64)
    anew = compute(masks[sample], points, names)
    changed = [name for name in names if not np.array_equal(anew[name], kept[name][sample])]
    remark = (
        f"Columns with a new computation are computed again: {', '.join(changed)}."
        if changed
        else ""
    )
    return {name: column for name, column in kept.items() if name not in changed}, remark


def _part(task: tuple[np.ndarray, int, Sequence[str]]) -> Columns:
    """Compute some columns of some classes."""
    return compute(*task)


def _program() -> str:
    """Return a digest of the version of the code that computes columns."""
    folder = Path(__file__).parent / "columns"
    text = b"".join(path.read_bytes() for path in sorted(folder.glob("*.py")))
    return hashlib.sha256(text).hexdigest()


class _Parts:
    """Parts of a build, and the folder that keeps each part under a separate digest.

    The name of a part is determined by the code, the columns and the classes.
    """

    def __init__(
        self,
        folder: Path,
        points: int,
        names: tuple[str, ...],
        classes: Representatives,
        chunk: int,
    ) -> None:
        self._folder, self._points, self._names = folder, points, names
        self._program = _program()
        starts = range(0, len(classes.masks), chunk)
        self._masks = [classes.masks[start : start + chunk] for start in starts]
        self.count = len(self._masks)

    def task(self, number: int) -> tuple[np.ndarray, int, tuple[str, ...]]:
        """Return the arguments for a part."""
        return self._masks[number], self._points, self._names

    def finished(self) -> dict[int, Columns]:
        """Return the complete parts of an earlier, identical build."""
        found = ((number, self._read(self._path(number))) for number in range(self.count))
        return {number: columns for number, columns in found if columns is not None}

    def keep(self, number: int, columns: Columns) -> None:
        """Write a part atomically."""
        make_folder(self._folder)
        content = io.BytesIO()
        digests = np.array([digest(columns[name]) for name in self._names])
        np.savez(content, digests=digests, **columns)  # type: ignore[arg-type]
        atomic_write(self._path(number), content.getvalue())

    def remove(self) -> None:
        """Delete the folder, but only the files that are named as parts."""
        for path in self._folder.glob("part-*.npz"):
            path.unlink(missing_ok=True)
        with suppress(OSError):
            self._folder.rmdir()

    def _path(self, number: int) -> Path:
        masks, points, names = self.task(number)
        told = f"{self._program} {points} {names} {digest(masks)}".encode()
        return self._folder / f"part-{number}-{hashlib.sha256(told).hexdigest()[:16]}.npz"

    def _read(self, path: Path) -> Columns | None:
        try:
            with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as content:
                columns = {name: content[name] for name in self._names}
                digests = content["digests"].tolist()
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
            return None
        return columns if digests == [digest(columns[name]) for name in self._names] else None
