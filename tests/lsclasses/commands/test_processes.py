"""Commands in processes of their own: output that cannot be written, imports, interruptions."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import re
import subprocess
import sys
from io import BufferedWriter
from pathlib import Path
from typing import Any

import pytest

from lsclasses.commands.application import app
from lsclasses.commands.output import UNREAD, UNWRITTEN, Output, OutputLost
from tests.lsclasses.commands.terminal import Terminal
from tests.lsclasses.commands.test_cli import HARD, run


def process(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "lsclasses", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=100, check=False, **options
    )


def test_a_process_prints_json_and_sentences_and_nothing_else(csv_file: Path) -> None:
    """What was found before an error is kept."""
    done = process("dims", csv_file, "nonsense", "--json")
    assert done.returncode == 2
    assert [found["ldim"] for found in json.loads(done.stdout)] == [2]
    merged, refused = done.stderr.splitlines()
    assert merged == f"{csv_file}: 1 duplicate row was merged: 'again' equals 'all'."
    assert refused.startswith("lsclasses: ") and "a family 'nonsense'" in refused


def test_a_terminal_without_unicode_gets_escapes() -> None:
    latin = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    drawn = process("tree", "thresholds:n=3", env=latin)
    assert drawn.returncode == 0
    assert "\\u251c\\u25000\\u2500" in drawn.stdout


def test_a_reader_who_has_seen_enough_is_no_error() -> None:
    """The output is several times as large as the buffers between the two processes."""
    command = f"{sys.executable} -m lsclasses tree thresholds:n=4095 --depth 12 | head -n 1; "
    command += "exit ${PIPESTATUS[0]}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stdout == "thresholds:n=4095: Ldim >= 12\n"
    assert (done.stderr, done.returncode) == ("", UNREAD)


class Full(io.RawIOBase):
    """A disk that is full, or a pipe that nobody reads."""

    def __init__(self, number: int) -> None:
        self.number = number

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        raise OSError(self.number, os.strerror(self.number))


@pytest.mark.parametrize("buffered", [False, True])
@pytest.mark.parametrize(
    "arguments",
    [
        *[("--help",), ("--version",), ("catalog",), ("dims", "--help"), ("run", "soa", "--help")],
        *[("dims", "points:n=3"), ("dims", "points:n=3", "--json"), ("run",)],
        ("audit", "randomized_response", "--json"),
    ],
)
def test_output_that_cannot_be_written_ends_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    buffered: bool,
) -> None:
    for number, said, status in (
        (errno.ENOSPC, "no space left on device", UNWRITTEN),
        (errno.EIO, "input/output error", UNWRITTEN),
        (errno.EPIPE, "", UNREAD),
    ):
        stream = Output(BufferedWriter(Full(number)), encoding="utf-8", write_through=not buffered)
        with monkeypatch.context() as patched, pytest.raises(SystemExit) as ended:
            patched.setattr(sys, "stdout", stream)
            app(list(arguments))
        assert ended.value.code == status
        sentence = f"lsclasses: Cannot write to standard output: {said}.\n" if said else ""
        assert capsys.readouterr().err == sentence
        # Since Python 3.13, the finalizer of a stream reports that closing it fails.
        with contextlib.suppress(OutputLost, OSError):
            stream.close()


def test_a_process_without_room_for_its_output() -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": ""}

    def ended(redirected: str) -> tuple[int, str]:
        command = f"{sys.executable} -m lsclasses --version {redirected}"
        done = subprocess.run(
            ["bash", "-c", command], stderr=subprocess.PIPE, text=True, env=environment, check=False
        )
        return done.returncode, done.stderr

    cannot = "lsclasses: Cannot write to standard output: "
    assert ended(">/dev/full") == (UNWRITTEN, f"{cannot}no space left on device.\n")
    assert ended(">&-") == (UNWRITTEN, f"{cannot}it is closed.\n")
    assert ended(">/dev/null 2>/dev/full --frobnicate") == (2, "")


def loaded(*words: str) -> set[str]:
    """The modules that a program imports which prints them last."""
    done = subprocess.run(
        [sys.executable, "-c", *words], capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


def test_the_library_is_imported_without_what_only_some_commands_need() -> None:
    found = loaded("import sys, lsclasses; print(*sys.modules)")
    assert not {"sympy", "networkx", "rich", "typer", "catalog"} & found


@pytest.mark.parametrize(
    ("words", "most"), [("dims thresholds:n=7", 360), ("run soa thresholds:n=7", 420)]
)
def test_short_commands_import_few_modules(words: str, most: int) -> None:
    """Options that need no conversion do not import Pydantic, and one process needs no pool."""
    code = (
        "import sys; from lsclasses.commands.application import app;"
        f"app({words.split()!r}, standalone_mode=False); print(*sys.modules)"
    )
    found = loaded(code)
    assert not {"scipy", "pydantic", "sympy", "networkx", "concurrent.futures"} & found
    assert len(found) <= most


@pytest.mark.parametrize("words", ["--version", "dims -h", "check -h", "rows -h", "audit -h"])
def test_help_and_version_do_not_import_numpy(words: str) -> None:
    code = (
        "import sys, contextlib; from lsclasses.commands.application import app\n"
        "with contextlib.suppress(SystemExit):\n"
        f"    app({words.split()!r}, standalone_mode=False)\n"
        "print(*sys.modules)"
    )
    assert "numpy" not in loaded(code)


def test_answers_in_closed_form_need_neither_scipy_nor_accountants() -> None:
    code = """
import sys
from lsclasses.commands.application import app
for words in (
    "dims points:n=2^64 thresholds:n=255 affine:q=2,n=64,k=8",
    "tree thresholds:n=inf --depth 3",
):
    app(words.split(), standalone_mode=False)
print(*sys.modules)
"""
    assert not {"scipy", "dp_accounting", "sympy", "pandas", "matplotlib"} & loaded(code)


def test_help_needs_no_search_and_no_learner() -> None:
    code = "import sys; from lsclasses.commands.application import app; app(standalone_mode=False)"
    found = loaded(f"{code}; print(*sys.modules)", "--help")
    assert {"lsclasses.commands.dims", "learners.commands.run"} <= found
    searches = (
        "lsclasses.searching",
        "learners.pop",
        "learners.forest",
        "sympy",
        "scipy",
    )
    assert not [name for name in found if name.startswith(searches)]
    dimensions = {name for name in found if name.startswith("lsclasses.dimensions.")}
    assert dimensions == {"lsclasses.dimensions.base", "lsclasses.dimensions.definitions"}


WAITS = """
import sys, time
from lsclasses.commands import application, output
say, until = output._Line.say, sys.argv.pop(1)
def say_and_wait(line, text):
    say(line, text)
    if until in text:
        time.sleep(300)
output._Line.say = say_and_wait
application.main()
"""


def interrupted(*arguments: object, at: str | None = None) -> tuple[int, str, str]:
    """Run a command on a terminal and press Ctrl-C: when bounds are shown, or where it says ``at``.

    There it waits for it, however fast the machine is.
    """
    program = ("-m", "lsclasses") if at is None else ("-c", WAITS, at)
    terminal = Terminal(*program, *arguments, columns=250, stdout=subprocess.PIPE)
    terminal.until(" <= ldim <= " if at is None else at)
    terminal.interrupt()
    status, _ = terminal.end()
    assert terminal.process.stdout is not None
    with terminal.process.stdout as printed:
        return status, printed.read().decode(), terminal.shown


def test_verdicts_have_colours_on_a_terminal_unless_nobody_wants_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Green in a line and in a table; a pipe, and NO_COLOR, have plain text."""
    audit, verify = ("audit", "randomized_response"), ("verify", "--family", "cube", "--jobs", 1)
    plain = run(*audit).stdout
    assert "\x1b" not in plain
    # As a terminal is told.
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    assert (
        "verdict   \x1b[32mholds on this instance, up to 1e-09 in delta\x1b[0m"
        in run(*audit).stdout
    )
    assert "\x1b[32mall hold\x1b[0m" in run(*verify).stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[32m" not in run(*audit).stdout


def test_ctrl_c_prints_the_bounds_found_so_far() -> None:
    status, output, progress = interrupted("dims", "points:n=3", HARD, "--only", "ldim", "--json")
    assert status == 130
    assert re.search(r"\d+ <= ldim <= \d+", progress)
    points, hard = json.loads(output)
    assert points["ldim"] == 1
    assert hard["bounds"]["ldim"]["lower"] < hard["bounds"]["ldim"]["upper"] <= 14


def test_an_interruption_leaves_no_half_of_a_set_of_certificates(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "proofs"
    status, output, shown = interrupted(
        *("dims", "conjunctions:n=6", "--certificate", folder), at=" of at most 262144 labell"
    )
    assert status == 130
    assert "vcdim  6  (closed form" in output
    assert "No certificate of conjunctions:n=6 was written" in shown
    assert list(tmp_path.iterdir()) == []
