"""Pages that people write, with parts between marks that are written from data."""

from __future__ import annotations


def marked(page: str, name: str, text: str) -> str:
    r"""The page with the part of this name anew.

    Examples
    --------
    >>> print(marked("# A page\n<!-- sum -->\n3\n<!-- /sum -->\n", "sum", "4"))
    # A page
    <!-- sum -->
    <BLANKLINE>
    4
    <BLANKLINE>
    <!-- /sum -->
    <BLANKLINE>
    """
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->\n"
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    return f"{before}{begin}\n{text}\n\n{end}{after}"
