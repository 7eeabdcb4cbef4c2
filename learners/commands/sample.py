"""``lsclasses sample``: rows drawn from a distribution, into a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from learners.commands.options import read_count
from learners.commands.populations import Noise, Points, population, weights
from lsclasses.commands.application import LEARNING, AsJson, Force, command
from lsclasses.commands.classes import load
from lsclasses.commands.completion import CLASS
from lsclasses.commands.output import print_json
from lsclasses.errors import InvalidInput
from lsclasses.files.writing import atomic_write
from lsclasses.outputs import FileFormat, Reads, Writes

if TYPE_CHECKING:
    from learners.pac.distributions import Distribution
    from lsclasses.concept_class import ConceptClass
    from lsclasses.point_names import Label, Point

ROWS = FileFormat("rows", {".csv": None})
"""The file format of drawn rows. An existing file may be the user's own table, because its content
does not show who wrote it."""

MOST = 10**8


@command(LEARNING)
def sample(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SPEC|FILE",
            help="Class whose points the command draws: a specification such as "
            "thresholds:n=16, or a file with a table.",
            autocompletion=CLASS,
        ),
        Reads(),
    ],
    *,
    rows: Annotated[str, typer.Option(metavar="INTEGER", help="Number of rows to draw.")],
    out: Annotated[
        Path,
        typer.Option(metavar="FILE", help="CSV file for the drawn rows."),
        Writes(ROWS),
    ],
    points: Points = "uniform",
    target: Annotated[
        str | None,
        typer.Option(
            metavar="CONCEPT",
            help="Concept that labels the points: the name of a concept, a parameter "
            "such as start=3, examples that only one concept satisfies (3:1,2:0), or random. "
            "By default, the rows have no labels.",
        ),
    ] = None,
    noise: Noise = "0",
    column: Annotated[
        str, typer.Option(metavar="NAME", help="Name of the column of points.")
    ] = "point",
    seed: Annotated[int, typer.Option(metavar="INTEGER", min=0, help="Seed of the draws.")] = 0,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Draw independent rows from a distribution on the points of a class, and write them to a file.

    Each seed draws the same rows on every computer. Use the rows to try other commands.
    """
    size = read_count("sample", "rows", rows, most=MOST)
    C = load(source)
    if target is None and noise != "0":
        raise InvalidInput("--noise flips labels, so it needs labels. Add --target CONCEPT.")
    law: Distribution
    if target is None:
        law = _unlabelled(C, points)
    else:
        law = population(source, C, target, points=points, noise=noise, seed=seed).distribution
    drawn = law.sample_seeded(size, seed)
    if column == "label":
        raise InvalidInput("The points need a column of another name than 'label'.")
    atomic_write(out, _csv(drawn, column, labelled=target is not None))
    if as_json:
        print_json({"class": source, "rows": size, "seed": seed, "out": str(out)})
    else:
        typer.echo(f"{size} rows are in {out}.")


def _unlabelled(C: ConceptClass, points: str) -> Distribution:
    """Return the distribution of the points. All labels are 0, and the file omits them."""
    from learners.pac.distributions import FiniteDistribution, UniformDistribution
    from lsclasses.hypothesis import Constant

    zero, law = Constant(C.domain, 0), weights(points, C.domain)
    if law is None:
        return UniformDistribution(C.domain, zero)
    return FiniteDistribution.labelled(zero, law)


def _csv(drawn: Iterable[tuple[Point, Label]], column: str, *, labelled: bool) -> Iterator[bytes]:
    from functools import lru_cache

    from lsclasses.files.comma_separated import csv_parts
    from lsclasses.point_names import to_text

    # The same points occur many times, but the domain may have 2^64 points.
    name = lru_cache(maxsize=1 << 16)(to_text)
    head = ([column, "label"] if labelled else [column], 1)
    rows = (([name(x), str(y)] if labelled else [name(x)], 1) for x, y in drawn)
    return csv_parts(chain([head], rows))
