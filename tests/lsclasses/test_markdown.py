"""Lines of Markdown pages break without a change of meaning."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from lsclasses.markdown import WIDTH, fill_markdown

WORDS = st.sampled_from(
    [
        "a",
        "word",
        "<=",
        "-",
        "+",
        "1.",
        "#",
        "`code with blanks`",
        "[a link](page.md#part)",
        "$x + y$",
    ]
)


@given(st.lists(WORDS, min_size=60, max_size=120), st.sampled_from(["", "* ", "1. ", "  * "]))
def test_only_blanks_change_and_no_line_begins_a_block(words: list[str], marker: str) -> None:
    text = f"{marker}start {' '.join(words)}\n"
    filled = fill_markdown(text)
    assert filled.split() == text.split()
    first, *others = filled.rstrip("\n").split("\n")
    assert first.startswith(marker)
    assert not [line for line in others if re.match(r"\s*(?:[-*+#>]|\d+\.)\s", line)]
    assert fill_markdown(filled) == filled


@given(st.lists(st.sampled_from(["a", "word", "longer-word"]), min_size=60, max_size=200))
def test_lines_of_words_fit_the_width(words: list[str]) -> None:
    assert max(map(len, fill_markdown(" ".join(words)).split("\n"))) <= WIDTH


def test_code_tables_headings_and_html_are_unchanged() -> None:
    long = "word " * 40
    for text in (
        f"```\n{long}\n```",
        f"| {long} |",
        f"# {long}",
        f"<div>{long}</div>",
        f"> {long}",
    ):
        assert fill_markdown(text) == text
