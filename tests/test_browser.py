"""Pages in headless Chromium: games, tables that are sorted and filtered, keyboard, contrast.

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


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """Open a page, on a phone or in the dark if asked for; nothing may be said on the console."""

    def open_page(page: Page | str, *, width: int = 1200, dark: bool = False) -> Any:
        path = tmp_path / "page.html"
        path.write_text(page if isinstance(page, str) else page.html, encoding="utf-8")
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
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


def test_the_built_site_if_there_is_one(browser):
    """Its tables work, its search finds without a server, and its console is silent."""
    site = ROOT / "build" / "site"
    if not (site / "searchindex.js").is_file():
        pytest.skip("no build/site: 'make site' was not run")
    for name in ("index", "docs/coverage", "catalog", "learners/index", "atlas/index"):
        browser.get((site / f"{name}.html").as_uri())
        assert complaints(browser) == [], name
        shown = texts(browser, ".filters output")
        assert all(re.fullmatch(r"(\d+) of \1", each) for each in shown)
    browser.get(f"{(site / 'search.html').as_uri()}?q=threshold_dim")
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, 20).until(lambda page: texts(page, "#search-results li"))
    assert complaints(browser) == []
