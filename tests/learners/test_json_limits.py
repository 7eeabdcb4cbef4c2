"""Small compressed files of JSON with many values are refused before the values are built."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from learners.playing.transcript import Transcript
from learners.sanitizers.files import SyntheticRelease
from learners.tables.saved import load_model
from lsclasses.certificates import base, load_certificate
from lsclasses.errors import InvalidInput
from lsclasses.files import documents
from lsclasses.files.documents import read_json
from lsclasses.json_text import parsed_json, require_few_values
from tests.lsclasses.commands.test_cli import run

LISTS = b"[" + b"[]," * (8 << 20) + b"[]]"


@pytest.fixture(scope="module")
def bomb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bomb") / "lists.json.gz"
    path.write_bytes(gzip.compress(LISTS))
    assert path.stat().st_size < 65_000
    return path


READERS: list[Callable[[Path], object]] = [
    read_json,
    load_certificate,
    load_model,
    SyntheticRelease.load,
    Transcript.load,
]


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_refuses_a_small_file_of_many_lists(
    reader: Callable[[Path], object], bomb: Path
) -> None:
    tracemalloc.start()
    with pytest.raises(InvalidInput, match=r"about 16,777,219 JSON values.*1\.7 GB.*4,194,304"):
        reader(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * len(LISTS)


def test_the_command_refuses_a_small_file_of_many_lists(bomb: Path) -> None:
    said = run("check", bomb, "points:n=2", status=2).stderr
    assert "lists.json.gz" in said and "The limit is 4,194,304 values" in said


def test_certificates_that_are_not_compressed_have_the_same_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "VALUES", 5)
    path = tmp_path / "lists.json"
    path.write_text("[[], [], []]")
    with pytest.raises(InvalidInput, match="The limit is 5 values"):
        load_certificate(path)
    assert read_json(path) == [[], [], []]


def test_commas_and_brackets_in_strings_are_not_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "COMPRESSED_VALUES", 6)
    data = {"a": ["[,[,{", 'b\\"],[', "\\"], "c": 1.5}
    path = tmp_path / "strings.json.gz"
    path.write_bytes(gzip.compress(json.dumps(data).encode()))
    assert read_json(path) == data


@pytest.mark.parametrize(
    "text", ["1", "[]", "[1]", "[1, 2, [3, [4]], {}]", '{"a": {"b": [], "c": "x"}, "d": null}']
)
def test_the_number_of_values_is_an_upper_bound(text: str) -> None:
    def count(value: object) -> int:
        if isinstance(value, dict):
            return 1 + sum(map(count, value.values()))
        return 1 + sum(map(count, value)) if isinstance(value, list) else 1

    exact = count(parsed_json(text.encode()))
    with pytest.raises(InvalidInput):
        require_few_values(text.encode(), exact - 1)
    require_few_values(text.encode(), exact + text.count("[]") + text.count("{}"))
