"""Questions in SQL: the answers, and that none of them can write or read a file."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from math import exp
from pathlib import Path
from types import SimpleNamespace

import pytest

from catalog import atlas
from catalog.atlas.building import build
from catalog.atlas.query import sql
from catalog.atlas.storage import AtlasFile
from lsclasses import InvalidInput

pq = pytest.importorskip("pyarrow.parquet")
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


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("select max(ldim) from atlas where vcdim > 1", {"ldim", "vcdim"}),
        ("select ldim from (select * from atlas)", {"ldim"}),
        ("select count(*) from atlas", {"mask"}),
        ("select count(*) from atlas where points = 4", {"mask"}),
        ("select count(*) from (select distinct * from atlas)", None),
        ("select count(distinct a) from atlas a", None),
    ],
)
def test_of_the_file_a_question_reads_its_columns(
    question: str, read: set[str] | None, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = AtlasFile.read
    asked: list[str] = []

    def recorded(self: AtlasFile, names: Sequence[str]) -> object:
        asked.extend(names)
        return every(self, names)

    monkeypatch.setattr(AtlasFile, "read", recorded)
    sql(question)
    assert set(asked) == (set(AtlasFile(file).names) if read is None else read)


def test_a_question_needs_no_pandas(file: Path) -> None:
    code = """
import sys
from catalog import atlas
from catalog.atlas import query, storage
storage.EXPECTED = 3
assert query.sql("select max(ldim) from atlas").rows == [(4,)]
assert atlas.table(5)["growth_function"].max() == 8
assert {"duckdb", "pyarrow"} <= set(sys.modules) and "pandas" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("question", ["select max(ldim) from atlas", "from atlas limit 1"])
def test_what_was_not_read_is_no_answer(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # A plan that does not name what it reads.
    monkeypatch.setattr("catalog.atlas.query.re", SimpleNamespace(findall=lambda *_: []))
    with pytest.raises(InvalidInput, match="was not read"):
        sql(question.replace("from atlas", "from atlas where points = 3 and mask > 0"))
    assert sql("select count(*) from atlas where points = 3").rows == [(42,)]


def test_a_damaged_page_is_no_answer(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    column = pq.ParquetFile(file).metadata.row_group(0).column(0)
    content = bytearray(file.read_bytes())
    content[column.data_page_offset + column.total_compressed_size - 1] ^= 1
    damaged = tmp_path / "damaged.parquet"
    damaged.write_bytes(content)
    monkeypatch.setenv("LSCLASSES_ATLAS", str(damaged))
    with pytest.raises(InvalidInput, match=r"damaged\.parquet.* is damaged"):
        sql(f"select max({column.path_in_schema}) from atlas")


def test_a_column_with_another_digest_is_no_answer_and_the_others_are(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = pq.read_table(file)
    at = table.column_names.index("ldim")
    edited = tmp_path / "edited.parquet"
    pq.write_table(table.set_column(at, table.schema.field(at), table["vcdim"]), edited)
    monkeypatch.setenv("LSCLASSES_ATLAS", str(edited))
    assert sql("select max(vcdim), max(growth_function[3]) from atlas").rows == [(4, 4)]
    with pytest.raises(InvalidInput, match="the column ldim was changed"):
        sql("select max(ldim) from atlas")


def test_a_file_of_other_points_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catalog.atlas.storage.EXPECTED", 5)
    for asked in (lambda: sql("select count(*) from atlas"), lambda: atlas.table(5)):
        with pytest.raises(InvalidInput, match="has the classes on 3 points, but classes on 5"):
            asked()


def test_a_table_that_is_not_there_is_told_from_the_one_that_is() -> None:
    with pytest.raises(
        InvalidInput,
        match=r"foo does not exist.* The tables are atlas, permutations and private\.$",
    ):
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


def test_values_of_private_learners_are_columns_and_a_table() -> None:
    found = sql("select V1_lower, V1_upper from atlas where points = 1 and mask = 3").rows
    ((lower, upper),) = found
    assert lower <= 1 / (1 + exp(1)) <= upper < lower + 1e-6
    question = (
        "select lower, upper from private "
        "where points = 1 and mask = 3 and quantity = 'V' and size = 1 and epsilon = 1"
    )
    assert sql(question).rows == found
    assert sql("select max(points) from private").rows == [(5,)]


def test_quantities_that_flips_change_are_columns_of_another_table() -> None:
    T = atlas.table(4, flips=False)
    found = sql(
        "select mask, threshold_dim, apple_tasting_mistakes from Permutations where points = 4"
    )
    names = ("mask", "threshold_dim", "apple_tasting_mistakes")
    expected = zip(*(T[name].tolist() for name in names), strict=True)
    assert sorted(found.rows) == [tuple(row) for row in expected]
    assert sql("select count(*) from permutations").rows == [(3 + 11 + 79 + 3983,)]
    with pytest.raises(InvalidInput, match=r"change hitting_size\. Select it from .* permutations"):
        sql("select max(hitting_size) from atlas")
