"""The works that the library cites, from one data file, ``bibliography.toml``.

Docstrings and facts cite a work by its tag, ``[BLM20, Thm 10]``, or by its authors and the year,
"Hanneke and Yang 2015". This module finds works by both names, and a test checks the citations of
every page and every docstring.
``python -m lsclasses.bibliography docs/bibliography.md`` writes the page.
"""

from __future__ import annotations

import re
import sys
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from lsclasses.errors import InvalidInput, listed, nearest
from lsclasses.markdown import fill_markdown

_NAME = r"[^\W\d_][\w'’.-]*[\w’]"
_YEAR = r"(?:1[89]|20)\d\d"
CITATION = re.compile(
    rf"({_NAME}(?:, {_NAME})*(?:,? and {_NAME})?)( et al\.)?,? \(?({_YEAR})(?![\d-])"
)
"""Pattern of a citation by surnames and a year, such as "Hanneke and Yang 2015".

A capital letter distinguishes surnames from other words, but months also match.
"""
TAG = re.compile(r"(?<![\w-])[A-Z][A-Za-z]*\d\d(?!\w)")


@dataclass(frozen=True)
class Work:
    """A paper or a book. Fields that are not confirmed are empty.

    Parameters
    ----------
    tag : str
        Name in citations, such as ``BLM20``.
    authors : tuple of str
    year : int or None
    title : str
    journal, booktitle, publisher, school : str
        Place of publication. At most one of these fields is not empty.
    volume, number, pages, edition : str
    arxiv, doi, url : str
        Identifiers, without a web address before them.
    cited_as : str
        Name in running text, if it differs from the surnames and the year.

    Examples
    --------
    >>> print(work("HY15"))
    Steve Hanneke and Liu Yang. Minimax analysis of active learning. Journal of Machine ...
    >>> work("Hanneke and Yang 2015").tag
    'HY15'
    """

    tag: str
    authors: tuple[str, ...]
    year: int | None = None
    title: str = ""
    journal: str = ""
    booktitle: str = ""
    publisher: str = ""
    school: str = ""
    volume: str = ""
    number: str = ""
    pages: str = ""
    edition: str = ""
    arxiv: str = ""
    doi: str = ""
    url: str = ""
    cited_as: str = ""

    @property
    def surnames(self) -> tuple[str, ...]:
        """The last word of each author's name."""
        return tuple(author.rsplit(" ", 1)[-1] for author in self.authors)

    @property
    def citation(self) -> str:
        """The citation of the work in running text: "Hanneke and Yang 2015"."""
        return self.cited_as or f"{listed(self.surnames)} {self.year}"

    @property
    def links(self) -> dict[str, str]:
        """The web addresses of the work, by the names of their targets."""
        found = {
            f"arXiv:{self.arxiv}": f"https://arxiv.org/abs/{self.arxiv}" if self.arxiv else "",
            f"doi:{self.doi}": f"https://doi.org/{self.doi}" if self.doi else "",
            self.url: self.url,
        }
        return {name: address for name, address in found.items() if address}

    def __str__(self) -> str:
        """Return the work as one entry of a list of references."""
        return self.reference(self.title)

    def reference(self, title: str) -> str:
        """Return the entry of a list of references, with the title in the given formatting.

        Examples
        --------
        >>> work("Hod97").reference("*A shorter model theory*")
        'Wilfrid Hodges. *A shorter model theory*. Cambridge University Press, 1997.'
        """
        volume = self.volume + (f"({self.number})" if self.number else "")
        source = self.journal or self.booktitle or self.publisher
        if self.school:
            source = f"PhD thesis, {self.school}"
        place = " ".join(part for part in (source, volume) if part)
        edition = f"{self.edition} edition" if self.edition else ""
        pages = f"pages {self.pages}" if self.pages else ""
        printed = ", ".join(part for part in (edition, place, pages, str(self.year or "")) if part)
        parts = (listed(self.authors), title, printed, ", ".join(self.links))
        return " ".join(f"{part}." for part in parts if part)

    def bibtex(self) -> str:
        """Return the work as an entry for BibTeX, in Unicode.

        Examples
        --------
        >>> print(work("Hod97").bibtex())
        @book{Hod97,
          author = {Wilfrid Hodges},
          title = {{A shorter model theory}},
          publisher = {Cambridge University Press},
          year = {1997},
        }
        """
        kinds = {
            "journal": "article",
            "booktitle": "inproceedings",
            "publisher": "book",
            "school": "phdthesis",
        }
        kind = next((kinds[key] for key in kinds if getattr(self, key)), "misc")
        fields = {
            "author": " and ".join(self.authors),
            "title": f"{{{self.title}}}" if self.title else "",
            **{key: getattr(self, key) for key in (*kinds, "volume", "number")},
            "pages": self.pages.replace("-", "--"),
            "edition": self.edition,
            "year": str(self.year or ""),
            "doi": self.doi,
            "eprint": self.arxiv,
            "archiveprefix": "arXiv" if self.arxiv else "",
            "url": self.url,
        }
        return entry(kind, self.tag, fields)


def entry(kind: str, key: str, fields: Mapping[str, str]) -> str:
    """Return an entry for BibTeX, without empty fields."""
    lines = (f"  {name} = {{{value}}}," for name, value in fields.items() if value)
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])


@cache
def bibliography() -> Mapping[str, Work]:
    """Return every work by its tag, grouped by subject."""
    data = files("lsclasses").joinpath("bibliography.toml").read_text(encoding="utf-8")
    return {
        tag: Work(tag, tuple(known.pop("authors")), **known)
        for tag, known in tomllib.loads(data).items()
    }


def work(name: str) -> Work:
    """Return the work with a tag such as BLM20 or blm20, or with given surnames and a year.

    Raises
    ------
    InvalidInput
        If no such work exists. The message contains the nearest names.

    Examples
    --------
    >>> work("blm20").year
    2020
    >>> work("Littlestone 1888")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The bibliography has no work 'Littlestone 1888'. Did you mean ...
    """
    tags = {tag.casefold(): known for tag, known in bibliography().items()}
    if name.casefold() in tags:
        return tags[name.casefold()]
    whole = CITATION.fullmatch(_flat(name))
    found = cited(name) if whole else []
    if found:
        return found[0]
    known = [*bibliography(), *(each.citation for each in bibliography().values())]
    raise InvalidInput(
        f"The bibliography has no work {name!r}. "
        + nearest(name, known, otherwise="'lsclasses cite --all' lists all.")
    )


def cited(text: str) -> list[Work]:
    """Return the works that a string cites, by tag or by surnames and year, in their order.

    Examples
    --------
    >>> [each.tag for each in cited("[LWY25, section 2.3]; Shelah 1978; Rogers et al. 2016")]
    ['LWY25', 'She78', 'RRUV16']
    """
    text = _flat(text)
    known = bibliography()
    places: list[tuple[int, Work]] = []
    for found in TAG.finditer(text):
        if found[0] in known:
            places.append((found.start(), known[found[0]]))
    for place, citation in _citations(text):
        match = _resolved(citation)
        if match is not None:
            places.append((place, match))
    if re.search(r"\bOEIS\b", text):
        places.append((text.index("OEIS"), known["OEIS"]))
    return list(dict.fromkeys(found for _, found in sorted(places, key=lambda each: each[0])))


def citations(text: str) -> list[str]:
    """Return all parts of a string that look like a citation by surnames and year.

    Examples
    --------
    >>> citations("Sauer 1972; Shelah 1972 and, in the end, Vapnik and Chervonenkis (1971)")
    ['Sauer 1972', 'Shelah 1972', 'Vapnik and Chervonenkis 1971']
    """
    return [citation for _, citation in _citations(_flat(text))]


def _flat(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def _citations(text: str) -> list[tuple[int, str]]:
    """Return the citations in a string without line breaks, with their positions."""
    found = []
    for match in CITATION.finditer(text):
        names = re.split(r",? and |, ", match[1])
        while names and not names[0][:1].isupper():
            names.pop(0)
        if names and all(name[:1].isupper() for name in names):
            found.append((match.start(), f"{listed(names)}{match[2] or ''} {match[3]}"))
    return found


@cache
def _resolved(citation: str) -> Work | None:
    names, year = _folded(citation).rsplit(" ", 1)
    for each in bibliography().values():
        if _folded(each.citation) == f"{names} {year}":
            return each
        first = f"{_folded(each.surnames[0])} et al."
        if names == first and len(each.authors) > 2 and str(each.year) == year:
            return each
    return None


def _folded(text: str) -> str:
    """Return a string without accents and with one way to join names."""
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    *names, last = plain.rsplit(" ", 1)
    return " ".join([", ".join(re.split(r",? and |, ", " ".join(names))), last]) if names else last


def page() -> str:
    """Return the page ``docs/bibliography.md``."""
    lines = [
        "# Bibliography",
        "",
        "This page lists every work that the library cites. The first five works are the papers "
        "whose learners the library implements. Docstrings, claims and commands cite a work by its "
        "tag, such as [Lit88], or by its authors and the year. A second source confirms every "
        "detail of an entry. Unconfirmed details are left out, so some works have no DOI, and a "
        "few have no title. `make coverage` writes this page from `lsclasses/bibliography.toml`.",
        "",
        "`lsclasses cite` prints an entry, as text or for BibTeX. It also cites a fact of this "
        "library, or a refuted sentence of a paper, with the version of the library and a witness. "
        "The witness is an instance for which the library recomputes the fact. In the last "
        "command, the fact is a formula for the Littlestone dimension. A search on the witness "
        "returns 1, but the formula k that [BLM20] prints gives 0:",
        "",
        "```console",
        "$ lsclasses cite Lit88 --bibtex",
        "$ lsclasses cite 'KMMNS23 Alg 10'",
        "$ lsclasses cite --all --bibtex",
        "$ lsclasses cite affine.ldim",
        "Affine subspaces of GF(q)^n of dimension at most k, ldim: k + 1 when not ...",
        "Witness: affine:q=2,n=1,k=0,empty=0 has ldim 1 by search, and not 0; ...",
        "```",
        "",
    ]
    for tag, known in bibliography().items():
        text = known.reference(f"*{known.title}*" if known.title else "")
        for name, address in known.links.items():
            text = text.replace(name, f"[{name}]({address})")
        lines += [f"### {tag}", "", text, ""]
    return fill_markdown("\n".join(lines).rstrip() + "\n")


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
