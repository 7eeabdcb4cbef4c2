"""Distributions of examples from command-line options: a target, the points, and noise."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lsclasses.errors import InvalidInput
from lsclasses.files.comma_separated import read_csv
from lsclasses.numbers import parse_number
from lsclasses.outputs import Reads
from lsclasses.point_names import from_text, split_words

if TYPE_CHECKING:
    from learners.pac.sample_verdicts import Population
    from lsclasses.concept_class import ConceptClass
    from lsclasses.domain import Domain
    from lsclasses.point_names import Point

UNIFORM = "uniform"
RANGE = 1 << 20
"""Largest number of points of a range that a user may name."""
HEADS = ("point", "weight")
LISTED = ("point",)
"""Column of a list of points. A point's share of the lines is its probability."""
COUNTED = ("point", "count")
"""Columns of a histogram file: points with whole numbers. A point's share is its probability."""
LABELS = 1 << 12
"""Largest domain on which a list of all labels may give the target. Otherwise it is a concept."""

Points = Annotated[
    str,
    typer.Option(
        metavar="LAW|FILE",
        help="Distribution of the points: uniform, a CSV file, or points with probabilities "
        "such as 3:1/2,4:1/2. A range such as 70..80 or a list such as 3,4,7 gives equally "
        "likely points. The columns of the file are point, or point,weight, or point,count.",
    ),
    Reads(),
]
Noise = Annotated[
    str, typer.Option(metavar="FRACTION", help="Probability with which a label is flipped.")
]


def population(
    source: str, C: ConceptClass, target: str, *, points: str, noise: str, seed: int
) -> Population:
    """Return the distribution that options describe, with the least error of the class on it.

    Raises
    ------
    InvalidInput
        If an option does not name a concept or a distribution.
    TooLarge
        If the class is too large to find its least error on the distribution.
    """
    from catalog.concepts import named_concept
    from learners.pac.distributions import Distribution, FiniteDistribution, UniformDistribution
    from learners.pac.sample_verdicts import Population

    labelling = named_concept(source, C, target, seed)
    law = weights(points, C.domain)
    D: Distribution = (
        UniformDistribution(C.domain, labelling)
        if law is None
        else FiniteDistribution.labelled(labelling, law)
    )
    rate = parse_number(noise, "rate of label noise")
    if rate:
        D = D.noisy(rate)
    if rate <= Fraction(1, 2) and (not _is_small(C) or labelling in C):
        # A concept that errs on a share L of the points errs on L (1 - 2 rate) + rate of the rows.
        return Population(D, rate)
    return Population(D, D.best(C)[0])


def weights(text: str, domain: Domain) -> dict[Point, Fraction] | None:
    """Return the probabilities of points in a string or a file, or None for "uniform".

    Raises
    ------
    InvalidInput
        If the string or the file does not contain probabilities.

    Examples
    --------
    >>> from lsclasses import IntegerRange
    >>> weights("3:1/4, 5:3/4", IntegerRange(0, 9)), weights("uniform", IntegerRange(0, 9))
    ({3: Fraction(1, 4), 5: Fraction(3, 4)}, None)
    >>> weights("7..8", IntegerRange(0, 9))
    {7: Fraction(1, 2), 8: Fraction(1, 2)}
    """
    word = text.strip()
    if word == UNIFORM:
        return None
    if word.lower().endswith(".csv"):
        return _weights_in(Path(word), domain)
    ends = re.fullmatch(r"(-?[0-9]{1,300})\.\.(-?[0-9]{1,300})", word)
    if ends is not None:
        first, last = map(int, ends.groups())
        if not 0 <= last - first < RANGE:
            raise InvalidInput(
                f"A range of points has from 1 to {RANGE} points, from the first to the last. "
                f"Got {word!r}."
            )
        return _equally([domain.require(x) for x in range(first, last + 1)])
    parts = [split_words(part, ":") for part in split_words(word)]
    if all(len(part) == 1 for part in parts):
        return _equally([domain.require(from_text(point)) for (point,) in parts])
    if not all(len(part) == 2 for part in parts):
        raise InvalidInput(
            "Points are uniform, a range such as 70..80, a list such as 3,4,7, a list with "
            f"probabilities such as 3:1/2,4:1/2, or a CSV file. Got {text!r}."
        )
    return _weighted([(point, weight, text) for point, weight in parts], domain)


def _equally(points: list[Point]) -> dict[Point, Fraction]:
    return _summed((x, Fraction(1, len(points))) for x in points)


def _weights_in(path: Path, domain: Domain) -> dict[Point, Fraction]:
    head, lines = read_csv(path)
    names = tuple(name.strip().lower() for name in head)
    if names not in (HEADS, COUNTED, LISTED):
        raise InvalidInput(
            f"Cannot use {str(path)!r}. A list of points needs the column point, probabilities of "
            f"points need the columns {','.join(HEADS)}, and a histogram needs the columns "
            f"{','.join(COUNTED)}. Got {','.join(head)!r}."
        )
    if names == LISTED:
        points = [domain.require(from_text(x)) for _, (x,) in lines]
        if not points:
            raise InvalidInput(f"The file {str(path)!r} lists no points. It needs at least one.")
        return _equally(points)
    given = [(x, weight, f"line {n} of {path}") for n, (x, weight) in lines]
    found = _weighted(given, domain)
    if names == HEADS:
        return found
    total = sum(found.values())
    if min(found.values(), default=Fraction(0)) < 0 or not total:
        raise InvalidInput(
            f"Cannot use {str(path)!r}: the counts of a histogram are at least 0, and one of them "
            "is positive."
        )
    return {x: count / total for x, count in found.items() if count}


def _weighted(parts: list[tuple[str, str, str]], domain: Domain) -> dict[Point, Fraction]:
    """Return points with their weights, read from strings. The third string is their place."""
    return _summed(
        (
            domain.require(from_text(point)),
            parse_number(weight, f"probability of a point in {where}"),
        )
        for point, weight, where in parts
    )


def _summed(parts: Iterable[tuple[Point, Fraction]]) -> dict[Point, Fraction]:
    """Return points with their weights. A repeated point has the sum of its weights."""
    found: dict[Point, Fraction] = {}
    for x, weight in parts:
        found[x] = found.get(x, Fraction(0)) + weight
    return found


def _is_small(C: ConceptClass) -> bool:
    size = C.domain.size
    return size is not None and size <= LABELS
