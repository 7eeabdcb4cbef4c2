"""The sidebar, the path and the neighbours of every page.

Pages of a section show the pages of the section. The pages of the reference, of the atlas and of
the gallery are too many for this, so they show only the sections, their path and their neighbours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

SHORT = ("reference/", "atlas/", "gallery/")
"""Folders whose pages have a short sidebar."""
LISTS = {"atlas/": "atlas/index", "gallery/": "gallery"}
"""Pages that list the pages of a folder, which no table of contents contains."""


def order(page: str) -> tuple[object, ...]:
    """Return the key that sorts classes of the atlas by points and masks, other pages by name.

    Examples
    --------
    >>> sorted(["atlas/3-1b", "atlas/2-f", "atlas/3-3"], key=order)
    ['atlas/2-f', 'atlas/3-3', 'atlas/3-1b']
    """
    folder, _, name = page.partition("/")
    points, found, mask = name.partition("-")
    if folder == "atlas" and found:
        return (int(points), int(mask, 16))
    return (name,)


def neighbours(page: str, pages: Sequence[str]) -> tuple[str | None, str | None]:
    """Return the pages before and after a page, or None at an end.

    Examples
    --------
    >>> neighbours("b", ["a", "b", "c"]), neighbours("a", ["a", "b"])
    (('a', 'c'), (None, 'b'))
    """
    at = pages.index(page)
    before = pages[at - 1] if at else None
    return before, pages[at + 1] if at + 1 < len(pages) else None


def _listed(app: Sphinx, folder: str) -> list[str]:
    """Return the pages of a folder in the order of `order`, sorted once per process."""
    known: dict[str, list[str]] = app.__dict__.setdefault("_lsclasses_listed", {})
    if folder not in known:
        known[folder] = sorted(
            (
                each
                for each in app.env.found_docs
                if each.startswith(folder) and each != LISTS[folder]
            ),
            key=order,
        )
    return known[folder]


def _add_navigation(app: Sphinx, page: str, _: str, context: dict[str, Any], __: object) -> None:
    def link(target: str) -> dict[str, str]:
        title = app.env.titles[target].astext()
        return {"link": app.builder.get_relative_uri(page, target), "title": title}

    context["short_sidebar"] = page.startswith(SHORT)
    folder = page.partition("/")[0] + "/"
    if folder in LISTS and page != LISTS[folder]:
        before, after = neighbours(page, _listed(app, folder))
        context["parents"] = [link("results"), link(LISTS[folder])]
        context["prev"] = link(before) if before else None
        context["next"] = link(after) if after else None


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the sidebar."""
    app.connect("html-page-context", _add_navigation, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
