"""A person's games: at a terminal, through a pipe, against both optimal opponents."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.coins import SeededCoins
from learners.playing.adversaries import Optimal
from learners.playing.play import play
from lsclasses import Table
from lsclasses.commands.play import InteractiveGame, Turn
from lsclasses.soa import SOA
from tests import oracles
from tests.lsclasses.commands import test_cli
from tests.lsclasses.commands.terminal import Terminal
from tests.strategies import plain, tables


def run(*arguments: object, moves: str | bytes = "", status: int = 0) -> Any:
    return test_cli.run("play", *arguments, status=status, input=moves)


def run_json(*arguments: object, moves: str = "") -> Any:
    return json.loads(run(*arguments, "--json", moves=moves).stdout)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Points that are called like what can be said, with blanks and quotes, and control signs."""
    path = tmp_path / "names.json"
    points = ["u", "hint", "two words", "Bob's", "\x1b[31mred", 7, "7"]
    Table(np.eye(len(points), dtype=int), domain=points).save(path)
    return path


# ---- the game


@given(tables(max_concepts=6, max_points=3), st.integers(0, 2**32))
def test_the_bound_is_met_by_the_soa_and_by_nobody_undercut(C: Table, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for follows in (True, False):
        game = InteractiveGame(C)
        assert game.most == oracles.ldim(plain(C))
        while game.forced:
            x = game.point
            y = game.soa.predict(x) if follows else int(rng.integers(2))
            game.take(Turn(x, y, 1 - y))
        assert len(game.turns) == game.mistakes >= game.most
        assert game.version_space.size == 1
        assert game.version_space == C.given((t.point, t.label) for t in game.turns)
        if follows:
            assert game.mistakes == game.most
            rival = play(SOA(C), Optimal(C), game.most, SeededCoins(0))
            assert list(rival.examples) == [(turn.point, turn.label) for turn in game.turns]


@given(tables(), st.integers(0, 2**32))
def test_hints_force_the_bound_and_other_labels_no_more(C: Table, seed: int) -> None:
    """The person's label is the hint's, or any that some concept has."""
    rng, path = np.random.default_rng(seed), []
    game = InteractiveGame(C)
    while game.forced and len(path) < 50:
        x = C.points[int(rng.integers(len(C.points)))]
        y = int(rng.integers(2))
        y = 1 - y if game.version_space.restrict(x, y).is_empty else y
        game.take(Turn(x, game.soa.predict(x), y))
        path.append((x, y))
        assert game.mistakes + game.forced <= game.most
    while game.turns:
        game.take_back()
        path.pop()
        assert game.version_space == C.given(path)


def test_hints_are_followed_to_the_bound(tmp_path: Path) -> None:
    """What the hint says, read from the screen and typed back, forces every mistake."""
    for number in range(2):
        C = Table(np.random.default_rng(number).integers(0, 2, size=(9, 5)))
        C.save(path := tmp_path / f"{number}.json")
        words: list[str] = []
        for _ in range(2 * C.ldim()):
            told = run(path, "--role", "adversary", moves=" ".join([*words, "hint"])).stdout
            hint = told.splitlines()[-2].split()
            words.append(hint[1 if hint[0] == "Choose" else 2].rstrip(":."))
        ended = run_json(path, "--role", "adversary", moves=" ".join(words))
        assert ended["finished"] and ended["mistakes"] == C.ldim() == len(ended["rounds"])


# ---- through a pipe


def test_everything_can_be_said_at_any_time() -> None:
    told = run("thresholds:n=7", moves="? left HELP u 0").stdout
    assert told.count("You are the learner") == 3
    assert "No move can be taken back." in told
    # Words after one that was refused are not played.
    assert "mistake 1" not in told


def test_the_adversary_cannot_lie() -> None:
    told = run("thresholds:n=3", "--role", "adversary", moves="1 1\n2 0\n1\nu\nu\n0 u").stdout
    assert "No remaining concept labels 2 with 0. The label can only be 1." in told
    assert told.count("Taken back.") == 2
    assert "The SOA predicts 0 at 0. The true label?" in told
    assert told.splitlines()[-1].endswith("The SOA made no mistake so far.")


def test_names_of_points_are_told_from_other_words(hostile: Path) -> None:
    moves = "'u' 0\n'hint' 0\ntwo words\n0\nBob's\n0\n'7' 0\n7 1\n"
    played = run_json(hostile, "--role", "adversary", moves=moves)
    names = ["u", "hint", "two words", "Bob's", "7", 7]
    assert [turn["point"] for turn in played["rounds"]] == names
    told = run(hostile, moves="0\n0\n").stdout + run(hostile, moves="1 " * 9).stdout
    assert "\x1b" not in told and r"\x1b[31mred" in told


@pytest.mark.parametrize("you", ["learner", "adversary"])
@pytest.mark.parametrize("moves", ["", "\x00 \x1b[A 2 -1 01 x" * 50, "9" * 10**5])
def test_nonsense_is_refused_and_asked_again(you: str, moves: str) -> None:
    result = run("thresholds:n=3", "--role", you, moves=moves)
    assert "You stopped the game. 2 more mistakes could be forced." in result.stdout
    assert len(result.output) < 2 * len(moves) + 5000
    quiet = run("thresholds:n=3", "--role", you, "--json", moves=moves)
    assert json.loads(quiet.stdout)["rounds"] == []
    assert ("lsclasses: " in quiet.stderr) == bool(moves.strip())


def test_bytes_that_are_no_text() -> None:
    ended = run("thresholds:n=3", moves=b"\xff" * 20_000 + b"\n\xfe 0\n0\n")
    assert ended.stdout.count("A label is 0 or 1. Got") == 2
    assert "You made 1 mistake" in ended.stdout


def test_a_line_without_an_end_is_not_read_for_ever() -> None:
    assert "at most 1048576 characters" in run("thresholds:n=3", moves="0" * 2**21, status=2).stderr


def test_a_class_of_any_size() -> None:
    played = run_json("cube:n=2^64", moves="0 1 l")
    assert played["ldim"] == 2**64 and played["forced"] == 2**64 - 2
    assert played["concepts"] == "unknown" and not played["finished"]
    assert "too many to list" in run("points:n=2^64", moves="left").stdout


# ---- at a terminal

PLAY = ("-m", "lsclasses", "play")


def test_a_game_at_a_terminal() -> None:
    game = Terminal(*PLAY, "thresholds:n=7")
    assert "Littlestone dimension 3" in game.until("your prediction? ")
    for typed, answer in [
        ("maybe", "A label is 0 or 1. Got 'maybe'."),
        ("hint", "The SOA predicts 0"),
        ("1", "The label is 0: mistake 1."),
        ("undo", "Taken back. 8 concepts left"),
        ("0 1", "The label is 0: mistake 2."),
        ("left", "2 concepts on 7 points:"),
    ]:
        game.type(typed + "\n")
        shown = game.until("your prediction? ")
        shown += game.until("your prediction? ") if typed == "0 1" else ""
        assert answer in " ".join(shown.split()) and max(map(len, shown.splitlines())) <= 70
    game.type("0\n")
    status, last = game.end()
    assert status == 0 and "the bound, Ldim = 3, is met." in " ".join(last.split())


def test_the_person_interrupts() -> None:
    game = Terminal(*PLAY, "thresholds:n=7", "--role", "adversary")
    for prompt, typed in (("which point? ", "3\n"), ("true label? ", "1\n")):
        game.until(prompt)
        game.type(typed)
    game.until("which point? ")
    game.interrupt()
    status, last = game.end()
    assert status == 130, last
    said = "You stopped the game. 2 more mistakes could be forced. The SOA made 1 mistake so far."
    assert said in " ".join(last.split())


def test_json_goes_where_it_is_wanted_and_the_game_to_the_terminal() -> None:
    """The person leaves the game by an end of file."""
    game = Terminal(*PLAY, "thresholds:n=3", "--json", stdout=subprocess.PIPE)
    for typed in ("0\n", "\x04"):
        game.until("your prediction? ")
        game.type(typed)
    assert game.process.stdout is not None
    with game.process.stdout as printed:
        played = json.loads(printed.read())
    assert game.end()[0] == 0
    assert played["mistakes"] == 1 and not played["finished"]
