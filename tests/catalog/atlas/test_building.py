"""The file of the atlas: built, built on, interrupted, damaged, and read as columns."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from catalog import atlas
from catalog.atlas import building, storage
from catalog.atlas.building import build, parts_folder
from catalog.atlas.columns import COLUMNS, column_names
from catalog.atlas.storage import AtlasFile
from lsclasses import InvalidInput
from lsclasses.dimensions import Value

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

CHUNK = 4


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "atlas.parquet"


def small(path: Path, **more: Any) -> building.Built:
    return build(path, points=3, chunk=CHUNK, **more)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("atlas") / "atlas.parquet"
    small(path)
    return path


def described(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(pq.read_metadata(path).metadata[b"lsclasses-atlas"])
    return found


def with_metadata(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    table, data = pq.read_table(path), described(path)
    data.pop("sha256")
    change(data)
    table = table.replace_schema_metadata({b"lsclasses-atlas": storage._sealed(data)})
    pq.write_table(table, path)


def test_the_columns_are_those_of_the_shipped_file(built: Path) -> None:
    T, known = AtlasFile(built).table(), atlas.table(3)
    assert T.names == known.names
    assert set(T.names) == {"points", "mask", "labelled", *column_names(3, flips=True)}
    for name in T.names:
        assert T.exact(name)[1] == known.exact(name)[1]
        assert np.array_equal(T.exact(name)[0], known.exact(name)[0]), name
        assert np.array_equal(T[name], known[name])
    for row in (0, 7, 20):
        expected = atlas.classes(3)[row]
        values = T.values(row)
        assert values.pop("mask") == expected.mask
        assert values.pop("labelled") == expected.labelled
        assert values.pop("points") == 3
        assert values == expected.quantities
        assert type(values["randomized_ldim"]) is Fraction


def test_the_file_tells_other_programs_what_it_is(built: Path) -> None:
    table = pq.read_table(built)
    assert table["randomized_ldim"].to_pylist() == [
        float(C["randomized_ldim"]) for C in atlas.classes(3)
    ]
    assert table["growth_function"][3].as_py() == list(atlas.classes(3)[3]["growth_function"])
    data = described(built)
    assert (data["version"], data["points"], data["classes"]) == (1, 3, 21)
    assert list(data["columns"]) == table.column_names
    assert data["command"]


@pytest.mark.parametrize("workers", [None, ThreadPoolExecutor(3)])
def test_the_file_does_not_depend_on_who_computes_it(
    path: Path, built: Path, workers: Executor | None
) -> None:
    told: list[tuple[int, int]] = []
    done = small(path, executor=workers, progress=lambda *now: told.append(now))
    assert path.read_bytes() == built.read_bytes()
    assert (done.classes, done.kept, done.resumed) == (21, (), 0)
    assert told == [(i, 6) for i in range(1, 7)]
    assert not parts_folder(path).exists()


def test_only_what_is_new_is_computed(
    path: Path, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fewer = {name: each for name, each in COLUMNS.items() if name not in ("ldim", "star_number")}
    with monkeypatch.context() as patch:
        patch.setattr("catalog.atlas.columns.COLUMNS", fewer)
        small(path)
    with pytest.raises(InvalidInput, match=r"does not have ldim.*'lsclasses atlas build' adds"):
        AtlasFile(path).table()["ldim"]
    done = small(path)
    assert done.computed == ("ldim", "star_number")
    assert set(done.kept) == set(column_names(3, flips=True)) - {"ldim", "star_number"}
    assert path.read_bytes() == built.read_bytes()
    assert small(path).computed == ()


def test_a_column_that_is_computed_otherwise_now_is_computed_anew(path: Path, built: Path) -> None:
    from catalog.atlas.orbits import representatives

    classes = representatives(3)
    names = column_names(3, flips=True)
    columns = {name: AtlasFile(built).load(name) for name in names}
    own = {"mask": classes.masks, "labelled": classes.labelled}
    storage.write(path, 3, {**own, **columns, "ldim": columns["ldim"] + 1}, "by hand")
    done = small(path)
    assert done.computed == ("ldim",)
    assert "Columns with a new computation are computed again: ldim." in done.remark
    assert path.read_bytes() == built.read_bytes()


class Interrupted(Executor):
    """Computes some parts, and is then interrupted."""

    def __init__(self, parts: int) -> None:
        self._left = parts

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        from concurrent.futures import Future

        found: Future[Any] = Future()
        if self._left:
            self._left -= 1
            found.set_result(fn(*args, **kwargs))
        else:
            found.set_exception(KeyboardInterrupt())
        return found


def interrupted_after(path: Path, parts: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        small(path, executor=Interrupted(parts))


def kept_parts(path: Path) -> list[Path]:
    return sorted(parts_folder(path).glob("part-*.npz"))


def test_an_interrupted_build_goes_on_from_there(path: Path, built: Path) -> None:
    interrupted_after(path, 3)
    assert not path.exists()
    first, second, _ = kept_parts(path)
    # A part that is damaged, or is of other columns, is computed again.
    first.write_bytes(first.read_bytes()[:-200])
    with np.load(second) as content:
        columns = dict(content)
    columns["ldim"] += 1
    np.savez(second, **columns)
    (parts_folder(path) / "notes.txt").write_text("mine")
    done = small(path)
    assert done.resumed == 1
    assert path.read_bytes() == built.read_bytes()
    # Nothing is deleted that is not ours.
    assert [each.name for each in parts_folder(path).iterdir()] == ["notes.txt"]


def test_parts_of_other_columns_are_not_taken(
    path: Path, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(building, "_program", lambda: "older")
        interrupted_after(path, 3)
    assert small(path).resumed == 0
    assert path.read_bytes() == built.read_bytes()


def test_where_nothing_can_be_written_nothing_is_half_written(
    path: Path, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_bytes(built.read_bytes())
    with_metadata(path, lambda data: data["columns"].pop("ldim"))
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("lsclasses.files.writing._fill", full)
    with pytest.raises(InvalidInput, match="Cannot write"):
        small(path)
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir() if each.is_file()] == [path.name]


# ---- what is no atlas


def damages(path: Path) -> Iterator[str]:
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    for place in rng.integers(0, len(whole), 20).tolist():
        changed = bytearray(whole)
        changed[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(changed)
        yield f"one bit at {place}"
    for said, other in ((b'"points": 3', b'"points": 2'), (b'"classes": 21', b'"classes": 20')):
        assert whole.count(said)
        path.write_bytes(whole.replace(said, other))
        yield f"{other!r} in what it says of itself"
    for length in (0, 3, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        yield f"{length} bytes"


def test_a_damaged_file_is_refused_or_reads_as_it_was(path: Path, built: Path) -> None:
    def everything(T: atlas.AtlasTable) -> list[dict[str, Value]]:
        return T.distinct(T.names).values

    expected = everything(AtlasFile(built).table())
    path.write_bytes(built.read_bytes())
    refused = 0
    for damage in damages(path):
        try:
            assert everything(AtlasFile(path).table()) == expected, damage
        except InvalidInput as error:
            refused += 1
            assert str(path) in str(error)
    assert refused > 12


def test_files_of_other_kinds_and_versions_are_refused_with_a_sentence(
    path: Path, built: Path
) -> None:
    with pytest.raises(InvalidInput, match=r"no atlas of five points.*lsclasses atlas build"):
        AtlasFile(path)
    path.write_text("no atlas")
    with pytest.raises(InvalidInput, match="is damaged, or no atlas"):
        AtlasFile(path)
    pq.write_table(pa.table({"mask": [1, 2]}), path)
    with pytest.raises(InvalidInput, match="a Parquet file, but not an atlas"):
        AtlasFile(path)
    path.write_bytes(built.read_bytes())
    with_metadata(path, lambda data: data.update(version=2))
    with pytest.raises(InvalidInput, match="an atlas of version 2, and this program reads"):
        AtlasFile(path)
    done = small(path)
    assert "version 2" in done.remark
    assert path.read_bytes() == built.read_bytes()


def test_the_file_is_found_where_the_variable_says(
    built: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LSCLASSES_ATLAS", str(built))
    monkeypatch.setattr(storage, "EXPECTED", 3)
    assert storage.default_path() == built
    assert atlas.table(5).points == 3
    monkeypatch.setenv("LSCLASSES_ATLAS", str(tmp_path / "none.parquet"))
    with pytest.raises(InvalidInput, match=r"none\.parquet"):
        atlas.table(5)
    monkeypatch.delenv("LSCLASSES_ATLAS")
    assert storage.default_path().name == "atlas5.parquet"


# ---- columns


def test_combinations_are_counted_as_one_by_one() -> None:
    from collections import Counter

    T = atlas.table(4, flips=False)
    for names in (["ldim"], ["mask"], ["growth_function", "randomized_ldim", "vcdim"], []):
        found = T.distinct(names)
        rows = [tuple(T.values(i, names).values()) for i in range(len(T))]
        counted = Counter(rows)
        keys = [tuple(each.values()) for each in found.values]
        assert dict(zip(keys, found.count.tolist(), strict=True)) == counted
        assert [keys[i] for i in found.inverse] == rows
        assert [rows.index(key) for key in keys] == found.first.tolist()


def test_numbers_of_any_size_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    from catalog.atlas.atlas_plots import never_exceeds

    unit = 144403552893600
    for name, denominator in (("ldim", unit), ("vcdim", 7)):
        column = replace(COLUMNS[name], denominator=lambda _, of=denominator: of)
        monkeypatch.setitem(COLUMNS._loaded, name, column)
    rng = np.random.default_rng(0)
    columns = {name: rng.integers(0, 3 * unit, 500) for name in ("mask", "ldim", "star_number")}
    columns["mask"][::7] = columns["mask"][0]
    columns["vcdim"] = 7 * columns["ldim"] // unit
    columns |= {"labelled": rng.integers(-(2**62), 2**62, 500)}
    T = atlas.AtlasTable(5, flips=True, names=list(columns), load=columns.__getitem__)
    names = ["mask", "ldim", "star_number", "labelled"]
    found = T.distinct(names)
    assert len(found.values) == 500
    for i, which in enumerate(found.inverse.tolist()):
        assert found.values[which]["mask"] == columns["mask"][i]
        assert found.values[which]["ldim"] == Fraction(int(columns["ldim"][i]), unit)
    assert len(T.distinct(["mask"]).values) == len(set(columns["mask"].tolist()))
    # Products of these overflow a machine word; 7 vc <= unit ld is compared all the same.
    assert ("vcdim", "ldim") in never_exceeds([T], ["vcdim", "ldim", "star_number"]).edges
