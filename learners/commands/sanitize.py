"""``lsclasses sanitize``: synthetic data that approximate the share of every concept of a class."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from learners.commands.options import (
    BudgetLimits,
    ReleaseOptions,
    Separator,
    number_option,
    read_count,
)
from learners.commands.sample import ROWS
from learners.commands.session import NotPrivate, warnings_as_notes
from lsclasses.commands.application import TABLES, Force, command
from lsclasses.commands.classes import is_file, load
from lsclasses.commands.completion import CLASS
from lsclasses.commands.option_groups import OptionGroup
from lsclasses.commands.output import counts, note
from lsclasses.errors import InvalidInput
from lsclasses.files.comma_separated import read_csv
from lsclasses.files.writing import write_all
from lsclasses.numbers import format_number
from lsclasses.outputs import FileFormat, Reads, Writes, json_head
from lsclasses.point_names import Point, from_text

if TYPE_CHECKING:
    from learners.budget import Budget
    from learners.sanitizers.files import Columns, SyntheticRelease
    from learners.sanitizers.mwem import MWEMSanitizer
    from learners.sanitizers.point_samples import PointSample
    from lsclasses.table import Table

SYNTHETIC = FileFormat("synthetic data", {".json": json_head("lsclasses-synthetic-data")})
FROM_DATA = "data"
"""Value of --points that takes the points from the rows, so the list is not public."""
LISTED = 1 << 20


@dataclass(frozen=True, kw_only=True)
class PointOptions(OptionGroup):
    """The column of points in the rows, and the names of the points."""

    labelled: Annotated[
        bool,
        typer.Option(
            "--labelled",
            help="Read labelled rows with the columns point,label. The questions are the "
            "shares of rows on which the concepts err.",
        ),
    ] = False
    column: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Column that contains the points. The default is the column point or x, "
            "or the only column.",
        ),
    ] = None
    points: Annotated[
        str | None,
        typer.Option(
            metavar="A..B|FILE|data",
            help="Names that the rows use for the points of the class, in the order of the points: "
            "a range such as 18..90, or a CSV file with the column point. With "
            "'data', the names are taken from the rows, and no privacy guarantee covers them.",
        ),
        Reads(),
    ] = None
    separator: Separator = ","


@dataclass(frozen=True, kw_only=True)
class ErrorBound(OptionGroup):
    """The bound on the error of the answers, and its failure probability."""

    alpha: Annotated[
        str | None,
        number_option(
            "Error bound on every answer. The default is the least bound that is proved for the "
            "number of rows."
        ),
    ] = None
    beta: Annotated[str, number_option("Largest failure probability of the error bound.")] = "1/20"


@dataclass(frozen=True, kw_only=True)
class SyntheticFiles(OptionGroup):
    """The files with synthetic rows and with the release."""

    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write synthetic rows to FILE, as CSV."),
        Writes(ROWS),
    ] = None
    rows: Annotated[
        str | None,
        typer.Option(
            metavar="INTEGER",
            help="Number of synthetic rows. The default is the number of rows in DATA.",
        ),
    ] = None
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write weights, ledger and all released values to FILE, as JSON.",
        ),
        Writes(SYNTHETIC),
    ] = None
    force: Force = False


@command(TABLES)
@warnings_as_notes()
def sanitize(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SPEC|FILE",
            help="Class whose concepts are the questions: a specification such as "
            "intervals:n=128 (all ranges), or a file with a table. The points of the class are "
            "the public list of all possible points.",
            autocompletion=CLASS,
        ),
        Reads(),
    ],
    data: Annotated[
        Path,
        typer.Argument(metavar="DATA", help="CSV file of rows with the header point."),
        Reads(),
    ],
    *,
    given: PointOptions,
    bound: ErrorBound,
    limits: BudgetLimits,
    files: SyntheticFiles,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Print the largest error of an answer. This error depends on the true rows, "
            "so show it only to the owner of the rows.",
        ),
    ] = False,
    options: ReleaseOptions,
) -> None:
    """Make private synthetic data that answer every question of a class with error at most alpha.

    Each concept of the class defines one question: the share of rows on which the concept is 1.
    With --labelled, the question is the share of rows on which the concept errs. The written data
    are private for every row, and the ledger states the exact privacy cost. Results computed from
    these data have no further privacy cost. Answers to questions outside the class have no error
    bound.

    For one column with public bins, use 'lsclasses histogram'. For example, on a table of 39,000
    ages with epsilon 1, consider the counts of all ranges of ages. Their largest error is .0008
    times the number of rows with 'lsclasses histogram', and .14 times this number with 'lsclasses
    sanitize'.
    """
    from learners.sanitizers.files import Columns, SyntheticRelease, guaranteed, queries
    from learners.tables.records import read_separator
    from lsclasses.numbers import as_printed

    rows, points = files.rows, given.points
    size = None if rows is None else read_count("sanitize", "rows", rows, most=10**8)
    if size is not None and files.out is None:
        raise InvalidInput("--rows needs a file for the synthetic rows. Add --out FILE.")
    session = options.session()
    separator = read_separator(given.separator)
    read = Columns(session.rows(data), given.column, given.labelled, separator)
    for option in (source, points):
        if option is not None:
            _require_public(option, data)
    names = None if points is None else _names(points, read)
    C = load(source)
    of = C.to_table() if is_file(source) else source
    of_queries = queries(of, names, labelled=given.labelled)
    sample = read.sample(of_queries.domain)
    failure = as_printed(bound.beta, "failure probability beta")
    error = None if bound.alpha is None else as_printed(bound.alpha, "error alpha")
    sanitizer = _sanitizer(of_queries, len(sample), error, limits.budget(), beta=failure)
    conditional = points == FROM_DATA
    guarantee = guaranteed(sanitizer, simulated=session.simulated, conditional=conditional)
    run = session.release(
        None if conditional else guarantee.event,
        f"sanitize {source}",
        lambda coins: sanitizer.run(sample, coins),
        delta=guarantee.delta,
    )
    release = SyntheticRelease(of, names, given.labelled, sanitizer, run, guarantee)
    written = _write(release, read.heads, files.out, size, files.save)
    worst = _WorstEstimate(release, sample)
    session.answer(
        lambda: _json(release, source, written),
        lambda: _print(release, source, counts(C), written),
        NotPrivate(worst.to_json, worst.lines) if check else None,
    )


def _require_public(text: str, data: Path) -> None:
    """Refuse the file of the rows itself as public information."""
    try:
        same = data.samefile(text)
    except OSError:
        return
    if same:
        raise InvalidInput(
            f"{text!r} holds the rows, so its contents are not public. The class and its points "
            "must be public. Name a public file, or take the points from the rows, which no "
            "guarantee covers: --points data."
        )


def _names(text: str, read: Columns) -> tuple[Point, ...]:
    """The names of the points that an option gives."""
    if text == FROM_DATA:
        note(
            "Note: the points come from the rows. The output reveals which points occur, and no "
            "guarantee covers this."
        )
        return read.distinct()
    ends = re.fullmatch(r"(-?[0-9]{1,18})\.\.(-?[0-9]{1,18})", text.strip())
    if ends is not None:
        first, last = map(int, ends.groups())
        if not 0 <= last - first < LISTED:
            raise InvalidInput(
                f"A range of points has from 1 to {LISTED} points, from the first to the last. "
                f"Got {text!r}."
            )
        return tuple(range(first, last + 1))
    head, lines = read_csv(Path(text))
    found = [place for place, name in enumerate(head) if name.strip().lower() in ("point", "x")]
    if len(found) != 1:
        raise InvalidInput(
            f"Cannot use {text!r}. Names of points need a column 'point'. Got {', '.join(head)!r}."
        )
    return tuple(from_text(cells[found[0]]) for _, cells in lines)


def _sanitizer(
    of: Table,
    rows: int,
    alpha: Fraction | None,
    budget: Budget,
    *,
    beta: Fraction,
) -> MWEMSanitizer:
    """The sanitizer whose promise holds with `rows` rows."""
    from learners.sanitizers.mwem import MWEMSanitizer

    def afforded() -> MWEMSanitizer:
        return MWEMSanitizer.within(budget, of, rows, beta=beta)

    if alpha is None:
        return afforded()
    made = MWEMSanitizer.for_error(of, alpha, budget, beta=beta)
    if made.needed > rows:
        try:
            least = f"{rows} rows afford alpha = {format_number(afforded().alpha)}."
        except InvalidInput:
            least = f"{rows} rows afford no error below 1."
        raise InvalidInput(
            f"An error of {format_number(alpha)} at this budget needs {made.needed} rows, and "
            f"there are {rows}. {least}"
        )
    return made


class Written(TypedDict):
    """The summary of the files that a call wrote."""

    out: str | None
    written: int | None
    rounding: str | None
    saved: str | None


def _write(
    release: SyntheticRelease,
    heads: tuple[str, ...],
    out: Path | None,
    rows: int | None,
    save: Path | None,
) -> Written:
    """Write all files or none, and return their summary."""
    from learners.sanitizers.files import points_csv

    contents: list[tuple[Path, str | Iterator[bytes]]] = []
    data = release.data
    if out is not None:
        contents.append((out, points_csv(data.domain, data.counts(rows), heads)))
    if save is not None:
        contents.append((save, release.to_json()))
    write_all(contents)
    size = None if out is None else rows or data.rows
    return {
        "out": None if out is None else str(out),
        "written": size,
        "rounding": None if size is None else str(Fraction(len(data.domain), 4 * size)),
        "saved": None if save is None else str(save),
    }


@dataclass(frozen=True)
class _WorstEstimate:
    """The concept with the largest error on the true rows."""

    release: SyntheticRelease
    sample: PointSample

    def _found(self) -> tuple[str, Fraction]:
        from learners.sanitizers.base import worst_estimate
        from lsclasses.point_names import name_text

        queries = self.release.sanitizer.of
        place, error = worst_estimate(self.release.data, queries, self.sample)
        return name_text(queries.concept_name(place)), error

    def to_json(self) -> dict[str, object]:
        """Return the name and the error of the concept."""
        name, error = self._found()
        return {"worst concept": name, "error": str(error)}

    def lines(self) -> Iterator[str]:
        """Yield the name and the error of the concept in words."""
        name, error = self._found()
        yield f"worst estimate: concept {name}, off by {format_number(error, 3)}"


def _json(
    release: SyntheticRelease,
    source: str,
    written: Written,
) -> dict[str, object]:
    sanitizer = release.sanitizer
    return {
        "class": source,
        "rows": release.data.rows,
        "alpha": str(sanitizer.alpha),
        "needed": sanitizer.needed,
        "rounds": release.run.rounds,
        "max rounds": sanitizer.max_rounds,
        "won": release.run.won,
        "bounds": list(release.bounds),
        "ledger": release.guarantee.to_json(),
        **written,
    }


def _print(
    release: SyntheticRelease,
    source: str,
    size: str,
    written: Written,
) -> None:
    sanitizer, run = release.sanitizer, release.run
    typer.echo(f"MWEM on {source}: {size}{', labelled rows' if release.labelled else ''}")
    typer.echo(
        f"\nrows    {release.data.rows} (alpha = {format_number(sanitizer.alpha)} needs "
        f"{sanitizer.needed})"
    )
    typer.echo(f"rounds  {run.rounds} of at most {sanitizer.max_rounds}, which are paid for")
    typer.echo("\nbounds")
    for bound in sanitizer.bounds(release.data.rows):
        typer.echo(f"  {bound}")
    if written["rounding"] is not None:
        rounding = format_number(Fraction(written["rounding"]), 2, up=True)
        typer.echo(f"  {written['written']} rows instead of weights: at most {rounding} more")
    if not run.won:
        typer.echo("  No round found the weights right, which the promise rests on.")
    typer.echo("\nLedger:")
    for line in str(release.guarantee).splitlines():
        typer.echo(f"  {line}")
    for path, what in ((written["out"], "synthetic rows are"), (written["saved"], "release is")):
        if path is not None:
            typer.echo(f"\nThe {what} in {path}.")
