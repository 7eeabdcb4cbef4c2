"""Tables in NumPy's files: read a part at a time, and never wrong about what is there."""

from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from lsclasses import InvalidInput, Table, arrays
from lsclasses.packing import packed_part


def saved(path: Path, array: np.ndarray) -> bytes:
    np.save(path, array)
    return path.read_bytes()


def test_both_orders_of_an_array_and_all_types_of_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels = np.random.default_rng(0).integers(0, 2, (300, 11))
    monkeypatch.setattr(arrays, "AT_ONCE", 64)
    npy, npz = tmp_path / "class.npy", tmp_path / "class.npz"
    for dtype in ("bool", "uint8", ">i8", "float16"):
        for order in ("C", "F"):
            array = np.array(labels, dtype=dtype, order=order)  # type: ignore[call-overload]
            np.save(npy, array)
            np.savez(npz, labels=array)
            for path in (npy, npz):
                assert Table.load(path).packed.tolist() == Table(labels).packed.tolist()
    wrong = labels.copy()
    wrong[123, 10] = 7
    for order in ("C", "F"):
        np.save(npy, np.array(wrong, order=order))  # type: ignore[call-overload]
        with pytest.raises(InvalidInput, match=r"Got 7 in row 123, column 10"):
            Table.load(npy)


@pytest.mark.parametrize("happens", ["cut off", "grows", "is written over"])
def test_an_array_that_somebody_changes_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, happens: str
) -> None:
    path = tmp_path / "class.npy"
    data = saved(path, np.zeros((4000, 40), dtype=np.uint8))

    def part(entries: np.ndarray, row: int = 0, column: int = 0) -> np.ndarray:
        if row:
            with path.open("r+b") as file:
                if happens == "cut off":
                    file.truncate(len(data) // 2)
                elif happens == "grows":
                    file.seek(0, 2)
                    file.write(b"\0")
                else:
                    file.seek(-1, 2)
                    file.write(b"\1")
                    file.flush()
                    os.utime(path, ns=(1, 1))
        return packed_part(entries, row, column)

    monkeypatch.setattr(arrays, "AT_ONCE", 8000)
    monkeypatch.setattr(arrays, "packed_part", part)
    with pytest.raises(InvalidInput, match=r"Cannot read .*: it changed while it was read"):
        Table.load(path)


@pytest.mark.parametrize("suffix", [".npy", ".npz"])
def test_a_large_array_never_stands_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    monkeypatch.setattr(arrays, "AT_ONCE", 1 << 16)
    rows = np.random.default_rng(0).integers(0, 256, (30_000, 8), dtype=np.uint8)
    path = tmp_path / f"class{suffix}"
    C = Table._of_rows(rows, 64)
    tracemalloc.start()
    try:
        C.save(path)
        _, saving = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        read = Table.load(path)
        _, loading = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert read.packed.tobytes() == C.packed.tobytes()
    # Written out, the labels are 1,920,000 bytes.
    assert saving < 960_000 and loading < 960_000
