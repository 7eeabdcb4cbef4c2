"""Parts of pages about a class: dimensions with witnesses, relations, tables and trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lsclasses.concept_class import ConceptClass
from lsclasses.dimensions import DIMENSIONS
from lsclasses.drawing import SVG_LIMIT, to_svg
from lsclasses.errors import InfiniteDimension, LsclassesError, TooLarge
from lsclasses.limits import Limit
from lsclasses.pages.document import text
from lsclasses.point_names import name_text

if TYPE_CHECKING:
    from lsclasses.certificates.shattered import ShatteredTree


# ---- tables and trees


MOST_ROWS, MOST_COLUMNS = 64, 64
"""The largest numbers of concepts and points of a class whose labels are shown."""
DRAWN_DEPTH = 5
"""The largest number of levels of a tree that are drawn."""


def table(
    head: Sequence[object],
    rows: Iterable[Sequence[object]],
    *,
    note: str = "",
    links: Mapping[str, str] | None = None,
) -> str:
    """Return an HTML table in which all strings are escaped.

    Parameters
    ----------
    head : sequence of object
    rows : iterable of sequence of object
    note : str
        Sentence below the table.
    links : mapping, optional
        Targets of the first cells of rows that are links.

    Examples
    --------
    >>> table(["a"], [["<b>"]])
    '<div class="scrolled"><table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td>&lt;b&gt;</td></tr></tbody></table></div>'
    """  # noqa: E501, one line of HTML
    top = "".join(f'<th scope="col">{text(name)}</th>' for name in head)

    def cells(row: Sequence[object]) -> Iterator[str]:
        for number, cell in enumerate(row):
            target = None if number else (links or {}).get(str(cell))
            yield text(cell) if target is None else f'<a href="{text(target)}">{text(cell)}</a>'

    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells(row))}</tr>" for row in rows)
    below = f'<p class="note">{text(note)}</p>' if note else ""
    return (
        f'<div class="scrolled"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>'
        f"</div>{below}"
    )


def class_table(C: ConceptClass) -> str:
    """Return an HTML table of the labels of a class, or an empty string for a large class."""
    try:
        size, points = C.size, C.domain.size
    except TooLarge:
        return ""
    if size is None or points is None or size > MOST_ROWS or points > MOST_COLUMNS:
        return ""
    names = "".join(f'<th scope="col">{text(name_text(x))}</th>' for x in C.domain)
    rows = "".join(
        "<tr>" + "".join(f'<td class="label-{y}">{y}</td>' for y in row) + "</tr>"
        for row in C.to_table().labels.tolist()
    )
    return (
        f'<div class="scrolled"><table class="labels"><thead><tr>{names}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def tree(C: ConceptClass) -> str:
    """Return a drawing of a class's deepest shattered tree, truncated to its first levels.

    Raises
    ------
    TooLarge
        If the Littlestone dimension needs too much time, or is infinite.
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
    picture = to_svg(graph, title="A shattered tree", legend=drawn.legend())
    return f'<div class="scrolled">{picture}</div>{more}'


# ---- dimensions and relations


@dataclass
class Facts:
    """The computed dimensions of a class.

    Attributes
    ----------
    values : dict from str to value
        Dimensions with exact values.
    rows : list of tuple of str
        Name, value or bounds, source, and evidence for the lower bound of each dimension.
    """

    values: dict[str, Any] = field(default_factory=dict)
    rows: list[tuple[str, str, str, str]] = field(default_factory=list)


def facts(C: ConceptClass, seconds: float) -> Facts:
    """Return all dimensions of a class, with bounds on dimensions whose search takes too long.

    `seconds` is the time limit of each search.
    """
    found = Facts()
    for name in DIMENSIONS:
        limit = Limit(seconds)
        try:
            answer = DIMENSIONS[name].evaluate(C, limit=limit)
        except InfiniteDimension:
            found.rows.append((name, "infinite", "closed form", ""))
        except TooLarge as stopped:
            found.rows.append((name, _between(stopped), "not found in the time", ""))
        else:
            found.values[name] = answer.value
            shown = _shown(answer.value)
            found.rows.append((name, shown, answer.source, _witness(C, name, seconds)))
    return found


def _between(stopped: TooLarge) -> str:
    lower = "" if stopped.lower is None else f"at least {stopped.lower}"
    upper = "" if stopped.upper is None else f"at most {stopped.upper}"
    return " and ".join(filter(None, [lower, upper])) or "unknown"


def _shown(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _witness(C: ConceptClass, name: str, seconds: float) -> str:
    if DIMENSIONS[name].evidence is None or C.is_empty:
        return ""
    try:
        return str(DIMENSIONS[name].witness(C, limit=Limit(seconds)))
    except LsclassesError:
        return ""


def relations(values: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return the known inequalities between dimensions, their differences and their proofs.

    Examples
    --------
    >>> relations({"vcdim": 1, "ldim": 2})[0][:2]
    ('vcdim <= ldim', '1 less')
    """
    from lsclasses.dimensions.inequalities import INEQUALITIES

    found = []
    for each in INEQUALITIES:
        if each.names <= set(values) and (margins := each.margins(values)):
            least = min(margins)
            close = "equal" if not least else f"{least} less"
            if each.every:
                close += (
                    f" at one {each.every} at least" if not least else f" at every {each.every}"
                )
            found.append((str(each), close, each.proof))
    return found


def class_body(C: ConceptClass, found: Facts) -> str:
    """Return the body of a report about a class, as HTML.

    It contains the labels, the dimensions, a shattered tree and known inequalities.
    """
    known = dict(found.values)
    for name, count in (("size", _size(C)), ("points", C.domain.size)):
        if count is not None:
            known[name] = count
    head = ("dimension", "value", "found by", "it is not less, since")
    parts = [class_table(C), "<h2>Dimensions</h2>", table(head, found.rows)]
    try:
        drawn = tree(C)
    except LsclassesError as error:
        drawn = f"<p>{text(error)}</p>"
    parts += ["<h2>A shattered tree</h2>", drawn]
    parts += [
        "<h2>Relations</h2>",
        table(("inequality", "here the left side is", "why it holds"), relations(known)),
    ]
    return "\n".join(parts)


def _size(C: ConceptClass) -> int | None:
    try:
        return C.size
    except TooLarge:
        return None
