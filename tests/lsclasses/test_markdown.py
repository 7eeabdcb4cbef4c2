"""Lines of Markdown pages break without a change of meaning."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsclasses.errors import InvalidInput
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


LONG_COMMANDS = f"make {'a ' * 70}\nmake {'b ' * 70}"


@pytest.mark.parametrize(
    "page",
    [
        f"```sh\n{LONG_COMMANDS}\n```",
        f"~~~\n{LONG_COMMANDS}\n~~~",
        # A shorter fence, a fence of the other type and a fence with a language do not end a block.
        f"````md\n```\n{LONG_COMMANDS}\n````",
        f"```md\n~~~\n{LONG_COMMANDS}\n```",
        f"```md\n```sh\n{LONG_COMMANDS}\n```",
        # A block may begin in the first line of a list item.
        f"* ```sh\n  {LONG_COMMANDS}\n  ```",
        f"1. ```sh\n   {LONG_COMMANDS}\n   ```",
        f"<pre>\n{LONG_COMMANDS}\n</pre>",
        f"\t{LONG_COMMANDS.splitlines()[0]}\n\t{LONG_COMMANDS.splitlines()[1]}",
    ],
)
def test_lines_of_code_blocks_are_never_joined(page: str) -> None:
    paragraph = "word " * 40 + "end"
    filled = fill_markdown(f"{paragraph}\n\n{page}\n\n{paragraph}\n")
    assert page in filled
    # The paragraphs before and after the block are filled.
    before, after = filled.split(page)
    assert before.count("\n") == after.rstrip("\n").count("\n") == 3


def test_a_span_of_three_backticks_begins_no_block() -> None:
    text = "```code``` " + "word " * 40 + "end"
    assert fill_markdown(text).count("\n") == 1
    assert fill_markdown(f"<pre>code</pre>\n\n{text}").count("\n") == 3


def test_an_excerpt_that_begins_within_a_code_block_is_rejected() -> None:
    """Its last fence would begin a block, and the commands before it would be filled."""
    with pytest.raises(InvalidInput, match="```"):
        fill_markdown(f"{LONG_COMMANDS}\n```\n")
