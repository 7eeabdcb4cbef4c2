"""Every code block of README and docs runs as printed.

A block with ``slow`` behind its language takes seconds and nothing after it needs what it does:
`make deep` runs it.
"""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from lsclasses.markdown import fill_markdown

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PROJECT = [ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"]
"""Pages without examples that run."""
FLAGS = doctest.ELLIPSIS
BLOCK = re.compile(r"^```(\w+)( slow)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUN_ELSEWHERE = {"sh", "toml", "csv", "json", "text", "dot", "py"}
"""Blocks that are no examples: commands that set up a checkout, files and excerpts of files."""
WITH_PLUGIN = "write-your-own.md"
"""The page whose examples use the package of `examples/plugin`."""


def blocks(page: Path, slow: bool = True) -> list[tuple[str, str]]:
    """Languages and texts."""
    found = BLOCK.findall(page.read_text())
    return [(language, text) for language, mark, text in found if slow or not mark]


def runs(language: str) -> list[Any]:
    """Each page without its slow blocks, and whole if it has slow ones in this language."""
    whole = [page for page in PAGES if f"```{language} slow\n" in page.read_text()]
    return [
        *(pytest.param(page, False, id=page.name) for page in PAGES),
        *(
            pytest.param(page, True, id=f"{page.name}, whole", marks=pytest.mark.slow)
            for page in whole
        ),
    ]


def copy_data(folder: Path) -> None:
    """The tables of the examples, in a folder as in a checkout, and where the pages have them."""
    (folder / "examples").mkdir()
    (folder / "out").mkdir()
    for path in (ROOT / "examples").glob("*.csv"):
        for target in (folder, folder / "examples"):
            (target / path.name).write_bytes(path.read_bytes())


@pytest.fixture
def with_plugin(page, request):
    """The package of `examples/plugin` is installed for its page."""
    if page.name == WITH_PLUGIN:
        request.getfixturevalue("plugin")


@pytest.mark.usefixtures("with_plugin")
@pytest.mark.parametrize("page, slow", runs("python"))
def test_python_blocks(page, slow, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    copy_data(tmp_path)
    globals_: dict[str, object] = {"__name__": "__main__"}
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for language, text in blocks(page, slow):
        assert language in {"python", "console"} | RUN_ELSEWHERE, (
            f"{page.name}: what is {language}?"
        )
        if language == "python":
            assert ">>>" in text, f"{page.name}: write examples with their output:\n{text}"
            test = doctest.DocTestParser().get_doctest(text, globals_, page.name, str(page), 0)
            runner.run(test, clear_globs=False)
            globals_ = test.globs
    assert runner.summarize(verbose=False).failed == 0


@pytest.mark.usefixtures("with_plugin")
@pytest.mark.parametrize("page, slow", runs("console"))
def test_console_blocks(page, slow, tmp_path, monkeypatch, verified):
    """Commands exit with status 0 and print what is shown, if anything; "..." stands for more."""
    from lsclasses.commands.application import app

    monkeypatch.chdir(tmp_path)
    copy_data(tmp_path)
    (tmp_path / "examples.csv").write_bytes((tmp_path / "stream.csv").read_bytes())
    for language, text in blocks(page, slow):
        if language != "console":
            continue
        for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
            piped = re.match(r"echo ([^|]*) \| ", command)
            called = command[piped.end() :] if piped else command
            program, *arguments = shlex.split(called, comments=True)
            if arguments == ["verify"]:
                continue  # the main job; it has its own tests
            # With a package installed there is other code than what `make verify` ran.
            if arguments[:2] == ["verify", "--topic"] and page.name != WITH_PLUGIN:
                if verified is None:
                    continue  # tests/learners/test_claim_checks.py recomputes it, once
                # A copy, since what is missing there is added.
                kept = shutil.copy(verified, tmp_path / "verified.jsonl")
                arguments += ["--resume", str(kept)]
            assert program == "lsclasses", f"{page.name}: {command}"
            result = CliRunner().invoke(
                app, arguments, env={"COLUMNS": "100"}, input=f"{piped[1]}\n" if piped else None
            )
            assert result.exit_code == 0, f"{command}\n{result.output}"
            if expected.strip():
                matches = doctest.OutputChecker().check_output(
                    expected.strip(), result.stdout.strip(), FLAGS | doctest.NORMALIZE_WHITESPACE
                )
                assert matches, f"{command}\nprints\n{result.stdout}"


LONG = ("compare thresholds:n=7", "dims random:m=5000,n=60 --only vcdim --seconds 60")
"""Commands in the text of the README that take more than a few seconds."""
WITHOUT_ARGUMENTS = {"database", "verify"}
"""Commands that the README mentions by name only."""


def commands_in_text(page: Path) -> list[str]:
    """Commands between backticks, outside of blocks."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    return sorted(set(re.findall(r"`lsclasses ([^`]*)`", text)) - WITHOUT_ARGUMENTS)


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(each, marks=[pytest.mark.slow] if each in LONG else [])
        for each in commands_in_text(ROOT / "README.md")
    ],
)
def test_commands_in_the_text_of_the_readme_run(command, tmp_path, monkeypatch):
    from lsclasses.commands.application import app

    monkeypatch.chdir(tmp_path)
    copy_data(tmp_path)
    (tmp_path / "docs").mkdir()
    result = CliRunner().invoke(app, shlex.split(command), env={"COLUMNS": "100"})
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("page", [*PAGES[1:], *PROJECT], ids=lambda page: page.name)
def test_no_line_of_a_page_is_too_long(page: Path):
    """Tables, code, links and formulas may be longer, because a line does not break in them."""
    text = page.read_text(encoding="utf-8")
    assert fill_markdown(text) == text, "write lsclasses.markdown.fill_markdown(text) into the page"


def test_the_commands_of_contributing_are_targets_with_one_line_each():
    """Filling the lines of this block once joined commands with the comments of other commands."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    block = re.search(r"^## Setup\n\n```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert block is not None
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for line in block[1].splitlines():
        command = re.fullmatch(r"make ([a-z-]+)(?: [A-Z]+=\S+)? +# (.*)", line)
        assert command is not None, line
        assert command[1] in targets
        assert "#" not in command[2]


def test_the_readme_is_short_and_has_the_two_commands():
    lines = (ROOT / "README.md").read_text().splitlines()
    assert len(lines) <= 120
    targets = {line.split()[1] for line in lines if line.startswith("make ")}
    assert targets == {"verify", "test"}
    # Each long command is still in the text, so the list above stays true.
    assert set(LONG) <= set(commands_in_text(ROOT / "README.md"))


def test_commands_of_the_lecture_map_run(tmp_path, monkeypatch):
    """Each command in the tables of the page exits with status 0."""
    from lsclasses.commands.application import app

    monkeypatch.chdir(tmp_path)
    copy_data(tmp_path)
    page = (ROOT / "docs" / "lectures.md").read_text()
    commands = set(re.findall(r"`lsclasses ([^`]*)`", page)) - {"explain WORD"}
    assert len(commands) > 20
    for command in sorted(commands):
        result = CliRunner().invoke(app, shlex.split(command), env={"COLUMNS": "100"})
        assert result.exit_code == 0, f"{command}\n{result.output}"


def test_pages_link_to_pages_that_exist():
    for page in (*PAGES, *PROJECT):
        text = re.sub(r"`[^`\n]*`", "", page.read_text())
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
