"""Results that are kept in a file, and files that are none of results."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

import catalog
from catalog.fact_checks import checks, keep_rows, kept_rows
from lsclasses import InvalidInput, results_file
from lsclasses.installation import sources_digest
from lsclasses.results_file import ResultsFile

CUBES = checks(["cube", "affine"])


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.jsonl"


def filled(path, count=2):
    results = ResultsFile(path, "abc")
    rows = {}
    for check in CUBES[:count]:
        rows[check.name] = check.rows()
        keep_rows(results, check, rows[check.name])
    return rows


def test_rows_come_back_as_they_were(path):
    rows = filled(path, count=4)
    assert {row.verdict for each in rows.values() for row in each} == {"holds", "erratum"}
    again = ResultsFile(path, "abc")
    for check in CUBES[:4]:
        found = kept_rows(again, check)
        for row, before in zip(found, rows[check.name], strict=True):
            assert abs(row.seconds - before.seconds) < 1e-6
            assert vars(row) | {"seconds": 0} == vars(before) | {"seconds": 0}
    assert kept_rows(again, CUBES[4]) is None


def test_a_line_that_was_cut_off_is_dropped(path):
    filled(path)
    complete = path.read_bytes()
    for cut in (1, 10, 200):
        path.write_bytes(complete[:-cut])
        again = ResultsFile(path, "abc")
        assert kept_rows(again, CUBES[0]) is not None
        assert kept_rows(again, CUBES[1]) is None
        assert path.read_bytes() == complete[: complete[:-1].rindex(b"\n") + 1]
    keep_rows(again, CUBES[1], CUBES[1].rows())
    assert kept_rows(ResultsFile(path, "abc"), CUBES[1]) is not None


@pytest.mark.parametrize(
    "content",
    [
        *(b"my notes\n", b"\n", b"no end of line", b"\xff\xfe\n", b"1\n"),
        *(b'{"format": "lsclasses-table"}\n', b"[" * 100_000 + b"\n"),
    ],
)
def test_other_files_are_refused_and_left_as_they_are(path, content):
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match="is not a file of results, and it was not changed"):
        ResultsFile(path, "abc")
    assert path.read_bytes() == content


def test_results_of_other_code_are_refused(path, monkeypatch):
    filled(path)
    before = path.read_bytes()
    with pytest.raises(InvalidInput, match="with changes\\), which cannot be continued"):
        ResultsFile(path, "abd")
    monkeypatch.setattr(results_file, "__version__", "99")
    with pytest.raises(InvalidInput, match=r"this is 99\), which cannot be continued"):
        ResultsFile(path, "abc")
    assert path.read_bytes() == before


def test_a_file_that_is_write_protected_is_refused(path):
    filled(path)
    path.chmod(0o444)
    with pytest.raises(InvalidInput, match="it is write-protected"):
        ResultsFile(path, "abc")


def test_an_empty_file_is_begun(path):
    path.touch()
    filled(path)
    assert kept_rows(ResultsFile(path, "abc"), CUBES[0]) is not None


def test_the_digest_changes_with_the_sources(tmp_path, monkeypatch):
    package = tmp_path / "some_package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "part.py").write_text("x = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    __import__("some_package")
    before = sources_digest("some_package")
    assert before == sources_digest("some_package") != sources_digest()
    (package / "part.py").write_text("x = 2\n")
    changed = sources_digest("some_package")
    assert changed != before
    (package / "part.py").rename(package / "other.py")
    assert sources_digest("some_package") not in (before, changed)


def test_the_digest_changes_with_what_is_installed(installed):
    """With every module of a distribution that adds something, whether it is imported or not."""
    before = sources_digest()
    installed("toy_module", "", (catalog.FAMILIES, "toys", "toy_module:Toys"))
    folder = Path(find_spec("toy_module").origin).parent
    listed = "../../../bin/tool.py,,\ntoy_module.py,,\n"
    (folder / "toy_module-1.0.dist-info" / "RECORD").write_text(listed)
    assert sources_digest() != before  # a script that is installed beside it is no module
    (folder / "toy_module-1.0.dist-info" / "top_level.txt").write_text("toy_module\ntoy_data\n")
    (folder / "toy_data").mkdir()
    found = {before, sources_digest()}
    for name in ("toy_module.py", "toy_data/part.py", "toy_data/instances.json"):
        (folder / name).write_text("1")
        found.add(sources_digest())
    assert len(found) == 5
