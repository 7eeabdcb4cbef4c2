import json
from collections import Counter
from fractions import Fraction
from math import exp
from pathlib import Path

import pytest

from learners.sanitizers.files import SyntheticRelease
from tests.lsclasses.commands import test_cli as cli
from tests.lsclasses.commands.test_cli import not_private_json
from tests.memory import most_memory


def run(command, status=0):
    return cli.run(*command.split(), status=status)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{3 + i % 7}\n" for i in range(9000))
    (tmp_path / "ages.csv").write_text(f"age\n{rows}")
    return tmp_path


MAKE = "sanitize intervals:n=16 ages.csv --epsilon 8 --alpha 1/5"


def test_rows_are_drawn_from_a_seed(folder):
    for name in ("a.csv", "b.csv"):
        run(f"sample intervals:n=16 --rows 300 --points 3..9 --seed 4 --column age --out {name}")
    lines = (folder / "a.csv").read_text().splitlines()
    assert lines[0] == "age" and len(lines) == 301
    assert set(lines[1:]) == {str(x) for x in range(3, 10)}
    assert (folder / "b.csv").read_text().splitlines() == lines
    run("sample thresholds:n=5 --rows 50 --target start=3 --noise 1/9 --out c.csv --json")
    assert (folder / "c.csv").read_text().startswith("point,label\n")


def test_the_rows_that_are_written_take_no_memory(folder):
    def made(rows):
        run(f"{MAKE} --rows {rows} --seed 1 --out made{rows}.csv")

    made(1)  # what is imported stays
    few = most_memory(lambda: made(10**3))
    assert most_memory(lambda: made(10**5)) < few + 10**5


def test_synthetic_rows_ledger_and_bound(folder):
    shown = run(f"{MAKE} --out synthetic.csv --save s.json").output
    assert "1e-06)-differentially private by pld, which is less than the sum" in shown
    assert "sanitization error <= alpha = 1/5" in shown
    assert "Worst estimate" not in shown and "not publish" not in shown
    release = SyntheticRelease.load("s.json")
    lines = (folder / "synthetic.csv").read_text().splitlines()
    assert lines[0] == "age" and len(lines) == 9001
    assert [lines[1:].count(str(x)) for x in range(16)] == list(release.data.counts())
    assert not release.guarantee.simulated
    assert release.guarantee.epsilon <= 8


def test_the_check_is_right_and_says_that_it_looks_at_the_data(folder):
    result = run(f"{MAKE} --seed 1 --save s.json --check --json")
    release = SyntheticRelease.load("s.json")
    rows = Counter(int(x) for x in (folder / "ages.csv").read_text().splitlines()[1:])
    worst = max(
        abs(release.data.estimate(c) - Fraction(sum(rows[x] for x in rows if c(x)), 9000))
        for c in release.sanitizer.of
    )
    assert Fraction(not_private_json(result)["error"]) == worst <= Fraction(1, 5)
    text = run(f"{MAKE} --seed 1 --check")
    assert "worst estimate" not in text.stdout and "worst estimate" in text.stderr
    assert "do not publish" in text.stdout
    assert "Not private" not in run(f"{MAKE} --json").stderr


def test_without_an_error_it_is_the_least_that_the_rows_afford(folder):
    given = "sanitize intervals:n=16 ages.csv --epsilon 8"
    found = json.loads(run(f"{given} --json").stdout)
    assert found["needed"] <= 9000
    less = Fraction(found["alpha"]) - Fraction(1, 1000)
    message = run(f"{given} --alpha {less}", status=2).stderr
    assert f"afford alpha = {float(Fraction(found['alpha'])):g}" in message


def test_labelled_rows_and_other_names_of_points(folder):
    (folder / "rows.csv").write_text("point,label\n" + "0,0\n1,0\n2,1\n" * 3000)
    run(
        "sanitize thresholds:n=3 rows.csv --labelled --epsilon 16 --alpha 1/5 --seed 2 "
        "--out synthetic.csv --rows 500 --save s.json"
    )
    lines = (folder / "synthetic.csv").read_text().splitlines()
    assert lines[0] == "point,label" and len(lines) == 501
    assert SyntheticRelease.load("s.json").labelled
    (folder / "names.csv").write_text("point\nx\ny\n")
    (folder / "few.csv").write_text("point\n" + "x\n" * 4000 + "y\n" * 4000)
    run("sanitize cube:n=2 few.csv --points names.csv --epsilon 8 --save names.json")
    assert SyntheticRelease.load("names.json").points == ("x", "y")


def test_a_domain_from_the_data_has_a_conditional_ledger(folder):
    (folder / "rows.csv").write_text("point\n" + "30\n40\n50\n" * 2000)
    given = "rows.csv --epsilon 8 --points data"
    result = run(f"sanitize intervals:n=3 {given} --save s.json")
    assert "no guarantee covers this" in result.stderr
    assert "conditional on the inputs" in result.stdout
    assert SyntheticRelease.load("s.json").guarantee.conditional
    assert "4 points" in run(f"sanitize intervals:n=4 {given}", status=2).stderr


def test_names_of_points_are_not_written_over_wherever_they_lie(folder, monkeypatch):
    """A path with two dots is no range."""
    (folder / "sub").mkdir()
    names = "point\n" + "".join(f"a{i}\n" for i in range(3))
    (folder / "names.csv").write_text(names)
    (folder / "sub" / "rows.csv").write_text("point\n" + "a1\n" * 3000)
    monkeypatch.chdir(folder / "sub")
    made = "sanitize points:n=3 rows.csv --points ../names.csv --epsilon 16"
    for out in ("../names.csv", str(folder / "names.csv")):
        assert "is an input of this command" in run(f"{made} --out {out} --force", status=2).stderr
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
