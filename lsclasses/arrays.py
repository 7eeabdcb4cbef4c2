"""Tables in NumPy's files, NPY and NPZ, read and written in parts.

The array of 20 million concepts on 64 points needs 1.3 GB, and the packed table needs 160 MB. So
the whole array is never in memory. A few million labels are read, checked and packed at a time. The
file is read and not mapped, because truncation of a mapped file by another program ends the
process.
"""

from __future__ import annotations

import io
import json
import os
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from lsclasses.errors import InvalidInput, LsclassesError
from lsclasses.json_text import parsed_json
from lsclasses.packed_labels import PackedLabels
from lsclasses.packing import packed_part, require_memory
from lsclasses.point_names import Point, from_json, to_json

AT_ONCE = 1 << 22
"""Number of labels that are read or written at a time."""
KEYS = ("labels", "points", "concepts")
"""The names of the arrays in an NPZ file."""
MAGIC = {".npy": np.lib.format.MAGIC_PREFIX, ".npz": b"PK"}
"""The first bytes of a file in NumPy's formats, by its suffix."""


def read_npy(path: Path) -> PackedLabels:
    """Return the table in an NPY file.

    Raises
    ------
    InvalidInput
        If the file is damaged, is not a table, or changes while it is read.
    TooLarge
        If the table exceeds `lsclasses.packing.BYTE_LIMIT` when it is packed.
    """
    with path.open("rb") as file, _numpy_reading():
        if file.read(2) == MAGIC[".npz"]:
            raise InvalidInput("it contains several arrays, so it needs the suffix .npz.")
        file.seek(0)
        before = _state(file)
        packed, points = _read_packed(file, before[0])
        if _state(file) != before:
            raise InvalidInput("it changed while it was read.")
    return PackedLabels._of_rows(packed, points)


def read_npz(path: Path) -> PackedLabels:
    """Return the table in an NPZ file, with the same errors as `read_npy`."""
    with path.open("rb") as file, _numpy_reading():
        if file.read(6) == MAGIC[".npy"]:
            raise InvalidInput("it contains one bare array, so it needs the suffix .npy.")
        with zipfile.ZipFile(file) as archive:
            there = set(archive.namelist())
            if "labels.npy" not in there:
                raise InvalidInput('it needs an array "labels" of shape (concepts, points).')
            labels = archive.getinfo("labels.npy")
            with archive.open(labels) as stream:
                packed, width = _read_packed(stream, labels.file_size)
            points, concepts = (
                _names(archive, key) if f"{key}.npy" in there else None for key in KEYS[1:]
            )
    return PackedLabels._of_rows(packed, width, points, concepts)


def npy_parts(table: PackedLabels) -> Iterator[bytes]:
    """Yield the bytes of an NPY file of the labels, in parts."""
    concepts, points = len(table), len(table.points)
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "|u1", "fortran_order": False, "shape": (concepts, points)}
    )
    yield header.getvalue()
    step = max(1, AT_ONCE // points)
    for start in range(0, concepts, step):
        yield np.unpackbits(table.packed[start : start + step], axis=1, count=points).tobytes()


def npz_bytes(table: PackedLabels) -> bytes:
    """Return the bytes of an NPZ file with the labels and the names of points and concepts."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        # The size of a streamed member is not known in advance. Without ZIP64, members above 2 GiB
        # fail.
        with archive.open("labels.npy", "w", force_zip64=True) as stream:
            for part in npy_parts(table):
                stream.write(part)
        for key, names in (("points", table.points), ("concepts", table.concept_names)):
            if names is not None:
                with archive.open(f"{key}.npy", "w", force_zip64=True) as stream:
                    np.lib.format.write_array(stream, _json_texts(names), allow_pickle=False)
    return buffer.getvalue()


def _state(file: IO[bytes]) -> tuple[int, int]:
    """Return the size and the time of the last change."""
    found = os.fstat(file.fileno())
    return found.st_size, found.st_mtime_ns


def _read_packed(stream: IO[bytes], size: int) -> tuple[np.ndarray, int]:
    """Read the packed rows and the points of an array of `size` bytes, header included."""
    version = np.lib.format.read_magic(stream)
    # Version 3 differs only by field names in UTF-8, and tables have no fields. `_numpy_reading`
    # turns the KeyError into InvalidInput.
    read_header = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }[version]
    shape, by_columns, dtype = read_header(stream)
    if dtype.kind not in "biuf":
        raise InvalidInput(f"a table holds 0 and 1, as numbers or as truth values. Got {dtype!r}.")
    if len(shape) != 2:
        raise InvalidInput(
            f"a table must have two dimensions (concepts, points). Got {len(shape)}."
        )
    concepts, points = shape
    if not concepts:
        raise InvalidInput("a table has at least one concept. Got an array without rows.")
    if not points:
        raise InvalidInput("a table in a file has at least one point. Got rows of length 0.")
    # A damaged header can state any shape. The comparison with the file's size comes before any
    # allocation.
    told, there = concepts * points * dtype.itemsize, size - stream.tell()
    if told != there:
        raise InvalidInput(
            f"it is not complete, or contains more than one array. Its header declares {concepts} "
            f"x {points} entries in {told} bytes. Got {there} bytes."
        )
    require_memory(concepts, points, "The array", packed=True)
    packed = np.zeros((concepts, -(-points // 8)), dtype=np.uint8)
    read = _read_columns if by_columns else _read_rows
    read(stream, dtype, points, packed)
    if stream.read(1):
        raise InvalidInput("it changed while it was read, and is now longer.")
    return packed, points


def _read_rows(stream: IO[bytes], dtype: np.dtype[Any], points: int, packed: np.ndarray) -> None:
    step = max(1, AT_ONCE // points)
    for start in range(0, len(packed), step):
        rows = min(step, len(packed) - start)
        part = _entries(stream, dtype, rows * points).reshape(rows, points)
        packed[start : start + rows] = packed_part(part, start)


def _read_columns(stream: IO[bytes], dtype: np.dtype[Any], points: int, packed: np.ndarray) -> None:
    for j in range(points):
        for start in range(0, len(packed), AT_ONCE):
            rows = min(AT_ONCE, len(packed) - start)
            part = _entries(stream, dtype, rows).reshape(rows, 1)
            # `packed_part` puts the label of a single column into the highest bit.
            packed[start : start + rows, j >> 3] |= packed_part(part, start, j)[:, 0] >> (j & 7)


def _entries(stream: IO[bytes], dtype: np.dtype[Any], count: int) -> np.ndarray:
    data = stream.read(count * dtype.itemsize)
    if len(data) < count * dtype.itemsize:
        raise InvalidInput("it changed while it was read, and now ends before its last entry.")
    # A damaged truth value can be any byte, which NumPy would accept as a truth value.
    return np.frombuffer(data, dtype=np.uint8 if dtype.kind == "b" else dtype)


def _names(archive: zipfile.ZipFile, key: str) -> list[Point]:
    with archive.open(f"{key}.npy") as stream:
        # A pickle in a file from elsewhere could run any code.
        texts = np.lib.format.read_array(stream, allow_pickle=False)
    if texts.ndim != 1 or texts.dtype.kind != "U":
        raise InvalidInput(
            f'the array "{key}" must have one string per name, in JSON. '
            f"Got shape {texts.shape}, dtype {texts.dtype}."
        )
    return [from_json(parsed_json(text.encode())) for text in texts.tolist()]


def _json_texts(names: Sequence[Point]) -> np.ndarray:
    return np.array([json.dumps(to_json(name)) for name in names])


@contextmanager
def _numpy_reading() -> Iterator[None]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except (LsclassesError, OSError):
        raise
    except Exception:
        # NumPy, zipfile and tokenize raise a dozen types of exceptions for damaged files.
        raise InvalidInput(
            "it is incomplete or not an array of numbers in NumPy's format."
        ) from None
