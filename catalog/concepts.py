"""Concepts named in text: by name, by a parameter of the family, by labels or by examples."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from catalog.family_registry import FAMILIES
from lsclasses.domain import FiniteDomain
from lsclasses.errors import InvalidInput, NotRealizable, TooLarge
from lsclasses.hypothesis import Concept, Hypothesis
from lsclasses.point_names import (
    Label,
    Point,
    check_label,
    from_text,
    name_text,
    split_words,
    to_text,
)
from lsclasses.specifications import Parameter, Specified, split

if TYPE_CHECKING:
    from catalog.family import Family
    from lsclasses.concept_class import ConceptClass

WRITTEN_OUT = 1 << 20
"""Largest number of labels of a class whose table is searched for the name of a concept."""
LABELS = 1 << 12
"""Largest number of labels in a string that lists all labels of a concept."""

RANDOM = re.compile(r"random(?::seed=([0-9]{1,18}))?")


@dataclass(frozen=True)
class _ConceptOf(Specified):
    """The concepts of a member of a family, as an object with parameters."""

    name: str
    parameters: tuple[Parameter, ...]
    title: str = ""

    def usage(self) -> str:
        return ",".join(f"{parameter.name}=<{parameter.name}>" for parameter in self.parameters)


def named_concept(source: str, C: ConceptClass, text: str, seed: int = 0) -> Hypothesis:
    """Return the labelling that a string names.

    Parameters
    ----------
    source : str
        Specification of the class, or any other string for a class without specification.
    C : ConceptClass
        Class whose domain the labelling has.
    text : str
        Name of a concept, a parameter of the family's concepts such as ``start=3``, examples that
        leave one concept such as ``3:1,2:0``, or ``random`` or ``random:seed=7``. A string of all
        labels such as ``0001`` is also accepted, even if no concept has these labels.
    seed : int
        Seed of ``random`` without a seed.

    Raises
    ------
    InvalidInput
        If the string names no concept, or its examples leave several concepts.
    NotRealizable
        If no concept is consistent with the examples.
    TooLarge
        If the class cannot compute the version space.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("thresholds:n=2^64")
    >>> h = named_concept("thresholds:n=2^64", C, "start=3")
    >>> h(2), h(3), h == named_concept("thresholds:n=2^64", C, "2:0, 3:1")
    (0, 1, True)
    >>> D = catalog.build("conjunctions:n=2")
    >>> [named_concept("conjunctions:n=2", D, text)((1, 1)) for text in ("x1 & x2", "~x2", "0110")]
    [1, 0, 0]
    >>> named_concept("thresholds:n=2^64", C, "3:1")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: 4 concepts have the labels '3:1'. A target is one concept. Add \
examples until one concept remains.
    """
    word = text.strip()
    named = _by_name(C, word)
    if named is not None:
        return named
    if found := RANDOM.fullmatch(word):
        return C.sample(rng=int(found[1] or seed))
    size = C.domain.size
    if size is not None and size <= LABELS and re.fullmatch(f"[01]{{{size}}}", word):
        return Concept.from_labels(FiniteDomain(C.domain), map(int, word))
    family = _family(source)
    parts = split_words(word)
    if word and all(len(split_words(part, ":")) == 2 for part in parts):
        return _only_one(C, read_examples(C, word), word)
    if family is not None and family.concept_parameters and "=" in word:
        concepts = _ConceptOf(f"a concept of {family.name}", family.concept_parameters)
        chosen = concepts.values(**concepts.values_in(word))
        member = family.values(**family.values_in(split(source)[1]))
        concept = family.chosen_concept(C, member, chosen)
        if concept is None:
            raise InvalidInput(f"There is no concept {word!r} in {source!r}.")
        return concept
    raise InvalidInput(f"There is no concept {text!r}. {_ways(C, family, word)}")


def read_examples(C: ConceptClass, text: str) -> list[tuple[Point, Label]]:
    """Return the labelled points in a string such as ``3:1,2:0``.

    Raises
    ------
    InvalidInput
        If a point is not in the domain, or a label is neither 0 nor 1.
    """
    examples = []
    for part in split_words(text):
        point, label = split_words(part, ":")
        if label.strip() not in ("0", "1"):
            raise InvalidInput(f"A label must be 0 or 1. Got {label.strip()!r} in {text!r}.")
        examples.append((C.domain.require(from_text(point)), check_label(int(label))))
    return examples


def _only_one(C: ConceptClass, examples: list[tuple[Point, Label]], text: str) -> Hypothesis:
    """Return the concept that has the labels."""
    left = C.given(examples)
    if left.is_empty:
        raise NotRealizable(f"No concept of the class has the labels {text!r}.")
    if left.size != 1:
        several = "Infinitely many" if left.size is None else str(left.size)
        raise InvalidInput(
            f"{several} concepts have the labels {text!r}. A target is one concept. Add examples "
            "until one concept remains."
        )
    return left.soa()


def _names(C: ConceptClass) -> dict[str, int]:
    """Return the names of concepts as strings, with their places in the table."""
    try:
        concepts, points = C.size, C.domain.size
        if concepts is None or points is None or concepts * points > WRITTEN_OUT:
            return {}
        table = C.to_table()
    except TooLarge:
        return {}
    places = {name: i for i, name in enumerate(table.concept_names or ())}
    places |= {name: places[kept] for name, kept in table.merged_names}
    return {name_text(name): i for name, i in places.items()}


def _by_name(C: ConceptClass, word: str) -> Hypothesis | None:
    names = _names(C)
    # The name that is the string 10 is written '10' where names must differ from numbers.
    spellings = (word, to_text(from_text(word)), to_text(word)) if word else ()
    place = next((names[each] for each in spellings if each in names), None)
    return None if place is None else C.to_table()[place]


def _family(source: str) -> Family | None:
    name, _ = split(source)
    return FAMILIES[name] if name in FAMILIES.names() else None


def _ways(C: ConceptClass, family: Family | None, word: str) -> str:
    """Return the accepted ways to name a concept, in sentences."""
    names = _names(C)
    ways = ["examples that leave one concept, such as 3:1,2:0", "random"]
    if family is not None and family.concept_parameters:
        usage = _ConceptOf("", family.concept_parameters).usage()
        ways.insert(0, usage)
    size = C.domain.size
    if size is not None and size <= LABELS:
        ways.insert(-1, f"{size} labels, 0 or 1 each")
    if names:
        close = get_close_matches(word, names, n=3, cutoff=0.5) or [*list(names)[:3], "..."]
        ways.insert(0, f"a name of a concept ({', '.join(close)})")
    return f"A concept is written as {', '.join(ways[:-1])}, or as {ways[-1]}."
