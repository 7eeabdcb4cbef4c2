"""Each command about people's rows reveals only released values, in all five channels.

The channels are the exit status, standard output, standard error without the lines that the notice
marks, prompts, and files. Each test runs a command on two tables of different rows. The coins of
both runs are equal. The mechanism works on both tables, but both runs get the release about the
first table. So every difference between the runs is a leak.
"""

from __future__ import annotations

import io
import pkgutil
import random
import shlex
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from learners.coins import SecureCoins
from learners.coins.words import WORDS
from learners.commands import games
from learners.commands.session import NOT_PRIVATE, NotPrivate, Session
from learners.not_private import PublicWarning
from learners.pac.entries import BATCH_LEARNERS, SampleEntry
from learners.playing.entries import ONLINE_LEARNERS
from learners.playing.learner import as_learner
from learners.sanitizers.mwem import MWEMSanitizer
from learners.tables.entries import TRAININGS, TableEntry
from learners.tables.histogram_releases import PrivateHistogram
from learners.tables.task import TrainingData
from lsclasses.commands.application import app
from tests.recorded import commands

SECURE = ("--secure",)
GROUPS = ("run", "learn", "pac")
"""Commands with a subcommand for each learner."""


@dataclass(frozen=True)
class Case:
    """A command, and two contents of ``rows.csv``.

    Attributes
    ----------
    words : tuple of str
    first, second : str
        Rows, which the command reads.
    secret : tuple of str
        Written files that are declared as secret.
    """

    words: tuple[str, ...]
    first: str
    second: str
    secret: tuple[str, ...] = ()


@dataclass
class Channels:
    """The observations of one run that must depend on released values only."""

    status: int
    stdout: str
    stderr: str
    progress: list[str]
    files: dict[str, object]
    marked: list[str] = field(compare=False)


# ---- commands and rows


def _stream(labels: str) -> str:
    return "point,label\n" + "".join(f"{i % 4},{label}\n" for i, label in enumerate(labels))


def _people(rows: list[tuple[int, str, str]]) -> str:
    return "age,job,risk\n" + "".join(f"{age},{job},{risk}\n" for age, job, risk in rows)


STREAMS = _stream("0011" * 10), _stream("0011" * 9 + "0010")
"""Streams that differ in the last label, after which a learner predicts no more."""
SHORT_LABELS = "00", "01"
"""Labels of short streams, for a learner of few rounds."""

PRIVATE_RUNS = (
    "agnostic-pop",
    "constructed-experts",
    "dartboard",
    "dp-hedge",
    "dp-winnow",
    "forest-soa",
    "layered-soa",
    "merging",
    "pop",
    "rerun-forest",
    "sanitized",
    "sparse-experts",
    "voting",
)
PRIVATE_PACS = (
    "agnostic",
    "generic",
    "greedy-cover",
    "merging",
    "private-littlestone",
    "subsample-aggregate",
    "voting",
)
LABELS = ("--target", "risk", "--positive", "high")
LEARN = (*LABELS, "--cuts", "age=0..100/4", "--cuts", "job=cook,nurse")
MIXED = _people(
    [(20 + i, ("cook", "nurse")[i % 2], ("high", "low")[i % 3 == 0]) for i in range(60)]
)
# All labels are equal, a column is constant, and a category was not declared.
PLAIN = _people([(99, ("cook", "pilot")[i == 5], "high") for i in range(60)])
SHORTER = _people([(40 + i, "pilot", "low" if i else "high") for i in range(31)])
SAMPLES = _stream("0011" * 50), _stream("1010" * 50)
AGES = "age\n" + "".join(f"{i % 16}\n" for i in range(900)), "age\n" + "3\n" * 900


def small(name: str) -> str:
    """A class on four points that a learner accepts."""
    return "points:n=4" if name == "voting" else "thresholds:n=4"


def cases() -> Iterator[Case]:
    """Every command that releases something about rows, with rows for it."""
    stream = ("--adversary", "stream:rows.csv", "-T", "40", *SECURE, "--epsilon", "4")
    for name in PRIVATE_RUNS:
        yield Case(("run", name, small(name), *stream), *STREAMS)
    short = ("--adversary", "stream:rows.csv", "-T", "2", *SECURE, "--epsilon", "4")
    yield Case(("run", "optimal-predictor", "thresholds:n=2", *short), *map(_stream, SHORT_LABELS))
    yield Case(
        ("run", "layered-soa", "thresholds:n=4", *stream, "--csv", "a.csv", "--secret"),
        *STREAMS,
        secret=("a.csv",),
    )
    yield Case(
        ("run", "dp-hedge", "thresholds:n=4", *stream, "--state", "a.json"),
        *STREAMS,
        secret=("a.json",),
    )
    yield Case(("run", "dp-hedge", "thresholds:n=4", *stream, "--doubling"), *STREAMS)
    # No concept labels point 1 with 0 and with 1.
    pair = "point,label\n1,0\n1,0\n", "point,label\n1,0\n1,1\n"
    yield Case(("run", "layered-soa", "points:n=4", *stream), *pair)
    yield Case(("run", "pop", "points:n=4", *stream), *pair)
    for name in TRAININGS.names():
        saved = ("--save", "m.json", "--card", "m.html", "--epsilon", "2", *SECURE)
        yield Case(("learn", name, "rows.csv", *LEARN, *saved), MIXED, PLAIN)
        if "neighbours" in {each.name for each in TRAININGS[name].parameters}:
            add = ("--neighbours", "add_remove")
            yield Case(("learn", name, "rows.csv", *LEARN, *add, *saved), MIXED, SHORTER)
    split = ("--cuts", "age=0..100/20:2@0.5", *LEARN[-2:], "--report-groups", "job=0.1")
    words = ("learn", "rules", "rows.csv", *LABELS, *split, "--test-split", "1/2")
    yield Case((*words, "--sensitive", "job"), MIXED, PLAIN)
    for name in PRIVATE_PACS:
        data = (small(name), "--data", "rows.csv", *SECURE, "--save", "m.json")
        yield Case(("pac", name, *data), *SAMPLES)
    bins = ("--column", "age", "--bins", "0..15", "--quantile", "1/2", "--range", "2..5")
    yield Case(("histogram", "rows.csv", *bins, "--save", "h.json"), *AGES)
    yield Case(
        ("histogram", "rows.csv", *bins, "--neighbours", "add_remove"), AGES[0], "age\n3\n77\n"
    )
    alpha = ("--epsilon", "8", "--alpha", "1/2", "--check", "--out", "o.csv", "--save", "s.json")
    yield Case(("sanitize", "intervals:n=16", "rows.csv", *alpha), *AGES)


CASES = list(cases())
NAMES = [f"{number}-{'-'.join(case.words[:2])}" for number, case in enumerate(CASES)]


# ---- two runs with one release


class Replayed:
    """An object whose method works on all rows, but returns its result of the first run."""

    def __init__(self, real: Any, name: str, kept: list[Any]) -> None:
        self._real, self._name, self._kept = real, name, kept

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._real, name)
        return replayed(found, self._kept) if name == self._name else found


def replayed(real: Callable[..., Any], kept: list[Any]) -> Callable[..., Any]:
    """A function that always works, and always returns its first result."""

    def called(*given: Any, **named: Any) -> Any:
        made = real(*given, **named)
        kept.append(made)
        return kept[0]

    return called


@pytest.fixture
def one_release(monkeypatch: pytest.MonkeyPatch) -> None:
    """The released values of all runs are the values of the first run."""
    for owner, name, method in ((TableEntry, "training", "learn"), (SampleEntry, "learner", "fit")):
        kept: list[Any] = []
        made = getattr(owner, name)
        monkeypatch.setattr(
            owner,
            name,
            lambda *given, made=made, method=method, kept=kept, **named: Replayed(
                made(*given, **named), method, kept
            ),
        )
    mechanisms = (
        (PrivateHistogram, "release"),
        (MWEMSanitizer, "run"),
        (TrainingData, "with_groups"),
    )
    for mechanism, name in mechanisms:
        monkeypatch.setattr(mechanism, name, replayed(getattr(mechanism, name), []))


class Unreadable(io.BytesIO):
    """Standard input that no command may read."""

    def read(self, *_: Any) -> bytes:
        raise AssertionError("standard input was read")

    read1 = readline = readinto = readlines = __next__ = read  # type: ignore[assignment]


def observe(
    case: Case, rows: str, folder: Path, monkeypatch: pytest.MonkeyPatch, *more: str
) -> Channels:
    """Run a command on rows in a new folder, and return its channels."""
    folder.mkdir()
    monkeypatch.chdir(folder)
    Path("rows.csv").write_text(rows)
    words = random.Random(1)
    monkeypatch.setattr(
        SecureCoins, "_read", lambda _: [words.getrandbits(64) for _ in range(WORDS)]
    )
    progress: list[str] = []

    @contextmanager
    def recorded() -> Iterator[Callable[[str], None]]:
        yield progress.append

    monkeypatch.setattr(games, "progress_line", recorded)
    monkeypatch.setattr(typer.testing, "make_input_stream", lambda *_: Unreadable())
    result = CliRunner().invoke(app, [*case.words, *more])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    public, marked = separated(result.stderr)
    files = {
        each.name: each.read_text()
        for each in Path().iterdir()
        if each.name not in ("rows.csv", "rows.budget", *case.secret)
    }
    return Channels(result.exit_code, result.stdout, public, progress, files, marked)


def separated(stderr: str) -> tuple[str, list[str]]:
    """The public part of standard error, and the lines that the notice marks."""
    public, marked, below = [], [], False
    for line in stderr.splitlines():
        below = line.startswith(NOT_PRIVATE) or (below and line.startswith("  "))
        (marked if below else public).append(line)
    return "\n".join(public), marked


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("case", CASES, ids=NAMES)
@pytest.mark.usefixtures("one_release")
def test_all_channels_depend_on_released_values_only(
    case: Case, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Words on a terminal have colours, such as the colours of verdicts.
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    more = ("--json",) if form == "json" else ()
    one, two = (
        observe(case, rows, tmp_path / name, monkeypatch, *more)
        for name, rows in (("one", case.first), ("two", case.second))
    )
    assert one == two
    assert one.status == 0, one.stderr
    assert one.marked != two.marked or case.words[0] == "histogram"


# ---- computations on raw rows that warn or fail


def case_of(*words: str) -> Case:
    return next(case for case in CASES if case.words[: len(words)] == words)


COMPUTED = {
    "learners.tables.rule_training.plain_rules": ("learn", "rules"),
    "learners.pac.samples.count_errors": ("pac", "generic"),
    "learners.sanitizers.base.worst_estimate": ("sanitize",),
    "learners.playing.transcript.verdicts": ("run", "dp-hedge"),
}
"""Functions that compute values for the owner of the rows, and a command that calls each."""


@pytest.mark.parametrize("effect", ["warning", "error"])
@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("name", COMPUTED)
@pytest.mark.usefixtures("one_release")
def test_warnings_and_errors_about_raw_rows_are_marked(
    name: str, form: str, effect: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Warnings of other libraries too, because they can depend on rows."""
    case, real = case_of(*COMPUTED[name]), pkgutil.resolve_name(name)

    def computed(*given: Any, **named: Any) -> Any:
        if Path.cwd().name == "two":
            if effect == "error":
                raise ZeroDivisionError("about rows")
            warnings.warn("about rows", RuntimeWarning, stacklevel=1)
        return real(*given, **named)

    monkeypatch.setattr(name, computed)
    more = ("--json",) if form == "json" else ()
    one, two = (
        observe(case, rows, tmp_path / folder, monkeypatch, *more)
        for folder, rows in (("one", case.first), ("two", case.second))
    )
    assert one == two
    assert any("about rows" in line for line in two.marked)


@pytest.mark.parametrize("words", [("histogram",), ("sanitize",), ("run", "dp-hedge")])
def test_warnings_of_a_mechanism_are_marked(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case, real = case_of(*words), Session.release

    def warned(*given: Any, **named: Any) -> Any:
        warnings.warn("about rows", RuntimeWarning, stacklevel=1)
        warnings.warn("about parameters", PublicWarning, stacklevel=1)
        return real(*given, **named)

    monkeypatch.setattr(Session, "release", warned)
    found = observe(case, case.first, tmp_path / "one", monkeypatch)
    assert "  about rows" in found.marked
    assert "Note: about parameters" in found.stderr and "about rows" not in found.stderr


def test_a_terminal_keeps_marked_lines_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of a broken line are indented, and a line of JSON is not broken."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", "60")
    hidden = NotPrivate(lambda: {"word": "w " * 80}, lambda: ["word " * 80])
    for as_json in (False, True):
        terminal = Terminal()
        monkeypatch.setattr("sys.stderr", terminal)
        hidden.note(as_json=as_json)
        public, marked = separated(terminal.getvalue())
        assert public == ""
        assert len(marked) == 1 if as_json else len(marked) > 5


# ---- every command


def test_every_command_that_releases_is_tested() -> None:
    """Every command with --budget or --secure is in `CASES`, or its learner is not private."""
    tested = {" ".join(case.words[: 2 if case.words[0] in GROUPS else 1]) for case in CASES}
    releasing = {
        words
        for words, command in commands()
        if {"--budget", "--secure"} & {option for each in command.params for option in each.opts}
    }
    assert tested <= releasing
    for words in releasing - tested:
        group, _, name = words.partition(" ")
        assert group in ("run", "pac"), words
        if group == "run":
            privacy = as_learner(ONLINE_LEARNERS[name].learner("thresholds:n=4", 9)).privacy
        else:
            privacy = BATCH_LEARNERS[name].learner("thresholds:n=4", 9).privacy
        assert privacy is None, words


def test_a_command_reads_no_closed_standard_input(tmp_path: Path) -> None:
    """Prompts would be a channel, so a command also runs without standard input."""
    (tmp_path / "rows.csv").write_text(AGES[0])
    words = shlex.join(case_of("histogram").words)
    code = f"{shlex.quote(sys.executable)} -m lsclasses {words} <&-"
    done = subprocess.run(
        ["bash", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
