"""The sources of the site: the repository's pages at their places, and pages from registries."""

from __future__ import annotations

import os
import re
from pathlib import Path

from docs.site.writing import Sources

ROOT = Path(__file__).parents[2]
WRITTEN = (
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "docs/*.md",
    "examples/*.md",
)
"""Pages written by hand, as patterns below the root of the repository."""
PAGES = Path(__file__).with_name("pages")
"""Pages that only the site has."""
OTHERS = "<other pages>"
"""Placeholder for the pages in docs that are missing in all lists, so new pages need no edit."""
KEPT = {".md", ".svg", ".json", ".csv", ".toml", ".ipynb"}
"""Endings of files that pages link to as they are."""
LANGUAGES = {".py": "python", ".toml": "toml", ".md": "markdown", ".csv": "text"}

LINK = re.compile(
    r"(?P<text>\[(?:[^][]|\[[^][]*\])*\])\((?P<target>[^)\s#:]+)(?P<anchor>#[^)\s]*)?\)"
)


def stage(sources: Sources) -> None:
    """Write all handwritten pages and the files that they link to into the folder of sources."""
    for pattern in WRITTEN:
        for source in sorted(ROOT.glob(pattern)):
            Page(source, sources).write()
    for figure in (ROOT / "docs").glob("*.svg"):
        _copy(figure, sources)
    for example in sorted((ROOT / "examples").iterdir()):
        if example.is_dir():
            sources.put(f"examples/{example.name}/index.md", _listed(example))
    ours = {each.name: each.read_text(encoding="utf-8") for each in sorted(PAGES.iterdir())}
    listed = {line.strip() for text in ours.values() for line in re.split(r"[\n<>]", text)}
    names = [f"docs/{each.stem}" for each in sorted((ROOT / "docs").glob("*.md"))]
    others = "\n".join(name for name in names if name not in listed)
    for name, text in ours.items():
        sources.put(name, text.replace(OTHERS, others))


class Page:
    """A page, whose links to files without a page lead to other targets."""

    def __init__(self, source: Path, sources: Sources) -> None:
        self.source, self.sources = source, sources

    def write(self) -> None:
        """Write the page to its place in the repository."""
        text = LINK.sub(self._led, self.source.read_text(encoding="utf-8"))
        if self.source == ROOT / "README.md":
            # The front page has the name of the library as its title.
            text = re.sub(r"^# .*", "# README", text, count=1)
        self.sources.put(self.source.relative_to(ROOT), text)

    def _led(self, link: re.Match[str]) -> str:
        """Return a link to a page for a module or a folder, and only its text without a target."""
        target = (self.source.parent / link["target"]).resolve()
        if not target.exists() and self.source.name == "CHANGELOG.md":
            return link["text"][1:-1]  # the target existed when the entry was written
        if not target.is_relative_to(ROOT) or not target.exists():
            return link[0]
        inside = target.relative_to(ROOT)
        if target.is_file() and target.suffix in KEPT:
            if target.suffix != ".md":
                _copy(target, self.sources)
            return link[0]
        if inside.parts[0] in ("lsclasses", "catalog", "learners"):
            module = ".".join(inside.with_suffix("").parts)
            return f"{link['text']}({self._relative(Path('reference', f'{module}.rst'))})"
        if inside.parts[0] == "examples":
            example = Path(*inside.parts[:2], "index.md")
            return f"{link['text']}({self._relative(example)})"
        return link["text"][1:-1]

    def _relative(self, inside: Path) -> str:
        return Path(os.path.relpath(ROOT / inside, self.source.parent)).as_posix()


def _copy(file: Path, sources: Sources) -> None:
    sources.put(file.relative_to(ROOT), file.read_bytes())


def _listed(example: Path) -> str:
    """Return a page with the files of an example."""
    lines = ["---", "orphan: true", "---", f"# The example {example.name}", ""]
    fence = "`" * 5
    for file in sorted(example.rglob("*")):
        if file.suffix in LANGUAGES and "egg-info" not in str(file):
            text = file.read_text(encoding="utf-8").rstrip()
            name = file.relative_to(example).as_posix()
            lines += [f"## {name}", "", f"{fence}{LANGUAGES[file.suffix]}", text, fence, ""]
    return "\n".join(lines)
