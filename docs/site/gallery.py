"""All figures of the pages, each with its command and its numbers."""

from __future__ import annotations

import re
from pathlib import Path

from docs.site.staging import ROOT
from docs.site.writing import Sources

DOCS = ROOT / "docs"
NUMBERS = ROOT / "benchmarks" / "numbers"
SHOWN = re.compile(r"!\[([^]]*)\]\(([\w-]+\.svg)\)")
COMMAND = re.compile(r"`((?:python -m|lsclasses) [^`]+)`")


def figures() -> dict[str, tuple[Path, str]]:
    """Return every figure, with the page that shows it and the page's text about it."""
    found: dict[str, tuple[Path, str]] = {}
    for page in sorted(DOCS.glob("*.md")):
        for title, name in SHOWN.findall(page.read_text(encoding="utf-8")):
            found.setdefault(name, (page, title))
    return found


def _drawing(name: str) -> Path | None:
    """Return the measurement that draws a figure."""
    for module in sorted((ROOT / "benchmarks").glob("bench_*.py")):
        if f'"{Path(name).stem}": ' in module.read_text(encoding="utf-8"):
            return module
    return None


def command(name: str, page: Path) -> str:
    """Return the command that draws a figure, either a measurement or a command of its page."""
    module = _drawing(name)
    if module is not None:
        return f"python -m benchmarks {module.stem.removeprefix('bench_')}"
    text = page.read_text(encoding="utf-8")
    commands = [(each[1], each.start()) for each in COMMAND.finditer(text)]
    naming = [each for each, _ in commands if name in each]
    place = text.index(f"({name})")
    near = [
        each
        for each, start in sorted(commands, key=lambda pair: abs(pair[1] - place))
        if each.startswith("python -m")
    ]
    return (naming or near)[0]


def numbers(name: str) -> Path | None:
    """Return the file of the numbers of a figure, or None if the figure is computed."""
    kept = (NUMBERS / name).with_suffix(".json")
    return kept if kept.exists() else None


def _code(name: str, ran: str) -> Path | None:
    """Return the module with the code of a figure, or None if a command of the library draws it."""
    if not ran.startswith("python -m"):
        return None
    package, _, rest = ran.removeprefix("python -m ").partition(" ")
    if package == "benchmarks":
        return ROOT / "benchmarks" / f"bench_{rest}.py"
    return ROOT / Path(*package.split(".")).with_suffix(".py")


def write(sources: Sources) -> None:
    """Write the page, and one for each module that draws."""
    lines = [
        "# Gallery",
        "",
        "This page contains every figure of the site with the command that draws the figure. The",
        "folder `benchmarks/numbers` stores the measured numbers in one file for each figure. The",
        "command measures only numbers that the file lacks. `python -m benchmarks figures` draws",
        "all figures.",
        "",
    ]
    for name, (page, title) in sorted(figures().items()):
        ran = command(name, page)
        code = _code(name, ran)
        drawn = ""
        if code is not None:
            drawn = f" with [this code](gallery/{code.stem}.md)"
            sources.put(f"gallery/{code.stem}.md", _listing(code))
        kept = numbers(name)
        if kept is None:
            said = "The command computes the figure without stored numbers."
        else:
            where = kept.relative_to(ROOT).as_posix()
            said = f"The same command measured the numbers, which `{where}` stores."
        shown = page.relative_to(ROOT).as_posix()
        heading = page.read_text(encoding="utf-8").splitlines()[0].lstrip("# ")
        lines += [
            f"## {title}",
            "",
            f"![{title}](docs/{name})",
            "",
            f"`{ran}` draws the figure{drawn}. The figure belongs to [{heading}]({shown}). {said}",
            "",
        ]
    sources.put("gallery.md", "\n".join(lines))


def _listing(code: Path) -> str:
    name = code.relative_to(ROOT).as_posix()
    text = code.read_text(encoding="utf-8").rstrip()
    return f"---\norphan: true\nno-search: true\n---\n# {name}\n\n`````python\n{text}\n`````\n"
