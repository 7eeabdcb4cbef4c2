"""``lsclasses verify`` as a user meets it."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import catalog
from catalog.fact_checks import Row
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.papers import paper, statement
from learners.papers.coverage import recomputed
from lsclasses.commands.application import app
from lsclasses.commands.output import without_tex
from tests.lsclasses.commands.test_cli import error_of, run, run_json
from tests.lsclasses.commands.test_processes import interrupted

CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class WrongCube(type(catalog.family("cube"))):  # type: ignore[misc]
    """The cube with a fact that is false from n = 3 on."""

    name = "wrong-cube"
    facts = (catalog.Fact("ldim", "Min(n, 2)"), catalog.Fact("points", "n"))


def table_of(shown: str, head: str) -> list[str]:
    """The lines of the table whose first column has this head."""
    lines = shown.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(head))
    return lines[start + 2 : lines.index("", start)]


def test_every_fact_is_compared_with_a_search() -> None:
    rows = run_json("verify", "--family", "warmuth")
    assert {row["family"] for row in rows} == {"warmuth"}
    assert {row["verdict"] for row in rows} == {"holds"}
    assert all(row["stated"] == row["computed"] for row in rows)
    shown = run("verify", "--family", "warmuth", "--family", "points").stdout
    for word in ("family", "members", "facts", "comparisons", "verdict", "seconds"):
        assert word in shown.splitlines()[0]
    members = len({row["parameters"] for row in rows})
    line, _ = table_of(shown, "family")
    assert line.split()[:4] == ["warmuth", str(members), "12", str(len(rows))]
    assert "Errata" not in shown and "holds: the computation agrees with the statement" in shown
    assert re.search(r"\d+ comparisons in .* s: all hold.\n$", shown)
    every = run("verify", "--family", "warmuth", "--all").stdout
    assert every.count("\nwarmuth ") == 1 + len(rows)


def test_errata_are_shown_with_the_tree_that_refutes_them() -> None:
    shown = run("verify", "--class", "affine:q=2,n=2,k=1", "--jobs", 1).stdout
    assert re.search(r"^affine +1 +\d+ +\d+ +\d+ hold, 1 erratum", shown, re.MULTILINE)
    assert re.search(r"dual_ldim +<= 2\^\(2\^\(ldim \+ 1\)\) - 2 +right - left = \d+ ", shown)
    errata = shown[shown.index("Errata") :]
    assert "[BLM20, section 1], on affine: ldim is printed as k, but it is k + 1" in errata
    (quoted,) = statement("BLM20 Sec 1, affine subspaces").errata
    printed_as = without_tex(quoted.printed)
    assert f'Refuted, section 1: "{printed_as}" Explanation: for affine subspaces' in errata
    spec, computed, printed = re.search(
        r"Smallest case: (\S+) has ldim (\d+); printed: k = (\d+)\.", errata
    ).groups()  # type: ignore[union-attr]
    tree = catalog.build(spec).shattered_tree()
    assert tree.depth == int(computed) > int(printed)
    assert tree.to_text() in errata


def test_a_violated_fact_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catalog.fact_checks.FAMILIES", [WrongCube()])
    monkeypatch.setattr("learners.check_selection.claims", lambda names=None: [])
    shown = run("verify", status=1).stdout
    assert "violated: wrong-cube:n=3: ldim stated 2, computed 3." in shown
    assert re.search(r"wrong-cube +7 +2 +14 +9 hold, 5 violated", shown)
    assert "violated: the computation contradicts it" in shown
    rows = run_json("verify", status=1)
    assert {row["parameters"] for row in rows if row["verdict"] == "holds"} > {"wrong-cube:n=2"}
    assert {row["quantity"] for row in rows if row["verdict"] == "violated"} == {"ldim"}


def test_a_refuted_sentence_of_a_proof_is_quoted_with_its_place() -> None:
    shown = run("verify", "--claim", "GL21 Claim A.6").stdout
    errata = shown[shown.index("Errata") :]
    refuted, *gaps = statement("GL21 Claim A.6").errata
    assert "[GL21, proof of Claim A.6], on forest: P[the sibling of a leaf" in errata
    printed_as = without_tex(refuted.printed)
    assert f'Refuted, proof of Claim A.6: "{printed_as}". Explanation: it is changed' in errata
    assert "To be cited as: GL21 Claim A.6 ('lsclasses cite')." in errata
    assert not any(gap.printed in shown for gap in gaps) and "Gap in a proof" not in shown


def test_statements_are_told_one_by_one() -> None:
    asked = ("--only", "GL21", "--claim", "BLM20 Thm 3", "--topic", "ledger", "--jobs", 1)
    shown = run("verify", *asked).stdout
    lines = table_of(shown, "statement")
    statements = paper("GL21").statements
    for line, each in zip(lines[1:], statements, strict=True):
        assert line.startswith(f"{each.name} ")
        assert ("not checkable" in line) == (each.name not in recomputed())
    assert re.search(r"^BLM20 Thm 3 .* not checkable", lines[0])
    assert re.search(r"GL21 Lemma 5.4 +advanced composition +9 +all hold", shown)
    assert re.search(r"GL21 Thm A.7 .* not among these", shown)
    rows = run_json("verify", "--claim", "GL21 Def 2.2", "--claim", "GL21 Lemma 5.4")
    names = {name for row in rows for name in row["fact"]["statements"]}
    assert names == {"GL21 Def 2.2", "GL21 Lemma 5.4"}


# ---- going on


def rows_without_seconds(*arguments: object) -> list[dict[str, Any]]:
    return [{**row, "seconds": 0} for row in run_json("verify", *arguments)]


def test_rows_of_a_file_are_the_same_for_every_number_of_processes(tmp_path: Path) -> None:
    """And what was kept is about the file as it was."""
    path = tmp_path / "class.csv"
    path.write_text("concept,a,b\nf,0,1\ng,1,0\n")
    asked = ("--class", path, "--resume", tmp_path / "kept.jsonl", "--jobs", 1)
    rows = rows_without_seconds(*asked)
    assert len(rows) > 20 and {row["verdict"] for row in rows} == {"holds"}
    assert {row["parameters"] for row in rows} == {str(path)}
    assert rows == rows_without_seconds("--class", path, "--jobs", 2)
    path.write_text("concept,a,b\nf,0,1\ng,1,0\nh,0,0\n")
    assert [row["computed"] for row in rows] != [
        row["computed"] for row in rows_without_seconds(*asked)
    ]


def test_results_are_kept_and_not_computed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "results.jsonl"
    asked = ("--topic", "dyadic-intervals", "--family", "points", "--jobs", 1)
    first = run_json("verify", *asked, "--resume", path)
    kept = path.read_bytes()

    def never(check: Any) -> list[Row]:
        raise AssertionError(check.name)

    with monkeypatch.context() as patched:
        patched.setattr("learners.claim_checks.ClaimCheck.rows", never)
        patched.setattr("catalog.fact_checks.FactCheck.rows", never)
        assert run_json("verify", *asked, "--resume", path) == first
        assert run_json("verify", "--family", "points", "--resume", path) == [
            row for row in first if row["family"] == "points"
        ]
    assert path.read_bytes() == kept
    run("verify", "--family", "warmuth", "--resume", path, "--jobs", 1)
    assert path.read_bytes().startswith(kept) and len(path.read_bytes()) > len(kept)


def test_what_cannot_be_gone_on_with_is_left_as_it_is(tmp_path: Path) -> None:
    asked = ("verify", "--family", "points", "--jobs", 1, "--resume")
    path = tmp_path / "results.jsonl"
    run(*asked, path)
    text = path.read_text()
    for changed, message in (
        ("mine\n", "is not a file of results, and it was not changed"),
        (re.sub(r'"sources": "....', '"sources": "0000', text), "which cannot be continued"),
        (text.replace('"holds"', '"true"', 1), "is damaged"),
    ):
        path.write_text(changed)
        assert message in error_of(*asked, path)
        assert path.read_text() == changed
    assert "no such file or directory" in error_of(*asked, tmp_path / "none" / "results")


DEADLY = Claim("0", "0", "==", falsified="1")


@recomputes(DEADLY)
def interrupts() -> Any:
    raise KeyboardInterrupt
    yield


def test_what_is_finished_before_an_interruption_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "results.jsonl"
    work = [*catalog.fact_checks.checks(["warmuth"]), ClaimCheck("pressed", interrupts)]
    monkeypatch.setattr("learners.check_selection.claims", lambda names=None: work)
    asked = ("verify", "--topic", "pressed", "--resume", path, "--jobs", 1)
    result = run(*asked, status=130)
    assert re.search(
        r"lsclasses: Interrupted. \d+ checks? .* not finished \(.*press", result.stderr
    )
    assert "The same command continues." in result.stderr
    assert re.search(r"\d+ comparisons in .* s before it was stopped: .*hold", result.stdout)
    assert len(path.read_text().splitlines()) > 1


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_finished(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    asked = ("verify", "--topic", "ledger", "--topic", "mechanisms", "--resume", path)
    status, output, progress = interrupted(*asked, "--jobs", 2, at=" checks, the last on ledger")
    assert status == 130
    assert "Traceback" not in progress
    assert re.search(r"lsclasses: Interrupted. \d+ checks are not finished \(.*mech", progress)
    assert "before it was stopped" in output
    assert len(path.read_text().splitlines()) > 1


@recomputes(DEADLY)
def dies(where: int) -> Any:
    if os.getpid() != where:
        os._exit(1)
    yield compare(DEADLY, "0", computed=0, stated=0, false=1)


def test_a_worker_that_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    work = [*catalog.fact_checks.checks(["warmuth"]), ClaimCheck("deadly", dies, (os.getpid(),))]
    monkeypatch.setattr("learners.check_selection.claims", lambda names=None: work)
    result = run("verify", "--topic", "deadly", "--jobs", 2, status=2)
    assert "lsclasses: A worker process ended early, 4 times, perhaps be" in result.stderr
    assert re.search(
        r"not finished \(.*deadly\)\. With --resume FILE, finished checks", result.stderr
    )
    assert "(--jobs 1) has no workers" in result.stderr
    assert "before it was stopped" in result.stdout
    assert "all hold" in run("verify", "--topic", "deadly", "--jobs", 1).stdout


# ---- on terminals


LONG = Claim(
    "largest number of things that a quantity with a long name is about",
    "a formula that is as long as formulas get, k + 1 + 2^k",
    falsified="k",
)


@recomputes(LONG)
def long_rows() -> Any:
    spec = "decision-lists:n=4,k=2,length=0,alternations=0,monotone=0,seed=123456"
    yield compare(LONG, spec, computed=3, stated=4, false=2)
    yield Outcome(LONG, "short", "<= 4", "3", "consistent")


@pytest.mark.parametrize(("width", "every"), [(60, ()), (80, ("--all",))])
def test_lines_break_between_words_only(
    monkeypatch: pytest.MonkeyPatch, width: int, every: tuple[str, ...]
) -> None:
    check = ClaimCheck("coin-game", long_rows)
    monkeypatch.setattr("learners.check_selection.claims", lambda names=None: [check])
    asked = ["verify", "--topic", "coin-game", "--class", "affine:q=2,n=2,k=0", *every]
    environment = {"FORCE_COLOR": "1", "COLUMNS": str(width)}
    result = CliRunner().invoke(app, asked, env=environment)
    assert result.exit_code == 0
    shown = CODES.sub("", result.stdout)
    assert max(map(len, shown.splitlines())) <= width
    wide = run(*asked).stdout
    known = set(re.split(r"[\s,:;/]+", wide)) | {"beside", "heads"}
    seconds = re.compile(r"\d+\.\d+")
    for word in re.split(r"[\s,:;/]+", shown):
        assert word in known or set(word) <= {"─"} or seconds.fullmatch(word), word
