"""No command writes over what it reads, over a file of another kind, or where it cannot.

The commands are found in the application itself, and so are their parameters that name files: a
new one is tried without a line here, except that `WRITTEN` must say how it writes a file.
"""

from __future__ import annotations

import gzip
import inspect
import itertools
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import pytest
from typer.models import ParameterInfo

from learners.accounting import PureDP, Scope
from learners.budget_files import BudgetFile
from learners.pac.entries import BATCH_LEARNERS
from learners.playing.entries import ONLINE_LEARNERS
from lsclasses.errors import InvalidInput
from lsclasses.files.writing import check_writable
from lsclasses.outputs import FileFormat, Reads, Writes, check_files, marks, require_output
from tests.lsclasses.commands.test_cli import COMMANDS, error_of, run

LEARNER = {"run": "run soa", "pac": "pac generic"}
"""The command of one learner; its files are those of any other's."""


def stands_for_itself(command: str) -> bool:
    """Whether it is no command of a learner, or the one that stands for all."""
    return LEARNER.get(command.split(maxsplit=1)[0], command) == command


ALL = {name: inspect.unwrap(command.callback) for name, command in COMMANDS.items()}
FUNCTIONS = {name: function for name, function in ALL.items() if stands_for_itself(name)}
MARKS = {command: marks(function) for command, function in FUNCTIONS.items()}
OUTPUTS = [
    (command, name)
    for command, marked in MARKS.items()
    for name, mark in marked.items()
    if isinstance(mark, Writes) and not mark.folder
]
PAIRS = [
    (command, written, read)
    for command, written in OUTPUTS
    for read, mark in MARKS[command].items()
    if isinstance(mark, Reads)
]
KIND = FileFormat("a picture", {".svg": b"<svg"})
MINE = b"concept,a,b\nnone,0,0\nboth,1,1\n"


def parameters(command: str) -> Iterator[tuple[str, ParameterInfo, inspect.Parameter]]:
    """The parameters of a command with what typer is told about them."""
    function = FUNCTIONS[command]
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        assert get_origin(hints[name]) is Annotated
        (info,) = (part for part in get_args(hints[name])[1:] if isinstance(part, ParameterInfo))
        yield name, info, parameter


def refusal(command: str, **values: Any) -> str:
    """What the command says before it runs; what it needs to run is missing."""
    given: dict[str, Any] = {}
    mark = MARKS[command]
    for name, _, parameter in parameters(command):
        if name in values:
            prefix = mark[name].prefix if isinstance(mark.get(name), Reads) else ""
            given[name] = prefix + values[name] if prefix else values[name]
        elif parameter.default is inspect.Parameter.empty:
            given[name] = None
    with pytest.raises(InvalidInput) as refused:
        check_files(FUNCTIONS[command])(**given)
    return str(refused.value)


def endings(command: str, name: str) -> tuple[str, ...]:
    return tuple(MARKS[command][name].kind.marks)


WRITES_ALL = {MARKS[command][name].kind.title: (command, name) for command, name in OUTPUTS}


def tried(command: str, name: str) -> tuple[str, ...]:
    """The endings to write: one, if another option writes files of this kind with all endings."""
    own = endings(command, name)
    return own if WRITES_ALL[MARKS[command][name].kind.title] == (command, name) else own[:1]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_command_is_walked() -> None:
    for command in set(ALL) - set(FUNCTIONS):
        assert marks(ALL[command]) == MARKS[LEARNER[command.split()[0]]]
    assert {("run soa", "csv", "adversary"), ("learn winnow", "save", "cuts")} <= set(PAIRS)


def test_every_parameter_that_names_a_file_is_marked() -> None:
    for command, function in FUNCTIONS.items():
        hints = get_type_hints(function)
        for name, info, _ in parameters(command):
            told = f"{info.metavar} {info.help}"
            is_path = Path in (hints[name], *get_args(hints[name]))
            if is_path or any(word in told for word in ("FILE", "DIR", "file", "folder")):
                assert name in MARKS[command] or name == "force", f"{command} --{name}"
        if any(isinstance(mark, Writes) for mark in MARKS[command].values()):
            assert "force" in hints


# ---- what is read


def test_no_command_writes_over_what_it_reads(tmp_path: Path) -> None:
    for command, written, read in PAIRS:
        for ending in endings(command, written):
            mine = tmp_path / f"mine{ending}"
            mine.write_bytes(MINE)
            values = {written: str(mine), read: str(mine), "force": True}
            assert "is an input of this command" in refusal(command, **values)
            assert mine.read_bytes() == MINE


def test_what_is_read_is_known_by_all_its_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    mine = tmp_path / "mine.csv"
    mine.write_bytes(MINE)
    (tmp_path / "sub").mkdir()
    (tmp_path / "symbolic.csv").symlink_to(mine)
    (tmp_path / "twice.csv").symlink_to("symbolic.csv")
    os.link(mine, tmp_path / "hard.csv")
    (tmp_path / "here").symlink_to(tmp_path)
    before = contents(tmp_path)
    names = ("mine.csv", "./mine.csv", "sub/../mine.csv", "here/mine.csv")
    for name in (*names, "symbolic.csv", "twice.csv", "hard.csv"):
        for output, source in ((name, str(mine)), (str(mine), name)):
            stream = ("run", "soa", "points:n=3", "--adversary", f"stream:{source}")
            assert "is an input of this command" in error_of(*stream, "--csv", output)
    assert contents(tmp_path) == before


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
    assert done.returncode == 2 and "is an input of this command" in done.stderr
    assert data.read_bytes() == MINE


# ---- what is there already

WRITTEN = {
    ("tree", "svg"): "tree points:n=3",
    ("tree", "dot"): "tree points:n=3",
    ("tree", "tex"): "tree points:n=3",
    ("tree", "save"): "tree points:n=3",
    ("check", "coq"): "check {certificate} thresholds:n=7",
    ("convert", "out"): "convert points:n=3",
    ("exercises", "sheet"): "exercises points:n=3",
    ("exercises", "solutions"): "exercises points:n=3",
    ("play", "html"): "play points:n=3",
    ("soa", "html"): "soa points:n=3 --stream {stream}",
    ("run soa", "csv"): "run soa points:n=3 -T 5",
    ("run soa", "html"): "run soa points:n=3 -T 5",
    ("run soa", "plot"): "run soa points:n=3 -T 5",
    ("frontier", "certificate"): "frontier points:n=2 --rows 1",
    ("private-atlas build", "out"): "private-atlas build --points 1 --certificates {certificates}",
    ("compare", "plot"): "compare points:n=2 -T 5 --rows 5 --seeds 1 --seconds 2",
    ("pac generic", "save"): "pac generic points:n=3 --target point=1",
    ("atlas build", "out"): "atlas build --points 2 --jobs 1",
    ("atlas show", "html"): "atlas show 2:7",
    ("atlas sample", "out"): "atlas sample any --points 2 --number 5",
    ("atlas structured", "sequence"): "atlas structured maximum --points 2 --vcdim 1 --by size",
    ("atlas structured", "out"): "atlas structured maximum --points 2 --vcdim 1",
    ("atlas plot", "out"): "atlas plot vcdim ldim",
    ("audit", "svg"): "audit randomized_response",
    ("histogram", "save"): "histogram {data} --column a --bins 0..1",
    ("card", "card"): "card {model}",
    ("learn decision-list", "card"): "learn decision-list {data} --target y --test-split 0",
    ("learn winnow", "card"): "learn winnow {data} --target y --updates 1 --draws 1",
    ("learn best", "card"): "learn best {data} --target y",
    ("learn rules", "card"): "learn rules {data} --target y",
    ("learn logistic", "card"): "learn logistic {data} --target y",
    ("learn naive-bayes", "card"): "learn naive-bayes {data} --target y",
    ("learn decision-list", "save"): "learn decision-list {data} --target y --test-split 0",
    ("learn winnow", "save"): "learn winnow {data} --target y --updates 1 --draws 1",
    ("learn best", "save"): "learn best {data} --target y",
    ("learn rules", "save"): "learn rules {data} --target y",
    ("learn logistic", "save"): "learn logistic {data} --target y",
    ("learn naive-bayes", "save"): "learn naive-bayes {data} --target y",
    ("predict", "out"): "predict {model} {data}",
    ("schema", "out"): "schema {data}",
    ("sample", "out"): "sample points:n=3 --rows 5",
    ("sanitize", "out"): "sanitize points:n=3 {rows} --epsilon 20",
    ("sanitize", "save"): "sanitize points:n=3 {rows} --epsilon 20",
    ("database", "output"): "database {database}",
}
"""A quick call for each option that writes a file."""

ARGUMENTS = {("convert", "out")}
"""Files that are arguments, not options."""

UNKNOWABLE = {
    *ARGUMENTS,
    *((command, "out") for command in ("schema", "predict", "sample", "sanitize")),
}
"""What cannot be told from a file of the user's own; it is never replaced unasked."""


Files = dict[tuple[str, str, str], bytes]
"""What the option of a command wrote into a file of that ending."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Each option has written a file, and all options of a kind together one of each ending."""
    folder = tmp_path_factory.mktemp("made")
    named = {
        name: folder / name
        for name in ("data.csv", "model.json", "rows.csv", "database", "stream.csv")
    }
    paths = {name.split(".")[0]: str(path) for name, path in named.items()}
    paths["certificates"] = str(folder / "certificates")
    paths["certificate"] = str(Path(__file__).parents[2] / "recorded/earlier/certificate.json")
    named["data.csv"].write_text("a,b,y\n" + "1,0,1\n0,0,0\n1,1,1\n" * 10)
    named["rows.csv"].write_text("point\n" + "0\n1\n1\n2\n" * 100)
    named["stream.csv"].write_text("point,label\n0,1\n")
    for name in ("parameters", "classes", "relationships", "values"):
        (named["database"] / name).mkdir(parents=True)
    learning = WRITTEN["learn decision-list", "save"].format(**paths).split()
    run(*learning, "--seed", 1, "--save", named["model.json"])
    found = {}
    for command, name in OUTPUTS:
        for ending in tried(command, name):
            path = folder / f"out{ending}"
            path.write_bytes(b"")  # holds nothing that could be lost
            with pytest.MonkeyPatch.context() as patch:
                if command == "compare":  # two learners are drawn as all are
                    patch.setattr(
                        "learners.playing.entries.ONLINE_LEARNERS", {"soa": ONLINE_LEARNERS["soa"]}
                    )
                    patch.setattr(
                        "learners.pac.entries.BATCH_LEARNERS", {"erm": BATCH_LEARNERS["erm"]}
                    )
                place = [path] if (command, name) in ARGUMENTS else [f"--{name}", path]
                run(*WRITTEN[command, name].format(**paths).split(), *place)
            found[command, name, ending] = path.read_bytes()
            path.unlink()
    return found


def test_every_output_is_tried() -> None:
    assert set(WRITTEN) == set(OUTPUTS)


@pytest.mark.parametrize(("command", "name"), OUTPUTS)
def test_own_files_are_replaced_and_others_are_not(
    tmp_path: Path, made: Files, command: str, name: str
) -> None:
    """Others are notes, what begins otherwise, and what options of another kind wrote."""
    kind = MARKS[command][name].kind
    for ending in tried(command, name):
        path = tmp_path / f"out{ending}"
        own = made[command, name, ending]
        path.write_bytes(own)
        if (command, name) in UNKNOWABLE:
            assert "Choose another name" in refusal(command, **{name: path})
        else:
            require_output(path, kind, f"--{name}", [], force=False)
        others = {
            content
            for (other, option, its), content in made.items()
            if its == ending and (other, option) not in UNKNOWABLE
            if MARKS[other][option].kind is not kind
        }
        for content in (b"\n", b"x" + own, b'{"format": "lsclasses-table"}', *others):
            path.write_bytes(content)
            assert "is not" in refusal(command, **{name: path})
            assert path.read_bytes() == content
        require_output(path, kind, f"--{name}", [], force=True)


def budgets(folder: Path) -> Iterator[bytes]:
    """A budget as it is written, in every way in which it is still read, and damaged."""
    made = BudgetFile.new(folder / "made", 1)
    made.charge(PureDP(1, scope=Scope.adaptive("replace_one")), "all of it")
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


def test_no_command_forgets_what_was_spent(tmp_path: Path) -> None:
    never = "is a budget. Budgets are never replaced, even with --force"
    first, *others = budgets(tmp_path)
    for command, name in OUTPUTS:
        for ending in endings(command, name):
            path = tmp_path / f"people{ending}"
            path.write_bytes(first)
            assert never in refusal(command, **{name: path, "force": True})
            assert path.read_bytes() == first
    path, link = tmp_path / "people.json", tmp_path / "link.json"
    link.symlink_to(path)
    for content in others:
        path.write_bytes(content)
        for named, forced in itertools.product((path, link), (True, False)):
            assert never in refusal("tree", save=named, force=forced)
        assert path.read_bytes() == content


@pytest.mark.parametrize("command", [("dims", "points:n=3"), ("refute", "ldim >= points")])
def test_no_folder_of_certificates_forgets_what_was_spent(tmp_path: Path, command: Any) -> None:
    stem = "points_n=3" if command[0] == "dims" else "counterexample"
    path = tmp_path / f"{stem}.ldim.json"
    before = next(budgets(tmp_path))
    path.write_bytes(before)
    assert "is a budget" in error_of(*command, "--certificate", tmp_path, "--force")
    assert path.read_bytes() == before


def test_an_ending_that_says_something_else_is_refused(tmp_path: Path) -> None:
    for command, name in OUTPUTS:
        own = endings(command, name)
        for ending in {"", ".txt", ".png", ".svg", ".csv", ".json", ".dot"} - set(own):
            said = refusal(command, **{name: tmp_path / f"out{ending}"})
            assert f"end in {' or '.join(own) if len(own) < 3 else own[0]}" in said
    assert list(tmp_path.iterdir()) == []
    run("tree", "points:n=3", "--svg", tmp_path / "TREE.SVG")


def test_two_outputs_of_one_name_are_refused(tmp_path: Path) -> None:
    path, link = tmp_path / "t.svg", tmp_path / "link.svg"
    link.symlink_to(path)

    def twice(one: Annotated[Path, Writes(KIND)], two: Annotated[Path, Writes(KIND)]) -> None:
        raise AssertionError

    twice.__annotations__ = {name: Annotated[Path, Writes(KIND)] for name in ("one", "two")}
    for other in (path, link, tmp_path / "." / "t.svg"):
        with pytest.raises(InvalidInput, match="--two needs another name"):
            check_files(twice)(one=path, two=other)
    assert not path.exists()


# ---- where nothing can be written


def test_a_folder_is_refused_as_a_file_before_anything_is_read(tmp_path: Path) -> None:
    """What is to be read does not exist, and yet it is the output that is refused."""
    for command, name in OUTPUTS:
        folder = tmp_path / f"folder{endings(command, name)[0]}"
        folder.mkdir(exist_ok=True)
        assert "is a directory" in refusal(command, **{name: folder})
    assert "is a directory" in error_of("tree", "nothing", "--save", tmp_path / "folder.json")


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    plain, loop, astray = (tmp_path / f"{name}.json" for name in ("plain", "loop", "astray"))
    plain.write_bytes(b"")
    plain.chmod(0o444)
    loop.symlink_to(loop)
    astray.symlink_to(tmp_path / "nowhere" / "out.json")
    for wrong, reason in (
        (tmp_path / "absent" / "out.json", "no such file or directory"),
        (plain / "out.json", "not a directory"),
        (loop, "symbolic links"),
        (astray, "no such file or directory"),
        (plain, "write-protected"),
        (tmp_path / f"{'x' * 300}.json", "file name too long"),
    ):
        for forced in (False, True):
            said = refusal("tree", save=wrong, force=forced)
            assert "Cannot write" in said and reason in said
    assert contents(tmp_path) == {str(plain): b""}


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
