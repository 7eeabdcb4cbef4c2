"""Checks of a built site: its links, its sidebars, its size, and no files from the net."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

LARGEST = 25 * 10**6
"""Largest number of bytes of a site."""
LOADED = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "link": "href",
    "object": "data",
    "use": "href",
}
"""Tags that load the file of an attribute."""


SIDEBAR = re.compile(r'<nav class="(?:sections|bd-docs-nav bd-links)"')
"""Start of the sidebar of a page, see `docs.site.navigation`."""
SILENT = re.compile(r"<!--.*?-->|(<script\b[^>]*>).*?</script>", re.DOTALL)
"""Comments, and scripts with the tag that may load them."""
VALUE = r"""(?:"[^"]*"|'[^']*'|[^\s"'>]+)"""
TAG = re.compile(rf"""<([a-z]\w*)((?:\s+[^\s"'>/=]+(?:\s*=\s*{VALUE})?)+)""", re.IGNORECASE)
ATTRIBUTE = re.compile(rf"\s(id|name|rel|href|src|data)\s*=\s*({VALUE})", re.IGNORECASE)


class _Page:
    """The links of a page, its loaded files, and its anchors.

    Expressions find them in a quarter of the time that `html.parser` takes.
    """

    def __init__(self, text: str) -> None:
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.has_sidebar = SIDEBAR.search(text) is not None
        for tag, attributes in TAG.findall(SILENT.sub(r"\1", text)):
            given = {
                name: unescape(value.strip("\"'")) for name, value in ATTRIBUTE.findall(attributes)
            }
            self.anchors |= {each for name in ("id", "name") if (each := given.get(name))}
            if tag == "a" and (target := given.get("href")):
                self.links.append(target)
            if (source := given.get(LOADED.get(tag, ""))) and given.get("rel") != "canonical":
                self.loaded.append(source)


@cache
def _read(page: Path) -> _Page:
    return _Page(page.read_text(encoding="utf-8"))


@cache
def _place(folder: Path, path: str) -> Path:
    return Path(os.path.normpath(folder / unquote(path)))


def broken(site: Path) -> Iterator[str]:
    """Yield the defects of the site as sentences."""
    site = site.resolve()
    there = {str(each) for each in site.rglob("*")}
    for page in sorted(site.rglob("*.html")):
        found = _read(page)
        if not found.has_sidebar:
            yield f"{page.relative_to(site)} has no sidebar."
        for target in [*found.links, *found.loaded]:
            parts = urlsplit(target)
            if parts.scheme == "data":
                continue
            if parts.scheme or parts.netloc:
                if target in found.loaded:
                    yield f"{page.relative_to(site)} loads {target} from the net."
                continue
            place = _place(page.parent, parts.path) if parts.path else page
            if str(place) not in there:
                yield f"{page.relative_to(site)} links to {target}, which does not exist."
            elif (
                parts.fragment
                and place.suffix == ".html"
                and unquote(parts.fragment) not in _read(place).anchors
            ):
                yield f"{page.relative_to(site)} links to {target}, which has no such place."
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        if "@import url(http" in text or "url(http" in text or "url(//" in text:
            yield f"{sheet.relative_to(site)} loads something from the net."


def report(site: Path) -> int:
    """Print the defects and the size of the site, and return 0 without defects, else 1."""
    found = list(broken(site))
    files = [each for each in site.rglob("*") if each.is_file()]
    size = sum(each.stat().st_size for each in files)
    if size > LARGEST:
        found.append(f"The site has {size / 1e6:.1f} MB. The limit is {LARGEST / 1e6:.0f} MB.")
    for sentence in found:
        print(sentence, file=sys.stderr)
    pages = sum(each.suffix == ".html" for each in files)
    print(f"{pages} pages, {size / 1e6:.1f} MB, {len(found)} errors")
    return 1 if found else 0
