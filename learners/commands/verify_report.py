"""The report of ``lsclasses verify``: the summary, then the selected rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import typer

import catalog
from catalog.fact_checks import Claim, FactSummary, Row, summarize
from learners.check_selection import CheckSelection
from learners.claim_checks import TOPICS, topics
from learners.papers import TAGS, Erratum, Paper, paper, statement
from learners.papers.coverage import recomputed
from lsclasses.commands.output import say, terminal, without_tex
from lsclasses.commands.tables import Grid
from lsclasses.verdicts import Verdict

MEANINGS = {
    Verdict.HOLDS: "the computation agrees with the statement",
    Verdict.ERRATUM: ("the computation agrees with this project and refutes a sentence of a paper"),
    Verdict.CONSISTENT: "random runs do not contradict it",
    Verdict.EXCEEDED: "random runs exceed it no more often than its failure probability explains",
    Verdict.VACUOUS: "the bound allows everything on this instance",
    Verdict.OF_THE_MEAN: "single runs do not decide a statement about a mean",
    Verdict.DOES_NOT_APPLY: "a hypothesis of the bound is not met",
    Verdict.UNDECIDED: "the computation was stopped, or is not precise enough",
    Verdict.VIOLATED: "the computation contradicts it",
}
"""The meaning of each verdict."""

SEVERAL = {Verdict.HOLDS: "hold", Verdict.ERRATUM: "errata"}
"""The plural of a verdict, if it differs from the singular."""

UNSETTLED = Verdict.OF_THE_MEAN, Verdict.DOES_NOT_APPLY, Verdict.UNDECIDED, Verdict.VIOLATED
"""Verdicts of a computation that does not agree with the statement."""


def report(
    selection: CheckSelection,
    rows: Sequence[Row],
    seconds: float,
    *,
    every: bool,
    narrowed: bool,
    stopped: bool,
) -> None:
    """Print the results of the checks.

    Parameters
    ----------
    selection : Selection
        Selected checks.
    rows : sequence of Row
        Results of the checks.
    seconds : float
        Duration of all checks.
    every : bool
        Whether to print a row for each fact or claim and instance.
    narrowed : bool
        Whether only some checks were selected, so that each fact or claim has a row.
    stopped : bool
        Whether the work was stopped early.
    """
    claims = [row for row in rows if isinstance(row.fact, Claim)]
    facts = [row for row in rows if not isinstance(row.fact, Claim)]
    tables = [_statements(selection, rows) if selection.statements else _papers(rows)]
    tables += [_topics(claims), _families(facts)]
    if every:
        tables += [_every_row(facts, "family", "member"), _every_row(claims, "topic", "instance")]
    elif narrowed:
        tables += [_each_claim(facts, "family", "member"), _each_claim(claims, "topic", "instance")]
    for table in filter(None, tables):
        terminal().print(table)
        typer.echo()
    _errata(rows)
    _missing(selection)
    _conclusion(rows, seconds, stopped=stopped)


LISTED = 5
"""The number of slowest checks that the report lists."""


def slowest(found: Mapping[str, Sequence[Row]]) -> None:
    """Print the names of the slowest checks, with the seconds that they took."""
    seconds = {name: sum(row.seconds for row in rows) for name, rows in found.items()}
    names = sorted(seconds, key=lambda name: -seconds[name])[:LISTED]
    listed = "; ".join(f"{name}: {seconds[name]:.1f} s" for name in names)
    say(f"The slowest checks (one takes at most about 3 s of an idle processor): {listed}.")


# ---- the summary


def _papers(rows: Sequence[Row]) -> Grid | None:
    """A line for each paper."""
    table = Grid("paper", "statements", "comparisons", "verdict", right=["comparisons"])
    any_row = False
    for tag in TAGS:
        about = [row for row in rows if _named(row, tag)]
        if about:
            cells = tag, _share(paper(tag), about), str(len(about)), _verdicts(about)
            table.add_row(*cells, verdict=_gravest(about))
            any_row = True
    return table if any_row else None


def _named(row: Row, tag: str) -> bool:
    return any(statement(name).paper == tag for name in row.fact.statements)


def _share(about: Paper, rows: Iterable[Row]) -> str:
    """The number of a paper's numbered statements that rows are about."""
    numbered = {each.name for each in about.statements if each.numbered}
    known = {each.name for each in about.statements}
    found = known.intersection(name for row in rows for name in row.fact.statements)
    others = len(found - numbered)
    return f"{len(found & numbered)} of {len(numbered)}" + (
        f", {others} without number" if others else ""
    )


def _statements(selection: CheckSelection, rows: Sequence[Row]) -> Grid:
    """A line for each requested statement."""
    table = Grid(
        *("statement", "about", "comparisons", "verdict"),
        right=["comparisons"],
        optional=["about"],
    )
    for name in selection.statements:
        about = [row for row in rows if name in row.fact.statements]
        no_rows = "not among these" if name in recomputed() else "not checkable"
        table.add_row(
            name,
            statement(name).title,
            str(len(about)) if about else "",
            _verdicts(about) if about else no_rows,
            verdict=_gravest(about) if about else None,
        )
    return table


def _topics(rows: Sequence[Row]) -> Grid | None:
    """A line for each topic of claims."""
    about = _by_family(rows)
    titles = topics(name for name, _ in about if name in TOPICS)
    table = Grid(
        *("topic", "about", "claims", *MEASURES),
        right=["claims", *RIGHT],
        optional=["seconds", "claims", "about"],
    )
    for name, own in about:
        cells = name, titles.get(name, ""), str(len(summarize(own))), *_measures(own)
        table.add_row(*cells, verdict=_gravest(own))
    return table if rows else None


def _families(rows: Sequence[Row]) -> Grid | None:
    """A line for each family."""
    table = Grid(
        *("family", "members", "facts", *MEASURES),
        right=["members", "facts", *RIGHT],
        optional=["seconds", "facts", "members"],
    )
    for name, about in _by_family(rows):
        members = len({row.parameters for row in about})
        cells = name, str(members), str(len(summarize(about))), *_measures(about)
        table.add_row(*cells, verdict=_gravest(about))
    return table if rows else None


MEASURES = ("comparisons", "verdict", "seconds")
RIGHT = ("comparisons", "seconds")


def _measures(rows: Sequence[Row]) -> tuple[str, str, str]:
    return str(len(rows)), _verdicts(rows), f"{sum(row.seconds for row in rows):.1f}"


def _by_family(rows: Iterable[Row]) -> list[tuple[str, list[Row]]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.family, []).append(row)
    return list(found.items())


def _verdicts(rows: Sequence[Row]) -> str:
    """The verdicts in words, such as "41 hold, 1 erratum"."""
    counts = {each: sum(row.verdict == each for row in rows) for each in Verdict}
    if counts[Verdict.HOLDS] == len(rows) > 1:
        return "all hold"
    return ", ".join(
        f"{count} {each if count == 1 else SEVERAL.get(each, each)}"
        for each, count in counts.items()
        if count
    )


def _gravest(rows: Sequence[Row]) -> Verdict:
    return max((row.verdict for row in rows), key=[*Verdict].index)


# ---- facts and claims, and their rows


def _each_claim(rows: Sequence[Row], first: str, word: str) -> Grid | None:
    """Return a row for each fact or claim. A claim on one instance is shown with its numbers."""
    if not rows:
        return None
    table = Grid(
        *(first, f"{word}s", "quantity", "stated", "computed", "verdict", "margin", "seconds"),
        right=["margin", "seconds"],
        optional=["seconds", "margin"],
        grouped=True,
    )
    for summary in summarize(rows):
        (row, *others) = summary.rows
        numbers = isinstance(summary.fact, Claim) and not others
        table.add_row(
            summary.family,
            row.parameters
            if numbers
            else f"{summary.instances} {word}{'s' * (summary.instances > 1)}",
            summary.quantity,
            row.stated if numbers else summary.formula,
            row.computed if numbers else _agreement(summary),
            summary.verdict,
            next((each.margin for each in summary.rows if each.margin), ""),
            f"{summary.seconds:.3f}",
            verdict=summary.verdict,
        )
    return table


def _agreement(summary: FactSummary) -> str:
    agreeing = sum(row.verdict not in UNSETTLED for row in summary.rows)
    return "agrees" if agreeing == summary.instances else f"agrees on {agreeing}"


def _every_row(rows: Sequence[Row], first: str, word: str) -> Grid | None:
    """A row for each fact or claim and instance."""
    if not rows:
        return None
    table = Grid(
        *(first, word, "quantity", "stated", "computed", "verdict", "margin", "seconds"),
        right=["margin", "seconds"],
        optional=["seconds", "margin"],
    )
    for row in rows:
        fact = not isinstance(row.fact, Claim)
        table.add_row(
            *(row.family, row.parameters.partition(":")[2] if fact else row.parameters),
            *(row.quantity, row.stated, row.computed, row.verdict, row.margin),
            f"{row.seconds:.3f}",
            verdict=row.verdict,
        )
    return table


# ---- errata, problems, the end


def _errata(rows: Sequence[Row]) -> None:
    """The refuted sentences of papers, each with the smallest instance that refutes it."""
    errata = [summary for summary in summarize(rows) if summary.verdict == Verdict.ERRATUM]
    if errata:
        typer.echo("Errata\n")
        say("Each erratum refutes a sentence. The theorem of the paper may still be true.\n")
    for summary in errata:
        row = next(row for row in summary.rows if row.verdict == Verdict.ERRATUM)
        say(
            f"{row.printed_in}, on {row.family}: {row.quantity} is printed as "
            f"{summary.fact.printed}, but it is {summary.formula}."
        )
        quoted = _quoted(row)
        for each in dict.fromkeys(quoted.values()):
            say(without_tex(str(each)))
        names = tuple(quoted)
        if not isinstance(row.fact, Claim):
            names = (f"{row.family}.{row.quantity}", *names)
        if names:
            say(f"To be cited as: {', '.join(names)} ('lsclasses cite').")
        say(
            f"Smallest case: {row.parameters} has {row.quantity} {row.computed}; "
            f"printed: {row.printed}."
        )
        if not isinstance(row.fact, Claim) and row.quantity == "ldim":
            certificate = catalog.build(row.parameters).shattered_tree()
            say(f"A shattered tree, {certificate.claim}:\n")
            typer.echo(certificate.to_text())
        typer.echo()


FEW = 5
"""Largest number of statements for which the report lists the missing parts."""


def _missing(selection: CheckSelection) -> None:
    """Print the parts of a few requested statements that no check recomputes."""
    partly = [statement(name) for name in selection.statements if statement(name).missing]
    if len(partly) <= FEW:
        for each in partly:
            say(f"{each.name} is checked in part. Missing: {each.missing}\n")


def _quoted(row: Row) -> dict[str, Erratum]:
    """The quotations that a row refutes, by the statement's name."""
    witness = f"{row.family}: {row.quantity}"
    return {
        name: each
        for name in row.fact.statements
        for each in statement(name).errata
        if each.witness == witness
    }


def _place(row: Row) -> str:
    return f"{row.family}: {row.parameters}" if isinstance(row.fact, Claim) else row.parameters


def _conclusion(rows: Sequence[Row], seconds: float, *, stopped: bool) -> None:
    """Print the violated statements, the meaning of the verdicts, and the number of comparisons."""
    for row in rows:
        if row.verdict in UNSETTLED:
            say(
                f"{row.verdict}: {_place(row)}: {row.quantity} stated {row.stated}, "
                f"computed {row.computed}.",
                verdict=(row.verdict, row.verdict),
            )
    for each, meaning in MEANINGS.items():
        if any(row.verdict == each for row in rows):
            say(f"{each}: {meaning}", verdict=(each, each))
    summaries = summarize(rows)
    refuting = sum(any(row.refutes for row in summary.rows) for summary in summaries)
    if summaries:
        say(
            f"For {refuting} of {len(summaries)} facts and claims, the same computations refute "
            "a false variant."
        )
    ending = " before it was stopped" if stopped else ""
    text = f"{len(rows)} comparisons in {seconds:.1f} s{ending}: {_verdicts(rows) or 'none'}."
    say(text, verdict=(_verdicts(rows), _gravest(rows)) if rows else None)
