"""The command line: ``lsclasses COMMAND ...``; every command has ``--help`` and ``--json``.

Results go to standard output, everything else (progress, notes, errors) to standard error. Errors
of the input are one sentence and exit status 2; an interruption prints what is known by then and
exits with 130.
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from lsclasses import __version__
from lsclasses.dimensions import DIMENSIONS
from lsclasses.errors import BadCertificate, InvalidInput, LsclassesError, TooLarge
from lsclasses.files import SUFFIXES, atomic_write, load_stream, load_table
from lsclasses.limits import Limit
from lsclasses.points import nearest, to_json, to_text

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from rich.console import Console
    from rich.table import Table as Grid

    from catalog import Fact, Family
    from catalog.verify import Row
    from lsclasses.certificates import Certificate
    from lsclasses.concept_class import ConceptClass
    from lsclasses.table import Table

__all__ = ["app", "main"]

INVALID = 2
"""Exit status after wrong input."""
INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells have it."""
READABLE_BITS = 14_000
"""Integers up to this length, about 4200 digits, are numbers in JSON; longer ones are texts."""


class _Commands(TyperGroup):
    """The group of commands; it alone turns errors into a sentence and an exit status."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        try:
            status = super().main(
                args, prog_name, complete_var, False, windows_expand_args, **extra
            )
        except LsclassesError as error:
            _note(f"lsclasses: {error}")
            status = INVALID
        except Exception as error:
            # Typer's own usage errors, whose base class moved between its releases.
            if not hasattr(error, "format_message"):
                raise
            context = getattr(error, "ctx", None)
            command = "lsclasses" if context is None else context.command_path
            problem = error.format_message().strip().rstrip(".")
            if problem:
                _note(f"lsclasses: {problem}. '{command} --help' tells what is right.")
            status = INVALID
        status = status if isinstance(status, int) else 0
        if standalone_mode:
            sys.exit(status)
        return status


app = typer.Typer(
    name="lsclasses",
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    help="Exact dimensions of concept classes, with certificates that can be checked.",
)

Classes = Annotated[
    list[str],
    typer.Argument(
        metavar="SPEC|FILE...",
        help="Classes: specifications such as thresholds:n=16 (see 'lsclasses catalog'), or "
        "tables in CSV, JSON, NPY or NPZ files.",
        show_default=False,
    ),
]
OneClass = Annotated[
    str,
    typer.Argument(
        metavar="SPEC|FILE",
        help="A class: a specification such as thresholds:n=16, or a table in a file.",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]


def main() -> None:
    """Run the command line on ``sys.argv``; the console script ``lsclasses``."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            # A terminal without Unicode shows escapes instead of ending in a traceback.
            reconfigure(errors="backslashreplace")
    app(prog_name="lsclasses")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and exit.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    pass


# ---- catalog


@app.command()
def catalog(
    family: Annotated[
        str | None,
        typer.Argument(metavar="FAMILY", help="The family to describe.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the named families, or tell everything that is known about one."""
    from catalog import families
    from catalog import family as family_of

    if family is None:
        listed = list(families().values())
        if as_json:
            _print_json([_family_json(known) for known in listed])
            return
        table = _grid("family", "what it is")
        for known in listed:
            table.add_row(known.usage(), known.title)
        _console().print(table)
        typer.echo("\n'lsclasses catalog FAMILY' tells the definition and what is known of it.")
        return
    known = family_of(family)
    if as_json:
        _print_json(_family_json(known))
        return
    typer.echo(f"{known.title}\n\n{known.definition}\n\nReference: {known.reference}")
    typer.echo(f"Specification: {known.usage()}")
    if known.parameters:
        typer.echo()
        parameters = _grid("parameter", "meaning", "allowed", "default")
        for p in known.parameters:
            default = "required" if p.default is None else str(p.default)
            parameters.add_row(p.name, p.doc, p.allowed, default)
        _console().print(parameters)
    if known.facts:
        typer.echo("\nKnown:")
    for fact in known.facts:
        relation = "=" if fact.relation == "==" else fact.relation
        where = "" if fact.when == "True" else f"  where {fact.when}"
        typer.echo(f"  {fact.quantity} {relation} {fact.expression}{where}")
        if fact.source:
            typer.echo(f"      {fact.source}")
        if fact.printed:
            typer.echo(f"      Erratum: {fact.printed_in} prints {fact.printed}.")


def _family_json(family: Family) -> dict[str, Any]:
    return {
        "name": family.name,
        "title": family.title,
        "definition": family.definition,
        "reference": family.reference,
        "usage": family.usage(),
        "parameters": [
            {
                "name": p.name,
                "doc": p.doc,
                "allowed": p.allowed,
                "default": None if p.default is None else _value_json(p.default),
            }
            for p in family.parameters
        ],
        "facts": [_fact_json(fact) for fact in family.facts],
    }


def _fact_json(fact: Fact) -> dict[str, Any]:
    return {name: value for name, value in dataclasses.asdict(fact).items() if value != ""}


# ---- dims


@dataclasses.dataclass
class _Found:
    """What is known of one dimension: its value, or bounds where a limit was reached."""

    name: str
    value: Any = None
    lower: int | None = None
    upper: int | None = None
    source: str = "search"
    seconds: float = 0.0

    @property
    def shown(self) -> str:
        if self.value is not None:
            return _value_text(self.value)
        return _bounds_text(self.name, self.lower, self.upper)

    def to_json(self) -> Any:
        if self.value is not None:
            return _value_json(self.value)
        return {"lower": self.lower, "upper": self.upper}


@app.command()
def dims(
    classes: Classes,
    *,
    only: Annotated[
        str,
        typer.Option(metavar="NAMES", help=f"Which: {', '.join(DIMENSIONS)}; or all."),
    ] = "ldim,vcdim",
    certificate: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write certificates of the Littlestone and the VC dimension into this folder.",
            show_default=False,
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="Time for each search; when it is up, bounds are printed.",
            show_default=False,
        ),
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Memory for each search, such as 500M or 2G; beyond it, bounds are printed.",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compute dimensions exactly, or bounds on them where a limit is reached.

    Beside each value stands whether a closed form or a search gave it, and how long that took.
    Ctrl-C prints the bounds found so far.
    """
    names = _dimension_names(only)
    limit = Limit(seconds, None if memory is None else _size(memory))
    results: list[dict[str, Any]] = []
    status = 0
    try:
        for argument in classes:
            C = _load(argument)
            result: dict[str, Any] = {
                "name": argument,
                "concepts": _value_json(C.size),
                "points": _value_json(C.domain.size),
            }
            source: dict[str, str] = {}
            times: dict[str, float] = {}
            results.append(result)
            if not as_json:
                typer.echo(f"{argument}: {_counts(C)}")
            for name in names:
                found, outcome = _measure(C, name, limit)
                status = max(status, outcome)
                result[name] = found.to_json()
                source[name], times[name] = found.source, round(found.seconds, 6)
                if not as_json:
                    width = max(map(len, names))
                    typer.echo(
                        f"  {name:{width}}  {found.shown}  ({found.source}, {found.seconds:.3g} s)"
                    )
                if outcome == INTERRUPTED:
                    break
            result |= {"source": source, "seconds": times}
            if status == INTERRUPTED:
                break
            if certificate is not None:
                result["certificates"], outcome = _certify(C, argument, certificate, limit)
                status = max(status, outcome)
    finally:
        if as_json:
            _print_json(results)
    if status:
        raise typer.Exit(status)


def _dimension_names(only: str) -> list[str]:
    """The dimensions that ``--only`` asks for, in its order, each once."""
    if only.strip() == "all":
        return list(DIMENSIONS)
    names = list(dict.fromkeys(name.strip() for name in only.split(",") if name.strip()))
    for name in names:
        if name not in DIMENSIONS:
            raise InvalidInput(f"There is no dimension {name!r}. {nearest(name, DIMENSIONS)}")
    if not names:
        raise InvalidInput(f"--only needs names, of: {', '.join(DIMENSIONS)}. Got {only!r}.")
    return names


def _size(text: str) -> int:
    """The number of bytes that a text such as 500M or 2G stands for."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?) *([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if match is None:
        raise InvalidInput(f"--memory needs a size such as 500M or 2G. Got {text!r}.")
    return int(float(match[1]) * 1024 ** " KMGT".index(match[2].upper() or " "))


def _measure(C: ConceptClass, name: str, limit: Limit) -> tuple[_Found, int]:
    """One dimension, or the bounds known when a limit or the user stopped the search.

    The second value is the exit status that this deserves.
    """
    known: list[tuple[int, int]] = []
    start = time.perf_counter()
    with _progress_line() as show:

        def progress(lower: int, upper: int) -> None:
            if name == "growth_function":
                show(f"{name}: entry {lower} of {upper} ...")
                return
            known.append((lower, upper))
            show(_bounds_text(name, lower, upper))

        show(f"{name} ...")
        try:
            answer = DIMENSIONS[name].evaluate(C, limit=limit, progress=progress)
        except TooLarge as stopped:
            lower, upper = stopped.lower, stopped.upper
            if lower is not None and lower == upper:
                return _Found(name, lower, seconds=time.perf_counter() - start), 0
            status, source = 0, "limit reached"
            if not _is_reached(limit, stopped):
                status, source = INVALID, "too large"
                _note(f"lsclasses: {name}: {stopped}")
        except KeyboardInterrupt:
            lower, upper = known[-1] if known else (None, None)
            status, source = INTERRUPTED, "interrupted"
        else:
            return _Found(name, answer.value, None, None, answer.source, answer.seconds), 0
    seconds = time.perf_counter() - start
    return _Found(name, None, lower, upper, source, seconds), status


def _bounds_text(name: str, lower: int | None, upper: int | None) -> str:
    if lower is None and upper is None:
        return "unknown"
    left = "" if lower is None else f"{lower} <= "
    return left + name + ("" if upper is None else f" <= {upper}")


def _is_reached(limit: Limit, stopped: TooLarge) -> bool:
    """Whether the search stopped because the user wanted it to, not because it is hopeless."""
    return stopped.limit is not None and stopped.limit in (limit.seconds, limit.memory)


def _certify(C: ConceptClass, argument: str, folder: Path, limit: Limit) -> tuple[list[str], int]:
    """Write the certificates of a class; returns where they are, and the exit status."""
    from lsclasses.certificates import LdimCertificate, VCCertificate

    def ldim(table: Table) -> Certificate:
        # The search that the certificate is made of is then already done.
        DIMENSIONS["ldim"].search(table, limit=limit)
        return LdimCertificate.of(table)

    def vcdim(table: Table) -> Certificate:
        return VCCertificate.of(table, limit=limit)

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"Cannot make the folder {str(folder)!r}: {error.strerror}.") from None
    stem = re.sub(r"[^\w=.+-]+", "_", argument).strip("_")
    written: list[str] = []
    status = 0
    for name, certify in (("ldim", ldim), ("vcdim", vcdim)):
        path = folder / f"{stem}.{name}.json"
        try:
            certify(C.to_table()).save(path)
        except TooLarge as stopped:
            _note(f"lsclasses: no certificate of {name}: {stopped}")
            if not _is_reached(limit, stopped):
                status = INVALID
        else:
            _note(f"Written: {path}")
            written.append(str(path))
    return written, status


# ---- tree and check


@app.command()
def tree(
    source: OneClass,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a picture in SVG.", show_default=False),
    ] = None,
    dot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a graph in DOT.", show_default=False),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the certificate, for 'lsclasses check'.", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Draw a shattered tree of greatest depth: the proof that Ldim is not smaller.

    Without a file it is drawn in the terminal; --json prints the certificate.
    """
    certificate = _load(source).shattered_tree()
    for path, export in ((svg, certificate.to_svg), (dot, certificate.to_dot)):
        if path is not None:
            atomic_write(path, export())
            _note(f"Written: {path}")
    if save is not None:
        certificate.save(save)
        _note(f"Written: {save}")
    if as_json:
        _print_json(certificate.to_json())
    elif svg is None and dot is None and save is None:
        typer.echo(f"{source}: {certificate.claim}")
        typer.echo(certificate.to_text())


@app.command()
def check(
    certificate: Annotated[
        Path,
        typer.Argument(metavar="CERTIFICATE", help="A certificate in JSON.", show_default=False),
    ],
    source: OneClass,
    as_json: AsJson = False,
) -> None:
    """Check a certificate against a class, without any search."""
    from lsclasses.certificates import load_certificate

    proof = load_certificate(certificate)
    C = _load(source)
    result = {"certificate": str(certificate), "class": source, "claim": proof.claim}
    start = time.perf_counter()
    try:
        proof.verify(C)
    except BadCertificate as error:
        if as_json:
            _print_json({**result, "valid": False, "reason": str(error)})
        raise
    seconds = time.perf_counter() - start
    if as_json:
        _print_json({**result, "valid": True, "seconds": round(seconds, 6)})
    else:
        typer.echo(f"{source}: {proof.claim} is proved by {certificate} ({seconds:.3g} s).")


# ---- soa


@app.command()
def soa(
    source: OneClass,
    stream: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="The examples: CSV with the header point,label, one example a line.",
            show_default=False,
        ),
    ],
    conservative: Annotated[
        bool, typer.Option("--conservative", help="Change the state on mistakes only.")
    ] = False,
    allow_nonrealizable: Annotated[
        bool,
        typer.Option(
            "--allow-nonrealizable",
            help="Go on when no concept fits, overriding the prediction point by point "
            "(BLM20, Def. 8).",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Replay a stream of examples through the Standard Optimal Algorithm.

    Each round shows the prediction, the true label, what is left of the class, and the mistakes
    so far against the bound, the Littlestone dimension.
    """
    from lsclasses.soa import SOA, ConservativeSOA, replay

    examples = load_stream(stream)
    C = _load(source)
    learner = ConservativeSOA(C) if conservative else SOA(C)
    bound = learner.mistake_bound
    names = [to_text(x) for x, _ in examples]
    width = max(map(len, ["point", *names]))
    if not as_json:
        typer.echo(f"{source}: {_counts(C)}, Ldim {bound}")
        typer.echo(
            f"{'round':>5}  {'point':{width}}  predicted  label           mistakes  concepts left"
        )
    rounds: list[dict[str, Any]] = []
    mistakes = 0
    realizable = True
    for played in replay(learner, examples, require_realizable=not allow_nonrealizable):
        mistakes, realizable = played.mistakes, played.state.realizable
        size, ldim = played.state.version_space.size, played.state.mistake_bound
        if as_json:
            rounds.append(
                {
                    "round": played.number,
                    "point": to_json(played.point),
                    "prediction": played.prediction,
                    "label": played.label,
                    "mistake": played.mistake,
                    "mistakes": mistakes,
                    "realizable": realizable,
                    "concepts": _value_json(size) if realizable else 0,
                    "ldim": ldim if realizable else -1,
                }
            )
            continue
        left = f"{_number(size)} (Ldim {ldim})" if realizable else "none fits"
        typer.echo(
            f"{played.number:5}  {to_text(played.point):{width}}  {played.prediction:9}  "
            f"{played.label:5}  {'mistake' if played.mistake else '':7}  {mistakes:7}  {left}"
        )
    if as_json:
        _print_json(
            {
                "name": source,
                "ldim": bound,
                "conservative": conservative,
                "mistakes": mistakes,
                "realizable": realizable,
                "rounds": rounds,
            }
        )
        return
    shown = f"{mistakes} mistake{'' if mistakes == 1 else 's'} in {len(examples)} rounds"
    if realizable:
        typer.echo(f"{shown}; the bound is Ldim = {bound}.")
    else:
        typer.echo(f"{shown}; no concept fits, so no bound holds.")


# ---- verify


@app.command()
def verify(
    family: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FAMILY",
            help="Only this family; may be given several times.",
            show_default=False,
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="A row for each fact and member, not one a fact.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Recompute by search every fact that the catalog states, and compare.

    Each fact is checked on small members of its family, boundary cases included. Exit status 1 if
    any is violated.
    """
    from catalog.verify import checks, run

    work = checks(family or None)
    rows: list[Row] = []
    start = time.perf_counter()
    interrupted = False
    try:
        with _workers() as executor, _progress_line() as show:
            show("starting ...")
            for row in run(work, executor):
                rows.append(row)
                show(f"{len(rows)} comparisons, now {row.family} ...")
    except KeyboardInterrupt:
        interrupted = True
    seconds = time.perf_counter() - start
    if as_json:
        _print_json([_row_json(row) for row in rows])
    else:
        _print_rows(rows, every=every)
        _print_errata(rows)
        _print_conclusion(rows, seconds, interrupted=interrupted)
    if interrupted:
        raise typer.Exit(INTERRUPTED)
    if any(row.verdict == "violated" for row in rows):
        raise typer.Exit(1)


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
    return {**data, "seconds": round(row.seconds, 6), "fact": _fact_json(row.fact)}


def _print_rows(rows: list[Row], *, every: bool) -> None:
    from catalog.verify import summarize

    table = _grid("family", "parameters", "quantity", "stated", "computed", "verdict", "seconds")
    table.columns[-1].justify = "right"
    previous = ""
    if every:
        for row in rows:
            table.add_row(
                *(row.family, row.parameters.partition(":")[2], row.quantity, row.stated),
                *(row.computed, row.verdict, f"{row.seconds:.3f}"),
            )
    else:
        for summary in summarize(rows):
            if previous and summary.family != previous:
                table.add_section()
            agreeing = sum(row.verdict in ("holds", "erratum") for row in summary.rows)
            table.add_row(
                summary.family if summary.family != previous else "",
                f"{summary.instances} members" if summary.instances > 1 else "1 member",
                summary.quantity,
                summary.formula,
                "agrees" if agreeing == summary.instances else f"agrees on {agreeing}",
                summary.verdict,
                f"{summary.seconds:.3f}",
            )
            previous = summary.family
    _console().print(table)


def _print_errata(rows: list[Row]) -> None:
    """What papers print otherwise, each with the smallest member that refutes it."""
    import catalog
    from catalog.verify import summarize

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
        if row.quantity == "ldim":
            certificate = catalog.build(row.parameters).shattered_tree()
            typer.echo(f"A shattered tree, {certificate.claim}:\n\n{certificate.to_text()}")
        typer.echo()


def _print_conclusion(rows: list[Row], seconds: float, *, interrupted: bool) -> None:
    for row in rows:
        if row.verdict in ("violated", "not decided"):
            typer.echo(
                f"{row.verdict}: {row.parameters}: {row.quantity} stated {row.stated}, "
                f"computed {row.computed}."
            )
    counts = {
        verdict: sum(row.verdict == verdict for row in rows)
        for verdict in ("holds", "erratum", "not decided", "violated")
    }
    shown = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
    ending = " before the interruption" if interrupted else ""
    typer.echo(f"{len(rows)} comparisons in {seconds:.1f} s{ending}: {shown or 'none'}.")


# ---- classes and numbers


def _load(argument: str) -> ConceptClass:
    """The class that a command-line argument names."""
    import catalog

    path = Path(argument)
    try:
        is_file = path.is_file()
    except (OSError, ValueError):
        is_file = False
    if is_file or path.suffix.lower() in SUFFIXES:
        C = load_table(path)
        if C.merged:
            rows = "row was" if C.merged == 1 else "rows were"
            _note(f"{argument}: {C.merged} duplicate {rows} merged.")
        return C
    name = argument.partition(":")[0].strip()
    if name not in catalog.families():
        raise InvalidInput(
            f"There is no file {argument!r} and no family {name!r}. "
            f"{nearest(name, catalog.families())}"
        )
    return catalog.build(argument)


def _counts(C: ConceptClass) -> str:
    concepts, points = C.size, C.domain.size
    return (
        f"{_number(concepts)} concept{'' if concepts == 1 else 's'} on "
        f"{_number(points)} point{'' if points == 1 else 's'}"
    )


def _number(count: int | None) -> str:
    if count is None:
        return "infinitely many"
    return str(count) if count < 10**30 else f"about 10^{math.floor(math.log10(count))}"


def _value_text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _value_json(value: Any) -> Any:
    """Integers as they are, fractions as texts such as 13/8, sequences as lists.

    Integers of more digits than JSON readers take (Python's stops at 4300) are texts too.
    """
    if isinstance(value, tuple):
        return [_value_json(part) for part in value]
    if isinstance(value, int) and value.bit_length() > READABLE_BITS:
        limit = sys.get_int_max_str_digits()
        sys.set_int_max_str_digits(0)
        try:
            return str(value)
        finally:
            sys.set_int_max_str_digits(limit)
    return str(value) if isinstance(value, Fraction) else value


# ---- output


def _print_json(data: Any) -> None:
    typer.echo(json.dumps(data, indent=2))


def _note(text: str) -> None:
    typer.echo(text, err=True)


def _console(*, stderr: bool = False) -> Console:
    from rich.console import Console

    console = Console(stderr=stderr, markup=False, highlight=False, soft_wrap=False)
    if not console.is_terminal:
        # Into a file or a pipe a line may be as long as it likes.
        console = Console(stderr=stderr, markup=False, highlight=False, width=250)
    return console


def _grid(*columns: str) -> Grid:
    from rich import box
    from rich.table import Table as Grid

    table = Grid(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


@contextmanager
def _progress_line() -> Iterator[Callable[[str], None]]:
    """A line on a terminal's standard error that can be rewritten; nothing elsewhere."""
    console = _console(stderr=True)
    if not console.is_terminal:
        yield lambda text: None
        return
    with console.status("") as status:
        yield status.update
