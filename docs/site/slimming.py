"""Removal of the parts of a built site that no reader sees."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass
from pathlib import Path

KEPT = re.compile(r"(<(?:pre|script|textarea)\b.*?</(?:pre|script|textarea)>)", re.DOTALL)
"""Elements of HTML whose blanks are significant."""
BLOCKS = (
    "div|ul|li|nav|header|main|footer|aside|article|section|dialog|form|p|dl|dt|dd|h[1-6]|table|"
    "colgroup|thead|tbody|tr|td|th|head|body|meta|link|script|style|noscript|title"
)
"""Elements before which a new line is invisible."""
UNSEEN = {
    r'\s+(?:auto\w+="off"|spellcheck="false")': "",
    r"</(?:td|th|tr|li|dt|dd)>": "",
    r"</p>(?=</?(?:p|div|dl|dt|dd|ul|ol|li|table|section|h[1-6]|article|details)\b)": "",
    r'(<a class="reference internal"[^>]*) title="[^"]*"': r"\1",
    r'(<a class="nav-link" [^>]*>)\s+([^<]*?)\s+(?=</a>)': r"\1\2",
    r' class="nav-link nav-internal"': ' class="nav-link"',
    r"\s*\n\s*": r"\n",
    r"<!--(?s:.*?)-->\n?": "",
    r'<span class="(?:pre|w|n|o|p|sig-paren|sig-return-icon)">([^<]*)</span>': r"\1",
    r'<link rel="preload"[^>]*>\s*': "",
    r'<link rel="(?:next|prev|search)"[^>]*>\s*': "",
    r'(<link rel="stylesheet") type="text/css"': r"\1",
    r'<meta name="docsearch:[^>]*>\s*': "",
    r'<meta name="viewport" content="width=device-width, initial-scale=1"\s*/?>\s*': "",
    r' data-bs-toggle="tooltip"| data-bs-placement="bottom"': "",
    rf"\s*\n\s*(?=</?(?:{BLOCKS})\b)": "",
}
"""Invisible parts of pages, such as optional end tags, with their replacements."""
VERSION = re.compile(r'(?<=\.js|css)\?(?:digest|v)=[0-9a-f]+(?=")')
"""Versions of scripts and style sheets, which matter to caches of servers only."""
SEARCH = re.compile(
    r'<script src="[^"]*(?:searchtools|language_data|searchindex)\.js[^"]*"></script>'
)
"""Scripts of the search, which only the page of results needs."""
OFF = "<script>DOCUMENTATION_OPTIONS.search_as_you_type = false;</script>\n"
"""Script that sets an option to its default."""
MARKED = re.compile(r'<span class="(?:n|nn|o|p|w)">([^<]*)</span>')
"""Marks of names and punctuation in code, which have the colour of text."""
CLASSES = re.compile(r'(<(?!dl\b)\w+\b[^>]*?) class="([^"]*)"')
"""A tag up to its classes. Sheets distinguish lists of definitions with and without a class."""
BARE = re.compile(r"<span>([^<]*)</span>")
"""Marks without an attribute."""
WORD = re.compile(r"[A-Za-z][\w-]*")
STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
PART = re.compile(r"""\[class[*^]=["']?([\w-]+)""")
"""Selector of all classes that contain a part."""
INDEXES = {"searchindex.js", "language_data.js"}
"""Scripts that contain words of pages and no names of classes."""
COORDINATES = re.compile(r'(?<=\s)(?:d|x|y|points)="[^"]*"')
"""Attributes of SVG that contain coordinates."""
DECIMALS = re.compile(r"(\.\d\d)\d+")
"""A fraction with more decimals than a screen can show."""


def slim(site: Path) -> None:
    """Remove maps of scripts and templates, and the unseen parts of pages and figures."""
    static = site / "_static"
    for unread in (
        *site.rglob("*.map"),
        static / "webpack-macros.html",
        *static.rglob("fa-brands*"),
    ):
        unread.unlink(missing_ok=True)
    files = [each for each in site.rglob("*.*s") if each.suffix in (".css", ".js")]
    used = UsedClasses.of(each.read_text("utf-8") for each in files if each.name not in INDEXES)
    for page in site.rglob("*.html"):
        text = VERSION.sub("", page.read_text(encoding="utf-8")).replace(OFF, "")
        if page.name != "search.html":
            text = SEARCH.sub("", text)
        page.write_text(slim_page(text, used), encoding="utf-8")
    for figure in site.glob("_images/*.svg"):
        figure.write_text(slim_figure(figure.read_text(encoding="utf-8")), encoding="utf-8")


def slim_figure(text: str) -> str:
    """Return an SVG figure without indents and comments, whose coordinates have two decimals.

    Examples
    --------
    >>> slim_figure('<path d="M 51.303087 0.5"/><text x="1.98765">51.303087</text>')
    '<path d="M 51.30 0.5"/><text x="1.98">51.303087</text>'
    """
    text = COORDINATES.sub(lambda found: DECIMALS.sub(r"\1", found.group()), text)
    return re.sub(r"\n\s+", "\n", re.sub(r"<!--(?s:.*?)-->", "", text))


@dataclass(frozen=True)
class UsedClasses:
    """Classes of HTML that style sheets and scripts may use.

    Attributes
    ----------
    words : set of str
        All words of the sheets and scripts, because a script can use a class in many ways.
    parts : set of str
        Parts of classes in selectors such as ``[class*="highlight-"]``.

    Examples
    --------
    >>> used = UsedClasses.of(['p[class*="highlight-"] { color: red }', ".note { color: blue }"])
    >>> [name in used for name in ("note", "highlight-python", "docutils")]
    [True, True, False]
    """

    words: Set[str]
    parts: Set[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> UsedClasses:
        """Return the classes that the texts of sheets and scripts use."""
        texts = list(texts)
        return cls(
            frozenset(word for text in texts for word in WORD.findall(text)),
            frozenset(part for text in texts for part in PART.findall(text)),
        )

    def __contains__(self, name: str) -> bool:
        return name in self.words or any(part in name for part in self.parts)


def slim_page(text: str, used: UsedClasses) -> str:
    r"""Return a page with its visible parts and the classes that a sheet or script uses.

    Parameters
    ----------
    text : str
        The page as HTML. Its ``style`` elements also use classes.
    used : UsedClasses
        Classes of the files of the site.

    Examples
    --------
    >>> used = UsedClasses.of([".a { color: red }"])
    >>> slim_page('<ul>\n  <li class="a b"><span class="b">x</span></li>\n</ul>', used)
    '<ul><li class="a">x</ul>'
    >>> slim_page('<style>.b { color: red }</style><i class="b">x</i>', used)
    '<style>.b { color: red }</style><i class="b">x</i>'
    """
    inside = UsedClasses.of(STYLE.findall(text))

    def with_used(found: re.Match[str]) -> str:
        names = [name for name in found[2].split() if name in used or name in inside]
        return f'{found[1]} class="{" ".join(names)}"' if names else found[1]

    parts = KEPT.split(text)
    # Two passes, since marks are nested.
    for _ in range(2):
        for pattern, shorter in UNSEEN.items():
            parts[::2] = (re.sub(pattern, shorter, part) for part in parts[::2])
        parts[1::2] = (
            MARKED.sub(r"\1", part) if part.startswith("<pre") else part for part in parts[1::2]
        )
    # The patterns above name classes, so classes are removed last.
    parts[::2] = (CLASSES.sub(with_used, part) for part in parts[::2])
    for _ in range(3):
        parts[::2] = (BARE.sub(r"\1", part) for part in parts[::2])
    return "".join(parts)
