"""Short entries of files: read as integers, and with the values of the readers of all entries."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.tables.cells import Cells
from learners.tables.columns import Categories, Flag
from learners.tables.records import load_records
from lsclasses.csv_columns import numbers_of_known, short_numbers
from lsclasses.errors import InvalidInput

TEXTS = st.text(alphabet="0123456789", min_size=1, max_size=8) | st.sampled_from(
    ["-1", "+7", "1.5", "1e3", " 7", "7 ", "", "nan", "1_0", "x", "12345678"]
)


@given(st.lists(TEXTS, min_size=1, max_size=12))
def test_short_numbers_are_those_of_python(texts: list[str]) -> None:
    found = short_numbers(np.array([text.encode() for text in texts], dtype="S8"))
    try:
        expected = None if "1_0" in texts else [float(text) for text in texts]
    except ValueError:
        expected = None
    if expected is not None and not np.isfinite(expected).all():
        expected = None
    assert (None if found is None else found.tolist()) == expected


@given(st.lists(st.sampled_from(["cook", "pilot", "nurse", ""]), min_size=1, max_size=9))
def test_known_entries_are_numbered(texts: list[str]) -> None:
    entries = np.array([text.encode() for text in texts], dtype="S8")
    known = {"cook": 2, "pilot": 0, "é": 4, "too long for 8": 5}
    found = numbers_of_known(entries, known)
    expected = [known.get(text) for text in texts]
    assert (None if found is None else found.tolist()) == (None if None in expected else expected)


@pytest.mark.parametrize(
    ("entries", "read"),
    [
        (["a", "NA", "b"], None),
        (["a", "b", "a"], [[1, 0], [0, 1], [1, 0]]),
        ([" a", "b", "a"], [[1, 0], [0, 1], [1, 0]]),
    ],
)
def test_categories_of_a_file_are_read_as_in_memory(
    entries: list[str], read: list[list[int]] | None, tmp_path: Path
) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("\n".join(["job,x", *(f"{each},1" for each in entries)]) + "\n")
    column = Categories(["a", "b"])
    for cells in (load_records(path).cells("job"), Cells("job", np.array(entries))):
        if read is None:
            with pytest.raises(InvalidInput, match="missing value"):
                column.features(cells)
        else:
            assert column.features(cells).astype(int).tolist() == read


def test_flags_of_a_file_respect_markers(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("flag,x\n1,1\n0,2\n1,3\n")
    cells = load_records(path).cells("flag")
    assert Flag().features(cells).ravel().tolist() == [True, False, True]
    with pytest.raises(InvalidInput, match="missing value"):
        cells.with_markers(["0"]).flags()
