"""Build the site: ``python -m docs.site FOLDER [SOURCES]``.

The build fails on warnings of Sphinx, broken links, files from the net, pages without a sidebar and
a site that is too large. A folder next to the site keeps the sources, so a second build processes
only changed pages.
"""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

from docs.site import atlas, checks, coverage, families, gallery, learners, mechanisms, reference
from docs.site.staging import stage
from docs.site.writing import Sources

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
    r' class="nav-link nav-internal"': ' class="nav-link"',
    r"\s*\n\s*": r"\n",
    r"<!--(?s:.*?)-->\n?": "",
    r'<span class="(?:pre|w|n|o|p|sig-paren|sig-return-icon)">([^<]*)</span>': r"\1",
    r'(class="[^"]*) notranslate': r"\1",
    r'<link rel="preload"[^>]*>\s*': "",
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
PLAIN = re.compile(r'<span class="(?:n|nn|o|p|w)">([^<]*)</span>')
"""Marks of names and punctuation in code. Without these marks, they have the colour of text."""
HERE = Path(__file__).parent
MADE = (reference, coverage, families, learners, mechanisms, gallery, atlas)
"""The modules that make pages, each by its function ``write``."""


def build(site: Path) -> int:
    """Write the sources, build the site, check it and return the exit status."""
    from sphinx.cmd.build import build_main

    sources = Sources(site.with_name(f"{site.name}-sources").absolute())
    stage(sources)
    for each in MADE:
        before = time.perf_counter()
        each.write(sources)
        print(f"{each.__name__}: {time.perf_counter() - before:.1f} s", flush=True)
    sources.clean()
    options = ["-b", "html", "-q", "-W", "--keep-going", "-c", str(HERE), "-j", "2"]
    doctrees = site.with_name(f"{site.name}-doctrees")
    status = build_main([*options, "-d", str(doctrees), str(sources.folder), str(site)])
    slim(site)
    return status or checks.report(site)


def slim(site: Path) -> None:
    """Remove parts that no reader sees: maps of scripts, templates, blanks and marks of HTML."""
    static = site / "_static"
    for unread in (
        *site.rglob("*.map"),
        static / "webpack-macros.html",
        *static.rglob("fa-brands*"),
    ):
        unread.unlink(missing_ok=True)
    for page in site.rglob("*.html"):
        text = VERSION.sub("", page.read_text(encoding="utf-8"))
        if page.name != "search.html":
            text = SEARCH.sub("", text)
        parts = KEPT.split(text)
        # Two passes, since marks are nested.
        for pattern, shorter in 2 * [*UNSEEN.items()]:
            parts[::2] = (re.sub(pattern, shorter, part) for part in parts[::2])
        for _ in range(2):
            parts[1::2] = (
                PLAIN.sub(r"\1", part) if part.startswith("<pre") else part for part in parts[1::2]
            )
        page.write_text("".join(parts), encoding="utf-8")


if __name__ == "__main__":
    begun = time.perf_counter()
    status = build(Path(sys.argv[1]))
    print(f"{sys.argv[1]}/index.html, in {time.perf_counter() - begun:.0f} s")
    sys.exit(status)
