"""What a newcomer meets: help, completion, standard input, narrow terminals, exit statuses."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

import catalog
from lsclasses import InfiniteDimension, InvalidInput, TooLarge
from lsclasses.commands.application import app
from lsclasses.commands.output import _broken, plural
from lsclasses.files import load_stream, load_table

pty = pytest.importorskip("pty")


def run(*arguments: object, status: int = 0, given: str | None = None) -> str:
    result = CliRunner().invoke(app, [*map(str, arguments)], input=given)
    assert result.exit_code == status, result.output
    return result.stdout


def test_help_is_short_for_every_command():
    for command in ((), ("dims",), ("run",), ("run", "soa"), ("learn", "winnow")):
        assert run(*command, "-h") == run(*command, "--help")


@pytest.mark.parametrize(
    "words, found", [("di", "dims"), ("dims thresh", "thresholds:"), ("run laye", "layered-soa")]
)
def test_shells_complete_commands_learners_and_families(words, found):
    environment = {
        **os.environ,
        "_LSCLASSES_COMPLETE": "complete_bash",
        "COMP_WORDS": f"lsclasses {words}",
        "COMP_CWORD": str(len(words.split())),
    }
    done = subprocess.run(
        [sys.executable, "-m", "lsclasses"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found in done.stdout.split()


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
    assert "1 mistake in 1 round;" in run(
        "soa", "points:n=3", "--stream", "-", given="point,label\n2,1\n"
    )
    game = tmp_path / "game.csv"
    run("run", "soa", "thresholds:n=63", "--rounds", "30", "--adversary", "optimal", "--csv", game)
    assert len(load_stream(game)) == 30
    shown = run("soa", "thresholds:n=63", "--stream", game)
    assert "6 mistakes in 30 rounds; the bound is Ldim = 6." in shown


@pytest.mark.parametrize("separator, name", [(";", "semicolons"), ("\t", "tabs"), ("|", "bars")])
def test_other_separators_are_diagnosed(tmp_path: Path, separator, name):
    path = tmp_path / "class.csv"
    path.write_text(f"concept{separator}a{separator}b\nf{separator}0{separator}1\n")
    for read in (load_table, load_stream):
        with pytest.raises(InvalidInput, match=f"separated by commas, and here they are by {name}"):
            read(path)


def test_infinite_dimensions_are_an_answer():
    shown = run("dims", "thresholds:n=inf")
    assert "ldim   infinite  (closed form" in shown
    (found,) = json.loads(run("dims", "thresholds:n=inf", "--json"))
    assert found["ldim"] is None and found["infinite"] == ["ldim"] and "bounds" not in found
    with pytest.raises(InfiniteDimension):
        catalog.build("thresholds:n=inf").ldim()
    assert issubclass(InfiniteDimension, TooLarge)


def test_no_certificate_is_wrong_input_and_a_wrong_one_is_an_answer(tmp_path: Path):
    proof = tmp_path / "t.json"
    run("tree", "thresholds:n=7", "--save", proof)
    run("check", proof, "thresholds:n=7")
    run("check", proof, "thresholds:n=8", status=1)
    data = json.loads(proof.read_text())
    proof.write_text(json.dumps({**data, "digest": "0" * 64}))
    run("check", proof, "thresholds:n=7", status=1)
    proof.write_text(json.dumps({"format": "something else"}))
    run("check", proof, "thresholds:n=7", status=2)
    run("check", tmp_path / "missing.json", "thresholds:n=7", status=2)


def test_the_randomized_learner_states_its_bound_and_who_may_see_its_coins():
    shown = run("run", "randomized-soa", "thresholds:n=7", "--rounds", "5")
    assert "expected mistakes <= RL = 3/2" in shown
    against = run(
        "run", "randomized-soa", "thresholds:n=7", "--rounds", "5", "--adversary", "optimal"
    )
    assert "it would need: what a round costs is chosen before its prediction is seen" in against


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


NARROW = 60


def on_a_terminal(*arguments: str) -> list[str]:
    """What a command prints on a terminal of 60 columns, without control sequences."""
    import fcntl
    import struct
    import termios

    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, NARROW, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
    process = subprocess.Popen(
        [sys.executable, "-m", "lsclasses", *arguments],
        stdin=slave, stdout=slave, stderr=subprocess.DEVNULL, env=environment,
    )  # fmt: skip
    os.close(slave)
    output, end = b"", time.monotonic() + 60
    while time.monotonic() < end:
        if select.select([master], [], [], 1)[0]:
            try:
                part = os.read(master, 65536)
            except OSError:
                break
            if not part:
                break
            output += part
        elif process.poll() is not None:
            break
    os.close(master)
    assert process.wait() == 0
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", output.decode()).replace("\r\n", "\n")
    return text.replace("\r", "\n").split("\n")


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
    lines = on_a_terminal(*command.split())
    assert max(map(len, lines)) <= NARROW
    wide = run(*command.split())
    known = set(re.findall(r"[\w.]+", wide))
    seen = re.findall(r"[\w.]+", "\n".join(lines))
    # Seconds differ from run to run; everything else is a word of the wide output.
    broken = {word for word in seen if word not in known and not re.fullmatch(r"[\d.e]+", word)}
    assert broken == set()
