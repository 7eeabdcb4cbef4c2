"""Figures about the source code: ``python -m tests.house [CHECKOUT]``.

Each figure is a row of a table in Markdown, so that two commits can be compared. Lines of code are
lines with tokens of Python: no comments, no docstrings, no blank lines.

A *route* is the set of files that a row of a table, or an example of a game, visits. A file is on
the route of a row if one of its functions receives or returns the rows: an array or a list with one
entry per row, or an object that holds such an array in its fields. A file is on the route of an
example if one of its functions is called in a round of the game.
"""

from __future__ import annotations

import ast
import io
import os
import subprocess
import sys
import tempfile
import tokenize
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

import networkx as nx

from tests.floors import PACKAGES, imports_of

LONG_FILE, LONG_FUNCTION, CIRCLE = 600, 60, 6
COMMENTED = (
    "lsclasses/searching/*.py",
    "lsclasses/packing.py",
    "lsclasses/packed_labels.py",
    "lsclasses/arrays.py",
    "learners/accounting/*.py",
)
"""Modules with many surprising steps. Missing files are ignored."""
DIRECTIVES = ("# type:", "# noqa", "# pragma")
NOTHING = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
STARTS = [
    ["--version"],
    ["dims", "-h"],
    ["dims", "thresholds:n=7"],
    ["run", "soa", "thresholds:n=7"],
]
"""Commands whose start-up is measured."""
COMMAND = "from lsclasses.commands.application import app; app({!r}, standalone_mode=False)"
COUNTED = """
import os, sys
files, calls, depth = set(), 0, 0
inside = {inside!r}
def count(frame, event, _):
    global calls, depth
    code = frame.f_code
    if not code.co_filename.startswith({roots!r}) or code.co_name == "<module>":
        return
    if inside and code.co_qualname == inside:
        depth += {{"call": 1, "return": -1}}.get(event, 0)
    elif event == "call" and (depth or not inside):
        calls += 1
        files.add(code.co_filename)
from lsclasses.commands.application import app
sys.setprofile(count)
try:
    app({words!r}, standalone_mode=False)
finally:
    sys.setprofile(None)
    print(len(files), calls, file=sys.stderr)
"""
ROWS = 211
"""Number of rows of the table whose route is measured. No other object has so many entries."""
ROUTE = """
import sys
import numpy as np
files = set()
def holds(value, depth=4):
    if isinstance(value, np.ndarray):
        return value.ndim > 0 and value.shape[0] == {rows}
    if isinstance(value, (list, tuple)):
        return len(value) == {rows} or (
            depth > 0 and len(value) < 100 and any(holds(part, depth - 1) for part in value)
        )
    fields = getattr(value, "__dict__", None)
    if depth == 0 or isinstance(value, type) or not isinstance(fields, dict):
        return False
    return any(holds(part, depth - 1) for part in list(fields.values()))
def look(frame, event, result):
    code = frame.f_code
    if code.co_filename in files or not code.co_filename.startswith({roots!r}):
        return
    if event in ("call", "return") and code.co_name != "<module>":
        given = list(frame.f_locals.values()) if event == "call" else [result]
        if any(map(holds, given)):
            files.add(code.co_filename)
from lsclasses.commands.application import app
sys.setprofile(look)
try:
    app({words!r}, standalone_mode=False)
finally:
    sys.setprofile(None)
    print(*sorted(files), sep="\\n", file=sys.stderr)
"""
WIDE_FOLDERS = ("learners/tables", "learners/commands")
"""Folders whose functions have a largest number of parameters."""


def python_files(root: Path, *folders: str) -> list[Path]:
    """All modules below some folders of a checkout."""
    return [path for folder in folders for path in sorted((root / folder).rglob("*.py"))]


def code_lines(text: str) -> int:
    """How many lines of a module have code.

    >>> code_lines('\"\"\"A module.\"\"\"\\n\\nx = (  # a comment\\n    1\\n)\\n')
    3
    """
    strings: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            strings.update(range(node.lineno, (node.end_lineno or 0) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NOTHING:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - strings)


def comment_lines(text: str) -> int:
    """Return the number of lines of a module with a comment for readers.

    >>> comment_lines('# reason\\nx = 1  # type: int\\ny = "# text"  # another reason\\n')
    2
    """
    return sum(
        token.type == tokenize.COMMENT and not token.string.startswith(DIRECTIVES)
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
    )


def comment_density(root: Path, patterns: Iterable[str]) -> float:
    """Return the number of comment lines per 100 lines of code in some modules of a checkout.

    >>> comment_density(Path(), ["no such file"])
    0.0
    """
    texts = [path.read_text() for pattern in patterns for path in root.glob(pattern)]
    return 100 * sum(map(comment_lines, texts)) / max(1, sum(map(code_lines, texts)))


def long_functions(paths: list[Path]) -> Iterator[str]:
    """Functions with more lines than one takes in, docstrings not counted."""
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                first = node.body[1] if ast.get_docstring(node) and node.body[1:] else node.body[0]
                if (node.end_lineno or 0) - first.lineno + 1 > LONG_FUNCTION:
                    yield f"{path.stem}.{node.name}"


def public_names(paths: list[Path]) -> int:
    """How many names stand in ``__all__``."""
    return sum(
        len(node.value.elts)
        for path in paths
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id == "__all__"
        and isinstance(node.value, ast.List | ast.Tuple)
    )


def lines_with(name: str, paths: list[Path]) -> int:
    """How many lines of some modules have a name among their code, imports among them."""
    return sum(
        len(
            {
                token.start[0]
                for token in tokens
                if token.type == tokenize.NAME and token.string == name
            }
        )
        for path in paths
        for tokens in [tokenize.generate_tokens(io.StringIO(path.read_text()).readline)]
    )


def python(root: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a checkout, whose modules are compiled once."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )


def imported(root: Path, words: list[str]) -> set[str]:
    """Return the names of the modules that a command imports."""
    code = f"""
import sys
try:
    {COMMAND.format(words)}
finally:
    print(*sys.modules, file=sys.stderr)
"""
    return set(python(root, code).stderr.split())


def entry_point_lines(root: Path) -> int:
    """Return the number of lines of `pyproject.toml` that declare an entry point."""
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    return sum(map(len, project.get("entry-points", {}).values()))


def _listed(commands: list[list[str]]) -> str:
    """The commands in a cell of the table."""
    return ", ".join(f"`{' '.join(words)}`" for words in commands) or "none"


def passed(root: Path, words: list[str], inside: str = "") -> tuple[int, int]:
    """Return the numbers of files and of calls of the three packages that a command needs.

    Parameters
    ----------
    root : Path
        Checkout.
    words : list of str
        Words of the command.
    inside : str
        Qualified name of a function. If it is given, only calls inside of this function count.
    """
    code = COUNTED.format(roots=_roots(root), words=words, inside=inside)
    files, calls = python(root, code).stderr.split()[-2:]
    return int(files), int(calls)


def _roots(root: Path) -> tuple[str, ...]:
    return tuple(f"{root / package}{os.sep}" for package in PACKAGES)


def row_route(root: Path, folder: Path) -> list[str]:
    """Return the files that a row of a table visits in ``lsclasses learn best``, sorted.

    Parameters
    ----------
    root : Path
        Checkout.
    folder : Path
        Folder for the table.
    """
    table = folder / "rows.csv"
    rows = (f"{i % 97},{('cook', 'nurse')[i % 3 % 2]},{i % 2}\n" for i in range(ROWS))
    table.write_text("age,job,sick\n" + "".join(rows))
    words = [
        *("learn", "best", str(table), "--target", "sick", "--cuts", "age=30,60"),
        *("--cuts", "job=cook,nurse", "--test-split", "0", "--seed", "1", "--no-comparison"),
    ]
    code = ROUTE.format(roots=_roots(root), words=words, rows=ROWS)
    lines = python(root, code).stderr.splitlines()
    files = [line.removeprefix(f"{root}{os.sep}") for line in lines if line.startswith(str(root))]
    # The coins draw one flip per row for the test rows, but they receive no entries.
    return [file for file in files if not file.startswith("learners/coins/")]


def most_parameters(paths: Iterable[Path]) -> tuple[int, str]:
    """Return the largest number of parameters of a function in some modules, and its name.

    The parameters ``self`` and ``cls`` are not counted.
    """
    found = [(0, "")]
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                given = node.args
                names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
                own = names[:1] in (["self"], ["cls"])
                found.append((len(names) - own, f"{path.stem}.{node.name}"))
    return max(found)


def seconds(root: Path, code: str, runs: int = 5) -> float:
    """The least processor time of a process that runs this."""
    timed = (
        "import resource, subprocess, sys;"
        f"subprocess.run([sys.executable, '-c', {code!r}], check=True, capture_output=True);"
        "u = resource.getrusage(resource.RUSAGE_CHILDREN); print(u.ru_utime + u.ru_stime)"
    )
    return min(float(python(root, timed).stdout) for _ in range(runs))


def rows(root: Path) -> Iterator[tuple[str, object]]:
    """Each figure and its value."""
    library, tests = python_files(root, *PACKAGES), python_files(root, "tests")
    for name in (*PACKAGES, "tests"):
        files = python_files(root, name)
        yield f"lines of code in `{name}`", sum(code_lines(path.read_text()) for path in files)
    long_files = [path for path in (*library, *tests) if len(path.read_text().split("\n")) > 601]
    yield f"files over {LONG_FILE} lines", len(long_files)
    yield f"functions over {LONG_FUNCTION} lines", len(list(long_functions(library)))
    yield "names in `__all__`", public_names(library)
    yield "lines of `learners` that use `Any`", lines_with("Any", python_files(root, "learners"))
    yield (
        "comment lines per 100 lines of code in searches, packing and accounting",
        f"{comment_density(root, COMMENTED):.1f}",
    )
    circles = [each for each in nx.strongly_connected_components(imports_of(root)) if len(each) > 1]
    yield (
        "files in circles of imports, the largest circle",
        (f"{sum(map(len, circles))}, {max(map(len, circles), default=0)}"),
    )
    yield "Python files of the three packages", len(library)
    yield (
        "Python files of `lsclasses`, `catalog`, `learners`",
        ", ".join(str(len(python_files(root, name))) for name in PACKAGES),
    )
    yield "lines of entry points in `pyproject.toml`", entry_point_lines(root)
    for module in ("numpy", "scipy", "pydantic", "sympy"):
        loaded = [words for words in STARTS if module in imported(root, words)]
        yield f"commands that import `{module}`", _listed(loaded)
    for words in STARTS:
        yield f"modules that `{' '.join(words)}` imports", len(imported(root, words))
    dims = ["dims", "thresholds:n=7"]
    yield "files, calls of `dims thresholds:n=7`", "{}, {}".format(*passed(root, dims))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield "files that a row visits in `learn best`", len(row_route(root, folder))
        proved = [*dims, "--certificate", str(folder / "proof")]
        python(root, COMMAND.format(proved))
        (proof,) = (folder / "proof").glob("*ldim*.json")
        checked = ["check", str(proof), "thresholds:n=7"]
        yield "files, calls of `check` of a certificate", "{}, {}".format(*passed(root, checked))
    played = ["run", "pop", "thresholds:n=7", "--rounds", "20", "--seed", "1"]
    yield (
        "files that an example visits in `run pop`",
        passed(root, played, "GameState._round")[0],
    )
    most, widest = most_parameters(python_files(root, *WIDE_FOLDERS))
    yield f"most parameters of a function in {' and '.join(WIDE_FOLDERS)}", f"{most} (`{widest}`)"
    numpy = seconds(root, "import numpy")
    for words in STARTS:
        ratio = seconds(root, COMMAND.format(words)) / numpy
        yield f"processor time of `{' '.join(words)}`, relative to `import numpy`", f"{ratio:.2f}"


if __name__ == "__main__":
    checkout = Path(sys.argv[1] if sys.argv[1:] else ".").resolve()
    print("| figure | value |\n|---|---|")
    for figure, value in rows(checkout):
        print(f"| {figure} | {value} |", flush=True)
