"""The names of merged concepts remain usable wherever a concept is named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas
import pytest
from typer.testing import CliRunner

from catalog.concepts import named_concept
from lsclasses import FiniteClass, Table
from lsclasses.commands.application import app
from lsclasses.dimensions.base import Witness
from lsclasses.errors import BadCertificate, InvalidInput

ROWS = {"a": "10", "b": "10", "c": "01", "d": "11", "e": "01", "f": "10"}
MERGED = {"b": "a", "e": "c", "f": "a"}


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "table.csv"
    path.write_text("concept,x\na,1\nb,1\nc,0\n")
    return str(path)


def of_rows() -> Table:
    return Table(list(ROWS.values()), domain="xy", concepts=ROWS)


def test_complements_keep_the_merged_names() -> None:
    assert of_rows().complement().concept("b").support == ("y",)


def test_every_constructor_lists_the_merged_names(tmp_path: Path) -> None:
    sets = {
        name: [x for x, y in zip("xy", row, strict=True) if y == "1"] for name, row in ROWS.items()
    }
    functions = {name: (lambda x, row=row: row["xy".index(x)] == "1") for name, row in ROWS.items()}
    labels = np.array([list(map(int, row)) for row in ROWS.values()])
    path = tmp_path / "table.csv"
    path.write_text("concept,x,y\n" + "".join(f"{n},{r[0]},{r[1]}\n" for n, r in ROWS.items()))
    for C in (
        of_rows(),
        Table(of_rows()),
        Table.from_sets("xy", sets),
        Table.from_functions("xy", functions),
        Table(pandas.DataFrame(labels, columns=["x", "y"], index=list(ROWS))),
        Table.load(path),
        Table(labels.T, domain=list(ROWS), concepts="xy").dual(),
    ):
        assert dict(C.merged_names) == MERGED
        for name, row in ROWS.items():
            assert C.concept(name) == C[C.position(row)]  # type: ignore[index]
    assert Table(["0", "0"]).merged_names == Table(["0", "1"], concepts="ab").merged_names == ()


def test_names_of_concepts() -> None:
    C = Table(["0", "1", "1"], concepts=[7, "7", ("t", 1)])
    assert C.concept(np.int64(7)) == C[0]
    assert C.concept(("t", 1)).name == "7"
    assert Table(["0", "1"]).concept(1).support == (0,)
    with pytest.raises(InvalidInput, match=r"No concept has the name 'aa'\. Did you mean 'a'"):
        of_rows().concept("aa")
    with pytest.raises(InvalidInput, match=r"C\.position\(C\.concept\('b'\)\)"):
        of_rows().position("b")


def test_functions_that_agree_on_all_points() -> None:
    C = FiniteClass({"a": lambda x: x, "b": lambda x: x * x, "c": lambda x: 1 - x}, [0, 1])
    assert C.names == ("a", "c")
    assert C["b"](1) == 1
    assert C["b"] in C
    with pytest.raises(InvalidInput, match="No remaining concept"):
        C.restrict(1, 0)["b"]


def test_named_concepts() -> None:
    C = of_rows()
    for name in ROWS:
        assert named_concept("", C, name) == C.concept(name)
    with pytest.raises(InvalidInput, match="There is no concept 'g'"):
        named_concept("", C, "g")


def test_witnesses() -> None:
    C = of_rows()
    witness = C.witness("threshold_dim")
    other = {kept: name for name, kept in MERGED.items()}
    names = tuple(other.get(name, name) for name in witness.evidence["concepts"])
    assert names != witness.evidence["concepts"]
    Witness("threshold_dim", 2, {**witness.evidence, "concepts": names}).verify(C)
    # Two names of one concept are one neighbour.
    twice = {"concept": "d", "concepts": ("a", "b")}
    with pytest.raises(BadCertificate):
        Witness("max_degree", 2, twice).verify(C)


def test_commands(file: str, tmp_path: Path) -> None:
    sampled = str(tmp_path / "rows.csv")
    for command in (
        ["pac", "generic", file, "--target", "b", "--epsilon", "1", "--seed", "1"],
        ["sample", file, "--target", "b", "--rows", "3", "--out", sampled],
        ["stability", file, "--target", "b"],
        ["dims", file],
    ):
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 0, result.output
        assert "1 duplicate row was merged: 'b' equals 'a'." in result.output
    assert Path(sampled).read_text() == "point,label\n" + 3 * "x,1\n"
