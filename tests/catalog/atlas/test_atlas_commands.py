"""``lsclasses atlas``: built by processes and by a cluster, asked, and drawn."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
from pathlib import Path

import pytest

from catalog import atlas
from catalog.atlas.atlas_plots import at_most, lattice, never_exceeds
from catalog.atlas.building import parts_folder
from catalog.atlas.columns import COLUMNS, column_names
from catalog.atlas.extremal import page as page_of_extremal_classes
from catalog.atlas.storage import AtlasFile
from catalog.parameters import PARAMETERS
from lsclasses import InvalidInput
from lsclasses.figures import save
from tests.lsclasses.commands.test_cli import run

pytest.importorskip("pyarrow")
pytest.importorskip("duckdb")


def test_the_file_is_built_once(tmp_path: Path) -> None:
    path = tmp_path / "atlas.parquet"
    first = json.loads(run("atlas", "build", "--points", 3, "--out", path, "--json").stdout)
    assert (first["classes"], first["kept"], first["file"]) == (21, [], str(path))
    assert "ldim" in first["computed"]
    assert AtlasFile(path).command == "lsclasses atlas build --points 3"
    second = run("atlas", "build", "--points", 3, "--out", path).stdout
    assert "nothing, all columns were there" in second


def test_the_file_goes_where_the_variable_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "made" / "mine.parquet"
    monkeypatch.setenv("LSCLASSES_ATLAS", str(path))
    assert "5 classes" in run("atlas", "build", "--points", 2, "--jobs", 1).stdout
    assert AtlasFile(path).points == 2
    precious = tmp_path / "table.parquet"
    precious.write_text("mine")
    monkeypatch.setenv("LSCLASSES_ATLAS", str(precious))
    said = run("atlas", "build", "--points", 2, status=2).stderr
    assert "is not an atlas" in said
    assert precious.read_text() == "mine"


def test_an_interruption_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("catalog.atlas.building.build", interrupted)
    path = tmp_path / "atlas.parquet"
    said = run("atlas", "build", "--points", 3, "--out", path, status=130).stderr
    assert "the same command continues from them" in said
    assert str(parts_folder(path)) in said.replace("\n", "")


def test_questions_are_answered_in_three_forms() -> None:
    question = (
        "select points, max(ldim) deepest, first(growth_function) grown from atlas group by 1"
    )
    question += " order by 1"
    shown = run("atlas", "sql", question)
    assert "deepest" in shown.stdout
    assert "'lsclasses atlas build' adds" in shown.stderr
    rows = list(csv.reader(io.StringIO(run("atlas", "sql", question, "--csv").stdout)))
    assert [row[:2] for row in rows] == [
        ["points", "deepest"],
        *([str(n)] * 2 for n in range(1, 5)),
    ]
    data = json.loads(run("atlas", "sql", question, "--json").stdout)
    assert [row["deepest"] for row in data] == [1, 2, 3, 4]
    assert len(data[3]["grown"]) == 5
    assert "and 329 more rows" in run("atlas", "sql", "from atlas").stdout
    assert "one statement that selects" in run("atlas", "sql", "drop view atlas", status=2).stderr


def test_pictures_are_repeated_exactly(tmp_path: Path) -> None:
    one, two = tmp_path / "one.svg", tmp_path / "two.svg"
    run("atlas", "plot", "vcdim", "ldim", "--out", one)
    save(atlas.plot("vcdim", "ldim"), two)
    assert one.read_bytes() == two.read_bytes()
    drawn = atlas.plot("randomized_ldim", "size")
    assert drawn.get_title() == "429 classes on at most 4 points"
    with pytest.raises(InvalidInput, match="growth_function is a sequence"):
        atlas.plot("ldim", "growth_function")
    with pytest.raises(InvalidInput, match="no column 'ldm'"):
        atlas.plot("ldm", "vcdim")


def test_numbers_in_a_picture_are_those_of_classes() -> None:
    ax = atlas.plot("vcdim", "ldim")
    written = {(each.xy): int(each.get_text().replace(",", "")) for each in ax.texts}  # type: ignore[attr-defined]
    classes = [C for points in atlas.POINTS for C in atlas.classes(points)]
    for (vc, ld), count in written.items():
        assert count == sum((C["vcdim"], C["ldim"]) == (vc, ld) for C in classes)
    assert sum(written.values()) == 429


def test_what_never_exceeds_what_is_so_on_every_class() -> None:
    tables = atlas.tables()
    names = ["ldim", "vcdim", "randomized_ldim", "star_number", "teaching_dim", "size"]
    graph = never_exceeds(tables, names)
    classes = [C for points in atlas.POINTS for C in atlas.classes(points)]
    import networkx as nx

    for p in names:
        for q in names:
            expected = all(C[p] <= C[q] for C in classes)  # type: ignore[operator]
            assert nx.has_path(graph, p, q) == expected, (p, q)
    drawn = lattice(tables, names)
    assert len(drawn.texts) == len(graph)
    # Quantities that always agree are one.
    twice = [tables[0]]
    assert any(" = " in node for node in never_exceeds(twice, ["ldim", "vcdim", "size"]))


@pytest.mark.slow
def test_the_page_shows_what_the_atlas_of_five_points_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "atlas5.parquet"
    monkeypatch.setenv("LSCLASSES_ATLAS", str(path))
    assert "1228157 classes" in run("atlas", "build").stdout
    page = (Path(__file__).parents[3] / "docs" / "atlas.md").read_text()
    shown = re.findall(r"^```sh\n(lsclasses .*)\n```\n\n```text\n([^`]*)```$", page, re.M)
    assert len(shown) == 3
    for question, answer in shown:
        printed = run(*shlex.split(question)[1:]).stdout
        assert printed.split() == answer.split(), question
    tables = atlas.tables()
    found = [name for name in column_names(5, flips=True) if name not in PARAMETERS]
    scalars = [name for name in found if not COLUMNS[name].sequence]
    names = ["points", *scalars]
    pairs = [(p, q) for p in names for q in names if p != q and at_most(tables[:4], p, q)]
    dying = [pair for pair in pairs if not at_most(tables[4:], *pair)]
    said = f"Of the {len(pairs)} pairs of parameters, among {len(names)}, of which the first never"
    assert said in page
    assert f"on at most four points, {len(dying)} fail on five" in page
    extremal = Path(__file__).parents[3] / "docs" / "extremal.md"
    assert extremal.read_text() == page_of_extremal_classes(atlas.table(5))


@pytest.mark.parametrize("text", ["vcdim = 1 and ldim = 2", "teaching_dim > 3", "size == 9"])
def test_values_find_the_classes_that_have_them(text: str) -> None:
    answer = json.loads(run("atlas", "find", text, "--json", "--limit", "1000").stdout)
    wanted = {
        "vcdim = 1 and ldim = 2": lambda C: C.vcdim() == 1 and C.ldim() == 2,
        "teaching_dim > 3": lambda C: C.teaching_dim() > 3,
        "size == 9": lambda C: len(C) == 9,
    }[text]
    known = [each for points in (1, 2, 3, 4) for each in atlas.classes(points)]
    expected = {each.name for each in known if wanted(each.table)}
    assert {each["name"] for each in answer["found"] if each["points"] < 5} == expected
    assert len({each.name for each in known}) == len(known) == 429
