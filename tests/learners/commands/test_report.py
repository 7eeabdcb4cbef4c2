"""``lsclasses report``: one page for each class, all of them or none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from learners.commands import report as command
from tests.lsclasses.commands.test_cli import error_of, run

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No learner is tried; `tests.recorded` has a report with all."""
    monkeypatch.setattr(command, "_tried", lambda classes, _: {key: [] for key in classes})


def written(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_report_is_written_and_written_anew(tmp_path):
    folder = tmp_path / "new" / "report"
    for _ in range(2):
        run("report", folder, "thresholds:n=3", "points:n=2")
        assert written(folder) == {
            "index.html",
            *(f"{name}.html" for name in ("thresholds_n=3", "points_n=2")),
            *(
                f"{name}.{of}.json"
                for name in ("thresholds_n=3", "points_n=2")
                for of in ("ldim", "vcdim")
            ),
        }
    page = (folder / "thresholds_n=3.html").read_text()
    assert "Its name in the atlas is 3:" in page
    assert "vcdim &lt;= ldim" in page
    run("check", folder / "thresholds_n=3.ldim.json", "thresholds:n=3")


def test_pages_of_an_earlier_report_stay_and_are_linked(tmp_path):
    run("report", tmp_path, "thresholds:n=3")
    (tmp_path / "notes.html").write_text("mine")
    said = run("report", tmp_path, "points:n=2").output
    assert "kept from earlier reports: thresholds_n=3.html" in " ".join(said.split())
    index = (tmp_path / "index.html").read_text()
    assert 'href="thresholds_n=3.html"' in index
    assert "notes.html" not in index


def test_pages_link_to_the_index_and_to_their_neighbours(tmp_path):
    run("report", tmp_path, "points:n=1", "points:n=2", "points:n=3")
    page = (tmp_path / "points_n=2.html").read_text()
    links = [("index", "All classes"), ("points_n=1", "Previous: points:n=1")]
    links.append(("points_n=3", "Next: points:n=3"))
    shown = " ".join(f'<a href="{file}.html">{text}</a>' for file, text in links)
    assert f"<nav>{shown}</nav>" in page


def test_files_are_visible_and_the_table_has_links(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    for name in ("a.csv", "here/.b.csv"):
        (tmp_path / name).write_text("x,y\n0,1\n1,1\n")
    monkeypatch.chdir(tmp_path / "here")
    run("report", "out", "../a.csv", ".b.csv")
    names = written(tmp_path / "here" / "out")
    assert {"up_a.csv.html", "b.csv.html"} <= names
    assert not any(name.startswith(".") for name in names)
    index = (tmp_path / "here" / "out" / "index.html").read_text()
    assert '<td><a href="up_a.csv.html">../a.csv</a></td>' in index


def test_names_are_no_markup(tmp_path):
    table = tmp_path / "table.csv"
    table.write_text(f'concept,"{HOSTILE}","שלום ""\'&"\nnone,0,0\n"{HOSTILE}",0,1\n')
    run("report", tmp_path / "report", table)
    for page in (tmp_path / "report").glob("*.html"):
        assert "<script" not in page.read_text()


def test_another_folder_is_refused_and_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    said = error_of("report", tmp_path, "points:n=2")
    assert "is not empty, and it does not contain a report" in said
    (tmp_path / "index.html").write_text("<!doctype html>\nmine")
    assert "does not contain a report" in error_of("report", tmp_path, "points:n=2")
    assert written(tmp_path) == {"notes.txt", "index.html"}


@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_nothing_is_left_of_what_was_not_finished(tmp_path, monkeypatch, failure):
    def full(*_: Any) -> None:
        raise failure

    folder = tmp_path / "report"
    monkeypatch.setattr("lsclasses.files.writing._fill", full)
    if isinstance(failure, OSError):
        assert "no space left on device" in error_of("report", folder, "points:n=2")
    else:
        with pytest.raises(BaseException):  # noqa: B017
            run("report", folder, "points:n=2")
    assert not folder.exists()
