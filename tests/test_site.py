"""What makes the site, without Sphinx: tables, docstrings, links, the folder of sources."""

from __future__ import annotations

import doctest
import re
import shlex
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

pytest.importorskip("matplotlib")
pytest.importorskip("sphinx", reason="no Sphinx, which `make site` installs")

from matplotlib.colors import to_hex
from matplotlib.text import Text

from benchmarks import kept
from benchmarks.bench_figures import drawings
from docs.site import (
    atlas,
    checks,
    coverage,
    docstrings,
    families,
    learners,
    mechanisms,
    navigation,
    reference,
    rendering,
    slimming,
    writing,
)
from docs.site.docstrings import readable
from docs.site.gallery import NUMBERS, command, figures
from docs.site.plots import LEFT, against
from docs.site.rendering import Row, table
from docs.site.staging import PAGES, ROOT, stage
from docs.site.writing import Sources
from lsclasses.commands.application import app
from lsclasses.figures import COLORS, REFERENCE, SERIES, WIDTH, save


def test_bars_are_no_markup_and_tables_are_lists():
    assert readable([">>> a | b", "|H|, see `x`(1)"]) == [">>> a | b", r"\|H\|, see `x`\ (1)"]
    assert readable(["| a | b |", "|---|---|", "| c | d |"])[4:8] == [
        *("   * - a", "     - b", "   * - c", "     - d"),
    ]


def test_names_in_tables_are_no_markup():
    written = table("<a>", ["<b>"], [Row(["x"], keys={"k": '"<c>'})], {"k": "<d>"})
    for name in ("<a>", "<b>", "<c>", "<d>"):
        assert name not in written


def test_broken_links_and_things_from_the_net_are_found(tmp_path, capsys):
    (tmp_path / "a.html").write_text(
        '<nav class="sections"></nav><h1 id="top"></h1>'
        '<a href="a.html#top"></a><a href="b.html"></a><a href="#nowhere"></a>'
        '<a href="https://example.org"></a><script src="https://example.org/x.js"></script>'
    )
    found = list(checks.broken(tmp_path))
    assert len(found) == 3
    assert any("b.html, which does not exist" in each for each in found)
    assert any("#nowhere, which has no such place" in each for each in found)
    assert any("from the net" in each for each in found)
    assert checks.report(tmp_path) == 1
    assert "3 errors" in capsys.readouterr().out


def test_pages_without_a_sidebar_and_large_sites_are_found(tmp_path, monkeypatch, capsys):
    (tmp_path / "a.html").write_text("<p>Text</p>")
    assert list(checks.broken(tmp_path)) == ["a.html has no sidebar."]
    monkeypatch.setattr(checks, "LARGEST", 5)
    checks.report(tmp_path)
    assert "The limit is 0 MB" in capsys.readouterr().err


class _Reader(HTMLParser):
    """The text of a page without blanks, its anchors and the targets of its links."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.places: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.places += [f"{name}={value}" for name, value in attrs if name in ("id", "href")]

    def handle_data(self, data: str) -> None:
        self.text += "".join(data.split())


LARGE_PAGE = """
<!DOCTYPE html>
<!-- note -->
<body class="wide unknown">
  <ul class="toctree-l1">
    <li class="unknown"><a class="reference internal" href="#f" title="f">f</a></li>
  </ul>
  <dl class="py unknown">
    <dt id="f"><span class="sig-name descname"><span class="pre">f</span></span>(x)</dt>
    <dd><p>Text of <em class="unknown">f</em>.</p></dd>
  </dl>
  <pre><span class="n">f</span>(
    <span class="mi">1</span>)</pre>
</body>
"""


def test_a_slim_page_has_the_text_the_links_and_the_used_classes_of_the_page():
    sheet = '.wide, .py, .descname, .mi { color: red } [class^="toctree-l"] { margin: 0 }'
    slim = slimming.slim_page(LARGE_PAGE, slimming.UsedClasses.of([sheet]))
    before, after = _Reader(LARGE_PAGE), _Reader(slim)
    assert (after.text, after.places) == (before.text, before.places)
    assert after.places == ["href=#f", "id=f"]
    assert len(slim) < 0.6 * len(LARGE_PAGE)
    classes = re.findall(r'class="([^"]*)"', slim)
    # Lists of definitions keep all classes.
    assert classes == ["wide", "toctree-l1", "py unknown", "descname", "mi"]
    assert "(\n    <span" in slim, "lines of code"


def test_slimming_again_changes_no_page(tmp_path):
    (tmp_path / "_static").mkdir()
    (tmp_path / "_static" / "site.css").write_text(".wide { color: red }")
    page = tmp_path / "page.html"
    page.write_text(LARGE_PAGE)
    slimming.slim(tmp_path)
    once = page.read_text()
    slimming.slim(tmp_path)
    assert page.read_text() == once != LARGE_PAGE


@pytest.mark.parametrize(
    "module",
    [docstrings, navigation, reference, learners, rendering, slimming, writing],
    ids=lambda m: m.__name__,
)
def test_examples_of_the_modules(module):
    result = doctest.testmod(module)
    assert result.attempted
    assert not result.failed


def test_the_front_page_runs(tmp_path, monkeypatch):
    page = PAGES / "index.md"
    assert doctest.testfile(str(page), module_relative=False).failed == 0
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").mkdir()
    for name in ("people.csv", "my_class.csv"):
        (tmp_path / "examples" / name).write_bytes((ROOT / "examples" / name).read_bytes())
    text = page.read_text(encoding="utf-8").replace("\\\n", "")
    commands = re.findall("(?:^|`)lsclasses ([^`~\\n]+)", text, re.MULTILINE)
    assert len(commands) == 5
    for words in map(shlex.split, commands):
        assert CliRunner().invoke(app, words).exit_code == 0, words


def test_names_of_the_api_page_exist_and_are_described():
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    paths = reference.api_names(page)
    assert len(paths) == len(set(paths)) >= 40
    for path in paths:
        assert reference.summary(reference.resolve(path)), f"{path} has no docstring."
    assert page == reference.with_summaries(page), "write reference.with_summaries(page) into it"
    with pytest.raises(LookupError, match="does not exist"):
        reference.resolve("lsclasses.Table.no_such_name")
    described = reference.api_page(page)
    assert described.count("| {py:obj}`") == len(paths)
    assert (
        "| {py:obj}`lsclasses.Table <lsclasses.table.Table>` | A finite concept class" in described
    )


class _Columns(HTMLParser):
    """The cells of each table, by rows; nested tables are tables, too."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self._open: list[list[list[str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "table":
            self._open.append([])
            self.tables.append(self._open[-1])
        elif tag == "tr":
            self._open[-1].append([])
        elif tag in ("td", "th") and self._open:
            self._open[-1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == "table":
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] and self._open[-1][-1]:
            self._open[-1][-1][-1] += data.strip()


GENERATORS = [coverage, families, mechanisms, atlas, pytest.param(learners, marks=pytest.mark.slow)]


@pytest.mark.parametrize("module", GENERATORS, ids=lambda module: module.__name__)
def test_no_column_of_a_generated_table_is_blank(module, tmp_path):
    sources = Sources(tmp_path)
    stage(sources)
    staged = {each for each in tmp_path.rglob("*.md") if "catalog" not in each.name}
    if module is coverage:
        staged.remove(tmp_path / "docs" / "coverage.md")
    module.write(sources)
    tables = 0
    for page in {*tmp_path.rglob("*.md")} - staged:
        for cells in _Columns(page.read_text(encoding="utf-8")).tables:
            head, *rows = [row for row in cells if row]
            for column, name in enumerate(head if len(rows) > 1 else ()):
                values = [row[column] for row in rows if len(row) == len(head)]
                assert any(values), f"{page.name}: the column {name!r} is blank"
            tables += 1
    assert tables


def test_pages_of_the_site_name_only_pages_that_exist(tmp_path):
    stage(Sources(tmp_path))
    for page in PAGES.iterdir():
        text = (tmp_path / page.name).read_text(encoding="utf-8")
        for name in re.findall(r"(?:\(|^)(docs/[\w-]+)(?:\.md|$)", text, re.MULTILINE):
            assert (ROOT / f"{name}.md").exists(), f"{page.name} names {name}"


def test_every_page_of_docs_is_in_one_section():
    texts = [each.read_text(encoding="utf-8") for each in PAGES.iterdir()]
    listed = [name for text in texts for name in re.findall(r"^docs/[\w-]+$", text, re.MULTILINE)]
    assert len(listed) == len(set(listed))


def test_topics_of_the_search_are_pages():
    scorer = (PAGES.parent / "scorer.js").read_text(encoding="utf-8")
    made = {"index", "catalog", "mechanisms", "learners/index"}
    for word, pages in re.findall(r"^ +(\w+): \[(.*)\],$", scorer, re.MULTILINE):
        found = re.findall(r'"([\w/-]+)"', pages)
        assert any(each in made or (ROOT / f"{each}.md").exists() for each in found), word


def test_sources_that_are_the_same_are_left_alone(tmp_path):
    for texts in ({"a.md": "1", "b.md": "2"}, {"a.md": "1"}):
        sources = Sources(tmp_path)
        for name, text in texts.items():
            sources.put(name, text)
        sources.clean()
        if "b.md" in texts:
            before = (tmp_path / "a.md").stat().st_mtime_ns
    assert (tmp_path / "a.md").stat().st_mtime_ns == before
    assert not (tmp_path / "b.md").exists()


def test_every_figure_of_the_pages_has_a_command():
    known = figures()
    assert set(known) == {each.name for each in (ROOT / "docs").glob("*.svg")}
    for name, (page, _) in known.items():
        assert command(name, page).startswith(("python -m ", "lsclasses "))


def test_a_bound_is_drawn_against_what_was_measured():
    def drawn(bound, measured):
        root = ElementTree.fromstring(against(bound, "bound", measured, 1000, "<game>"))
        widths = [float(each.get("width")) for each in root.iter("rect")]
        dashed = [each.get("d") for each in root.iter("path") if each.get("stroke-dasharray")]
        return widths, dashed, [each.text for each in root.iter("text")]

    widths, dashed, texts = drawn(Fraction(20), [5, 10])
    assert widths[1] == 2 * widths[0] > 0
    assert float(dashed[0][1:].split()[0]) - LEFT == 2 * widths[1]
    assert texts == ["<game> 1", "5", "<game> 2", "10", "bound 20"]
    assert drawn(Fraction(1000), [5])[1] == drawn(None, [5])[1] == []
    assert drawn(None, [0])[0] == [0]


def test_numbers_are_measured_once_and_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(kept, "FOLDER", tmp_path)
    for measured in ([1.5], None):
        assert kept.Kept("a").get("x", 2, measured=lambda measured=measured: measured) == [1.5]
    assert list(kept.Kept("a")) == ["x, 2"]
    (tmp_path / "a.json").unlink()
    assert kept.Kept("a").get("x", 2, measured=lambda: 3) == 3


TABLES = {"learner-growth.svg", "sparse-experts.svg"}
"""Stored numbers that a page shows in a table, and not in a figure."""


def test_numbers_are_of_figures():
    stored = {f"{each.stem}.svg" for each in NUMBERS.glob("*.json")}
    assert stored - TABLES <= {f"{name}.svg" for name in drawings()} <= set(figures())


def measured_anew(key, measured):
    pytest.fail(f"Not stored: {key}")


@pytest.fixture(params=sorted(drawings()))
def drawn(request, monkeypatch):
    """The name of a figure and the figure, drawn from stored numbers."""
    monkeypatch.setattr(kept.Kept, "_measure", staticmethod(measured_anew))
    found = drawings()[request.param]()
    return request.param, found if hasattr(found, "savefig") else found.figure


def shown_lines(ax):
    """The curves of some axes, without constant lines and empty entries of legends."""
    return [line for line in ax.lines if len(line.get_xdata()) > 1]


def look(line, *, color=True):
    """All that distinguishes a curve from other curves."""
    marks = line.get_marker(), line.get_fillstyle(), line.get_alpha()
    dashes = str(line._unscaled_dash_pattern), line.get_linewidth()
    return (*marks, *dashes, line.get_linestyle(), *([line.get_color()] if color else []))


WITHOUT_BUDGET = {"atlas-distribution", "atlas-lattice"}
"""Figures without private learners."""


def require_style(name, whole):
    """Require the style of the site, and words for all that a figure shows."""
    assert whole.get_figwidth() == WIDTH
    assert to_hex(whole.get_facecolor()) == "#ffffff"
    whole.draw_without_rendering()
    axes = [ax for ax in whole.axes if ax.axison]
    title = "" if whole._suptitle is None else whole._suptitle.get_text()
    for ax in axes:
        assert title or ax.get_title()
        shared = [ax, *(each for each in axes if ax.get_shared_y_axes().joined(ax, each))]
        labels = [other.get_ylabel() for other in shared] + [
            whole._supylabel.get_text() if whole._supylabel else ""
        ]
        assert any(labels), name
        below = [other.get_xlabel() for other in axes if other.get_xlabel()]
        assert ax.get_xlabel() or below, name
    texts = [text for text in whole.findobj(Text) if text.get_text().strip()]
    assert min(text.get_fontsize() for text in texts) >= 8
    words = " ".join(text.get_text() for text in texts)
    assert "`" not in words
    assert name in WITHOUT_BUDGET or "epsilon" in words


def require_different_curves(name, whole):
    """Require a different look of each curve of a panel."""
    for ax in whole.axes:
        looks = [look(line) for line in shown_lines(ax)]
        assert len(set(looks)) == len(looks), name


def require_legends_without_colour(name, whole):
    """Require legends whose entries differ without their colours."""
    legends = [*whole.legends, *(ax.get_legend() for ax in whole.axes if ax.get_legend())]
    for legend in legends:
        lines = [line for line in legend.get_lines() if line.get_color() != REFERENCE]
        looks = [look(line, color=False) for line in lines]
        assert len(set(looks)) == len(looks), name


def test_every_figure_is_readable(drawn):
    name, whole = drawn
    require_style(name, whole)
    require_different_curves(name, whole)
    require_legends_without_colour(name, whole)


def test_the_style_of_each_colour_differs_in_marker_and_dashes():
    assert set(SERIES) == set(COLORS)
    markers, dashes = zip(*SERIES.values(), strict=True)
    assert len(set(markers)) == len(set(map(str, dashes))) == len(SERIES)


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("*.svg")), ids=lambda path: path.stem)
def test_pictures_have_an_opaque_background_and_letters_for_narrow_columns(path):
    root = ElementTree.parse(path).getroot()
    *_, width, _ = map(float, root.get("viewBox").split())
    text = path.read_text("utf-8")
    exponents = {7.0}
    sizes = {float(size) for size in re.findall(r"font(?:-size)?: (?:\w+ )?([\d.]+)px", text)}
    assert min(sizes - exponents) * 400 / width > 8
    assert re.search(r'style="fill: #ffffff"|height="100%" fill="#ffffff"', text)


# Tests of floors and of the command compare the other two.
@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(figures().keys() - {"floors.svg", "tree.svg"}))
def test_figures_are_those_that_stored_numbers_draw(name, tmp_path, monkeypatch):
    def curves(path):
        drawn = re.findall(r' d="([^"]+)"', path.read_text("utf-8"))
        return [[float(each) for each in re.findall(r"-?[0-9.]+", curve)] for curve in drawn]

    monkeypatch.setattr(kept.Kept, "_measure", staticmethod(measured_anew))
    package, *words = shlex.split(command(name, figures()[name][0]))
    if package == "lsclasses":
        assert words[-1] == f"docs/{name}"
        assert CliRunner().invoke(app, [*words[:-1], str(tmp_path / name)]).exit_code == 0
    else:
        save(drawings()[Path(name).stem](), tmp_path / name)
    new, old = curves(tmp_path / name), curves(ROOT / "docs" / name)
    assert len(new) == len(old) > 10
    # Another version of matplotlib may shift a curve a little.
    assert all(a == pytest.approx(b, abs=3) for a, b in zip(new, old, strict=True))
