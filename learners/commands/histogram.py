"""``lsclasses histogram``: noisy counts of one column, with sums of bins and quantiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from learners.commands.options import (
    BudgetLimits,
    Data,
    ReleaseOptions,
    TableFile,
    number_option,
    read_count,
)
from learners.commands.session import warnings_as_notes
from lsclasses.commands.application import TABLES, Force, command
from lsclasses.commands.option_groups import OptionGroup
from lsclasses.commands.output import note
from lsclasses.errors import InvalidInput
from lsclasses.files.comma_separated import split_names
from lsclasses.numbers import plural
from lsclasses.options import Option
from lsclasses.outputs import FileFormat, Writes, json_head

if TYPE_CHECKING:
    from learners.tables.histogram_releases import HistogramRelease

ELSEWHERE = "elsewhere"
HISTOGRAM = FileFormat("a histogram", {".json": json_head("lsclasses-histogram")})


@dataclass(frozen=True, kw_only=True)
class HistogramBudget(BudgetLimits):
    """The budget of a histogram. A pure guarantee is the default."""

    delta: Annotated[
        str,
        number_option(
            "Delta of the guarantee. With a positive delta, the command draws Gaussian noise if "
            "Gaussian noise is smaller than Laplace noise."
        ),
    ] = "0"


@dataclass(frozen=True, kw_only=True)
class Unit(OptionGroup):
    """The neighbour relation and the persons of a guarantee."""

    neighbours: Annotated[
        str,
        typer.Option(
            metavar="RELATION",
            help="Neighbour relation of the guarantee: replace_one (one row is replaced, and the "
            "number of rows is public) or add_remove (one row is added or removed).",
        ),
    ] = "replace_one"
    person: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Column that names the person of a row. The guarantee then covers all "
            "rows of a person.",
        ),
    ] = None
    rows_per_person: Annotated[
        str | None,
        typer.Option(
            metavar="INTEGER",
            help="Largest number of rows of a person that count, with --person. This number "
            "must be public. Only the first rows of each person count.",
        ),
    ] = None

    def persons(self) -> tuple[str, int] | None:
        """Return the column of persons and the rows that are counted of each person."""
        if (self.person is None) != (self.rows_per_person is None):
            raise InvalidInput(
                "A guarantee per person needs a column (--person) and a public number of rows per "
                "person (--rows-per-person). Got only one of the two options."
            )
        if self.person is None or self.rows_per_person is None:
            return None
        return self.person, read_count("histogram", "rows-per-person", self.rows_per_person)


@dataclass(frozen=True, kw_only=True)
class HistogramQuestions(OptionGroup):
    """The counted column, its bins, and questions about the counts."""

    column: Annotated[str, typer.Option(metavar="NAME", help="Column whose entries are counted.")]
    bins: Annotated[
        str,
        typer.Option(
            metavar="BINS",
            help="Public bins. 17..90: one integer per bin. 17..24,25..64,65..90: ranges of "
            "integers with both ends. 0..100/20: 20 bins of equal width. 0,10,50,100: bins "
            "between these numbers. cook,nurse: categories. For categories that are numbers, "
            "write categories:1,2. Put a category with a comma in double quotes. Numbers may be "
            "dates such as 2020-01-31. One further noisy count is the number of rows outside the "
            "bins.",
        ),
    ]
    quantile: Annotated[
        Sequence[str],
        Option(
            "print the bin that contains this quantile of the rows in the bins, for example "
            "1/2 for the median",
            metavar="FRACTION",
        ),
    ] = ()
    range: Annotated[
        Sequence[str], Option("print the number of rows in these bins", metavar="A..B")
    ] = ()
    branching: Annotated[
        str | None,
        typer.Option(
            metavar="INTEGER",
            help="Number of bins per group, and of groups per larger group. The command also "
            "releases noisy counts of the groups, which make ranges and quantiles more accurate. "
            "With the value 0, the command releases only counts of bins. With --range or "
            "--quantile, the default is the number with the least error for ranges. Without them, "
            "the default is 0.",
        ),
    ] = None


@command(TABLES)
@warnings_as_notes()
def histogram(
    data: Data,
    *,
    file: TableFile,
    asked: HistogramQuestions,
    limits: HistogramBudget,
    unit: Unit,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the release to FILE, as JSON."),
        Writes(HISTOGRAM),
    ] = None,
    force: Force = False,
    release: ReleaseOptions,
) -> None:
    """Publish how many rows of a table lie in each bin of one column, with exactly sampled noise.

    For one column, the noisy counts are far more accurate than the synthetic data of 'lsclasses
    sanitize'. You may compute quantiles and sums of bins from the released counts at no further
    privacy cost.
    """
    from learners.tables.histogram_releases import PrivateHistogram

    session = release.session()
    groups = asked.branching
    branching = None if groups is None else read_count("histogram", "branching", groups, least=0)
    quantiles, ranges = split_names(asked.quantile), split_names(asked.range)
    made = PrivateHistogram.within(
        limits.budget(),
        asked.column,
        asked.bins,
        ranges=branching is None and bool(quantiles or ranges),
        branching=branching or None,
        neighbours=unit.neighbours,
        persons=unit.persons(),
    )
    for text in quantiles:
        made.bins.share(text)
    for text in ranges:
        made.bins.range(text)
    table = file.read(session.rows(data))
    made.bins.counts(made.used(table), asked.column)  # report errors in rows before the payment
    what = f"histogram --column {asked.column} --bins {asked.bins}"
    if unit.person is not None:
        what = f"{what} --person {unit.person}"
    released = session.release(made.privacy, what, lambda coins: made.release(table, coins))
    saved = session.save(save, released.save)
    answers = _Answers(released, tuple(quantiles), tuple(ranges))
    session.answer(lambda: answers.to_json(data, saved), lambda: answers.show(data, saved))


@dataclass(frozen=True)
class _Answers:
    """The output about a release."""

    release: HistogramRelease
    quantiles: tuple[str, ...]
    ranges: tuple[str, ...]

    def quantile(self, text: str) -> str | None:
        """Return the bin of a quantile as in the release, or None if no bin seems to have a row."""
        try:
            return self.release.quantile(self.release.bins.share(text))
        except InvalidInput as nothing:
            note(f"Note: {nothing}")
            return None

    def of(self, first: int, end: int) -> dict[str, object]:
        """Return the estimated number of rows in some bins, with its standard deviation."""
        release = self.release
        return {
            "rows": round(release.total(first, end)),
            "deviation": round(release.deviation(first, end), 2),
        }

    def to_json(self, data: Path, saved: Path | None) -> dict[str, object]:
        """Return the whole output as JSON."""
        release = self.release
        labels = (*release.bins.labels, ELSEWHERE)
        return {
            "data": str(data),
            "column": release.made_by.column,
            "rows": release.rows,
            "branching": release.tree.branching,
            "bins": [{"bin": each, **self.of(i, i + 1)} for i, each in enumerate(labels)],
            "ranges": [
                {"range": each, **self.of(*release.bins.range(each))} for each in self.ranges
            ],
            "quantiles": [{"share": each, "bin": self.quantile(each)} for each in self.quantiles],
            "ledger": release.guarantee.to_json(),
            "saved": None if saved is None else str(saved),
        }

    def show(self, data: Path, saved: Path | None) -> None:
        """Print the output."""
        release = self.release
        counted = "" if release.rows is None else f"{plural(release.rows, 'row')}, "
        groups = release.tree.branching
        also = "" if groups is None else f" and groups of {groups}"
        labels = (*release.bins.labels, ELSEWHERE)
        typer.echo(
            f"{data}: {counted}{plural(len(labels) - 1, 'bin')} of {release.made_by.column}{also}"
        )
        wide = max(map(len, labels))
        parts = [self.of(i, i + 1) for i in range(len(labels))]
        numbers = max(len(str(part["rows"])) for part in parts)
        typer.echo()
        for label, part in zip(labels, parts, strict=True):
            typer.echo(f"  {label:{wide}}  {part['rows']:>{numbers}}  +- {part['deviation']}")
        for text in self.ranges:
            part = self.of(*release.bins.range(text))
            typer.echo(f"\n{text}: {part['rows']} rows +- {part['deviation']}")
        for text in self.quantiles:
            typer.echo(f"\nquantile {text}: {self.quantile(text) or 'of nothing'}")
        typer.echo("\nBehind +- is the standard deviation of the noise, which is public.")
        typer.echo("\nLedger:")
        for line in str(release.guarantee).splitlines():
            typer.echo(f"  {line}")
        if saved is not None:
            typer.echo(f"\nThe release is in {saved}.")
