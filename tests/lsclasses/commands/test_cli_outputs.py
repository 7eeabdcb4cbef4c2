"""No command writes over what it reads, over a file of another kind, or where it cannot.

The commands are found in the application itself, and so are their parameters that name files: a
new one is tried without a line here, except that `WRITTEN` must say how it writes a file.
"""

from __future__ import annotations

import gzip
import inspect
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import pytest
import typer
from typer.models import ParameterInfo
from typer.testing import CliRunner

from learners.accounting import PureDP
from learners.budget_files import BudgetFile
from lsclasses.commands.application import app
from lsclasses.errors import InvalidInput
from lsclasses.files import check_writable
from lsclasses.outputs import Kind, Reads, Writes, checked, marks, require_output
from tests.lsclasses.commands.test_cli import COMMANDS, error_of, run


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """All functions that are commands, by the names under which they are called."""
    return ((name, inspect.unwrap(command.callback)) for name, command in COMMANDS.items())


LEARNER = {"run": "run soa", "pac": "pac generic"}
"""The command of one learner; its files are those of any other's."""


def stands_for_itself(command: str) -> bool:
    """Whether it is no command of a learner, or the one that stands for all."""
    return LEARNER.get(command.split(maxsplit=1)[0], command) == command


ALL = dict(functions())
FUNCTIONS = {name: function for name, function in ALL.items() if stands_for_itself(name)}
OUTPUTS = [
    (command, name)
    for command, function in FUNCTIONS.items()
    for name, mark in marks(function).items()
    if isinstance(mark, Writes) and not mark.folder
]
INPUTS = [
    (command, name)
    for command, function in FUNCTIONS.items()
    for name, mark in marks(function).items()
    if isinstance(mark, Reads)
]
PAIRS = [
    (command, written, read)
    for command, written in OUTPUTS
    for owner, read in INPUTS
    if owner == command
]
KIND = Kind("a picture", {".svg": b"<svg"})
MINE = b"concept,a,b\nnone,0,0\nboth,1,1\n"


def parameters(command: str) -> Iterator[tuple[str, ParameterInfo, inspect.Parameter]]:
    """The parameters of a command with what typer is told about them."""
    function = FUNCTIONS[command]
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        hint = hints[name]
        assert get_origin(hint) is Annotated
        (info,) = (part for part in get_args(hint)[1:] if isinstance(part, ParameterInfo))
        yield name, info, parameter


def call(command: str, **values: str) -> list[str]:
    """A call of a command with these values; whatever else it needs is a word."""
    mark = marks(FUNCTIONS[command])
    arguments, options = [], []
    for name, info, parameter in parameters(command):
        value = values.get(name)
        if value is not None and isinstance(mark.get(name), Reads):
            value = mark[name].prefix + value
        if isinstance(info, typer.models.ArgumentInfo):
            arguments.append("word" if value is None else value)
        elif value is not None or parameter.default is inspect.Parameter.empty:
            options += [f"--{name}", "word" if value is None else value]
    return [*command.split(), *arguments, *options]


def refusal(command: str, **values: Any) -> str:
    """What the command says before it runs, without what the command line costs each time."""
    given: dict[str, Any] = {}
    mark = marks(FUNCTIONS[command])
    for name, _, parameter in parameters(command):
        if name in values:
            prefix = mark[name].prefix if isinstance(mark.get(name), Reads) else ""
            given[name] = prefix + values[name] if prefix else values[name]
        elif parameter.default is inspect.Parameter.empty:
            given[name] = None
    with pytest.raises(InvalidInput) as refused:
        checked(FUNCTIONS[command])(**given)
    return str(refused.value)


def endings(command: str, name: str) -> tuple[str, ...]:
    return tuple(marks(FUNCTIONS[command])[name].kind.marks)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_command_is_walked() -> None:
    assert set(ALL) == set(COMMANDS) and len(set(ALL) - set(FUNCTIONS)) >= 5
    for command in set(ALL) - set(FUNCTIONS):
        assert marks(ALL[command]) == marks(FUNCTIONS[LEARNER[command.split()[0]]])
    assert {command for command, _ in OUTPUTS} >= {
        "tree",
        "run soa",
        "pac generic",
        "audit",
        "predict",
        "learn winnow",
    }
    assert ("run soa", "csv", "adversary") in PAIRS and ("learn winnow", "save", "cuts") in PAIRS


@pytest.mark.parametrize("command", FUNCTIONS)
def test_every_parameter_that_names_a_file_is_marked(command: str) -> None:
    marked = marks(FUNCTIONS[command])
    hints = get_type_hints(FUNCTIONS[command])
    for name, info, _ in parameters(command):
        told = f"{info.metavar} {info.help}"
        is_path = Path in (hints[name], *get_args(hints[name]))
        if is_path or any(word in told for word in ("FILE", "DIR", "file", "folder")):
            assert name in marked or name == "force", f"{command} --{name}"
    if any(isinstance(mark, Writes) for mark in marked.values()):
        assert "force" in hints


# ---- what is read


@pytest.mark.parametrize(("command", "written", "read"), PAIRS)
def test_no_command_writes_over_what_it_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, written: str, read: str
) -> None:
    """Whatever the file is called: by every ending, directly and through links."""
    monkeypatch.chdir(tmp_path)
    for ending in endings(command, written):
        mine = tmp_path / f"mine{ending}"
        mine.write_bytes(MINE)
        (tmp_path / "sub").mkdir(exist_ok=True)
        (tmp_path / f"symbolic{ending}").symlink_to(mine)
        (tmp_path / f"twice{ending}").symlink_to(f"symbolic{ending}")
        os.link(mine, tmp_path / f"hard{ending}")
        (tmp_path / "here").exists() or (tmp_path / "here").symlink_to(tmp_path)
        before = contents(tmp_path)
        names = [
            *(str(mine), mine.name, f"./{mine.name}", f"sub/../{mine.name}", f"here/{mine.name}"),
            *(f"symbolic{ending}", f"twice{ending}", f"hard{ending}"),
        ]
        for name in names:
            for output, source in ((name, str(mine)), (str(mine), name)):
                for forced in (False, True):
                    values = {written: output, read: source, "force": forced}
                    assert "is read here" in refusal(command, **values)
        assert contents(tmp_path) == before
    mine = tmp_path / f"mine{endings(command, written)[0]}"
    assert "is read here" in error_of(*call(command, **{written: str(mine), read: str(mine)}))


def test_standard_output_must_not_go_to_what_is_read(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_bytes(MINE)
    with data.open("ab") as out:
        done = subprocess.run(
            [sys.executable, "-m", "lsclasses", "dims", str(data)],
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2 and "is read here" in done.stderr
    assert data.read_bytes() == MINE


# ---- what is there already

WRITTEN: dict[tuple[str, str], tuple[object, ...]] = {
    ("tree", "svg"): ("tree", "points:n=3"),
    ("tree", "dot"): ("tree", "points:n=3"),
    ("tree", "tex"): ("tree", "points:n=3"),
    ("tree", "save"): ("tree", "points:n=3"),
    ("run soa", "csv"): ("run", "soa", "points:n=3", "-T", 5),
    ("run soa", "plot"): ("run", "soa", "points:n=3", "-T", 5),
    ("pac generic", "save"): ("pac", "generic", "points:n=3", "--target", "point=1"),
    ("atlas build", "out"): ("atlas", "build", "--points", 2, "--jobs", 1),
    ("atlas plot", "out"): ("atlas", "plot", "vcdim", "ldim"),
    ("audit", "svg"): ("audit", "randomized_response"),
    ("learn decision-list", "save"): ("learn", "decision-list", "{data}", "--target", "y"),
    ("learn winnow", "save"): (
        "learn",
        "winnow",
        "{data}",
        "--target",
        "y",
        "--updates",
        1,
        "--draws",
        1,
    ),
    ("learn best", "save"): ("learn", "best", "{data}", "--target", "y"),
    ("learn rules", "save"): ("learn", "rules", "{data}", "--target", "y"),
    ("learn naive-bayes", "save"): ("learn", "naive-bayes", "{data}", "--target", "y"),
    ("predict", "out"): ("predict", "{model}", "{data}"),
    ("schema", "out"): ("schema", "{data}"),
    ("sample", "out"): ("sample", "points:n=3", "--rows", 5),
    ("sanitize", "out"): ("sanitize", "points:n=3", "{rows}", "--epsilon", 20),
    ("sanitize", "save"): ("sanitize", "points:n=3", "{rows}", "--epsilon", 20),
    ("database", "output"): ("database", "{database}"),
}
"""A quick call for each option that writes a file."""

UNKNOWABLE = {("schema", "out"), ("predict", "out"), ("sample", "out"), ("sanitize", "out")}
"""What cannot be told from a file of the user's own; it is never replaced unasked."""


@pytest.fixture
def writing(tmp_path: Path) -> Callable[[str, str], list[str]]:
    """The call of `WRITTEN`, with files to read."""
    folder = tmp_path / "read"
    folder.mkdir()
    data, model, rows = folder / "data.csv", folder / "model.json", folder / "rows.csv"
    data.write_text("a,b,y\n" + "1,0,1\n0,0,0\n1,1,1\n" * 10)
    rows.write_text("point\n" + "0\n1\n1\n2\n" * 100)
    database = folder / "database"
    for name in ("parameters", "classes", "relationships", "values"):
        (database / name).mkdir(parents=True)

    def arguments(command: str, name: str) -> list[str]:
        if command == "predict" and not model.exists():
            run(*learning(data), "--save", model)
        return [
            str(each).format(data=data, model=model, rows=rows, database=database)
            for each in WRITTEN[command, name]
        ]

    return arguments


def learning(data: Path) -> tuple[object, ...]:
    return ("learn", "decision-list", data, "--target", "y", "--test-split", 0, "--seed", 1)


def test_every_output_is_tried() -> None:
    assert set(WRITTEN) == set(OUTPUTS)


@pytest.mark.parametrize(("command", "name"), OUTPUTS)
def test_own_files_are_replaced_and_others_are_not(
    tmp_path: Path, writing: Callable[[str, str], list[str]], command: str, name: str
) -> None:
    given, kind = writing(command, name), marks(FUNCTIONS[command])[name].kind
    for ending in endings(command, name):
        path = tmp_path / f"out{ending}"
        path.write_bytes(b"")  # holds nothing that could be lost
        run(*given, f"--{name}", path)
        assert path.stat().st_size
        own = path.read_bytes()
        if (command, name) in UNKNOWABLE:
            assert "Choose another name" in refusal(command, **{name: path})
        else:
            require_output(path, kind, f"--{name}", [], force=False)
        for content in (b"notes of a year\n", b"\n", b"x" + own, b'{"format": "lsclasses-table"}'):
            path.write_bytes(content)
            before = contents(tmp_path)
            assert "is not" in refusal(command, **{name: path})
            assert contents(tmp_path) == before
            require_output(path, kind, f"--{name}", [], force=True)
        path.unlink()


def test_force_replaces_what_is_not_ours(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text("{}")
    assert "Choose another name" in error_of("tree", "points:n=3", "--save", path)
    for _ in range(2):
        run("tree", "points:n=3", "--save", path, "--force")
        run("tree", "points:n=4", "--save", path)
    assert run("check", path, "points:n=4")


def budgets(folder: Path) -> Iterator[bytes]:
    """A budget as it is written, in every way in which it is still read, and damaged."""
    made = BudgetFile.new(folder / "made", 1)
    made.charge(PureDP(1), "all of it")
    content = made.path.read_bytes()
    made.path.unlink()
    data = json.loads(content)
    turned = json.dumps(dict(reversed(data.items()))).encode()
    spelled = json.dumps(data).replace("lsclasses-budget", "lsclasses\\u002dbudget").encode()
    for same in (content, turned, spelled, gzip.compress(content)):
        made.path.write_bytes(same)
        assert made.state.spent == (1, 0)
        made.path.unlink()
        yield same
    yield content[:40]


@pytest.mark.parametrize(("command", "name"), OUTPUTS)
def test_no_command_forgets_what_was_spent(tmp_path: Path, command: str, name: str) -> None:
    for content in budgets(tmp_path):
        for ending in endings(command, name):
            path = tmp_path / f"people{ending}"
            path.write_bytes(content)
            link = tmp_path / f"link{ending}"
            link.symlink_to(path)
            for forced in (True, False):
                for named in (path, link):
                    said = refusal(command, **{name: named, "force": forced})
                    assert "is a budget, which is never replaced, not even with --force" in said
            assert path.read_bytes() == content
            path.unlink()
            link.unlink()


@pytest.mark.parametrize("command", [("dims", "points:n=3"), ("refute", "ldim >= points")])
def test_no_folder_of_certificates_forgets_what_was_spent(tmp_path: Path, command: Any) -> None:
    stem = "points_n=3" if command[0] == "dims" else "counterexample"
    path = tmp_path / f"{stem}.ldim.json"
    before = next(budgets(tmp_path))
    path.write_bytes(before)
    assert "is a budget" in error_of(*command, "--certificate", tmp_path, "--force")
    assert path.read_bytes() == before


@pytest.mark.parametrize(("command", "name"), OUTPUTS)
def test_files_that_other_options_wrote_are_of_another_kind(
    tmp_path: Path, writing: Callable[[str, str], list[str]], command: str, name: str
) -> None:
    kind = marks(FUNCTIONS[command])[name].kind
    for other, option in OUTPUTS:
        if marks(FUNCTIONS[other])[option].kind is kind or (other, option) in UNKNOWABLE:
            continue
        for ending in set(endings(other, option)) & set(endings(command, name)):
            path = tmp_path / f"{option}{ending}"
            if not path.exists():
                run(*writing(other, option), f"--{option}", path)
            before = path.read_bytes()
            assert "is not" in refusal(command, **{name: path})
            assert path.read_bytes() == before


@pytest.mark.parametrize(("command", "name"), OUTPUTS)
def test_an_ending_that_says_something_else_is_refused(
    tmp_path: Path, command: str, name: str
) -> None:
    own = endings(command, name)
    for ending in {"", ".txt", ".png", ".svg", ".csv", ".json", ".dot"} - set(own):
        path = tmp_path / f"out{ending}"
        said = refusal(command, **{name: path})
        assert f"ends in {' or '.join(own) if len(own) < 3 else own[0]}" in said
        assert not path.exists()
    capital = tmp_path / f"out{own[0].upper()}"
    # Other commands stop at a word that they cannot read; this one would compute for a while.
    few = ["--points", "2", "--jobs", "1"] if command == "atlas build" else []
    result = CliRunner().invoke(app, call(command, **{name: str(capital)}) + few)
    assert "ends in" not in result.stderr


def test_two_outputs_of_one_name_are_refused(tmp_path: Path) -> None:
    path, link = tmp_path / "t.svg", tmp_path / "link.svg"
    link.symlink_to(path)

    def twice(one: Annotated[Path, Writes(KIND)], two: Annotated[Path, Writes(KIND)]) -> None:
        raise AssertionError

    twice.__annotations__ = {name: Annotated[Path, Writes(KIND)] for name in ("one", "two")}
    for other in (path, link, tmp_path / "." / "t.svg"):
        with pytest.raises(InvalidInput, match="is written already; --two needs another name"):
            checked(twice)(one=path, two=other)
    assert not path.exists()


# ---- where nothing can be written


@pytest.mark.parametrize(("command", "name"), OUTPUTS)
def test_a_place_that_cannot_be_written_is_refused_before_anything_is_read(
    tmp_path: Path, command: str, name: str
) -> None:
    """What is to be read does not exist, and yet it is the output that is refused."""
    ending = endings(command, name)[0]
    plain = tmp_path / f"plain{ending}"
    plain.write_bytes(b"")
    folder = tmp_path / f"folder{ending}"
    folder.mkdir()
    loop = tmp_path / f"loop{ending}"
    loop.symlink_to(loop)
    astray = tmp_path / f"astray{ending}"
    astray.symlink_to(tmp_path / "nowhere" / f"out{ending}")
    protected = tmp_path / f"protected{ending}"
    protected.write_bytes(b"")
    protected.chmod(0o444)
    for wrong, reason in (
        (tmp_path / "absent" / f"out{ending}", "no such file or directory"),
        (plain / f"out{ending}", "not a directory"),
        (folder, "is a directory"),
        (loop, "symbolic links"),
        (astray, "no such file or directory"),
        (protected, "write-protected"),
        (tmp_path / f"{'x' * 300}{ending}", "file name too long"),
    ):
        before = contents(tmp_path)
        for forced in (False, True):
            said = refusal(command, **{name: wrong, "force": forced})
            assert "Cannot write" in said and reason in said
        assert contents(tmp_path) == before
    assert "is a directory" in error_of(*call(command, **{name: str(folder)}))


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can be somebody else")
def test_what_belongs_to_others_is_refused_before_anything_is_read() -> None:
    """A folder that is write-protected, and in one that all share, a file of somebody else."""
    folders = [Path(tempfile.mkdtemp()) for _ in range(2)]
    theirs = folders[1] / "theirs.json"
    theirs.write_text("")
    theirs.chmod(0o666)
    for folder, mode in zip(folders, (0o555, 0o1777), strict=True):
        folder.chmod(mode)
    os.setegid(65534)
    os.seteuid(65534)
    try:
        said = [refusal("tree", save=path) for path in (folders[0] / "t.json", theirs)]
        check_writable(folders[1] / "mine.json")
    finally:
        os.seteuid(0)
        os.setegid(0)
    assert "permission denied" in said[0] and "operation not permitted" in said[1]
    assert [*folders[0].iterdir(), *folders[1].iterdir()] == [theirs]
    for folder in folders:
        shutil.rmtree(folder)


def test_pipes_and_devices_are_written_to(tmp_path: Path) -> None:
    run("tree", "points:n=3", "--svg", "/dev/null")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    run("tree", "points:n=3", "--dot", pipe)
    assert os.read(reader, 100).startswith(b"digraph")
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
