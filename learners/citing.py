"""Citations by name: works, facts of the catalog, statements, errata, this library.

The name of a fact is ``FAMILY.DIMENSION``. The name of a statement is the name of its record, such
as ``GL21 Lemma 5.3``. A fact and a refuted sentence of a paper come with a *witness*, an instance
that is recomputed on request. So the witness can be cited with the version of the library. Gaps in
proofs and imprecise sentences are cited as such, without a witness. Notes on a paper's text are not
offered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from catalog import FAMILIES
from catalog.fact_checks import FactCheck, Row, formula
from catalog.family import Fact, Family, sign_of
from catalog.parameters import PARAMETERS
from catalog.readable import readable
from learners.claim_checks import checks as claims
from learners.explaining import explain
from learners.papers import Erratum, PaperStatement, records
from learners.papers.steps import StepComment, steps
from lsclasses import __version__
from lsclasses.bibliography import Work, bibliography, cited, entry, work
from lsclasses.certificates import load_certificate
from lsclasses.dimensions import DIMENSIONS
from lsclasses.dimensions.base import names_by_alias
from lsclasses.errors import InvalidInput, nearest
from lsclasses.numbers import format_number
from lsclasses.verdicts import Verdict

AUTHORS = "{The lsclasses authors}"
YEAR = 2026
"""The year in which this version was released, as in ``CITATION.cff``."""
LIBRARY = "lsclasses: Littlestone classes and the private learners built on them"
"""The title of this library, as in ``CITATION.cff``."""

LISTS = "'lsclasses cite --all' lists the works, 'lsclasses catalog' the families."


@dataclass(frozen=True)
class Citation:
    """A subject that can be cited, with the works on which it rests.

    Parameters
    ----------
    name : str
        Name of the cited subject, as in `cite`.
    text : str
        Statement, or an empty string for a work, which is cited as a whole.
    witness : str
        Instance that was just recomputed, with the result.
    works : tuple of Work
        Works on which the subject rests.
    errata : tuple of Erratum
        Errata of a statement of a paper.
    steps : tuple of Step
        Places in the code that implement the steps of an algorithm.
    """

    name: str
    text: str = ""
    witness: str = ""
    works: tuple[Work, ...] = ()
    errata: tuple[Erratum, ...] = ()
    steps: tuple[StepComment, ...] = ()

    def bibtex(self) -> str:
        """Entries for BibTeX: the statement of this library, if it is one, and the works."""
        entries = [each.bibtex() for each in self.works]
        if self.text:
            key = re.sub(r"[^A-Za-z0-9.]+", "-", self.name).strip("-")
            title = self.text
            if self.errata:
                title = " ".join((f"{title}.", *map(str, self.errata)))
            is_library = self.name == "lsclasses"
            fields = {
                "author": AUTHORS,
                "title": f"{{{title}}}",
                "howpublished": f"lsclasses {__version__}" + f", {self.name}" * (not is_library),
                "note": self.witness,
                "year": str(YEAR),
            }
            key = key if is_library else f"lsclasses:{key}"
            entries.insert(0, entry("misc", key, fields))
        return "\n\n".join(entries)


def cite(name: str = "") -> Citation:
    """Return the citation of a name, or of the library itself if the name is empty.

    Parameters
    ----------
    name : str
        Name to cite: a tag, surnames and a year, ``FAMILY``, ``FAMILY.DIMENSION``, a dimension or a
        parameter. Also a statement such as ``GL21 Lemma 5.3`` with its errata, a step of an
        algorithm such as ``GL21, Alg 2 line 5``, or the file of a certificate.

    Raises
    ------
    InvalidInput
        If the name is unknown. The message lists similar names.

    Examples
    --------
    >>> print(cite("GK95").bibtex().splitlines()[0])
    @article{GK95,
    >>> found = cite("affine.ldim")
    >>> found.text
    'Affine subspaces of ..., ldim: k + 1 when ..., where k is printed in [BLM20, section 1]; ...'
    >>> found.witness
    'affine:q=2,n=1,k=0,empty=0 has ldim 1 by search, and not 0; ...'
    >>> [step.file for step in cite("BLM20, G step 2").steps]
    ['learners/pac/globally_stable.py']
    """
    name = " ".join(name.split())
    if not name:
        return Citation("lsclasses", LIBRARY)
    if _is_document(name):
        return _certificate(Path(name))
    statements = {known.casefold(): statement for known, statement in records().items()}
    statement = statements.get(name.casefold())
    if statement is not None:
        return _statement(statement, steps(statement.name))
    taken = steps(name)
    if taken:
        return _statement(records()[taken[0].statement], taken)
    family, dot, quantity = name.casefold().partition(".")
    if family in FAMILIES:
        found = FAMILIES[family]
        return _facts(found, quantity) if dot else _family(found)
    try:
        known = work(name)
    except InvalidInput:
        word = "_".join(re.split(r"[\s_-]+", name.casefold()))
        if word in {*PARAMETERS, *DIMENSIONS, *names_by_alias()}:
            meant = names_by_alias().get(word, word)
            works = explain(meant).works
            if not works:
                raise InvalidInput(
                    f"No work is cited for {meant!r}. 'lsclasses explain {meant}' prints its "
                    "definition."
                ) from None
            return Citation(meant, works=works)
        names = [*bibliography(), *FAMILIES.names(), *records(), *DIMENSIONS, *PARAMETERS]
        names += [each.citation for each in bibliography().values()]
        if dot and not any(character.isdigit() for character in family):
            names = [
                f"{each.name}.{fact.quantity}" for each in FAMILIES.values() for fact in each.facts
            ]
        raise InvalidInput(
            f"Unknown name {name!r}. {nearest(name, names, otherwise=LISTS)}"
        ) from None
    return Citation(known.tag, works=(known,))


def citable(incomplete: str) -> list[str]:
    """Return citable names that begin with the string, or facts of a family if it has a dot.

    Examples
    --------
    >>> citable("Lit8"), citable("points.star")
    (['Lit88', 'Lit89'], ['points.star_number'])
    """
    family, dot, _ = incomplete.partition(".")
    names = [*bibliography(), *FAMILIES.names(), *records()]
    if dot and family in FAMILIES:
        names = list(dict.fromkeys(f"{family}.{f.quantity}" for f in FAMILIES[family].facts))
    return [name for name in names if name.startswith(incomplete)]


def _is_document(name: str) -> bool:
    """Return whether a name belongs to a JSON file, perhaps compressed."""
    return name.casefold().endswith((".json", ".json.gz"))


def _certificate(path: Path) -> Citation:
    """Return the citation of a certificate: its claim, and the class with its digest."""
    proof = load_certificate(path)
    subject = proof.subject
    counts = [
        "infinitely many" if each is None else format_number(each)
        for each in (subject.concepts, subject.points)
    ]
    return Citation(
        path.name,
        f"{proof.claim} for the class with {counts[0]} concepts on {counts[1]} points and the "
        f"SHA-256 {subject.sha256}, proved by a certificate that 'lsclasses check' verifies",
    )


def _family(family: Family) -> Citation:
    texts = (family.reference, *(fact.source for fact in family.facts))
    return Citation(
        family.name, f"{family.title}: {family.definition.rstrip('.')}", "", _works(texts)
    )


def _facts(family: Family, quantity: str) -> Citation:
    facts = [fact for fact in family.facts if fact.quantity == quantity]
    if not facts:
        known = dict.fromkeys(fact.quantity for fact in family.facts)
        raise InvalidInput(
            f"The catalog has no fact about {quantity!r} for {family.name!r}. "
            f"{nearest(quantity, known)}"
        )
    stated = "; ".join(map(_stated, facts))
    sources = [f"{fact.source} {fact.printed_in}" for fact in facts]
    found = "; ".join(filter(None, (_found(family, fact) for fact in facts)))
    return Citation(
        f"{family.name}.{quantity}",
        f"{family.title}, {quantity}: {stated}",
        found or "no member is small enough to be searched within seconds",
        _works([family.reference, *sources]),
    )


def _stated(fact: Fact) -> str:
    relation = sign_of(fact.relation)
    if not fact.printed:
        return relation + formula(fact)
    return (
        f"{relation}{formula(fact)}, where {readable(fact.printed)} is printed in {fact.printed_in}"
    )


def _found(family: Family, fact: Fact) -> str:
    """Return the first member on which a search recomputes a fact and refutes its printed form.

    If the fact only states that a value is 1, the function prefers later members, if any.
    """
    held = ""
    for member in family.instances():
        stated = next((s for s in family.to_verify(**member) if s.fact == fact), None)
        if stated is None or (held and stated.value <= 1):
            continue
        (row,) = FactCheck(family, (member,), only=fact).rows()
        held = f"{row.parameters} has {row.quantity} {row.computed} by search"
        if row.verdict == Verdict.ERRATUM:
            return f"{held}, and not {row.printed.rpartition(' = ')[2]}"
        if stated.value > 1 and not fact.printed:
            break
    return held


def _statement(statement: PaperStatement, taken: tuple[StepComment, ...]) -> Citation:
    found = (_witness(each, statement) for each in statement.errata if each.witness)
    return Citation(
        statement.name,
        f"{statement.name}, {statement.title}",
        "; ".join(found),
        (work(statement.paper),),
        statement.errata,
        taken,
    )


def _witness(erratum: Erratum, statement: PaperStatement) -> str:
    """Return the first instance on which an erratum is recomputed, found on demand."""
    row = next(
        row
        for row in refuting(erratum)
        if row.verdict == Verdict.ERRATUM and statement.name in row.fact.statements
    )
    return f"{row.parameters}: {row.quantity} is {row.computed}, printed: {row.printed}"


def refuting(erratum: Erratum) -> Iterator[Row]:
    """Yield the rows of `lsclasses verify` for the claim that an erratum names, slow work last.

    Examples
    --------
    >>> (each,) = records()["BLM20 Sec 1, affine subspaces"].errata
    >>> row = next(refuting(each))
    >>> row.parameters, row.computed, row.printed, row.verdict
    ('affine:q=2,n=1,k=0,empty=0', '1', 'k = 0', 'erratum')
    """
    topic, _, quantity = erratum.witness.partition(": ")
    if topic in FAMILIES:
        family = FAMILIES[topic]
        for fact in family.facts:
            if fact.printed and fact.quantity == quantity:
                for member in family.instances():
                    yield from FactCheck(family, (member,), only=fact).rows()
        return
    for check in sorted(claims([topic]), key=lambda check: check.slow):
        if any(claim.printed and claim.quantity == quantity for claim in check.claims):
            yield from (row for row in check.rows() if row.quantity == quantity)


def _works(texts: Iterable[str]) -> tuple[Work, ...]:
    return tuple(dict.fromkeys(each for text in texts for each in cited(text)))
