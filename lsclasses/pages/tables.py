"""Parts of pages: tables, a class written out, a tree that is drawn and that unfolds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from lsclasses.drawing import SVG_LIMIT, to_svg
from lsclasses.errors import TooLarge
from lsclasses.pages.document import text
from lsclasses.points import to_text

if TYPE_CHECKING:
    from lsclasses.certificates.shattered import ShatteredTree
    from lsclasses.concept_class import ConceptClass

MOST_ROWS, MOST_COLUMNS = 64, 64
"""How large a class is that is written out."""
DRAWN_DEPTH = 5
"""How many levels of a tree are drawn."""


def table(head: Sequence[object], rows: Iterable[Sequence[object]], *, note: str = "") -> str:
    """A table of texts, none of which is markup.

    Examples
    --------
    >>> table(["a"], [["<b>"]])
    '<div class="scrolled"><table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td>&lt;b&gt;</td></tr></tbody></table></div>'
    """  # noqa: E501, one line of HTML
    top = "".join(f'<th scope="col">{text(name)}</th>' for name in head)
    body = "".join(f"<tr>{''.join(f'<td>{text(cell)}</td>' for cell in row)}</tr>" for row in rows)
    below = f'<p class="note">{text(note)}</p>' if note else ""
    return (
        f'<div class="scrolled"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>'
        f"</div>{below}"
    )


def class_table(C: ConceptClass) -> str:
    """The labels of a class, a row a concept; nothing where there are too many."""
    try:
        size, points = C.size, C.domain.size
    except TooLarge:
        return ""
    if size is None or points is None or size > MOST_ROWS or points > MOST_COLUMNS:
        return ""
    names = "".join(f'<th scope="col">{text(to_text(x))}</th>' for x in C.domain)
    rows = "".join(
        "<tr>" + "".join(f'<td class="label-{y}">{y}</td>' for y in row) + "</tr>"
        for row in C.to_table().labels.tolist()
    )
    return (
        f'<div class="scrolled"><table class="labels"><thead><tr>{names}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def tree(C: ConceptClass) -> str:
    """A shattered tree of greatest depth, drawn; its first levels where it is deep.

    Raises
    ------
    TooLarge
        If the Littlestone dimension takes too much to find, or is infinite.
    """
    deepest = C.ldim()
    drawn: ShatteredTree = C.shattered_tree(min(deepest, DRAWN_DEPTH))
    graph = drawn.to_networkx()
    if len(graph) > SVG_LIMIT:
        return ""
    more = (
        f'<p class="note">The first {DRAWN_DEPTH} of {deepest} levels.</p>'
        if deepest > DRAWN_DEPTH
        else ""
    )
    return f'<div class="scrolled">{to_svg(graph, title="A shattered tree")}</div>{more}'
