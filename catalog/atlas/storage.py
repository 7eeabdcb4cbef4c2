"""The classes on five points in one Parquet file that describes itself.

The metadata of the file contain the format and its version, the number of points and of classes,
and the command that wrote the file. They also contain each column with its unit and the SHA-256
digest of its numbers. Each column is checked against its digest when it is read. The file stores
fractions as the nearest floating-point numbers. These numbers times their unit are integers again.
Each page also has a checksum, for other readers.

Needs pyarrow: ``pip install 'lsclasses[atlas]'``.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from catalog.atlas.atlas_table import OWN, AtlasTable, missing
from catalog.atlas.columns import COLUMNS
from lsclasses import __version__
from lsclasses.errors import InvalidInput, LsclassesError
from lsclasses.files.writing import atomic_write, check_folder
from lsclasses.numbers import plural

if TYPE_CHECKING:
    import pyarrow

FORMAT = "lsclasses-atlas"
VERSION = 1
KEY = FORMAT.encode()
"""Key of the metadata in the file."""
VARIABLE = "LSCLASSES_ATLAS"
"""Environment variable with the path of the file."""
INSTALL = "The atlas of five points needs more packages: pip install 'lsclasses[atlas]'."
PERMUTATIONS = "permutations"
"""Entry of the metadata if only permutations of points, not flips of labels, are symmetries."""
EXPECTED = 5
"""Number of points of the classes in the file at the default path, which all commands read."""
PART = 1 << 14
"""Number of entries of a column whose digest is computed at a time."""
ROWS = 1 << 17
"""Number of rows of a row group in the Parquet file."""
UNREADABLE = (OSError, ValueError, TypeError, KeyError, AttributeError, NotImplementedError)
"""The errors that PyArrow and JSON raise for a damaged file."""


def default_path() -> Path:
    """Return the path of the atlas file: the value of `VARIABLE`, or a path in the cache folder."""
    if given := os.environ.get(VARIABLE):
        return Path(given)
    try:
        import platformdirs
    except ImportError:
        raise LsclassesError(INSTALL) from None
    return Path(platformdirs.user_cache_dir("lsclasses")) / "atlas5.parquet"


def five_points(path: Path) -> AtlasFile:
    """Return the file of the classes on five points.

    Parameters
    ----------
    path : Path

    Raises
    ------
    InvalidInput
        As for `AtlasFile`, or if the file has fewer points.
    """
    file = AtlasFile(path)
    if file.points != EXPECTED:
        raise InvalidInput(
            f"{str(file.path)!r} has the classes on {plural(file.points, 'point')}, but classes "
            f"on {EXPECTED} points are expected. 'lsclasses atlas build' writes these classes. The "
            f"environment variable {VARIABLE} sets the path of the file."
        )
    return file


def there() -> bool:
    """Return whether the atlas file exists and the packages that read it are installed."""
    try:
        return default_path().exists() and bool(_pyarrow())
    except LsclassesError:
        return False


def digest(integers: np.ndarray) -> str:
    """Return the SHA-256 digest of a column, computed from its entries as 64-bit integers."""
    return hashlib.sha256(np.ascontiguousarray(integers, dtype="<i8").data).hexdigest()


def write(path: Path, points: int, columns: Mapping[str, np.ndarray], command: str) -> None:
    """Write an atlas file, which replaces an existing file atomically.

    Parameters
    ----------
    path : Path
        Path of the file. Missing folders are created.
    points, columns, command
        Arguments of `content`.

    Raises
    ------
    InvalidInput
        If the file cannot be written.
    """
    written = content(points, columns, command)
    check_folder(path.parent)
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_write(path, written)


def content(
    points: int, columns: Mapping[str, np.ndarray], command: str, *, flips: bool = True
) -> bytes:
    """Return the content of an atlas file.

    The bytes are equal for equal numbers and equal versions of pyarrow.

    Parameters
    ----------
    points : int
    columns : mapping of str to array of int
        The columns ``mask`` and ``labelled``, and the columns of quantities. For a column with a
        denominator, the integers are the numerators.
    command : str
        Command that made the file.
    flips : bool
        Whether classes that differ by flips are represented by one class.
    """
    pa, pq = _pyarrow()
    units = {name: COLUMNS[name].unit(points) if name in COLUMNS else 1 for name in columns}
    described = {
        "format": FORMAT,
        "version": VERSION,
        "points": points,
        "classes": len(columns["mask"]),
        "command": command,
        "lsclasses": __version__,
        "columns": {
            name: {"unit": units[name], "sha256": digest(integers)}
            for name, integers in columns.items()
        },
    }
    table = pa.table({name: _array(column, units[name]) for name, column in columns.items()})
    if not flips:
        described["symmetries"] = PERMUTATIONS
    table = table.replace_schema_metadata({KEY: _sealed(described)})
    stream = pa.BufferOutputStream()
    pq.write_table(
        table,
        stream,
        row_group_size=ROWS,
        compression="zstd",
        use_dictionary=[name for name in columns if name != "mask"],
        column_encoding={"mask": "DELTA_BINARY_PACKED"},
        write_page_checksum=True,
    )
    return bytes(stream.getvalue().to_pybytes())


class AtlasFile:
    """The atlas file. All data are checked when they are read.

    Parameters
    ----------
    path : Path

    Raises
    ------
    InvalidInput
        If the file does not exist, is not an atlas, has another version, or is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.exists():
            raise InvalidInput(
                f"There is no atlas of five points at {str(path)!r}. 'lsclasses atlas build' "
                f"computes it once. The environment variable {VARIABLE} sets another path."
            )
        self._described = self._metadata()
        self.points: int = self._described["points"]
        self.classes: int = self._described["classes"]
        self.command: str = self._described["command"]
        self.names = tuple(
            name
            for name, said in self._described["columns"].items()
            if name in OWN or (name in COLUMNS and said["unit"] == COLUMNS[name].unit(self.points))
        )

    def _metadata(self) -> dict[str, Any]:
        pq = _pyarrow()[1]
        try:
            found = pq.read_metadata(self.path)
            text = (found.metadata or {}).get(KEY)
            described = {} if text is None else json.loads(text)
            said = described.pop("sha256", None)
            known = (described.get("format"), described.get("version")) == (FORMAT, VERSION)
        except UNREADABLE as error:
            raise self._damaged(str(error)) from None
        if text is None:
            raise InvalidInput(f"{str(self.path)!r} is a Parquet file, but not an atlas.")
        if not known:
            raise InvalidInput(
                f"{str(self.path)!r} is an atlas of version {described.get('version')}, and this "
                f"program reads version {VERSION}. 'lsclasses atlas build' writes it again."
            )
        if described.get("symmetries") == PERMUTATIONS:
            raise InvalidInput(
                f"{str(self.path)!r} has classes up to permutations only. An atlas of "
                "five points has the classes up to permutations and flips."
            )
        if json.loads(_sealed(described))["sha256"] != said:
            raise self._damaged("its description was changed")
        if found.num_rows != described["classes"]:
            raise self._damaged(f"{found.num_rows} rows instead of {described['classes']}")
        found_described: dict[str, Any] = described
        return found_described

    def load(self, name: str) -> np.ndarray:
        """Return the integers of a column, checked against their digest.

        Raises
        ------
        InvalidInput
            If the column is missing or damaged.
        """
        if name not in self.names:
            raise missing(name, self.points)
        unit = self._described["columns"][name]["unit"]
        return _integers(self.read([name])[name].combine_chunks(), unit)

    def empty(self) -> pyarrow.Table:
        """Return the columns in their stored format, without rows."""
        pa, pq = _pyarrow()
        return pa.Table.from_batches([], schema=pq.read_schema(self.path))

    def read(self, names: Sequence[str]) -> pyarrow.Table:
        """Return columns in their stored format, checked against their digests.

        Raises
        ------
        InvalidInput
            If one of them is damaged.
        """
        columns = self._read(names)
        for name in names:
            said = self._described["columns"][name]
            try:
                found = _digest_of_stored(columns[name].combine_chunks(), said["unit"])
            except UNREADABLE as error:
                raise self._damaged(str(error)) from None
            if found != said["sha256"]:
                raise self._damaged(f"the column {name} was changed")
        return columns

    def _read(self, names: Sequence[str]) -> pyarrow.Table:
        """Return columns, with the checksums of their pages compared."""
        pq = _pyarrow()[1]
        try:
            with pq.ParquetFile(self.path, page_checksum_verification=True) as opened:
                return opened.read(list(names), use_threads=False)
        except UNREADABLE as error:
            raise self._damaged(str(error)) from None

    def table(self) -> AtlasTable:
        """Return the table of the file, whose columns are read on demand."""
        names = ("points", *self.names)
        return AtlasTable(self.points, flips=True, names=names, load=self.load)

    def _damaged(self, reason: str) -> InvalidInput:
        return InvalidInput(
            f"{str(self.path)!r} is damaged, or no atlas ({reason.rstrip('.')}). "
            "'lsclasses atlas build' writes it again."
        )


def _sealed(described: Mapping[str, Any]) -> bytes:
    """Return the metadata with their own digest."""
    text = json.dumps(described, sort_keys=True).encode()
    return json.dumps({**described, "sha256": hashlib.sha256(text).hexdigest()}).encode()


def _array(integers: np.ndarray, unit: int) -> pyarrow.Array:
    """Return a column in the stored format, with floats for fractions and lists for sequences."""
    pa = _pyarrow()[0]
    if unit > 1:
        fractions = integers / unit
        assert np.array_equal(np.rint(fractions * unit), integers), "fractions of too large units"
        return pa.array(fractions)
    kinds = (np.int8, np.int16, np.int32, np.uint32, np.int64)
    small = next(each for each in map(integers.astype, kinds) if np.array_equal(each, integers))
    if small.ndim == 1:
        return pa.array(small)
    return pa.FixedSizeListArray.from_arrays(pa.array(small.reshape(-1)), small.shape[1])


def _digest_of_stored(column: pyarrow.Array, unit: int) -> str:
    """Return the `digest` of a stored column, computed in parts that fit the processor cache."""
    lists = _pyarrow()[0].types.is_fixed_size_list(column.type)
    stored = np.from_dlpack(column.flatten() if lists else column)
    whole, part = hashlib.sha256(), np.empty(PART, dtype="<i8")
    for start in range(0, len(stored), PART):
        some = stored[start : start + PART]
        integers = part[: len(some)]
        integers[:] = np.rint(some * unit) if unit > 1 else some
        whole.update(integers.data)
    return whole.hexdigest()


def _integers(column: pyarrow.Array, unit: int) -> np.ndarray:
    """Return the numbers of a column by DLPack, as `pyarrow.Array.to_numpy` imports pandas."""
    if _pyarrow()[0].types.is_fixed_size_list(column.type):
        flat = np.from_dlpack(column.flatten())
        return np.asarray(flat.reshape(-1, column.type.list_size), dtype=np.int64)
    found = np.from_dlpack(column)
    return np.asarray(np.rint(found * unit) if unit > 1 else found, dtype=np.int64)


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise LsclassesError(INSTALL) from None
    return pyarrow, pyarrow.parquet
