"""Every place that states a guarantee states its adversary model, and refuses a stronger game."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import catalog
from learners.accounting import AdversaryModel, PrivacyFilter, PureDP, Scope, Sequential
from learners.budget_files import BudgetFile
from learners.coins import SecureCoins, SeededCoins
from learners.optimal.mistakes import optimal_mistakes
from learners.playing.adversaries import FixedStream, RandomConcept, Repeating
from learners.playing.play import play
from learners.playing.state_files import StateFile
from learners.playing.transcript import Transcript
from learners.tables.online_classifier import OnlineClassifier
from lsclasses.errors import InvalidInput
from tests.lsclasses.commands.test_cli import run, run_json

C = catalog.build("points:n=2")
FIXED = optimal_mistakes(C, 3, "1/2", "1/20").learner
PURE = optimal_mistakes(C, 3, "1/2").learner


def test_play_states_that_a_guarantee_for_fixed_streams_does_not_cover_the_game() -> None:
    for adversary, covered in ((RandomConcept(C), True), (Repeating(C), False)):
        game = play(FIXED, adversary, 3, SeededCoins(1))
        assert (game.uncovered == "") is covered
        assert ("not covered" in str(game)) is not covered
        assert "fixes the stream in advance" in str(game.privacy)
        assert Transcript.from_json(json.loads(json.dumps(game.to_json()))) == game
        assert play(PURE, adversary, 3, SeededCoins(1)).uncovered == ""


def test_a_file_of_an_earlier_version_does_not_state_that_the_game_is_covered() -> None:
    data = play(FIXED, Repeating(C), 3, SeededCoins(1)).to_json()
    del data["uncovered"]
    data["privacy"] = {"epsilon": "1/2", "delta": "1/20", "neighbours": "replace_one"}
    assert "earlier version" in Transcript.from_json(data).uncovered


def test_a_later_segment_of_a_fixed_stream_is_adaptive(tmp_path: Path) -> None:
    first = StateFile(tmp_path / "game.json").claim(FIXED, simulated=True)
    assert first.play(FixedStream([(0, 1)]), 1, SeededCoins(1)).uncovered == ""
    first.keep()
    second = StateFile(tmp_path / "game.json").claim(FIXED, simulated=True)
    later = second.play(FixedStream([(1, 0)]), 1, SeededCoins(2))
    assert "fixed in advance" in later.uncovered


def test_a_release_in_segments_needs_a_guarantee_for_adaptive_streams(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="fixed in advance"):
        StateFile(tmp_path / "game.json").claim(FIXED, simulated=False)
    assert not (tmp_path / "game.json").exists()
    StateFile(tmp_path / "game.json").claim(PURE, simulated=False).withdraw()


def test_an_estimator_prints_the_model() -> None:
    shown = str(OnlineClassifier(FIXED, SecureCoins()).guarantee)
    assert "covered: an adversary that fixes the stream in advance" in shown
    guarantee = OnlineClassifier(PURE, SecureCoins()).guarantee
    assert guarantee is not None
    assert "covered: an adaptive adversary" in str(guarantee)
    assert guarantee.to_json()["adversary"] == {
        "stream": "adaptive",
        "observes": ["every published hypothesis"],
    }


def test_a_budget_refuses_a_weaker_model_unless_it_is_for_fixed_streams(tmp_path: Path) -> None:
    adaptive = BudgetFile.new(tmp_path / "adaptive", 1, "1/10")
    with pytest.raises(InvalidInput, match="only streams that are fixed in advance"):
        adaptive.charge(FIXED.privacy, "a game")
    assert adaptive.state.charges == ()
    fixed = BudgetFile.new(tmp_path / "fixed", 1, "1/10", stream="fixed")
    assert fixed.charge(FIXED.privacy, "a game").epsilon == Fraction(1, 2)
    assert adaptive.charge(PURE.privacy, "a game").epsilon == Fraction(1, 2)


def test_a_filter_refuses_a_weaker_model() -> None:
    with pytest.raises(InvalidInput, match="only streams that are fixed in advance"):
        PrivacyFilter(1, Fraction(1, 10)).charge(FIXED.privacy)
    fixed = PrivacyFilter(1, Fraction(1, 10), stream="fixed")
    fixed.charge(FIXED.privacy)
    assert fixed.spent == (Fraction(1, 2), Fraction(1, 20))


def test_a_ledger_with_one_weak_part_is_weak(tmp_path: Path) -> None:
    strong = PureDP(Fraction(1, 10), scope=Scope.adaptive("replace_one"))
    budget = BudgetFile.new(tmp_path / "budget", 1, "1/10")
    with pytest.raises(InvalidInput, match="only streams that are fixed in advance"):
        budget.charge(Sequential((strong, FIXED.privacy)), "both")


def test_a_budget_refuses_a_second_segment_of_one_game(tmp_path: Path) -> None:
    """One row in three segments of a game loses more than the game's epsilon."""
    budget = BudgetFile.new(tmp_path / "budget", 9)
    event = PureDP(1, scope=Scope.adaptive("replace_one"))
    budget.charge(event, "segment 1", game="a")
    with pytest.raises(InvalidInput, match="has paid for a segment"):
        budget.charge(event, "segment 2", game="a")
    budget.charge(event, "another game", game="b")
    budget.charge(event, "a release")
    budget.charge(event, "a release")
    assert budget.state.spent == (4, 0)


def test_a_file_with_two_segments_of_one_game_is_refused(tmp_path: Path) -> None:
    from lsclasses.files.documents import checksum

    path = tmp_path / "budget"
    budget = BudgetFile.new(path, 9)
    event = PureDP(1, scope=Scope.adaptive("replace_one"))
    for game in "ab":
        budget.charge(event, "a segment", game=game)
    data = json.loads(path.read_text())
    data["charges"][1]["game"] = "a"
    path.write_text(json.dumps(data | {"checksum": checksum(data)}))
    with pytest.raises(InvalidInput, match="two charges are for segments of one game"):
        _ = budget.state


def test_commands_print_the_model(tmp_path: Path) -> None:
    run("budget", "new", tmp_path / "b", "--epsilon", "1", "--stream", "fixed")
    assert "for streams fixed in advance" in run("budget", "show", tmp_path / "b").stdout
    assert run_json("budget", "show", tmp_path / "b")["stream"] == "fixed"
    played = run_json("run", "dp-hedge", "points:n=2", "-T", 5)
    assert played["privacy"]["adversary"]["stream"] == "adaptive"
    assert played["privacy"]["unit"] == "item" and played["not covered"] is None
    pop = run_json("run", "pop", "points:n=2", "-T", 5, "--adversary", "repeating")
    assert "observes every answer" in pop["not covered"]
    audited = run_json("audit", "optimal_publisher:epsilon=1/2,delta=1/20,rounds=3")
    assert audited["claimed"]["adversary"]["stream"] == "fixed"
    assert audited["audited"] == "fixed streams, as stated"
    audited = run_json("audit", "optimal_publisher:rounds=3")
    assert audited["audited"] == "adaptive streams"


def test_an_unknown_model_is_refused() -> None:
    with pytest.raises(InvalidInput, match="must be 'fixed' or 'adaptive'"):
        AdversaryModel("patient", ("every released value",))
    with pytest.raises(InvalidInput, match="must be one or more of"):
        AdversaryModel("fixed", ())
