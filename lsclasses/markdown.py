"""Line breaks of Markdown pages that commands write."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from lsclasses.errors import InvalidInput

WIDTH = 120
"""Largest number of characters of a line outside tables and code."""

UNBROKEN = re.compile(r"`[^`\n]+`|!?\[[^\]]*\]\([^)]*\)|\$[^$\n]+\$|</?[a-zA-Z!][^<>\n]*>")
"""Pattern of parts in which a line does not break: code, links, formulas and tags."""

MARKER = re.compile(r"(\s*)((?:[-*+]|\d+[.)])\s+)?")
SPECIAL = re.compile(r"(?:[-+*>#|=~:]+|\d+[.)])(?=\0|$)")
GLUE = "\0"
APART = re.compile(r"[|#>]|</?[a-zA-Z!]|\$\$|:::")
"""Pattern of the beginning of a table, heading, quotation, HTML, formula or directive."""
CODE = re.compile(r"\s*(?:(?:[-*+]|\d+[.)])\s+)*(`{3,}(?=[^`]*$)|~{3,}|<pre\b)")
"""Pattern of the beginning of a code block, which may be the first line of a list item."""


def fill_markdown(text: str, width: int = WIDTH) -> str:
    r"""Return a Markdown page whose paragraphs and list items have lines of limited width.

    Paragraphs without long lines, code, tables, headings and HTML are unchanged. Code spans, links
    and formulas are not broken, so a line exceeds the width if it contains a longer formula. Pass
    the whole page, because only the first line of a code block identifies the block.

    Parameters
    ----------
    text : str
        The page.
    width : int
        Largest number of characters of a line.

    Raises
    ------
    InvalidInput
        If a code block does not end. An excerpt that begins within a code block has this form.

    Examples
    --------
    >>> print(fill_markdown("* one two `three four` five\n\n# a long heading\n", 14))
    * one two
      `three four`
      five
    <BLANKLINE>
    # a long heading
    <BLANKLINE>
    """
    return "\n".join(_lines(text.split("\n"), width))


def _lines(lines: list[str], width: int) -> Iterator[str]:
    block: list[str] = []
    fence = ""
    for line in lines:
        bare = line.strip()
        item = bool((found := MARKER.match(line)) and found[2])
        if fence:
            yield line
            if _closes(bare, fence):
                fence = ""
        elif code := CODE.match(line):
            yield from _filled(block, width)
            block = []
            yield line
            fence = "" if code[1] == "<pre" and _closes(bare, code[1]) else code[1]
        elif not bare or APART.match(bare) or line.startswith(("    ", "\t")):
            yield from _filled(block, width)
            block = []
            yield line
        else:
            if item:
                yield from _filled(block, width)
                block = []
            block.append(line)
    if fence:
        raise InvalidInput(
            "Each code block of a page must end, because its lines are not filled. "
            f"The last code block begins with {fence!r} and does not end."
        )
    yield from _filled(block, width)


def _closes(bare: str, fence: str) -> bool:
    """Return whether a stripped line ends the code block that begins with `fence`."""
    if fence == "<pre":
        return "</pre>" in bare
    return len(bare) >= len(fence) and set(bare) == {fence[0]}


def _filled(block: list[str], width: int) -> Iterator[str]:
    """Yield the lines of a paragraph or list item, filled again if one of them is too long."""
    if all(len(line) <= width for line in block):
        yield from block
        return
    found = MARKER.match(block[0])
    assert found is not None
    indent, marker = found[1], found[2] or ""
    text = " ".join([block[0][found.end() :], *(line.strip() for line in block[1:])])
    text = UNBROKEN.sub(lambda each: each[0].replace(" ", GLUE), text)
    words = text.split(" ")
    # A line must not begin with a character that starts a list, a heading or a quotation.
    joined = words[:1]
    for word in words[1:]:
        if SPECIAL.fullmatch(word):
            joined[-1] += GLUE + word
        else:
            joined.append(word)
    filled = textwrap.wrap(
        " ".join(joined),
        width,
        initial_indent=indent + marker,
        subsequent_indent=indent + " " * len(marker),
        break_long_words=False,
        break_on_hyphens=False,
    )
    yield from (line.replace(GLUE, " ") for line in filled)
