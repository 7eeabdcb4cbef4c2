"""``lsclasses run`` as a user meets it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from learners.budget_files import BudgetFile
from learners.playing.entries import ONLINE_LEARNERS, OnlineEntry
from learners.playing.transcript import Transcript
from lsclasses.online import OnlineState
from lsclasses.registry import Place
from tests.lsclasses.commands import test_cli as cli
from tests.lsclasses.commands.test_cli import error_of, not_private_json


def run(*arguments: object, status: int = 0) -> Any:
    return cli.run("run", *arguments, status=status)


def played(*arguments: object, status: int = 0) -> Any:
    return json.loads(run(*arguments, "--json", status=status).stdout)


def test_learners_and_adversaries_are_listed() -> None:
    shown = run().stdout
    assert all(name in shown for name in (*ONLINE_LEARNERS.names(), "stream:FILE"))


def test_diagnostics_are_drawn_and_written_if_asked_for(tmp_path: Path) -> None:
    arguments = ("pop", "points:n=2^64", "-T", 200, "--epsilon", "20", "--adversary", "repeating")
    plot, written = tmp_path / "pop.svg", tmp_path / "pop.csv"
    run(*arguments, "--secure", "--plot", plot, "--csv", written)
    assert "minority" in plot.read_text()
    header = "round,point,label,prediction,coin,mistakes"
    assert written.read_text().startswith(f"{header}\n")
    run(*arguments, "--csv", written, "--secret", "--force")
    assert written.read_text().startswith(f"{header},secret_contradicted,secret_ones,secret_states")


@pytest.mark.parametrize(("learner", "label"), [("dp-hedge", 1), ("pop", 0), ("layered-soa", 1)])
def test_what_is_computed_from_peoples_labels_is_no_part_of_the_answer(
    learner: str, label: int, tmp_path: Path
) -> None:
    """Labels that no concept fits, too: whether one does is something about the rows."""
    stream = tmp_path / "people.csv"
    stream.write_text("point,label\n" + f"1,0\n1,{label}\n" * 20)
    options = ("--epsilon", "10", "--adversary", f"stream:{stream}", "--secure")
    arguments = (learner, "points:n=4", "-T", 40, *options)
    shown = run(*arguments)
    starts = ("mistakes  ", "regret    ", "reports   ")
    assert not any(line.startswith(starts) for line in shown.stdout.splitlines())
    assert ": consistent" not in shown.stdout and "does not apply" not in shown.stdout
    assert "privacy   (" in shown.stdout and "<=" in shown.stdout.partition("\nbounds\n")[2]
    told, _, yours = shown.stderr.partition("Not private, only for the owner of the rows:\n")
    assert told.strip() == "" and yours.startswith("  mistakes  ")
    answer = run(*arguments, "--json")
    data, uncovered = json.loads(answer.stdout), not_private_json(answer)
    game = data["games"][0]
    assert [game[name] for name in ("mistakes", "regret", "reports")] == [None] * 3
    assert uncovered["games"][0]["mistakes"] >= 0
    assert {bound["verdict"] for bound in data["bounds"]} == {None}
    assert all(isinstance(bound["verdict"], str) for bound in uncovered["bounds"])
    table = tmp_path / "game.csv"
    assert "Add --secret" in run(*arguments, "--csv", table, status=2).stderr
    assert "the files of --csv" in run(*arguments, "--csv", table, "--secret").stderr
    # A simulation is nobody's release, and a learner without privacy has nothing to cover.
    for others in ((*arguments[:-1], "--seed", 1), ("soa", *arguments[1:4], *options[2:])):
        assert "mistakes  " in run(*others).stdout
        assert "Not private" not in run(*others, "--json").stderr


def test_the_answer_about_people_does_not_depend_on_what_nobody_saw(tmp_path: Path) -> None:
    """Two streams, one realizable: where the learner shows the same, so does the command."""
    seen = set()
    for label in (0, 1):
        stream = tmp_path / "people.csv"
        stream.write_text(f"point,label\n1,0\n1,{label}\n")
        options = ("--adversary", f"stream:{stream}", "--secure", "--epsilon", "1")
        seen.add(run("layered-soa", "points:n=4", "-T", 2, *options, "--json").stdout)
    assert len(seen) == 1


@pytest.mark.parametrize("name", ["dp-hedge", "sparse-experts", "rerun-forest", "pop"])
def test_learners_of_all_buckets_have_the_budget_of_one(name: str) -> None:
    game = played(name, "thresholds:n=3", "-T", 30, "--epsilon", "8", "--doubling")
    assert game["games"][0]["played"] == 30
    assert Fraction(game["privacy"]["epsilon"]) <= 8
    # The deltas of POP add up over five buckets, so each of them has a share.
    least = Fraction(1, 2 * 10**6) if name == "pop" else -1
    assert least < Fraction(game["privacy"]["delta"]) <= Fraction(1, 10**6)


@pytest.mark.parametrize(
    "call",
    [
        ("pop", "points:n=9", "--theorem"),
        ("agnostic-pop", "points:n=9"),
        ("dp-winnow", "margin-halfspaces:d=3,norm=1"),
    ],
)
def test_a_budget_that_protects_nobody_can_be_meant(call: tuple[str, ...]) -> None:
    meant = ("-T", 20, "--epsilon", "21", "--delta", "1/5", "--allow-weak-privacy")
    assert Fraction(played(*call, *meant)["privacy"]["epsilon"]) <= 21


def test_many_seeds() -> None:
    given = ("soa", "thresholds:n=9", "-T", 50)
    data = played(*given, "--seeds", 3, "--seed", 7)
    assert [each["randomness"].split(", ")[1] for each in data["games"]] == [
        f"seed {seed}" for seed in (7, 8, 9)
    ]
    assert played(*given, "--seed", 8)["games"][0] == data["games"][1]
    assert "seed" in run(*given, "--seeds", 3).stdout
    secure = played(*given, "--secure")["games"][0]
    assert secure["randomness"] == "the operating system's coins"


@pytest.mark.parametrize(
    "learner",
    [
        ("pop", "--epsilon", 8, "--allow-weak-privacy", "--doubling", "--delta", "1/10"),
        pytest.param(("randomized-soa",), marks=pytest.mark.slow),
    ],
)
def test_games_of_two_processes_are_those_of_one(
    learner: tuple[object, ...], tmp_path: Path
) -> None:
    """And they are kept: those of three seeds are not played again for five."""
    name, *more = learner
    given = (name, "points:n=4", "-T", 30, *more)
    alone = played(*given, "--seeds", 5)
    assert played(*given, "--seeds", 5, "--jobs", 2) == alone
    path = tmp_path / "kept"
    run(*given, "--seeds", 3, "--resume", path, "--jobs", 2)
    kept = path.read_bytes()
    assert played(*given, "--seeds", 5, "--resume", path) == alone
    assert path.read_bytes().startswith(kept) and path.read_text().count("\n") == 6
    other = (name, "points:n=4", "-T", 31, *more)
    assert "another command" in error_of("run", *other, "--resume", path)


def test_the_ledger_is_printed_if_it_is_requested() -> None:
    game = ("pop", "thresholds:n=7", "-T", 20, "--epsilon", "1")
    said = run(*game, "--ledger").stdout
    assert "\nLedger:\n  POP: ApproximateDP, epsilon 1, delta 1e-06\n  covered: " in said
    assert "Ledger:" not in run(*game).stdout and "ledger" not in played(*game)
    assert played(*game, "--ledger")["ledger"][0] == "POP: ApproximateDP, epsilon 1, delta 1e-06"
    assert "no privacy guarantee" in run("soa", "thresholds:n=7", "-T", 20, "--ledger").stdout


def test_files(tmp_path: Path) -> None:
    arguments = ("soa", "thresholds:n=1000", "-T", 30)
    run(*arguments, "--csv", tmp_path / "game.csv", "--plot", tmp_path / "game.svg")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "game.csv").read_text())))
    assert len(rows) == 30
    assert int(rows[-1]["mistakes"]) == played(*arguments)["games"][0]["mistakes"]
    assert ElementTree.parse(tmp_path / "game.svg").getroot().tag.endswith("svg")
    run(*arguments, "--csv", tmp_path / "game.json")
    assert Transcript.load(tmp_path / "game.json").played == 30
    again = tmp_path / "again.svg"
    run(*arguments, "--plot", again)
    assert again.read_bytes() == (tmp_path / "game.svg").read_bytes()


def test_a_family_too_large_to_be_built_has_a_learner_and_streams(tmp_path: Path) -> None:
    stream = tmp_path / "examples.csv"
    point = "(" + ", ".join("01"[i % 2] for i in range(20)) + ")"
    stream.write_text(f'point,label\n"{point}",1\n"{point}",1\n')
    data = played("best", "decision-lists:n=20", "--adversary", f"stream:{stream}")
    assert data["learner"] == "DecisionListElimination" and data["games"][0]["played"] == 2


def plug(monkeypatch: Any, entry: OnlineEntry) -> None:
    """Pretend that an installed package declares the learner."""
    ONLINE_LEARNERS.names()
    point = Place(entry.name, f"{__name__}:LEARNERS")
    monkeypatch.setitem(ONLINE_LEARNERS._places, entry.name, point)
    monkeypatch.setitem(ONLINE_LEARNERS._loaded, entry.name, entry)


class Wrong(OnlineState):
    """Promises fewer mistakes than it makes."""

    mistake_bound = 1

    def _predict(self, x: Any) -> int:
        return 0

    def _observe(self, x: Any, y: int) -> Wrong:
        return self


def test_a_violated_bound_is_shown_with_its_stream_and_has_status_1(monkeypatch: Any) -> None:
    entry = OnlineEntry("wrong", "", lambda source, rounds: Wrong())
    plug(monkeypatch, entry)
    arguments = ("wrong", "thresholds:n=15", "--adversary", "optimal", "-T", 20)
    shown = run(*arguments, status=1).stdout
    assert "violated" in shown
    assert "round 2 exceeds mistakes <= M = 1" in shown and "the stream: (7, 1), (3, 1)" in shown
    assert played(*arguments, status=1)["bounds"][0]["verdict"] == "violated"


def test_an_interruption_prints_what_was_played(monkeypatch: Any) -> None:
    class Interrupted(Wrong):
        def __init__(self, left: int) -> None:
            self.left = left

        def _observe(self, x: Any, y: int) -> Wrong:
            if not self.left:
                raise KeyboardInterrupt
            return Interrupted(self.left - 1)

    entry = OnlineEntry("slow", "", lambda source, rounds: Interrupted(5))
    plug(monkeypatch, entry)
    shown = run(
        "slow", "points:n=9", "--seeds", 3, "--adversary", "random:points=uniform", status=130
    )
    assert "5 of 1000 rounds, interrupted" in shown.stdout


@pytest.mark.parametrize(("failure", "status"), [(ValueError, 1), (KeyboardInterrupt, 130)])
def test_what_was_played_is_shown_whatever_happens_to_a_file(
    failure: type[BaseException], status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise failure

    monkeypatch.setattr("learners.plots.overview", fails)
    shown = run("soa", "points:n=9", "--rounds", 5, "--plot", tmp_path / "it.svg", status=status)
    assert "mistakes" in shown.stdout


# ---- games in segments


@pytest.fixture
def segments(tmp_path: Path) -> Callable[..., Any]:
    """Plays one segment after the other of a private game."""
    stream, state = tmp_path / "stream.csv", tmp_path / "game.json"
    stream.write_text("point,label\n3,1\n1,0\n2,0\n")

    def segment(*more: object, status: int = 0) -> Any:
        given = ["dp-hedge", "thresholds:n=7", "-T", 8, "--adversary", f"stream:{stream}"]
        return run(*given, "--state", state, *more, status=status)

    return segment


def new_budget(path: Path, epsilon: str, name: str = "people.budget") -> Path:
    budget = path / name
    cli.run("budget", "new", budget, "--epsilon", epsilon, "--delta", "1e-6")
    return budget


def test_each_segment_charges_the_whole_game_to_the_budget_of_its_rows(
    segments: Callable[..., Any], tmp_path: Path
) -> None:
    budget, other = new_budget(tmp_path, "3"), new_budget(tmp_path, "3", name="others.json")
    paid = json.loads(segments("--secure", "--budget", budget, "--json").stdout)
    assert paid["segment"] == {"number": 1, "played": 3, "mistakes": None, "paused": True}
    assert paid["budget"] == str(budget)
    before = budget.read_bytes()
    # A row that is in two segments would need group privacy.
    refused = segments("--secure", "--budget", budget, status=2)
    assert "has paid for a segment of this game" in refused.output
    assert budget.read_bytes() == before
    # The refusal leaves the paused game as it was. The rows of other people have their budget.
    segments("--secure", "--budget", other)
    charges = [BudgetFile(each).state.charges for each in (budget, other)]
    assert charges[0][0].game == charges[1][0].game != ""
    assert charges[0][0].epsilon == charges[1][0].epsilon > Fraction(99, 100)
    assert "begun as --secure and would go on with a seed" in segments(status=2).output


def test_a_segment_without_a_budget_states_that_no_budget_covers_its_rows(
    segments: Callable[..., Any],
) -> None:
    assert "budget    none covers these rows" in segments("--secure").stdout
    assert json.loads(segments("--secure", "--json").stdout)["budget"] is None


def test_no_file_is_left_of_a_game_that_cannot_be_paid_for(
    segments: Callable[..., Any], tmp_path: Path
) -> None:
    budget = new_budget(tmp_path, "1/100")
    refused = segments("--secure", "--budget", budget, status=2)
    assert "The remaining budget is" in refused.output
    assert not (tmp_path / "game.json").exists()


def test_a_file_of_somebody_else_is_never_taken_for_a_game(
    segments: Callable[..., Any], tmp_path: Path
) -> None:
    state = tmp_path / "game.json"
    state.write_text("{}")
    for force in ((), ("--force",)):
        assert "it is not a paused game that --state wrote" in segments(*force, status=2).output
    assert state.read_text() == "{}"


# ---- rounds


@pytest.fixture
def stream(tmp_path: Path) -> Path:
    """Write five rounds of which the last contradicts the others."""
    path = tmp_path / "examples.csv"
    path.write_text("point,label\n3,1\n1,1\n6,1\n0,0\n5,0\n5,0\n")
    return path


def test_a_trace_shows_the_version_space_and_contradictions(stream: Path) -> None:
    given = ("soa", "thresholds:n=7", "--adversary", f"stream:{stream}", "--trace")
    found = played(*given)
    assert [each["concepts"] for each in found["trace"]] == [4, 2, 2, 1, 0, 0]
    assert [each["realizable"] for each in found["trace"]] == [True] * 4 + [False] * 2
    assert [each["prediction"] for each in found["trace"][4:]] == [1, 0]
    assert found["bounds"][0]["verdict"] == "does not apply"
    shown = run(*given).stdout.splitlines()
    assert "    2  1              0      1  mistake        2  2 (Ldim 1)" in shown
    assert "    6  5              0      0                 3  none" in shown


def test_a_conservative_learner_notices_a_contradiction_to_an_ignored_example(
    stream: Path,
) -> None:
    stream.write_text("point,label\n0,0\n0,1\n")
    given = ("conservative-soa", "thresholds:n=7", "--adversary", f"stream:{stream}", "--trace")
    assert [each["concepts"] for each in played(*given)["trace"]] == [8, 1]


def test_a_trace_of_another_learner_has_no_version_space() -> None:
    found = played("dp-hedge", "thresholds:n=7", "-T", 3, "--trace")
    assert len(found["trace"]) == 3 and "concepts" not in found["trace"][0]
    assert found["trace"][-1]["mistakes"] == found["games"][0]["mistakes"]
    assert "concepts left" not in run("dp-hedge", "thresholds:n=7", "-T", 3, "--trace").stdout


def test_examples_after_the_last_round_are_noted(stream: Path) -> None:
    given = ("soa", "thresholds:n=7", "--adversary", f"stream:{stream}")
    assert "--rounds 6 plays all examples" in run(*given, "-T", 5).stderr
    assert run(*given, "-T", 6).stderr == ""


def test_rounds_are_shown_of_one_whole_game_that_a_guarantee_covers(
    stream: Path, tmp_path: Path
) -> None:
    soa, page = ("run", "soa", "thresholds:n=7"), tmp_path / "page.html"
    owned = ("--adversary", f"stream:{stream}", "--secure")
    assert "show one game" in error_of(*soa, "--trace", "--seeds", "2")
    state = ("--state", tmp_path / "game.json")
    assert "a segment" in error_of(*soa, *owned[:2], "--html", page, *state)
    hedge = ("run", "dp-hedge", "thresholds:n=7")
    assert "which no guarantee covers" in error_of(*hedge, *owned, "--trace")
    assert "Got DPHedge" in error_of(*hedge, "--html", page)
    assert not page.exists()


def test_the_former_name_of_run_soa_forwards(stream: Path, tmp_path: Path) -> None:
    named = ("thresholds:n=7", "--adversary", f"stream:{stream}", "--trace", "-T", 6)
    for learner, options in (("soa", ()), ("conservative-soa", ("--conservative",))):
        former = cli.run("soa", "thresholds:n=7", "--stream", stream, *options)
        assert former.stdout == run(learner, *named).stdout
        assert "'lsclasses soa' is now 'lsclasses run soa" in former.stderr
    page = tmp_path / "page.html"
    cli.run("soa", "thresholds:n=7", "--stream", stream, "--html", page)
    assert "replay" in page.read_text()
