"""Page on the conjectures, and search for classes that refute open conjectures.

``python -m catalog.refuting.conjectures docs/conjectures.md`` writes the page from the data file
(`catalog.refuting.conjecture_file`). With ``--survey``, every open conjecture is first checked on
all classes of the catalog and classes made of them (`catalog.refuting.candidates`), then searched
by `refute`. The counts go into the data file, and a refuted conjecture becomes false in the file.
With ``--mine``, the command first looks for new conjectures (`catalog.refuting.mining`). With
``--search``, a local search (`catalog.refuting.local_search`) looks for larger counterexamples to
the open conjectures.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path

from catalog.atlas import MOST_POINTS, POINTS
from catalog.atlas.orbits import orbit_count
from catalog.refuting.candidates import CONCEPTS, candidates
from catalog.refuting.candidates import POINTS as CANDIDATE_POINTS
from catalog.refuting.conjecture_file import FILE, Conjecture, Status, read, refuting_classes, write
from catalog.refuting.hunt import EvaluatedClass, smallest
from catalog.refuting.local_search import POINTS as SEARCH_POINTS
from catalog.refuting.local_search import SEGMENT, search_in_segments
from catalog.refuting.mining import LEAST, TIGHT, mined
from catalog.refuting.refutation import refute
from catalog.refuting.statement import Statement
from lsclasses.dimensions.expressions import Quantity
from lsclasses.dimensions.quantities import quantity
from lsclasses.errors import InvalidInput, LsclassesError, TooLarge
from lsclasses.files.tables import label_rows
from lsclasses.files.writing import atomic_write
from lsclasses.installation import sources_digest
from lsclasses.isomorphism import class_mask
from lsclasses.limits import Limit, processors
from lsclasses.markdown import fill_markdown
from lsclasses.numbers import format_number
from lsclasses.parallel import in_order
from lsclasses.results_file import ResultsFile
from lsclasses.table import Table
from lsclasses.workers import Processes

PATIENCE = Limit(seconds=0.25)
"""Time limit for one parameter of one class that belongs to the catalog or is made from it."""
SECONDS = 30.0
"""Default time of the search of `refute` for each conjecture, in seconds."""
WRITTEN = 48
"""Largest number of concepts that the page lists."""
ABSENT = 32
"""Largest number of missing concepts that the page lists."""
MASKED_POINTS = 10
"""Largest number of points of a class for which the page prints the mask."""
PROVED_HERE = "Proved here"
PAGE = Path(__file__).with_name("conjectures.md")
"""Source of the page. Names in braces stand for computed values and for data of the file."""


# ---- the survey


@dataclass
class _Held:
    """An open conjecture that no class has refuted so far, with its counts."""

    line: Conjecture
    statement: Statement
    held: int = 0
    undecided: int = 0


def _trial(
    statement: Statement, name: str, table: Table, known: dict[str, Quantity | None]
) -> EvaluatedClass | None:
    """Return the statement on a class with some known parameters, or None if undecided."""
    values: dict[str, Quantity] = {}
    for parameter in statement.names:
        if parameter not in known:
            try:
                known[parameter] = quantity(table, parameter, limit=PATIENCE)
            except TooLarge:
                known[parameter] = None
        value = known[parameter]
        if value is None:
            return None
        values[parameter] = value
    try:
        return EvaluatedClass(name, table, values, statement.sides(values))
    except (InvalidInput, TooLarge):
        return None


def _trials(
    statements: Sequence[Statement], candidate: tuple[str, Table]
) -> list[EvaluatedClass | bool | None]:
    """Return, per statement, True if it holds on a class, its trial, or None if undecided."""
    known: dict[str, Quantity | None] = {}
    trials = (_trial(statement, *candidate, known) for statement in statements)
    return [found if found is None or found.fails else True for found in trials]


def _searched(seconds: float, statement: Statement) -> tuple[EvaluatedClass | None, int, int]:
    """Return a refuting class, if any, and the numbers of tried and undecided tables."""
    found = refute(statement, seconds=seconds)
    return found.counterexample, found.hunt.tables, found.hunt.undecided_tables


def surveyed(
    lines: Sequence[Conjecture],
    classes: Iterable[tuple[str, Table]] | None = None,
    *,
    seconds: float = SECONDS,
    executor: Executor | None = None,
    show: Callable[[str], None] = lambda text: None,
) -> tuple[Conjecture, ...]:
    """Return some conjectures, with results of a new survey of the open conjectures.

    An open conjecture gets new counts, or a class that refutes it.

    Parameters
    ----------
    lines : sequence of Conjecture
        Conjectures.
    classes : iterable of (str, Table), optional
        Classes of the first part of the survey, by name. The default is all of `candidates`.
    seconds : float
        Time of the search of `refute` for each conjecture, in seconds.
    executor : concurrent.futures.Executor, optional
        Executor that tries classes and searches.
    show : callable
        Function that is called with a description of the current step.

    Raises
    ------
    InvalidInput
        If the string of a conjecture is not a statement.

    Examples
    --------
    >>> false = Conjecture("ldim <= vcdim", "open")
    >>> line, = surveyed([false], [("lines", Table([[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]]))])
    >>> line.status, line.name, line.labels
    ('false', 'lines', ('000', '100', '110', '111'))
    """
    left = {each.statement: _Held(each, Statement(each.statement)) for each in lines if _open(each)}
    result = {each.statement: each for each in lines}
    if classes is None:
        flips = not any(each.statement.flips_change for each in left.values())
        classes = candidates(flips=flips)
    asked = [each.statement for each in left.values()]
    held = list(left.values())
    for number, found in enumerate(in_order(partial(_trials, asked), classes, executor), start=1):
        show(f"{number} classes ...")
        for each, outcome in zip(held, found, strict=True):
            text = each.line.statement
            if outcome is None:
                each.undecided += 1
            elif not isinstance(outcome, EvaluatedClass):
                each.held += 1
            elif text in left:
                result[text] = _refuted(each.line, smallest(each.statement, outcome))
                del left[text]
    rest = list(left.values())
    searches = in_order(partial(_searched, seconds), [each.statement for each in rest], executor)
    for each, (counterexample, tables, undecided) in zip(rest, searches, strict=True):
        text = each.line.statement
        show(f"{text} ...")
        if counterexample is not None:
            result[text] = _refuted(each.line, counterexample)
            continue
        result[text] = replace(
            each.line,
            held=each.held,
            undecided=each.undecided,
            tables=tables,
            undecided_tables=undecided,
        )
    return tuple(result.values())


def searched(
    lines: Sequence[Conjecture],
    seconds: float,
    *,
    results: ResultsFile | None = None,
    show: Callable[[str], None] = lambda text: None,
) -> tuple[Conjecture, ...]:
    """Return some conjectures after a local search for counterexamples to the open conjectures.

    Parameters
    ----------
    lines : sequence of Conjecture
        Conjectures, of which the open ones are searched.
    seconds : float
        Processor time for each open conjecture.
    results : ResultsFile, optional
        Results file, from which an interrupted search continues.
    show : callable
        Receives lines of progress.

    Examples
    --------
    >>> line, = searched([Conjecture("2*ldim <= 2*vcdim + 1", "open")], 60)
    >>> line.status
    'false'
    """
    starts = tuple(refuting_classes(lines))
    result = []
    for line in lines:
        if not _open(line):
            result.append(line)
            continue
        statement = Statement(line.statement)
        effort = search_in_segments(statement, seconds, starts=starts, results=results, show=show)
        if effort.counterexample is not None:
            result.append(_refuted(line, smallest(statement, effort.counterexample)))
        else:
            result.append(
                replace(
                    line,
                    search_seconds=round(effort.seconds),
                    searched=effort.held,
                    search_undecided=effort.undecided,
                )
            )
    return tuple(result)


def with_mined(lines: Sequence[Conjecture]) -> tuple[Conjecture, ...]:
    """Return some conjectures and the conjectures that mining finds, the tightest first.

    The new conjectures are added to the open conjectures.
    """
    texts = {each.statement for each in lines}
    new = [
        Conjecture(str(each.inequality), "open", each.equal)
        for each in mined()
        if str(each.inequality) not in texts
    ]
    return in_file_order([*lines, *new])


def in_file_order(lines: Iterable[Conjecture]) -> tuple[Conjecture, ...]:
    """Return some conjectures in the order of the file: open, known, then false conjectures.

    Each part is ordered by the share of classes with equality.

    Examples
    --------
    >>> false = Conjecture("ldim <= vcdim", "false", labels=("0",))
    >>> new = Conjecture("vcdim <= ldim", "open")
    >>> [line.status for line in in_file_order([false, new])]
    ['open', 'false']
    """
    order = ("open", "known", "false")
    return tuple(
        sorted(lines, key=lambda each: (order.index(each.status), -each.equal, each.statement))
    )


def _open(line: Conjecture) -> bool:
    return line.status == "open"


def _refuted(line: Conjecture, found: EvaluatedClass) -> Conjecture:
    labels = tuple(label_rows(found.table))
    return Conjecture(line.statement, "false", line.equal, name=found.name, labels=labels)


# ---- the page


def page(lines: Sequence[Conjecture]) -> str:
    """Return the documentation page about the conjectures, in Markdown."""
    classes = sum(orbit_count(points, flips=True) for points in (*POINTS, MOST_POINTS))

    def share(line: Conjecture) -> str:
        return f"{format_number(100 * Fraction(line.equal, classes), 3)} %"

    def of(status: Status) -> list[Conjecture]:
        return [each for each in lines if each.status == status]

    text = PAGE.read_text(encoding="utf-8").format(
        classes=classes,
        points=MOST_POINTS,
        tight=TIGHT,
        least=format_number(100 * LEAST, 3),
        most_concepts=CONCEPTS,
        most_points=CANDIDATE_POINTS,
        patience=PATIENCE.seconds,
        seconds=format_number(Fraction(SECONDS)),
        search_least=min(SEARCH_POINTS),
        search_most=max(SEARCH_POINTS),
        open="\n".join(
            f"| `{each.statement}` | {share(each)} | {each.held:,} + {each.tables:,} "
            f"| {each.undecided:,} + {each.undecided_tables:,} "
            f"| {each.searched:,} + {each.search_undecided:,} in {each.search_seconds:,} s |"
            for each in of("open")
        ),
        known="\n".join(
            f"| `{each.statement}` | {share(each)} "
            f"| {each.source or PROVED_HERE}. {each.proof}".rstrip()
            + " |"
            for each in of("known")
        ),
        false="\n".join(
            f"* `{each.statement}` (equal on {share(each)}). {_why(each)}" for each in of("false")
        ),
    )
    return fill_markdown(text)


def _why(line: Conjecture) -> str:
    """Return the class that refutes a conjecture, with the values of both sides."""
    table = line.table
    if table is None:
        return f"{line.source} {line.proof}".strip()
    statement = Statement(line.refutes or line.statement)
    values = statement.values(table)
    given = ", ".join(f"{name} {values[name]}" for name in statement.names)
    what = f"`{line.name}`" if line.name else f"{len(table)} concepts on {len(table.points)} points"
    found = f"{what[:1].upper()}{what[1:]}: {given}{'' if line.name else _concepts(line)}."
    if line.refutes:
        found += f" For this class, `{line.refutes}` is false."
    return f"{found} {line.proof}".rstrip()


def _concepts(line: Conjecture) -> str:
    """Return the concepts as the page prints them after the values."""
    table = line.table
    assert table is not None
    points = len(table.points)
    if len(table) <= WRITTEN:
        return f": `{' '.join(line.labels)}`"
    if points > MASKED_POINTS:
        return ""
    if 2**points - len(table) <= ABSENT:
        every = map("".join, itertools.product("01", repeat=points))
        absent = [word for word in every if word not in line.labels]
        return f": every word of length {points} except `{' '.join(absent)}`"
    return f", mask `{class_mask(table):#x}`"


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page, perhaps after new measurements."""
    parser = argparse.ArgumentParser(
        prog="python -m catalog.refuting.conjectures", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("file", type=Path, help="path of the page")
    parser.add_argument(
        "--survey",
        action="store_true",
        help="check open conjectures on all classes of the catalog, and search, which takes long",
    )
    parser.add_argument(
        "--mine", action="store_true", help="look for new conjectures first, which takes minutes"
    )
    parser.add_argument(
        "--search",
        type=float,
        default=0.0,
        metavar="FRACTION",
        help="seconds of processor time of a local search for a counterexample to each open one",
    )
    parser.add_argument(
        "--resume", type=Path, help="results file, from which an interrupted --search continues"
    )
    parser.add_argument(
        "--jobs", type=int, default=processors(), help="number of processes of the survey"
    )
    parser.add_argument("--data", type=Path, default=FILE, help="file of the conjectures")
    chosen = parser.parse_args(arguments)
    if chosen.resume and not chosen.search:
        parser.error("--resume needs --search SECONDS.")

    def show(text: str) -> None:
        print(text, file=sys.stderr)

    try:
        lines = read(chosen.data)
        if chosen.mine:
            lines = with_mined(lines)
        if chosen.survey:
            with Processes(chosen.jobs) as executor:
                lines = surveyed(lines, executor=executor, show=show)
        if chosen.search:
            results = None
            if chosen.resume:
                sources = sources_digest("catalog", "lsclasses")
                results = ResultsFile(chosen.resume, sources, f"local search by {SEGMENT} seconds")
            lines = searched(lines, chosen.search, results=results, show=show)
        if chosen.mine or chosen.survey or chosen.search:
            lines = in_file_order(lines)
            atomic_write(chosen.data, write(lines))
        atomic_write(chosen.file, page(lines))
    except LsclassesError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")


if __name__ == "__main__":
    main()
