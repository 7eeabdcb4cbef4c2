"""A page in one file: style, scripts and data are inside, and nothing is loaded."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from lsclasses.drawing import printable
from lsclasses.files.sources import PathLike
from lsclasses.files.writing import atomic_write

HERE = Path(__file__).parent
HEIGHT = 720
"""How many pixels of a page are seen in a notebook."""

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
"""A browser that reads a page loads nothing, whatever names in it say."""


@dataclass(frozen=True)
class Page:
    """A page of HTML; notebooks show it in a frame of its own.

    Attributes
    ----------
    html : str
        The whole page.
    """

    html: str

    def save(self, path: PathLike) -> None:
        """Write it into a file.

        Raises
        ------
        InvalidInput
            If that cannot be written.
        """
        atomic_write(path, self.html)

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self.html)}" width="100%" height="{HEIGHT}" '
            'style="border: 0" sandbox="allow-scripts"></iframe>'
        )


def text(value: object) -> str:
    r"""A text in which nothing is markup, and control characters are written out.

    Examples
    --------
    >>> text("<b>\x1b")
    '&lt;b&gt;\\x1b'
    """
    return escape(printable(str(value)))


def document(title: str, body: str, *, kind: str, data: Any = None, script: str = "") -> Page:
    r"""A page.

    Parameters
    ----------
    title : str
        Not yet escaped.
    body : str
        HTML.
    kind : str
        What it is, such as ``game``: by this the program knows its own files again.
    data : object, optional
        What the script reads, as JSON.
    script : str, optional
        The name of a script in this folder.

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
