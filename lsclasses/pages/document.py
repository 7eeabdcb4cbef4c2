"""A page in one file with its style, scripts and data, without external files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from lsclasses.drawing import printable
from lsclasses.files.sources import PathLike
from lsclasses.files.writing import atomic_write

HERE = Path(__file__).parent
HEIGHT = 720
"""Height of a page in a notebook, in pixels."""

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
"""The content security policy of a page, which forbids browsers to load other files."""


@dataclass(frozen=True)
class Page:
    """A page of HTML, which notebooks show in a separate frame.

    Attributes
    ----------
    html : str
        The whole page.
    """

    html: str

    def save(self, path: PathLike) -> None:
        """Write the page to a file.

        Raises
        ------
        InvalidInput
            If the file cannot be written.
        """
        atomic_write(path, self.html)

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self.html)}" width="100%" height="{HEIGHT}" '
            'style="border: 0" sandbox="allow-scripts"></iframe>'
        )


def text(value: object) -> str:
    r"""Return a string with escaped markup and printable control characters.

    Examples
    --------
    >>> text("<b>\x1b")
    '&lt;b&gt;\\x1b'
    """
    return escape(printable(str(value)))


def page_links(name: str, pages: Mapping[str, str], index: str) -> str:
    """Return HTML links to the index, and to the previous and the next page of a page.

    Parameters
    ----------
    name : str
        Name of the page.
    pages : mapping of str to str
        File names of all pages by their names, in order.
    index : str
        File name of the index.

    Examples
    --------
    >>> page_links("a", {"a": "a.html", "b": "b.html"}, "index.html")
    '<nav><a href="index.html">All classes</a> <a href="b.html">Next: b</a></nav>'
    """
    names = list(pages)
    at = names.index(name)
    links = [(index, "All classes")]
    links += [(pages[each], f"Previous: {each}") for each in names[max(at - 1, 0) : at]]
    links += [(pages[each], f"Next: {each}") for each in names[at + 1 : at + 2]]
    shown = " ".join(f'<a href="{text(target)}">{text(label)}</a>' for target, label in links)
    return f"<nav>{shown}</nav>"


def document(title: str, body: str, *, kind: str, data: Any = None, script: str = "") -> Page:
    r"""Return an HTML page with its style, its script and its data.

    Parameters
    ----------
    title : str
        Title, in which the function escapes markup.
    body : str
        Body as HTML.
    kind : str
        Type of the page, such as ``game``, by which the program recognizes its own files.
    data : object, optional
        Data for the script, which the page contains as JSON.
    script : str, optional
        Name of a script in this folder.

    Examples
    --------
    >>> page = document("a < b", "<p>c</p>", kind="report")
    >>> page.html.splitlines()[:2], "a &lt; b" in page.html
    (['<!doctype html>', '<!-- lsclasses: report -->'], True)
    """
    style = (HERE / "page.css").read_text(encoding="utf-8")
    scripts = ""
    if data is not None:
        # "</script>" in a name would end the data.
        written = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
        scripts += f'<script type="application/json" id="data">{written}</script>\n'
    if script:
        scripts += f"<script>\n{(HERE / script).read_text(encoding='utf-8')}</script>\n"
    return Page(
        f"<!doctype html>\n<!-- lsclasses: {kind} -->\n"
        '<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<link rel="icon" href="data:,">\n<title>{text(title)}</title>\n'
        f"<style>\n{style}</style>\n</head>\n<body>\n<main>\n<h1>{text(title)}</h1>\n{body}\n"
        f"</main>\n{scripts}</body>\n</html>\n"
    )
