"""What the house is like, in numbers: ``python -m tests.house [CHECKOUT]``.

Each figure is a row of a table in Markdown, so that two commits can be laid side by side. Lines of
code are lines with tokens of Python: no comments, no docstrings, no blank lines.
"""

from __future__ import annotations

import ast
import io
import os
import subprocess
import sys
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
files, calls = set(), 0
def count(frame, event, _):
    global calls
    name = frame.f_code.co_filename
    if event == "call" and name.startswith({roots!r}) and frame.f_code.co_name != "<module>":
        calls += 1
        files.add(name)
from lsclasses.commands.application import app
sys.setprofile(count)
try:
    app({words!r}, standalone_mode=False)
finally:
    sys.setprofile(None)
    print(len(files), calls, file=sys.stderr)
"""


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


def passed(root: Path, words: list[str]) -> tuple[int, int]:
    """How many of our files a command passes through, and how many calls of our functions."""
    roots = tuple(str(root / package) for package in PACKAGES)
    files, calls = python(root, COUNTED.format(roots=roots, words=words)).stderr.split()[-2:]
    return int(files), int(calls)


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
    numpy = seconds(root, "import numpy")
    for words in STARTS:
        ratio = seconds(root, COMMAND.format(words)) / numpy
        yield f"processor time of `{' '.join(words)}`, relative to `import numpy`", f"{ratio:.2f}"


if __name__ == "__main__":
    checkout = Path(sys.argv[1] if sys.argv[1:] else ".").resolve()
    print("| what | |\n|---|---|")
    for figure, value in rows(checkout):
        print(f"| {figure} | {value} |", flush=True)
