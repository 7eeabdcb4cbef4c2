"""Docstrings as Sphinx reads them.

Docstrings are written for people first. Their bars are cardinalities and absolute values, not
substitutions, and a table of files is written as in Markdown. Long values of constants are omitted.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Any

from sphinx import addnodes

from docs.site.reference import PACKAGES

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

LITERAL = re.compile(r"(``.*?``|`[^`]+`)")
OPENING, ENDING = " -:/'\"<([{", " '\")]}>-/\\:.,;!?"
CODE = re.compile(r"\s*(>>>|\.\.\. )")
LONGEST = 160
"""Largest number of characters of a shown value. Registries are longer and unreadable."""


def readable(lines: list[str]) -> list[str]:
    r"""Return the lines of a docstring in reStructuredText.

    Examples
    --------
    >>> print(*readable(["At most |H| of ``a|b``:"]))
    At most \|H\| of ``a|b``:
    >>> [line.strip() for line in readable(["| file | role |", "|---|---|", "| a | b |"])]
    ['', '.. list-table::', ':header-rows: 1', '', '* - file', '- role', '* - a', '- b', '']
    """
    found: list[str] = []
    for is_table, group in groupby(lines, lambda line: line.startswith(("| ", "|-"))):
        rows = list(group)
        found += _table(rows) if is_table else [_escaped(line) for line in rows]
    return found


def _table(rows: list[str]) -> list[str]:
    lines = ["", ".. list-table::", "   :header-rows: 1", ""]
    for row in rows:
        if not row.startswith("|-"):
            first, *cells = (cell.strip() for cell in row.strip("| ").split(" | "))
            lines += [f"   * - {first}", *(f"     - {cell}" for cell in cells)]
    return [*lines, ""]


def _escaped(line: str) -> str:
    if CODE.match(line):
        return line
    texts = [part.replace("|", r"\|") for part in LITERAL.split(line)[::2]]
    literals = LITERAL.findall(line)
    found = texts[0]
    for literal, text in zip(literals, texts[1:], strict=True):
        # Markup begins and ends between blanks and punctuation only.
        joined = "" if not text or text[0] in ENDING else r"\ "
        opened = "" if not found or found[-1] in OPENING else r"\ "
        found += opened + literal + joined + text
    return found


def _read(*given: Any) -> None:
    lines: list[str] = given[-1]
    lines[:] = readable(lines)


def _skip(*given: Any) -> bool | None:
    """Leave out methods from other packages, such as the methods that scikit-learn adds."""
    _, what, _, obj, *_ = given
    home = getattr(obj, "__module__", None)
    foreign = isinstance(home, str) and home.partition(".")[0] not in PACKAGES
    return True if foreign and what == "class" else None


def is_shown(value: str) -> bool:
    """Return whether the reference shows the value of a name, which is short and not a local path.

    Examples
    --------
    >>> is_shown("160"), is_shown("PosixPath('/home/user/file')"), is_shown("x" * 1000)
    (True, False, False)
    """
    return len(value) <= LONGEST and "PosixPath(" not in value


def _shorten(_: Sphinx, __: str, ___: str, content: Any) -> None:
    """Remove values that are not shown from the signatures of a documented object."""
    for signature in content.parent.findall(addnodes.desc_signature):
        for part in list(signature.findall(addnodes.desc_annotation)):
            text = part.astext().strip()
            if text.startswith("=") and not is_shown(text.removeprefix("=").strip()):
                part.parent.remove(part)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Process all docstrings by `readable`, before napoleon reads them, and shorten signatures."""
    app.connect("autodoc-skip-member", _skip)
    app.connect("autodoc-process-docstring", _read, priority=100)
    app.connect("object-description-transform", _shorten)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
