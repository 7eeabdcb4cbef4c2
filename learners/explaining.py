"""Explanations of parameters, terms of the field, verdicts, tags and families, in a few lines.

Definitions, references and inequalities come from their modules. Examples are computed when they
are printed. ``glossary.toml`` contains the terms of the field, each with a definition, a formula,
an example and a source. ``python -m learners.explaining > docs/glossary.md`` writes the page.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from catalog import FAMILIES
from catalog.family import Family
from catalog.parameters import PARAMETERS, ClassParameter
from catalog.parameters.relations import RELATIONS
from learners.papers import ERRATUM_KINDS, TAGS, paper
from learners.papers.coverage import recomputed
from lsclasses.bibliography import Work, bibliography, cited, work
from lsclasses.data_files import from_table, parse
from lsclasses.dimensions import DIMENSIONS, Dimension, Value
from lsclasses.dimensions.base import aliases, names_by_alias
from lsclasses.dimensions.inequalities import INEQUALITIES
from lsclasses.dimensions.not_computed import OtherWord, other_words
from lsclasses.errors import InvalidInput, nearest
from lsclasses.markdown import fill_markdown
from lsclasses.registry import spelling
from lsclasses.verdicts import Verdict

if TYPE_CHECKING:
    from lsclasses.concept_class import ConceptClass


# ---- glossary


@dataclass(frozen=True)
class Term:
    """A glossary term that is not a dimension of classes.

    Parameters
    ----------
    name : str
        The term.
    definition : str
        A sentence or two.
    formula : str
        Formula of the definition.
    example : tuple of str
        Lines of Python, each with its value after ``#``, or a command.
    aliases, see : tuple of str
        Other names of the term, and related terms.
    reference : str
        Tags of the bibliography, or authors and a year.
    """

    name: str
    definition: str
    formula: str
    example: tuple[str, ...]
    aliases: tuple[str, ...]
    see: tuple[str, ...]
    reference: str


@cache
def terms() -> dict[str, Term]:
    """Return the terms in the order of their subjects: classes, learning, privacy.

    Examples
    --------
    >>> terms()["soa"].formula
    'ŷ = the y with the larger Ldim(V|(x, y))'
    """
    found = {}
    for each in _read()["term"]:
        lists = {key: tuple(each[key]) for key in ("example", "aliases", "see")}
        found[each["name"]] = Term(**(each | lists))
    return found


@cache
def other_names() -> dict[str, str]:
    """Return a map from other names, in lower case, to terms and dimensions.

    Examples
    --------
    >>> other_names()["vc"], other_names()["dp"]
    ('vcdim', 'differential privacy')
    """
    names = {word.replace("_", " "): name for word, name in aliases().items()}
    return names | {alias: term.name for term in terms().values() for alias in term.aliases}


def _read() -> dict[str, Any]:
    text = files("learners").joinpath("glossary.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def page() -> str:
    """Return the glossary page in Markdown."""
    lines = [
        "# Glossary",
        "",
        "This page defines the words of the field as this library uses them. The words after "
        "*also* are synonyms or words that the definition covers. An example is a Python "
        "expression with its value after `#`, a command or a sentence. `lsclasses explain WORD` "
        "prints one definition. The command also explains [dimensions](dimensions.md), families, "
        "papers and the verdicts of `verify` and `audit`. "
        "`python -m learners.explaining` writes this page.",
        "",
        "| word | definition | formula | example | source |",
        "|---|---|---|---|---|",
    ]
    for term in terms().values():
        also = f" (also: {', '.join(term.aliases)})" if term.aliases else ""
        cells = (
            f"**{term.name}**{also}",
            term.definition,
            term.formula,
            "<br>".join(f"`{line}`" for line in term.example),
            term.reference,
        )
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return fill_markdown("\n".join(lines) + "\n")


if __name__ == "__main__":
    print(page(), end="")


# ---- explaining


EXAMPLE = "thresholds:n=5"
"""The class of the examples in explanations."""

SMALL_EXAMPLE = "thresholds:n=3"
"""The class of the examples for parameters that only small classes have."""

VERDICTS = parse(Path(__file__).with_name("verdicts.toml").read_text(encoding="utf-8"))
"""The meaning of each verdict, and frequent misreadings."""


@dataclass(frozen=True)
class Explanation:
    """An explanation of a word.

    Parameters
    ----------
    name, kind : str
        The canonical word, and its type: a dimension, a parameter, a term, a verdict, a work or a
        family.
    definition, meaning : str
        Definition of the word, and its meaning in plain words.
    example : tuple of str
        Lines of Python, with their results.
    related : tuple of str
        Inequalities with other dimensions, or recomputed statements of a paper.
    works : tuple of Work
        Cited works.
    """

    name: str
    kind: str
    definition: str
    meaning: str = ""
    example: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    works: tuple[Work, ...] = field(default=())


class Example(NamedTuple):
    """The class of an example, and the Python expression that builds it.

    Attributes
    ----------
    code : str
        An expression of Python.
    C : ConceptClass
        The class.
    """

    code: str
    C: ConceptClass


def _built(spec: str) -> Example:
    import catalog

    return Example(f'catalog.build("{spec}")', catalog.build(spec))


def explain(word: str, *, of: Example | None = None) -> Explanation:
    r"""Explain a dimension, a term of the field, a tag, a verdict or a family.

    Parameters
    ----------
    word : str
        Word to explain, in any case. A verdict may be shortened to its first words.
    of : Example, optional
        Class for the example of a dimension or a parameter, instead of a small class.

    Raises
    ------
    InvalidInput
        If the word is unknown. The message names the closest word.
        If a class is given, but the word is not a dimension or parameter.
    TooLarge
        If the class is too large for the parameter.

    Examples
    --------
    >>> found = explain("star_number")
    >>> print("\n".join(found.example))
    C = catalog.build("thresholds:n=5")
    C.star_number()           # 2
    C.witness("star_number")  # star_number >= 2: points 0, 1; centre 1; concepts 0, 2
    >>> found.related[0]
    'vcdim <= star_number'
    >>> explain("vacuous").meaning
    'It says something only for other parameters: more rounds, or a larger epsilon.'
    """
    found = _explained(word, of)
    if of is not None and found.name not in {*DIMENSIONS, *PARAMETERS}:
        raise InvalidInput(
            "Only dimensions and parameters of small classes have an example about a given class. "
            f"Got {word!r}."
        )
    return found


def _explained(word: str, of: Example | None) -> Explanation:
    given = " ".join(word.casefold().split())
    if given in FAMILIES:
        return _family(FAMILIES[given])
    name = spelling(word)
    for known in (name, name.removesuffix("s")):
        found = _page(known, of)
        if found is not None:
            return found
    try:
        cited = work(word)
    except InvalidInput:
        raise InvalidInput(
            f"No entry is called {word!r}. {nearest(word, words(), otherwise=LISTS)}"
        ) from None
    return _work(cited)


def _page(name: str, of: Example | None) -> Explanation | None:
    """Return the explanation of a word that is not a tag of a paper, or None."""
    if name in DIMENSIONS:
        return _dimension(DIMENSIONS[name], of)
    if name in PARAMETERS:
        return _parameter(PARAMETERS[name], of)
    parts = name.replace(",", "").split("_")
    verdicts = [
        known
        for known in Verdict
        if spelling(known.in_full.replace(",", "")).split("_")[: len(parts)] == parts
    ]
    if verdicts:
        chosen = min(verdicts, key=len)
        return from_table(
            Explanation, VERDICTS[chosen], repr(chosen), name=chosen.in_full, kind="verdict"
        )
    if name in _terms_by_spelling():
        return _term(_terms_by_spelling()[name])
    family = next((each for each in FAMILIES.names() if spelling(each) == name), None)
    if family is not None:
        return _family(FAMILIES[family])
    dimension = names_by_alias().get(name)
    if dimension is not None:
        return _dimension(DIMENSIONS[dimension], of)
    for entry in PARAMETERS.values():
        if name == spelling(entry.title):
            return _parameter(entry, of)
    other = other_words().get(name)
    if other is None:
        return None
    return _page(spelling(other.page), of) if other.page else _other_word(other)


@cache
def _terms_by_spelling() -> dict[str, Term]:
    """Return the terms by their names and other names. The name of a term comes first."""
    found = {spelling(alias): term for term in terms().values() for alias in term.aliases}
    return found | {spelling(name): term for name, term in terms().items()}


def words() -> list[str]:
    """Return all words that the command `explain` can explain."""
    named = *terms(), *other_names(), *(each.name for each in other_words().values())
    return [*DIMENSIONS, *PARAMETERS, *FAMILIES.names(), *Verdict, *named, *bibliography()]


LISTS = (
    "Entries are dimensions, parameters of small classes, families, verdicts, words of the field "
    "and tags of papers. docs/glossary.md lists the words, and 'lsclasses catalog' the families."
)
"""The advice for a word that resembles no entry: the commands that list all words."""


def _term(entry: Term) -> Explanation:
    return Explanation(
        entry.name,
        f"also {', '.join(entry.aliases)}" if entry.aliases else "a word of the field",
        entry.definition,
        f"Formula: {entry.formula}",
        entry.example,
        entry.see,
        _works([entry.reference]),
    )


def _other_word(entry: OtherWord) -> Explanation:
    return Explanation(entry.name, "not computed by this library", entry.answer, related=entry.see)


def _dimension(entry: Dimension[Value], of: Example | None) -> Explanation:
    code, C = of or _built(EXAMPLE)
    first, call = f"C = {code}", f"C.{entry.name}()"
    if not hasattr(C, entry.name):
        # Only the dimensions of long standing are methods of a class.
        first = f"from lsclasses.dimensions import DIMENSIONS; {first}"
        call = f'DIMENSIONS["{entry.name}"](C)'
    lines = [(call, str(entry(C.to_table())))]
    conventions = ["Value on the empty class: " + _empty(entry)]
    if entry.evidence is not None:
        lines.append((f'C.witness("{entry.name}")', str(entry.witness(C))))
        conventions.append(f"A witness: {entry.evidence.shows}")
    if entry.flips_change:
        conventions.append("Complementing the labels at a point can change it")
    width = max(len(call) for call, _ in lines)
    return Explanation(
        entry.name,
        f"{entry.title}, {entry.symbol}",
        entry.definition,
        " ".join(
            f"{sentence.rstrip('.')}." for sentence in filter(None, [entry.meaning, *conventions])
        ),
        (
            first,
            *(f"{call:{width}}  # {value}" for call, value in lines),
        ),
        tuple(str(each) for each in INEQUALITIES if entry.name in each.names),
        _works(
            [entry.reference, *(each.source for each in INEQUALITIES if entry.name in each.names)]
        ),
    )


def _parameter(entry: ClassParameter, of: Example | None) -> Explanation:
    code, C = of or _built(SMALL_EXAMPLE)
    call = f'PARAMETERS["{entry.name}"]'
    lines = [
        *(["import catalog"] if code.startswith("catalog.") else []),
        "from catalog.parameters import PARAMETERS",
        f"C = {code}.to_table()",
    ]
    shown = []
    if entry.available:
        table = C.to_table()
        shown = [(f"{call}(C)", str(entry(table)))]
        if entry.evidence is not None:
            shown.append((f"{call}.witness(C)", str(entry.witness(table))))
    width = max((len(each) for each, _ in shown), default=0)
    lines += [f"{each:{width}}  # {value}" for each, value in shown]
    conventions = [
        f"Computed on at most {entry.most_points} points",
        "Not defined for the empty class",
    ]
    if entry.evidence is not None:
        side = "larger" if entry.evidence.at_most else "smaller"
        conventions.append(f"A witness that it is not {side}: {entry.evidence.shows}")
    if entry.needs:
        conventions.append(f"Needs the package {entry.needs!r}")
    if entry.flips_change:
        conventions.append("Complementing the labels at a point can change it")
    related = [each for each in RELATIONS if entry.name in each.names]
    return Explanation(
        entry.name,
        f"{entry.title}, {entry.symbol}",
        entry.definition,
        " ".join(f"{sentence}." for sentence in conventions),
        tuple(lines),
        tuple(map(str, related)),
        _works([entry.reference, *(each.source for each in related)]),
    )


def _empty(entry: Dimension[Value]) -> str:
    if entry.value_on_empty is None:
        return "0 for every n"
    if entry.value_without_points is None:
        return str(entry.value_on_empty)
    return f"{entry.value_on_empty}, and {entry.value_without_points} on no points"


def _family(family: Family) -> Explanation:
    import catalog

    specs = [family.spec(**member) for member in family.instances()]
    spec = next((each for each in specs if (catalog.build(each).size or 0) > 4), specs[0])
    C = catalog.build(spec)
    lines = [("C.size, C.domain.size", f"{C.size}, {C.domain.size}")]
    lines.append(("C.ldim(), C.vcdim()", f"{C.ldim()}, {C.vcdim()}"))
    width = max(len(call) for call, _ in lines)
    facts = [f"{fact.quantity} {fact.relation}" for fact in family.facts]
    return Explanation(
        family.name,
        family.title,
        family.definition,
        f"Specification: {family.usage()}. 'lsclasses catalog {family.name}' has the formulas.",
        (
            f'C = catalog.build("{spec}")',
            *(f"{call:{width}}  # {value}" for call, value in lines),
        ),
        (f"Known of it: {', '.join(dict.fromkeys(name.split()[0] for name in facts))}",)
        * bool(facts),
        _works([family.reference, *(fact.source for fact in family.facts)]),
    )


def _work(found: Work) -> Explanation:
    related = [
        f"{family.name}: {', '.join(dict.fromkeys(f.quantity for f in facts)) or 'definition'}"
        for family in FAMILIES.values()
        if (facts := [fact for fact in family.facts if found in cited(fact.source)])
        or found in cited(family.reference)
    ]
    related += [str(each) for each in INEQUALITIES if found in cited(each.source)]
    related += [entry.name for entry in DIMENSIONS.values() if found in cited(entry.reference)]
    meaning = ""
    if found.tag in TAGS:
        statements = paper(found.tag).statements
        numbered = [each for each in statements if each.numbered]
        covered = sum(each.name in recomputed() for each in numbered)
        said = [erratum.kind for statement in statements for erratum in statement.errata]
        errata = ", ".join(f"{said.count(kind)} {kind}" for kind in ERRATUM_KINDS if kind in said)
        meaning = (
            f"Checks recompute {covered} of {len(numbered)} numbered statements. Errata: {errata}. "
            f"'lsclasses verify --only {found.tag}' runs the checks."
        )
    return Explanation(found.tag, "work", str(found), meaning, related=tuple(related), works=())


def _works(texts: Iterable[str]) -> tuple[Work, ...]:
    return tuple(dict.fromkeys(each for text in texts for each in cited(text)))
