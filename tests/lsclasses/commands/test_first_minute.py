"""What a newcomer meets: help, completion, standard input, narrow terminals."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lsclasses.commands.output import _broken
from lsclasses.files.comma_separated import load_stream
from lsclasses.numbers import plural
from tests.lsclasses.commands import test_cli


def run(*arguments: object, given: str | None = None, **options: object) -> str:
    return str(test_cli.run(*arguments, input=given, **options).stdout)


def test_help_is_short():
    for command in ((), ("run", "soa")):
        assert run(*command, "-h") == run(*command, "--help")


@pytest.mark.parametrize(
    "given",
    [
        "concept,a,b\nf,0,1\ng,1,1\n",
        '{"format": "lsclasses-table", "version": 1, "points": ["a", "b"], '
        '"concepts": ["f", "g"], "rows": ["01", "11"]}',
    ],
)
def test_a_class_comes_from_standard_input(given):
    assert "2 concepts on 2 points" in run("dims", "-", given=given)
    assert "labels" not in run("dims", "-", status=2, given="")


def test_a_stream_comes_from_standard_input_or_from_a_game(tmp_path: Path):
    words = ("run", "soa", "points:n=3", "--adversary", "stream:-")
    assert "mistakes  1\n" in run(*words, given="point,label\n2,1\n")
    game = tmp_path / "game.csv"
    run("run", "soa", "thresholds:n=63", "--rounds", "30", "--adversary", "optimal", "--csv", game)
    assert len(load_stream(game)) == 30
    shown = run("run", "soa", "thresholds:n=63", "--adversary", f"stream:{game}")
    assert "mistakes  6\n" in shown and "mistakes <= Ldim = 6 " in shown


def test_infinite_dimensions_are_an_answer():
    assert "ldim   infinite  (closed form" in run("dims", "thresholds:n=inf")


def test_counts_have_their_nouns():
    assert [plural(count, "round") for count in (0, 1, 2)] == ["0 rounds", "1 round", "2 rounds"]
    assert "played    1 of 1 round\n" in run("run", "soa", "thresholds:n=7", "--rounds", "1")


def test_broken_lines_go_on_below_their_text():
    assert _broken("mistakes  one two three four", 24) == [
        "mistakes  one two three",
        "          four",
    ]
    assert _broken("  an item of some length", 14) == ["  an item of", "    some", "    length"]
    assert _broken("whatever", 4) == ["what", "ever"]


@pytest.mark.parametrize(
    "command",
    [
        "catalog",
        "catalog hamming-balls",
        "dims thresholds:n=40 --only growth_function",
        "run pop points:n=2^20 --rounds 40 --epsilon 16 --adversary noisy",
        "explain star_number",
    ],
)
def test_nothing_breaks_within_a_word_at_sixty_columns(command):
    shown = run(*command.split(), env={"COLUMNS": "60", "FORCE_COLOR": "1"})
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
    assert max(map(len, shown.split("\n"))) <= 60
    wide = run(*command.split())
    assert max(map(len, wide.split("\n"))) > 60
    # Seconds differ from run to run; everything else is a word of the wide output.
    unknown = set(re.findall(r"[\w.]+", shown)) - set(re.findall(r"[\w.]+", wide))
    assert [word for word in unknown if not re.fullmatch(r"[\d.e]+", word)] == []


def test_refusals_name_the_next_step(tmp_path: Path) -> None:
    said = test_cli.error_of("dims", "thresholds:n=3", "--only", "foo")
    assert said.endswith("threshold_dim. '--only all' computes every dimension.")
    said = test_cli.error_of("play", "thresholds:n=inf", "--html", tmp_path / "game.html")
    assert said.endswith("Play a finite member of the family, such as thresholds:n=7.")
    run("dims", "thresholds:n=3", "--only", "ldim", "--certificate", tmp_path)
    (proof,) = tmp_path.iterdir()
    said = test_cli.error_of("check", "thresholds:n=3", proof)
    assert "The certificate is the first argument of check" in said
    assert said.endswith(f"Try: lsclasses check {proof} thresholds:n=3.")
    assert "must be" in test_cli.error_of("check", proof, "thresholds:n=0")


def test_symbols_are_names_of_dimensions() -> None:
    assert run("explain", "RL") == run("explain", "randomized_ldim")
    assert "  randomized_ldim  1 " in run("dims", "thresholds:n=3", "--only", "RL")
