"""Pages in headless Chromium: games, reports, and the front page, search and tables of the site.

They are skipped, and say so, where there is no browser or no selenium (``.[browser]``).
"""

from __future__ import annotations

import re
import shutil
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import catalog
from lsclasses import Table
from lsclasses.pages import Page, game_page, replay_page

pytest.importorskip("sphinx", reason="no Sphinx, which `make site` installs")

from docs.site.rendering import Row, table
from docs.site.staging import ROOT

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--window-size=1200,900",
)
HOSTILE = "</script><script>alert(1)</script>"
SITE = ROOT / "docs" / "site" / "static"
BUILT = ROOT / "build" / "site"

Open = Callable[..., Any]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    try:
        from selenium import webdriver
    except ImportError:
        pytest.skip("no selenium: pages are NOT tried in a browser")
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("no chromium or chromedriver: pages are NOT tried in a browser")
    options = webdriver.ChromeOptions()
    for each in (*OPTIONS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(each)
    options.binary_location = CHROMIUM
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
        yield driver
        driver.quit()


def emulate(browser: Any, width: int, dark: bool) -> None:
    """Set the width of the window and the color scheme of the system."""
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """Open a page, on a phone or in the dark if asked for; nothing may be said on the console."""

    def open_page(page: Page | str, *, width: int = 1200, dark: bool = False) -> Any:
        path = tmp_path / "page.html"
        path.write_text(page if isinstance(page, str) else page.html, encoding="utf-8")
        emulate(browser, width, dark)
        browser.get(path.as_uri())
        return browser

    yield open_page
    assert browser.get_log("browser") == []


def texts(browser: Any, selector: str) -> list[str]:
    found = "return [...document.querySelectorAll(arguments[0])].map((each) => each.textContent)"
    return list(browser.execute_script(found, selector))


def complaints(browser: Any) -> list[Any]:
    """What a page of the site says on the console, but for the theme's notes."""
    return [each for each in browser.get_log("browser") if each["level"] != "INFO"]


def click(browser: Any, text: str) -> None:
    button = browser.find_element("xpath", f"//button[contains(., '{text}')]")
    button.click()


def state(browser: Any) -> str:
    return str(browser.find_element("id", "state").text)


def test_the_game_ends_at_the_bound(show):
    page = show(game_page(catalog.build("thresholds:n=7")))
    click(page, "Hint")
    assert "The SOA predicts 0" in page.find_element("id", "hinted").text
    for mistakes in range(1, 4):
        click(page, "0")
        assert len(texts(page, "#rounds tbody tr")) == mistakes
    assert "the bound, Ldim = 3, is met" in state(page)
    assert texts(page, "#choices button") == []
    click(page, "Undo")
    assert "1 more mistake can be forced" in state(page)
    click(page, "Start again")
    assert "8 concepts left" in state(page)


def test_the_adversary_cannot_say_what_no_concept_says(show):
    page = show(game_page(catalog.build("thresholds:n=3"), you="adversary"))
    page.find_element("css selector", "#choices option[value='1']").click()
    click(page, "Ask")
    click(page, "1")
    page.find_element("css selector", "#choices option[value='2']").click()
    click(page, "Ask")
    zero, one = page.find_elements("css selector", "#choices button")
    assert not zero.is_enabled()
    assert one.is_enabled()


def test_a_tree_folds_and_concepts_go(show):
    page = show(game_page(catalog.build("thresholds:n=7")))
    assert len(texts(page, "#left tbody tr")) == 8
    root = page.find_element("css selector", "#tree > details")
    assert root.get_attribute("open") is not None
    root.find_element("css selector", "summary").click()
    assert root.get_attribute("open") is None
    click(page, "1")
    assert len(texts(page, "#left tbody tr")) == 4


def test_a_stream_is_walked_through(show):
    C = catalog.build("thresholds:n=7")
    left = C.restrict(3, 1)
    page = show(replay_page(C, [(3, 0, 1, left), (3, 1, 0, None)]))
    click(page, "Next")
    assert "2 more mistakes can be forced" in state(page)
    click(page, "Last")
    assert "no bound holds any more" in state(page)
    click(page, "First")
    assert "8 concepts left" in state(page)


def test_names_are_texts(show):
    page = show(
        game_page(Table(np.eye(3, dtype=int), domain=[HOSTILE, "שלום", "'\"&"]), name=HOSTILE)
    )
    assert HOSTILE in page.find_element("css selector", "h1").text
    assert texts(page, "#left th") == [HOSTILE, "שלום", "'\"&"]


def test_the_keyboard_is_enough(show):
    from selenium.webdriver.common.keys import Keys

    page = show(game_page(catalog.build("thresholds:n=7")))
    order = []
    for _ in range(5):
        page.switch_to.active_element.send_keys(Keys.TAB)
        order.append(page.switch_to.active_element.text or page.switch_to.active_element.tag_name)
    assert order[:3] == ["0", "1", "Hint"]
    page.execute_script("document.querySelector('#choices button').focus()")
    page.switch_to.active_element.send_keys(Keys.ENTER)
    assert len(texts(page, "#rounds tbody tr")) == 1
    assert page.switch_to.active_element.text == "0", "the next move can be made at once"


CONTRAST = """
const light = (color) => {
  const parts = color.match(/[\\d.]+/g).slice(0, 3).map((each) => each / 255);
  const [r, g, b] = parts.map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ground = (each) => {
  for (; each; each = each.parentElement) {
    const color = getComputedStyle(each).backgroundColor;
    if (!color.endsWith(", 0)") && color !== "transparent") return color;
  }
  return "rgb(255, 255, 255)";
};
return [...document.querySelectorAll("main *")].slice(0, 500).filter((each) =>
  each.checkVisibility() && [...each.childNodes].some((n) => n.nodeType === 3 && n.data.trim())
).map((each) => {
  const [a, b] = [light(getComputedStyle(each).color), light(ground(each))];
  return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), each.tagName + " " + each.textContent];
}).filter(([ratio]) => ratio < 4.5);
"""


@pytest.mark.parametrize("dark", [False, True])
def test_contrast_and_no_scrolling_sideways_on_a_phone(show, dark):
    page = show(game_page(catalog.build("points:n=200")), width=360, dark=dark)
    assert page.execute_script(CONTRAST)[:5] == []
    assert page.execute_script("return document.documentElement.scrollWidth") <= 360


def live(rows: list[Row]) -> str:
    """A table of the site by itself."""
    script = (SITE / "tables.js").read_text(encoding="utf-8")
    shown = table("Numbers", ["name", "number"], rows, {"kind": "Kind"})
    head = '<!doctype html><html lang="en"><link rel="icon" href="data:,">'
    return f"{head}<main>{shown}</main><script>{script}</script>"


def test_sorting_changes_the_order_and_filters_hide_rows(show):
    rows = [
        Row(
            [f"n{value}", str(value)],
            opened=f"<p>{value} it is</p>",
            keys={"kind": kind},
            anchor=f"n{value}",
        )
        for value, kind in ((10, "even"), (9, "odd"), (2, "even"))
    ]
    from selenium.webdriver.support.ui import Select

    page = show(live(rows))
    names = "tbody:not([hidden]) > tr:first-child > td:first-child"
    click(page, "number")
    assert texts(page, names) == ["n2", "n9", "n10"]
    click(page, "number")
    assert texts(page, names) == ["n10", "n9", "n2"]
    Select(page.find_element("css selector", "select")).select_by_visible_text("odd")
    assert texts(page, names) == ["n9"]
    assert page.find_element("css selector", "output").text == "1 of 3"
    assert not page.find_element("css selector", "#n9 .opened").is_displayed()
    click(page, "n9")
    assert page.find_element("css selector", "#n9 .opened").is_displayed()


@pytest.fixture
def visit(browser: Any) -> Open:
    """Open a page of the built site, if `make site` was run."""
    if not (BUILT / "searchindex.js").is_file():
        pytest.skip("no build/site: 'make site' was not run")

    def open_page(name: str, *, width: int = 1280, dark: bool = False, query: str = "") -> Any:
        emulate(browser, width, dark)
        browser.get(f"{(BUILT / name).as_uri()}.html" + (f"?q={query}" if query else ""))
        return browser

    return open_page


def test_the_tables_of_the_built_site_work(visit):
    for name in ("index", "docs/coverage", "catalog", "learners/index", "atlas/index"):
        page = visit(name)
        assert complaints(page) == [], name
        shown = texts(page, ".filters output")
        assert all(re.fullmatch(r"(\d+) of \1", each) for each in shown)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [400, 1280])
def test_the_front_page(visit, width, dark):
    page = visit("index", width=width, dark=dark)
    assert complaints(page) == []
    doors = page.find_elements("css selector", ".door")
    assert [each.find_element("css selector", "strong").text for each in doors] == [
        *("Theory", "Teaching", "Private rules")
    ]
    for door in doors:
        assert door.is_displayed()
        assert "lsclasses " in door.find_element("css selector", "pre").text
        assert door.find_elements("css selector", "a")
    assert page.execute_script("return document.querySelector('main img').naturalWidth") > 0
    assert page.execute_script("return document.documentElement.dataset.theme") == (
        "dark" if dark else "light"
    )
    assert page.execute_script(CONTRAST)[:5] == []
    assert page.execute_script("return document.documentElement.scrollWidth") <= width
    tops = {door.location["y"] for door in doors}
    assert len(tops) == (3 if width == 400 else 1)


def found_by_search(page: Any) -> list[str]:
    """The pages that a search lists, best first."""
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(page, 20).until(lambda _: len(texts(page, "#search-results li")) > 2)
    links = page.execute_script(
        "return [...document.querySelectorAll('#search-results li > a')].map(each => each.href)"
    )
    return [each.partition("/build/site/")[2].partition(".html")[0] for each in links]


@pytest.mark.parametrize(
    "query, best",
    [
        ("install", {"index", "README", "docs/tutorial"}),
        ("littlestone dimension", {"docs/dimensions", "docs/compute-a-dimension"}),
        ("private", {"docs/privacy"}),
        ("csv", {"docs/tables", "docs/files"}),
    ],
)
def test_the_search_finds_pages_before_code(visit, query, best):
    page = visit("search", query=query)
    found = found_by_search(page)
    assert best & set(found[:3]), found[:3]
    assert not any(each.startswith(("reference/", "gallery/")) for each in found[:3])
    assert complaints(page) == []


def test_the_search_finds_names_of_code(visit):
    page = visit("search", query="threshold_dim")
    assert found_by_search(page)[0].startswith("reference/")
    assert complaints(page) == []


def test_the_search_button_opens_the_search_of_every_page(visit):
    from selenium.webdriver.common.keys import Keys

    page = visit("reference/lsclasses.soa")
    page.find_element("css selector", ".search-button__button").click()
    assert page.find_element("id", "pst-search-dialog").is_displayed()
    page.switch_to.active_element.send_keys("littlestone", Keys.ENTER)
    assert found_by_search(page)
    assert page.current_url.partition("/build/site/")[2] == "search.html?q=littlestone"


def slide_in(page: Any) -> None:
    """Wait until the sidebar of a phone stands still."""
    from selenium.webdriver.support.ui import WebDriverWait

    moving = "return document.querySelector('#pst-primary-sidebar-modal').getAnimations().length"
    WebDriverWait(page, 20).until(lambda _: page.execute_script(moving) == 0)


@pytest.mark.parametrize("name", ["index", "docs/tutorial", "atlas/3-ff"])
def test_the_sidebar_of_a_phone_has_the_sections_and_the_colors_of_the_header(visit, name):
    page = visit(name, width=400)
    page.find_element("css selector", ".primary-toggle").click()
    inside = "#pst-primary-sidebar-modal .sidebar-header-items"
    assert texts(page, f"{inside} .nav-link") == texts(page, "header .nav-link")
    assert page.find_element("css selector", f"{inside} .nav-link").is_displayed()
    for mode in ("dark", "auto"):
        slide_in(page)
        page.find_element("css selector", f"{inside} [data-mode='{mode}']").click()
        assert page.execute_script("return document.documentElement.dataset.mode") == mode
    assert complaints(page) == []


SIDEWAYS = """
document.querySelectorAll(".opens").forEach((each) => each.click());
document.querySelectorAll("main details").forEach((each) => { each.open = true; });
return [...document.querySelectorAll("main table")].filter((each) => {
  const box = each.closest(".scrolled, .opened div, .pst-scrollable-table-container");
  const wide = arguments[0] && box !== null && each.offsetWidth > box.clientWidth;
  return each.checkVisibility() && (box === null || wide);
}).map((each) => each.textContent.trim().slice(0, 60));
"""


@pytest.mark.parametrize("width", [400, 1280])
def test_tables_fit_or_scroll_inside_their_box(visit, width):
    pages = [each for pattern in ("*", "docs/*", "learners/*") for each in BUILT.glob(pattern)]
    names = [each.relative_to(BUILT).with_suffix("") for each in pages if each.suffix == ".html"]
    names += [Path("atlas/index"), Path("atlas/4-ffff"), Path("reference/lsclasses.table")]
    for name in names:
        page = visit(name, width=width)
        assert page.execute_script(SIDEWAYS, width == 1280) == [], name
        assert page.execute_script("return document.documentElement.scrollWidth") <= width, name


def test_a_class_of_the_atlas_links_back_and_to_its_neighbours(visit):
    page = visit("atlas/2-7")
    links = page.execute_script(
        "return [...document.querySelectorAll('.sections a')].map((each) => each.href)"
    )
    names = [each.rpartition("/site/")[2] for each in links]
    assert names == ["results.html", "atlas/index.html", "atlas/2-6.html", "atlas/2-f.html"]
    assert complaints(page) == []


@pytest.mark.parametrize("dark", [False, True])
def test_the_contrast_of_the_built_site(visit, dark):
    names = ("docs/tutorial", "catalog", "learners/online-sparse-experts", "atlas/4-ffff")
    for name in (*names, "docs/api", "reference/lsclasses.soa", "mechanisms"):
        page = visit(name, dark=dark)
        assert page.execute_script(CONTRAST)[:5] == [], name
        assert complaints(page) == [], name


@pytest.mark.parametrize("dark", [False, True])
def test_a_report(show, tmp_path, monkeypatch, dark):
    from learners.commands import report
    from lsclasses.commands.application import app

    monkeypatch.setattr(report, "_tried", lambda classes, _: {each: [] for each in classes})
    words = ["report", str(tmp_path / "report"), "points:n=2", "thresholds:n=3"]
    assert CliRunner().invoke(app, words).exit_code == 0
    found = (tmp_path / "report").glob("thresholds*.html")
    page = show(next(found).read_text(encoding="utf-8"), width=400, dark=dark)
    assert texts(page, "nav a") == ["All classes", "Previous: points:n=2"]
    assert page.find_element("css selector", "svg").is_displayed()
    assert page.execute_script(CONTRAST)[:5] == []
    assert page.execute_script("return document.documentElement.scrollWidth") <= 400
