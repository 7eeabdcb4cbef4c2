import json
from collections import Counter
from fractions import Fraction
from math import exp
from pathlib import Path

import pytest
from typer.testing import CliRunner

from learners.sanitizers.files import SyntheticRelease
from lsclasses.commands.application import app
from tests.memory import most_memory


def run(command, status=0):
    result = CliRunner().invoke(app, command.split())
    assert result.exit_code == status, result.output
    return result


def refused(command):
    result = run(command, status=2)
    assert not result.stdout
    return " ".join(result.stderr.split())


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("sample intervals:n=16 --rows 30000 --points 3..9 --seed 4 --column age --out ages.csv")
    return tmp_path


MAKE = "sanitize intervals:n=16 ages.csv --epsilon 4 --alpha 1/5"


def test_rows_are_drawn_from_a_seed(folder):
    first = (folder / "ages.csv").read_text()
    lines = first.splitlines()
    assert lines[0] == "age" and len(lines) == 30001
    assert set(lines[1:]) == {str(x) for x in range(3, 10)}
    run("sample intervals:n=16 --rows 30000 --points 3..9 --seed 4 --column age --out b.csv")
    assert (folder / "b.csv").read_text() == first
    run("sample thresholds:n=5 --rows 50 --target start=3 --noise 1/9 --out c.csv --json")
    assert (folder / "c.csv").read_text().startswith("point,label\n")


def test_the_rows_that_are_written_take_no_memory(folder):
    def made(rows):
        run(f"{MAKE} --rows {rows} --seed 1 --out made{rows}.csv")

    made(1)  # what is imported stays
    few = most_memory(lambda: made(10**4))
    assert most_memory(lambda: made(10**6)) < few + 10**6


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--rows 0 --out x.csv", "rows"),
        ("--rows 10 --out x.csv --noise 1/9", "--target"),
        ("--rows 10 --out x.csv --column label", "another name"),
        ("--rows 10 --out x.txt", ".csv"),
        ("--rows 10 --out ages.csv", "already"),
        ("--rows 10 --out x.csv --points 90..95", "not a point"),
        ("--rows 10 --out x.csv --points none.csv", "the counts of a histogram"),
    ],
)
def test_draws_that_make_no_sense_are_refused(folder, options, message):
    (folder / "none.csv").write_text("point,count\n3,0\n")
    assert message in refused(f"sample intervals:n=16 {options}")
    assert not (folder / "x.csv").exists()


def test_synthetic_rows_ledger_and_bound(folder):
    shown = run(f"{MAKE} --out synthetic.csv --save s.json").output
    assert "differentially private by zcdp" in shown
    assert "sanitization error <= alpha = 1/5" in shown
    assert "Worst estimate" not in shown and "not publish" not in shown
    release = SyntheticRelease.load("s.json")
    lines = (folder / "synthetic.csv").read_text().splitlines()
    assert lines[0] == "age" and len(lines) == 30001
    assert [lines[1:].count(str(x)) for x in range(16)] == list(release.data.counts())
    assert not release.guarantee.simulated
    assert release.guarantee.epsilon <= 4


def test_the_check_is_right_and_says_that_it_looks_at_the_data(folder):
    result = run(f"{MAKE} --seed 1 --save s.json --check --json")
    assert "looks at the true rows" in result.stderr
    found = json.loads(result.stdout)
    release = SyntheticRelease.load("s.json")
    rows = Counter(int(x) for x in (folder / "ages.csv").read_text().splitlines()[1:])
    worst = max(
        abs(release.data.estimate(c) - Fraction(sum(rows[x] for x in rows if c(x)), 30000))
        for c in release.sanitizer.of
    )
    assert Fraction(found["not covered by the guarantee"]["error"]) == worst <= Fraction(1, 5)
    text = run(f"{MAKE} --seed 1 --check")
    assert "Worst estimate" not in text.stdout and "Worst estimate" in text.stderr
    assert "do not publish" in text.stdout
    assert "not covered" not in run(f"{MAKE} --json").stdout


def test_without_an_error_it_is_the_least_that_the_rows_afford(folder):
    found = json.loads(run("sanitize intervals:n=16 ages.csv --epsilon 4 --json").stdout)
    assert found["needed"] <= 30000
    less = Fraction(found["alpha"]) - Fraction(1, 1000)
    message = refused(f"sanitize intervals:n=16 ages.csv --epsilon 4 --alpha {less}")
    assert f"afford alpha = {float(Fraction(found['alpha'])):g}" in message


def test_labelled_rows_and_other_names_of_points(folder):
    run("sample thresholds:n=6 --rows 20000 --target start=2 --noise 1/9 --out rows.csv")
    made = "sanitize thresholds:n=6 rows.csv --labelled --epsilon 8 --alpha 1/5 --seed 2"
    run(f"{made} --out synthetic.csv --rows 500 --save s.json")
    lines = (folder / "synthetic.csv").read_text().splitlines()
    assert lines[0] == "point,label" and len(lines) == 501
    assert SyntheticRelease.load("s.json").labelled
    (folder / "names.csv").write_text("point\nx\ny\n")
    (folder / "few.csv").write_text("point\n" + "x\n" * 9000 + "y\n" * 9000)
    run("sanitize cube:n=2 few.csv --points names.csv --epsilon 8 --save names.json")
    assert SyntheticRelease.load("names.json").points == ("x", "y")


def test_a_domain_from_the_data_is_refused_unless_asked_for_by_name(folder):
    (folder / "rows.csv").write_text("point\n" + "30\n40\n50\n" * 4000)
    assert "a public list" in refused("sanitize intervals:n=3 rows.csv --epsilon 8")
    result = run("sanitize intervals:n=3 rows.csv --epsilon 8 --points data --save s.json")
    assert "no guarantee covers it" in result.stderr
    assert "conditional on the inputs" in result.stdout
    assert SyntheticRelease.load("s.json").guarantee.conditional
    assert "4 points" in refused("sanitize intervals:n=4 rows.csv --epsilon 8 --points data")


def test_the_file_of_the_rows_is_no_public_list(folder):
    """Nor under another name; a list of its different rows would have no guarantee."""
    (folder / "few.csv").write_text("point\n30\n40\n50\n")
    (folder / "link.csv").symlink_to("few.csv")
    for name in ("few.csv", "./few.csv", "link.csv"):
        command = f"sanitize points:n=3 few.csv --points {name} --epsilon 20 --delta 1/100"
        assert "holds the rows" in refused(command)
    (folder / "table.csv").write_text("point\n0\n1\n")
    assert "holds the rows" in refused("sanitize table.csv table.csv --epsilon 20")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (f"{MAKE} --rows 5", "--out FILE"),
        (f"{MAKE} --out ages.csv", "is read here"),
        (f"{MAKE} --out ages.csv --force", "is read here"),
        (f"{MAKE} --save ages.json --out ages.json", ".csv"),
        (f"{MAKE} --alpha 0", "alpha"),
        (f"{MAKE} --alpha 2", "alpha"),
        (f"{MAKE} --alpha 1e-9", "at least"),
        (f"{MAKE} --alpha 1/100", "afford"),
        (f"{MAKE} --delta 1/2", "delta"),
        (f"{MAKE} --points 5..3", "range of points"),
        (f"{MAKE} --points 0..90", "16 points"),
        (f"{MAKE} --points nowhere.csv", "nowhere.csv"),
        (f"{MAKE} --points ages.csv", "holds the rows"),
        (f"{MAKE} --labelled", "labels stand in a column"),
        (f"{MAKE} --column name", "no single column 'name'"),
        ("sanitize intervals:n=8 ages.csv --epsilon 4", "is no point of the class"),
        ("sanitize intervals:n=16 nothing.csv", "nothing.csv"),
        ("sanitize intervals:n=16 ages.csv --epsilon 1e-5", "no error below 1"),
        ("sanitize points:n=2^40 ages.csv", "points"),
    ],
)
def test_wrong_input_is_refused_with_a_sentence(folder, command, message):
    assert message in refused(command)
    assert sorted(path.name for path in folder.iterdir()) == ["ages.csv"]


def test_files_of_others_are_not_written_over(folder):
    (folder / "notes.json").write_text('{"dear": "diary"}')
    (folder / "table.csv").write_text("a,b\n1,2\n")
    for option in ("--save notes.json", "--out table.csv"):
        assert "already" in refused(f"{MAKE} {option}")
    run(f"{MAKE} --save s.json")
    run(f"{MAKE} --save s.json")
    run(f"{MAKE} --out table.csv --force")


def test_names_of_points_are_not_written_over_wherever_they_lie(folder, monkeypatch):
    """A path with two dots is no range."""
    (folder / "sub").mkdir()
    names = "point\n" + "".join(f"a{i}\n" for i in range(3))
    (folder / "names.csv").write_text(names)
    (folder / "sub" / "rows.csv").write_text("point\n" + "a1\n" * 3000)
    monkeypatch.chdir(folder / "sub")
    made = "sanitize points:n=3 rows.csv --points ../names.csv --epsilon 16"
    for out in ("../names.csv", str(folder / "names.csv")):
        assert "is read here" in refused(f"{made} --out {out} --force")
    assert (folder / "names.csv").read_text() == names
    run(f"{made} --out synthetic.csv")


def test_the_ages_of_the_example_are_what_the_page_says(folder):
    """Survivors by Gompertz's law, of which as many are born every year; and a draw of them."""
    ages = Path(__file__).parents[3] / "examples" / "ages.csv"
    expected = {x: round(10**5 * exp(-(3e-5 / 0.1) * (exp(0.1 * x) - 1))) for x in range(128)}
    lines = ages.read_text().splitlines()
    assert lines[0] == "point,count"
    assert {int(x): int(w) for x, w in (line.split(",") for line in lines[1:])} == {
        x: w for x, w in expected.items() if w
    }
    run(f"sample intervals:n=128 --points {ages} --rows 20000 --out people.csv")
    drawn = Counter(map(int, (folder / "people.csv").read_text().splitlines()[1:]))
    share = sum(drawn[x] for x in range(65, 128)) / 20000
    true = sum(expected[x] for x in range(65, 128)) / sum(expected.values())
    assert abs(share - true) < 0.02  # but for one seed in 10^9: that is six standard deviations
