"""``lsclasses verify``: what is stated, recomputed."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from catalog.commands import fact_json
from lsclasses.commands.application import CHECKING, INTERRUPTED, AsJson, command
from lsclasses.commands.output import print_json, progress_line, terminal
from lsclasses.commands.tables import Grid
from lsclasses.errors import TooLarge

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from catalog.verify import Check, Row, Summary

__all__ = ["verify"]


@command(CHECKING)
def verify(
    family: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FAMILY",
            help="Only facts about this family; may be given several times.",
            show_default=False,
        ),
    ] = None,
    topic: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TOPIC",
            help="Only claims on this topic, such as 'ledger'; may be given several times.",
            show_default=False,
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="A row for each fact and member, not one a fact.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Recompute every fact that the catalog states and every claim about learners, and compare.

    Each fact is checked by search on small members of its family, boundary cases included; each
    claim on instances that are small enough to be enumerated. Exit status 1 if any is violated.
    """
    from catalog.verify import run

    work = _work(family or [], topic or [])
    rows: list[Row] = []
    start = time.perf_counter()
    interrupted = False
    try:
        with _workers() as executor, progress_line() as show:
            show("starting ...")
            for row in run(work, executor):
                rows.append(row)
                show(f"{len(rows)} comparisons, now {row.family} ...")
    except KeyboardInterrupt:
        interrupted = True
    seconds = time.perf_counter() - start
    if as_json:
        print_json([_row_json(row) for row in rows])
    else:
        _print_rows(rows, every=every)
        _print_errata(rows)
        _print_conclusion(rows, seconds, interrupted=interrupted)
    if interrupted:
        raise typer.Exit(INTERRUPTED)
    if any(row.verdict == "violated" for row in rows):
        raise typer.Exit(1)


def _work(families: list[str], topics: list[str]) -> list[Check]:
    """Only what is named, once however often it is; everything if nothing is."""
    from catalog.verify import checks as facts
    from learners.verify import checks as claims

    work: list[Check] = []
    if families or not topics:
        work += facts(list(dict.fromkeys(families)) or None)
    if topics or not families:
        work += claims(list(dict.fromkeys(topics)) or None)
    return work


@contextmanager
def _workers() -> Iterator[Executor]:
    """Two processes, which Ctrl-C ends without a word."""
    import multiprocessing
    import signal
    from concurrent.futures import BrokenExecutor, ProcessPoolExecutor

    executor = ProcessPoolExecutor(
        2, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)
    )
    try:
        yield executor
    except BaseException as error:
        executor.shutdown(wait=False, cancel_futures=True)
        # The executor has to forget what has not begun before its processes may go.
        time.sleep(0.2)
        for process in multiprocessing.active_children():
            process.terminate()
        if isinstance(error, BrokenExecutor):
            raise TooLarge("A process ended early; the memory may be too small.") from None
        raise
    executor.shutdown()


def _row_json(row: Row) -> dict[str, Any]:
    data = {name: value for name, value in dataclasses.asdict(row).items() if value != ""}
    return {**data, "seconds": round(row.seconds, 6), "fact": fact_json(row.fact)}


def _print_rows(rows: list[Row], *, every: bool) -> None:
    """A table of the facts and one of the claims, each if there is any."""
    from catalog.verify import Claim

    for first, second, word, is_claim in (
        ("family", "parameters", "member", False),
        ("topic", "instance", "instance", True),
    ):
        chosen = [row for row in rows if isinstance(row.fact, Claim) == is_claim]
        if not chosen and (is_claim or rows):
            continue
        if is_claim and len(chosen) < len(rows):
            typer.echo()
        table = Grid(first, second, "quantity", "stated", "computed", "verdict", "seconds")
        table.columns[-1].justify = "right"
        if every:
            for row in chosen:
                instance = row.parameters if is_claim else row.parameters.partition(":")[2]
                table.add_row(
                    *(row.family, instance, row.quantity, row.stated),
                    *(row.computed, row.verdict, f"{row.seconds:.3f}"),
                )
        else:
            _add_summaries(table, chosen, word)
        terminal().print(table)


def _add_summaries(table: Grid, rows: list[Row], word: str) -> None:
    """A row for each fact or claim; a claim on one instance is shown with its numbers."""
    from catalog.verify import Claim, summarize

    previous = ""
    for summary in summarize(rows):
        if previous and summary.family != previous:
            table.add_section()
        (row, *others) = summary.rows
        numbers = isinstance(summary.fact, Claim) and not others
        table.add_row(
            summary.family if summary.family != previous else "",
            row.parameters
            if numbers
            else f"{summary.instances} {word}{'s' * (summary.instances > 1)}",
            summary.quantity,
            row.stated if numbers else summary.formula,
            row.computed if numbers else _agreement(summary),
            summary.verdict,
            f"{summary.seconds:.3f}",
        )
        previous = summary.family


def _agreement(summary: Summary) -> str:
    agreeing = sum(row.verdict not in ("violated", "not decided") for row in summary.rows)
    return "agrees" if agreeing == summary.instances else f"agrees on {agreeing}"


def _print_errata(rows: list[Row]) -> None:
    """What papers print otherwise, each with the smallest instance that refutes it."""
    import catalog
    from catalog.verify import Claim, summarize

    errata = [summary for summary in summarize(rows) if summary.verdict == "erratum"]
    if errata:
        typer.echo("\nErrata\n")
    for summary in errata:
        row = next(row for row in summary.rows if row.verdict == "erratum")
        typer.echo(
            f"{row.printed_in}, on {row.family}: {row.quantity} is printed as "
            f"{summary.fact.printed}, but it is {summary.formula}.\n"
            f"Smallest case: {row.parameters} has {row.quantity} {row.computed}; "
            f"printed: {row.printed}."
        )
        if isinstance(row.fact, Claim):
            typer.echo()
            continue
        if row.quantity == "ldim":
            certificate = catalog.build(row.parameters).shattered_tree()
            typer.echo(f"A shattered tree, {certificate.claim}:\n\n{certificate.to_text()}")
        typer.echo()


def _place(row: Row) -> str:
    from catalog.verify import Claim

    return f"{row.family}: {row.parameters}" if isinstance(row.fact, Claim) else row.parameters


def _print_conclusion(rows: list[Row], seconds: float, *, interrupted: bool) -> None:
    from catalog.verify import SEVERITY

    for row in rows:
        if row.verdict in ("violated", "not decided"):
            typer.echo(
                f"{row.verdict}: {_place(row)}: {row.quantity} stated {row.stated}, "
                f"computed {row.computed}."
            )
    counts = {verdict: sum(row.verdict == verdict for row in rows) for verdict in SEVERITY}
    shown = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
    ending = " before the interruption" if interrupted else ""
    typer.echo(f"{len(rows)} comparisons in {seconds:.1f} s{ending}: {shown or 'none'}.")
