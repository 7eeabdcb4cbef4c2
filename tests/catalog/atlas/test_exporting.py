"""The data set of the atlas: what is in it, read by other programs."""

from __future__ import annotations

import hashlib
import io
import json
import struct
from fractions import Fraction
from pathlib import Path

import pytest

from catalog import atlas
from catalog.atlas.exporting import AUTHORS, LICENSE, export
from catalog.atlas.storage import AtlasFile
from lsclasses import InvalidInput
from tests.lsclasses.commands.test_cli import error_of, run, run_json

pq = pytest.importorskip("pyarrow.parquet")
ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return export()


def test_every_column_has_the_numbers_and_the_digest_that_are_said(files: dict[str, bytes]) -> None:
    package = json.loads(files["datapackage.json"])
    assert len(package["resources"]) >= 2 * len(atlas.POINTS)
    for resource in package["resources"]:
        content = files[resource["path"]]
        assert resource["bytes"] == len(content)
        assert resource["hash"] == f"sha256:{hashlib.sha256(content).hexdigest()}"
        columns = pq.read_table(io.BytesIO(content)).to_pydict()
        fields = {each["name"]: each for each in resource["schema"]["fields"]}
        assert list(columns) == list(fields)
        for name, values in columns.items():
            unit = Fraction(fields[name].get("unit", 1))
            flat = [x for each in values for x in (each if isinstance(each, list) else [each])]
            integers = [round(x / unit) for x in flat]
            packed = struct.pack(f"<{len(integers)}q", *integers)
            assert fields[name]["sha256"] == hashlib.sha256(packed).hexdigest(), name
            assert fields[name]["description"]
        if "permutations" not in resource["path"] and "5" not in resource["path"]:
            points = int(resource["path"][7])
            classes = {C.mask: C for C in atlas.classes(points)}
            for mask, value in zip(columns["mask"], columns["randomized_ldim"], strict=True):
                assert value == float(classes[mask]["randomized_ldim"])


def test_sums_are_of_all_files_and_nothing_is_invented(files: dict[str, bytes]) -> None:
    sums = dict(line.split("  ")[::-1] for line in files["SHA256SUMS"].decode().splitlines())
    assert sums == {
        name: hashlib.sha256(text).hexdigest()
        for name, text in files.items()
        if name != "SHA256SUMS"
    }
    citation = (ROOT / "CITATION.cff").read_text()
    assert f'- name: "{AUTHORS}"' in citation and f"license: {LICENSE}" in citation
    archived = json.loads(files[".zenodo.json"])
    assert archived["creators"] == [{"name": AUTHORS}] and "doi" not in str(archived).lower()


def test_the_command_writes_the_same_bytes_again(files: dict[str, bytes], tmp_path: Path) -> None:
    folder = tmp_path / "data"
    for _ in range(2):
        run("atlas", "export", folder)
        assert {each.name: each.read_bytes() for each in folder.iterdir()} == files
    assert AtlasFile(folder / "points-4.parquet").table()["ldim"].max() == 4
    with pytest.raises(InvalidInput, match="up to permutations only"):
        AtlasFile(folder / "points-4-permutations.parquet")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "README.md").write_text("mine")
    assert "does not contain a data set" in error_of("atlas", "export", tmp_path / "other")
    forced = run_json("atlas", "export", tmp_path / "other", "--force")
    assert forced["files"] == sorted(files)
