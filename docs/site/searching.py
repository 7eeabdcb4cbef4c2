"""The search index: its language, and its entries.

Each word is reduced to its stem once in a build. Sphinx does so once on each page, which takes a
quarter of the time of writing. The index contains every object of the reference once. Sphinx would
also add an entry of the alphabetical index for each object, which takes two fifths of the file.
"""

from __future__ import annotations

from functools import cache

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish
from sphinx.util.typing import ExtensionMetadata


class English(SearchEnglish):  # type: ignore[misc]
    """English, with a memory."""

    def __init__(self, options: dict[str, str]) -> None:
        super().__init__(options)
        self.stem = cache(super().stem)


def _remove_entries(_: Sphinx, doctree: nodes.document, __: str) -> None:
    """Remove the entries of the alphabetical index, which the site does not have."""
    for entry in list(doctree.findall(addnodes.index)):
        entry.parent.remove(entry)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the language, and remove the entries from each page before it is written."""
    app.add_search_language(English)
    app.connect("doctree-resolved", _remove_entries)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
