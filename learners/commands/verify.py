"""``lsclasses verify``: recompute the statements of papers and of the catalog."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from catalog.commands import fact_json
from lsclasses.commands.application import (
    CHECKING,
    CONTRADICTED,
    INTERRUPTED,
    INVALID,
    AsJson,
    command,
)
from lsclasses.commands.completion import CLASS, FAMILY, Complete, among
from lsclasses.commands.option_groups import OptionGroup
from lsclasses.commands.output import note, print_json, progress_line
from lsclasses.commands.parallel_options import Dask, Jobs, Resume, make_executor, open_results
from lsclasses.errors import LsclassesError
from lsclasses.files.comma_separated import split_names
from lsclasses.outputs import Reads
from lsclasses.verdicts import Verdict

if TYPE_CHECKING:
    from catalog.fact_checks import Check, Row
    from learners.check_selection import CheckSelection
    from lsclasses.results_file import ResultsFile


def _several(metavar: str, text: str, *names: str, complete: Complete | None = None) -> object:
    also = "" if names else ", or separate them by commas"
    return typer.Option(
        *names,
        metavar=metavar,
        help=f"{text}. Repeat the option for several values{also}.",
        autocompletion=complete,
    )


def _papers() -> Sequence[str]:
    from learners.papers import TAGS

    return TAGS


def _statements() -> Sequence[str]:
    from learners.papers import records

    return tuple(records())


def _topics() -> Sequence[str]:
    from learners.claim_checks import TOPICS

    return TOPICS.names()


@dataclass(frozen=True, kw_only=True)
class Selected(OptionGroup):
    """The checks that a call of ``verify`` selects."""

    only: Annotated[
        list[str] | None,
        _several("PAPER", "Only checks of this paper, such as BF25", complete=among(_papers)),
    ] = None
    claim: Annotated[
        list[str] | None,
        _several(
            "STATEMENT",
            "Only checks of this statement, such as 'GL21 Lemma 5.4'",
            complete=among(_statements),
        ),
    ] = None
    topic: Annotated[
        list[str] | None,
        _several("TOPIC", "Only claims on this topic, such as 'ledger'", complete=among(_topics)),
    ] = None
    family: Annotated[
        list[str] | None, _several("FAMILY", "Only facts about this family", complete=FAMILY)
    ] = None
    classes: Annotated[
        list[str] | None,
        _several(
            "SPEC|FILE",
            "Only facts about this class, such as thresholds:n=7, and the inequalities between its "
            "dimensions",
            "--class",
            complete=CLASS,
        ),
        Reads(),
    ] = None
    slow: Annotated[bool, typer.Option("--slow", help="Also run the slow checks.")] = False

    @property
    def narrowed(self) -> bool:
        """Whether options restrict the selection, so that only some checks run."""
        return bool(self.only or self.claim or self.topic or self.family or self.classes)

    def checks(self) -> CheckSelection:
        """Return the selected checks.

        Raises
        ------
        InvalidInput
            If a paper, statement, topic, family or class does not exist.
        """
        from learners.check_selection import select

        return select(
            papers=split_names(self.only or ()),
            statements=split_names(self.claim or (), _statements()),
            topics=split_names(self.topic or (), _topics()),
            families=split_names(self.family or ()),
            classes=self.classes or (),
            slow=self.slow,
        )


@command(CHECKING)
def verify(
    *,
    selected: Selected,
    every: Annotated[
        bool, typer.Option("--all", help="Also print one row per instance of a fact or claim.")
    ] = False,
    jobs: Jobs = None,
    dask: Dask = None,
    resume: Resume = None,
    as_json: AsJson = False,
) -> None:
    """Recompute the statements of the papers and the catalog, and compare the results with the
    statements.

    A fact is a catalog statement about a family of classes. A search checks each fact on small
    members of the family, including boundary cases. A claim is a statement of a paper or of this
    project. Enumeration checks each claim on small instances. By default, all checks run except the
    slow checks. The options --topic, --family and --class select checks. The options --only and
    --claim restrict the selected checks to a paper and to a statement. The exit status is 1 if a
    statement is violated.
    """
    from catalog.fact_checks import REQUEST, SLOW_DAY
    from learners.commands.verify_report import report, slowest

    selection = selected.checks()
    results = open_results(resume, REQUEST)
    start = time.perf_counter()
    found, ending = _work(selection.checks, results, jobs, dask)
    if results is not None and selected.slow and not selected.narrowed and not ending:
        results.add(SLOW_DAY, datetime.now(UTC).date().isoformat())
    seconds = time.perf_counter() - start
    rows = selection.of(row for check in selection.checks for row in found.get(check.name, ()))
    if as_json:
        print_json([_row_json(row) for row in rows])
    else:
        narrowed = selected.narrowed
        report(selection, rows, seconds, every=every, narrowed=narrowed, stopped=bool(ending))
        if not narrowed:
            slowest(found)
    left = [check for check in selection.checks if check.name not in found]
    if ending:
        note(f"lsclasses: {_unfinished(left, ending, resume)}")
        raise typer.Exit(INTERRUPTED if ending == STOPPED else INVALID)
    if any(row.verdict == Verdict.VIOLATED for row in rows):
        raise typer.Exit(CONTRADICTED)


STOPPED = "Interrupted."


def _work(
    checks: Sequence[Check], results: ResultsFile | None, jobs: int | None, dask: str | None
) -> tuple[dict[str, Sequence[Row]], str]:
    """The rows of all finished checks, by name, and the error that stopped the others, if any."""
    from catalog.fact_checks import finished, keep_rows, kept_rows
    from lsclasses.errors import WorkersLost

    found: dict[str, Sequence[Row]] = {}
    for check in checks if results else ():
        known = kept_rows(results, check) if results else None
        if known is not None:
            found[check.name] = known
    left = [check for check in checks if check.name not in found]
    try:
        shared = make_executor(jobs, dask, parts=len(left), most=True)
        with shared as executor, progress_line() as show:
            show("starting ...")
            for check, rows in finished(left, executor):
                found[check.name] = rows
                if results is not None:
                    keep_rows(results, check, rows)
                show(f"{len(found)} of {len(checks)} checks, the last on {check.topic} ...")
    except KeyboardInterrupt:
        return found, STOPPED
    except WorkersLost as error:
        return found, str(error)
    except LsclassesError as error:
        if not found:
            raise
        return found, str(error)
    return found, ""


def _unfinished(left: Sequence[Check], ending: str, resume: Path | None) -> str:
    """The checks that were not finished, and how to continue."""
    topics = list(dict.fromkeys(check.topic for check in left))
    named = ", ".join(topics[:4]) + (f" and {len(topics) - 4} more" if len(topics) > 4 else "")
    checks = f"{len(left)} {'check is' if len(left) == 1 else 'checks are'} not finished ({named})."
    again = (
        "With --resume FILE, finished checks are kept."
        if resume is None
        else "The same command continues."
    )
    return f"{ending} {checks} {again}"


SAID = (
    *("family", "parameters", "quantity", "stated", "computed", "verdict", "seconds", "fact"),
    *("printed", "printed_in", "refutes", "margin", "attained", "epsilon", "delta"),
)
"""The fields of a row of the results, in the order of printing."""


def _row_json(row: Row) -> dict[str, object]:
    said = {name: value for name in SAID if (value := getattr(row, name)) != ""}
    return {**said, "seconds": round(row.seconds, 6), "fact": fact_json(row.fact)}
