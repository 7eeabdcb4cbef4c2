"""Questions in SQL: the answers, and that none of them can write or read a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from catalog import atlas
from catalog.atlas.building import build
from catalog.atlas.query import sql
from lsclasses import InvalidInput

pytest.importorskip("pyarrow")
pytest.importorskip("duckdb")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("atlas") / "atlas.parquet"
    build(path, points=3)
    return path


@pytest.fixture(autouse=True)
def file(built: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stands for the file of five points: that of three, so that its classes come twice."""
    monkeypatch.setenv("LSCLASSES_ATLAS", str(built))
    monkeypatch.setattr("catalog.atlas.storage.EXPECTED", 3)
    return built


def test_answers_are_those_of_the_columns() -> None:
    T = atlas.table(4)
    found = sql("select mask, ldim, randomized_ldim, growth_function from atlas where points = 4")
    assert found.columns == ("mask", "ldim", "randomized_ldim", "growth_function")
    expected = zip(
        *(T[name].tolist() for name in ("mask", "ldim", "randomized_ldim", "growth_function")),
        strict=True,
    )
    assert sorted(found.rows) == [tuple(row) for row in expected]
    assert sql("from atlas where points = 3").rows[:21] != []
    assert sql("select count(*) from atlas where points = 3").rows == [(42,)]
    assert sql("select max(2 ** (40 * ldim)) from atlas").rows == [(2.0**160,)]


def test_a_file_of_other_points_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catalog.atlas.storage.EXPECTED", 5)
    for asked in (lambda: sql("select count(*) from atlas"), lambda: atlas.table(5)):
        with pytest.raises(InvalidInput, match="has the classes on 3 points, where those on 5"):
            asked()


def test_a_table_that_is_not_there_is_told_from_the_one_that_is() -> None:
    with pytest.raises(InvalidInput, match=r"foo does not exist.* There is one table, atlas\.$"):
        sql("select * from foo")


def test_without_a_file_there_are_the_classes_on_four_points(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LSCLASSES_ATLAS", str(tmp_path / "none"))
    found = sql("select count(*) from atlas")
    assert (found.rows, found.points) == ([(429,)], 4)


@pytest.mark.parametrize(
    "question",
    [
        "copy atlas to 'OUT'",
        "export database 'OUT'",
        "attach 'OUT'",
        "create table kept as select 1",
        "insert into small select * from small",
        "set enable_external_access = true",
        "pragma enable_profiling",
        "load 'OUT'",
        "select 1; copy atlas to 'OUT'",
        "prepare p as copy atlas to 'OUT'",
        "call enable_logging(storage_path = 'OUT')",
        "",
        "-- nothing",
    ],
)
def test_what_does_not_select_is_refused(question: str, tmp_path: Path) -> None:
    out = tmp_path / "written"
    with pytest.raises(InvalidInput):
        sql(question.replace("OUT", str(out)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "question",
    [
        "select * from 'FILE'",
        "select * from read_parquet('FILE')",
        "select * from read_text('FILE')",
        "select * from glob('*')",
        "select * from query('copy atlas to ''FILE''')",
        "select * from parquet_metadata('FILE')",
        "select * from secret",
        "select getenv('HOME')",
        "select ldm from atlas",
        "select",
    ],
)
def test_nothing_but_the_atlas_can_be_read(question: str, file: Path) -> None:
    secret = [1]  # a variable that DuckDB would otherwise find by its name
    before = file.read_bytes()
    with pytest.raises(InvalidInput, match="DuckDB does not answer this"):
        sql(question.replace("FILE", str(file)))
    assert secret == [1]
    assert file.read_bytes() == before
