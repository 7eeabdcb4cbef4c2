"""The bibliography: nothing is cited that is not in it, and entries are what BibTeX reads."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

from lsclasses.bibliography import TAG, bibliography, citations, cited, page, work

ROOT = Path(__file__).parents[2]
PACKAGES = ("lsclasses", "catalog", "learners")
YEAR = re.compile(r"\b[12]\d{3}\b")
NO_TAGS = {"PCG64", "SHA256", "MT19937"}
NO_CITATIONS = {"SelfComposed 2000", "Littlestone 1888", "Press 1997"}
"""Names of methods with numbers, a publisher, a citation that a docstring shows to be unknown."""


def texts() -> dict[str, str]:
    """Every page and every module, its texts of several parts put together."""
    paths = [*ROOT.glob("docs/*.md"), ROOT / "README.md"]
    paths += [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    found = {str(path.relative_to(ROOT)): path.read_text() for path in paths}
    del found["docs/bibliography.md"]
    return {name: re.sub(r'"\s*\n\s*[rf]?"', "", text) for name, text in found.items()}


def near_years(text: str) -> str:
    """The lines that name a year, each with the one before."""
    pairs = itertools.pairwise(["", *text.splitlines()])
    return "\n;\n".join(f"{before}\n{line}" for before, line in pairs if YEAR.search(line))


def test_whatever_is_cited_is_in_the_bibliography():
    """Tags in brackets, and surnames with a year."""
    for name, text in texts().items():
        brackets = re.findall(r"\[([^\][]*)\]", text)
        bracketed = {tag for inside in brackets for tag in TAG.findall(inside)}
        assert bracketed - set(bibliography()) - NO_TAGS == set(), name
        unknown = {each for each in citations(near_years(text)) if not cited(each)}
        assert unknown - NO_CITATIONS == set(), name


def test_the_comb_has_teeth():
    """A citation that nobody knows is seen, however it is written."""
    for text in ("Turing 1936", "Turing, Church and\n    Gödel 1936", "Turing et al. (1936)"):
        found = citations(near_years(f"by {text}, or so"))
        assert found and not any(map(cited, found)), text
    assert TAG.findall("[XYZ99, Thm 3]") == ["XYZ99"]


def test_every_work_is_found_by_its_tag_and_by_its_citation():
    for tag, known in bibliography().items():
        assert work(tag) is known
        assert cited(f"as in {known.citation}; and so on")[0] is known
    citations_ = [known.citation for known in bibliography().values()]
    assert len(set(citations_)) == len(citations_), "two works are cited alike"


def test_entries_are_balanced_and_have_only_what_is_known():
    for known in bibliography().values():
        text = known.bibtex()
        assert text.count("{") == text.count("}")
        assert "{}" not in text and "None" not in text
        where = [known.journal, known.booktitle, known.publisher, known.school]
        assert sum(map(bool, where)) <= 1
        assert bool(known.title) or not any(where), f"{known.tag}: a place without a title"


def test_the_page_is_written_from_the_data():
    assert (ROOT / "docs/bibliography.md").read_text() == page(), "run make coverage"


def test_citation_cff_names_the_papers():
    text = (ROOT / "CITATION.cff").read_text()
    for tag in ("BLM20", "GL21", "KMMNS23", "LWY25", "BF25"):
        assert work(tag).title in text
