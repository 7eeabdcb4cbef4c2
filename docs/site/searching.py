"""The language of the search index, each word reduced to its stem once in a build.

Sphinx does so once on each page, which takes a quarter of the time of writing.
"""

from __future__ import annotations

from functools import cache

from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish
from sphinx.util.typing import ExtensionMetadata


class English(SearchEnglish):  # type: ignore[misc]
    """English, with a memory."""

    def __init__(self, options: dict[str, str]) -> None:
        super().__init__(options)
        self.stem = cache(super().stem)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the language."""
    app.add_search_language(English)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
