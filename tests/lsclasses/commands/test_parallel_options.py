"""Commands whose work is shared: the same answers, in order, and what is kept."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from lsclasses.commands import dims
from tests.lsclasses.commands.test_cli import error_of, run
from tests.lsclasses.commands.test_processes import interrupted

CLASSES = ("thresholds:n=7", "cube:n=3", "random:m=12,n=6", "affine:q=2,n=3,k=1")
SECONDS = re.compile(r"\d[\d.]*(?:e-\d+)?(?= s\))|(?<=: )[\d.e-]+(?=,?\n *(?:\"vcdim|}))")


def without_seconds(*arguments: object, status: int = 0) -> tuple[str, str]:
    result = run("dims", *arguments, status=status)
    return SECONDS.sub("", result.stdout), result.stderr


def test_classes_are_printed_as_by_one_process(csv_file: Path) -> None:
    """In order, up to a class that is none; notes and errors too."""
    asked = (*CLASSES, csv_file, "--witness")
    for more in (("--json",), ("nonsense", "cube:n=2")):
        status = 2 if "nonsense" in more else 0
        alone = without_seconds(*asked, *more, status=status)
        assert without_seconds(*asked, *more, "--jobs", 2, status=status) == alone
    assert "duplicate row was merged" in alone[1] and "cube:n=2" not in alone[0]


def test_processes_find_the_certificates_that_one_writes(tmp_path: Path) -> None:
    for jobs in (1, 2):
        run("dims", *CLASSES[:2], "--certificate", tmp_path / str(jobs), "--jobs", jobs)
    names = sorted(path.name for path in (tmp_path / "1").iterdir())
    assert len(names) == 4
    for name in names:
        assert (tmp_path / "2" / name).read_bytes() == (tmp_path / "1" / name).read_bytes()


def test_what_is_kept_is_not_computed_again(
    tmp_path: Path, csv_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And of a file it is known as long as the file is what it was."""
    path = tmp_path / "kept"
    first = run("dims", *CLASSES, csv_file, "--resume", path).stdout
    with monkeypatch.context() as patch:
        patch.setattr(dims, "_measure", None)
        for jobs in (1, 2):
            again = run("dims", csv_file, *CLASSES, "--resume", path, "--jobs", jobs).stdout
            assert sorted(again.splitlines()) == sorted(first.splitlines())
    kept = path.read_bytes()
    csv_file.write_text("concept,a,b\nf,0,1\ng,1,0\n")
    assert "2 concepts" in run("dims", csv_file, "--resume", path).stdout
    assert path.read_bytes().startswith(kept) and len(path.read_bytes()) > len(kept)
    assert "another command" in error_of("dims", "cube:n=3", "--only", "ldim", "--resume", path)


def test_processes_and_threads_together_are_no_more_than_processors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in ("lsclasses.limits", "lsclasses.commands.parallel_options"):
        monkeypatch.setattr(f"{module}.processors", lambda: 4)
    asked = ("dims", "cube:n=3", "--threads", 3)
    assert run(*asked).stderr == run(*asked, "--jobs", 1).stderr == ""
    said = "2 threads will search in each of 2 processes, not 3, since together they may use 4 proc"
    assert said in run(*asked, "--jobs", 2).stderr


@pytest.mark.slow
def test_ctrl_c_keeps_the_classes_before(tmp_path: Path) -> None:
    """About 6 s: a process on a terminal."""
    path = tmp_path / "kept"
    hard = "hamming-balls:n=30,r=2,count=40"
    asked = ("dims", "cube:n=3", hard, hard, "--jobs", 2, "--resume", path, "--json")
    status, output, progress = interrupted(*asked, at="class 2 of 3")
    assert status == 130 and [each["name"] for each in json.loads(output)] == ["cube:n=3"]
    assert "interrupted before the last 2 classes. The same command goes on" in progress
    assert len(path.read_text().splitlines()) == 2
