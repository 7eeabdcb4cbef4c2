"""``lsclasses dims`` computes dimensions or bounds on them, and writes certificates."""

from __future__ import annotations

import dataclasses
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lsclasses.commands import completion
from lsclasses.commands.application import (
    CLASSES,
    INTERRUPTED,
    INVALID,
    LISTS,
    AsJson,
    Classes,
    Force,
    command,
    read_seconds,
)
from lsclasses.commands.certifying import CERTIFICATES, certificate_paths, find_proofs, write_proofs
from lsclasses.commands.classes import STANDARD_INPUT, is_file, load, stated
from lsclasses.commands.output import (
    Said,
    collected,
    counts,
    counts_json,
    note,
    print_json,
    progress_line,
    repeat,
    say,
    value_json,
    value_text,
)
from lsclasses.commands.parallel_options import (
    Dask,
    Jobs,
    Resume,
    make_executor,
    open_results,
    result_key,
    results,
    threads_each_process,
)
from lsclasses.dimensions import DIMENSIONS
from lsclasses.errors import InfiniteDimension, InvalidInput, TooLarge
from lsclasses.files.comma_separated import split_names
from lsclasses.limits import Limit, threads_by_default
from lsclasses.numbers import format_number, hundredths, parse_number, plural
from lsclasses.outputs import Writes
from lsclasses.point_names import split_words

if TYPE_CHECKING:
    from lsclasses.commands.certifying import Proofs
    from lsclasses.concept_class import ConceptClass
    from lsclasses.dimensions.base import Witness
    from lsclasses.dimensions.ranges import Range

LARGEST = 2**60
"""Largest memory limit that an option accepts, in bytes."""


Known = dict[str, "Range"]
"""Known bounds on dimensions that are numbers, by the names of the dimensions."""


@dataclasses.dataclass
class _Found:
    """The result for one dimension: its value, or bounds after a limit."""

    name: str
    value: Any = None
    lower: Any = None
    upper: Any = None
    source: str = "search"
    seconds: float = 0.0
    reasons: tuple[str, ...] = ()
    """The reasons for the bounds, where inequalities gave them."""
    infinite: bool = False
    stated: tuple[tuple[str, Any, str], ...] = ()
    """Statements of the catalog about an undecided dimension: relation, value, source."""

    @property
    def shown(self) -> str:
        text = _bounds_text(self.name, self.lower, self.upper)
        if self.value is not None:
            text = value_text(self.value)
        if self.infinite:
            text = "infinite"
        reasons = " and ".join(dict.fromkeys(self.reasons))
        return text + (f", from {reasons}" if reasons else "")

    def quote(self, facts: list[tuple[str, Any, str]]) -> None:
        """Keep the statements that are stronger than the bounds."""
        whole = DIMENSIONS[self.name].kind == "integer"
        self.stated = tuple(
            (relation, int(value) if whole else value, source)
            for relation, value, source in facts
            if relation == "=="
            or (relation == "<=" and (self.upper is None or value < self.upper))
            or (relation == ">=" and (self.lower is None or value > self.lower))
        )

    def quotes(self) -> list[str]:
        """The statements, in words."""
        return [
            f"stated in the catalog: {self.name} {'=' if relation == '==' else relation} "
            f"{value_text(value)}" + (f" ({source})" if source else "")
            for relation, value, source in self.stated
        ]

    @property
    def is_open(self) -> bool:
        """Whether only bounds are known."""
        return self.value is None and not self.infinite

    def bounds(self) -> dict[str, Any]:
        """The bounds of an open dimension, for JSON."""
        return {
            "lower": value_json(self.lower),
            "upper": value_json(self.upper),
            "from": list(self.reasons),
        }


LISTS["{dimensions}"] = lambda: ", ".join(DIMENSIONS)


@command(CLASSES)
def dims(
    classes: Classes,
    *,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            show_default="ldim,vcdim",
            metavar="NAMES",
            help="Names of dimensions: {dimensions}, or all. Further parameters, such as "
            "sign_rank, are computed by 'lsclasses explain NAME --class SPEC' for small classes.",
            autocompletion=completion.listed(lambda: (*DIMENSIONS, "all")),
        ),
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Write certificates of the requested dimensions into this folder. Certificates "
            "exist for ldim, vcdim, randomized_ldim, threshold_dim, star numbers, hollow star "
            "numbers and teaching dimensions.",
        ),
        Writes(CERTIFICATES, folder=True),
    ] = None,
    lean: Annotated[
        bool,
        typer.Option(
            "--lean",
            help="With --certificate, also write theorems about ldim and vcdim for Lean 4, "
            "with their proofs. The theorems use no Lean library. The class may have at most 256 "
            "concepts and 16 points.",
        ),
    ] = False,
    coq: Annotated[
        bool,
        typer.Option(
            "--coq",
            help="With --certificate, also write theorems about ldim and vcdim for Coq, with "
            "their proofs. The theorems need only Coq's standard library. The class may have at "
            "most 256 concepts and 16 points.",
        ),
    ] = False,
    force: Force = False,
    witness: Annotated[
        bool,
        typer.Option(
            "--witness",
            help="Also print a witness of each dimension: a set or sequence that proves that the "
            "dimension is not smaller.",
        ),
    ] = False,
    seconds: Annotated[
        str | None,
        typer.Option(
            metavar="FRACTION",
            help="Time limit for each search, in seconds. A stopped search prints bounds.",
        ),
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Memory limit for each search, such as 500M or 2G. A stopped search prints "
            "bounds.",
        ),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            metavar="INTEGER",
            min=1,
            help="Number of threads that share each search for ldim. The default is the "
            "environment variable LSCLASSES_THREADS if it is set, and otherwise 1.",
        ),
    ] = None,
    jobs: Jobs = None,
    dask: Dask = None,
    resume: Resume = None,
    as_json: AsJson = False,
) -> None:
    """Compute dimensions exactly, or bounds on them if a limit stops the search.

    For each value, the output lists the source (a closed form or a search) and the time of the
    search. If a limit or Ctrl-C stops a search, the command prints the bounds found so far. The
    command also derives bounds from inequalities with other dimensions, and names these dimensions.
    If a limit stopped the search, the output also quotes the statements of the catalog of families
    about the dimension. The printed bounds do not use these statements. If one certificate of a
    class fails, the command writes no certificate of this class. With --jobs or --dask, the command
    prints each class when all its values are finished, so Ctrl-C prints no bounds.
    """
    names = _dimension_names(only or ["ldim,vcdim"])
    limit = Limit(
        None if seconds is None else read_seconds(seconds),
        None if memory is None else _size(memory),
        threads_each_process(threads or threads_by_default(), jobs),
    )
    if resume is not None and certificate is not None:
        raise InvalidInput(
            "--resume keeps answers, not the files of --certificate: give one of them."
        )
    assistants = [name for name, wanted in (("lean", lean), ("coq", coq)) if wanted]
    if assistants and certificate is None:
        raise InvalidInput(
            f"--{assistants[0]} writes a file into the folder of --certificate. Add --certificate "
            "FOLDER."
        )
    paths = (
        {}
        if certificate is None
        else certificate_paths(certificate, classes, names, assistants, force=force)
    )
    apart = bool(dask or resume or (jobs or 1) > 1)
    work = partial(_work, names=names, limit=limit, witnessed=witness, apart=apart, quiet=as_json)
    kept = open_results(resume, f"dims {names} {limit} {witness} {as_json}")
    shared = make_executor(jobs, dask, parts=len(classes))
    labels = list(classes) if kept is None else list(map(result_key, classes))
    answers: list[dict[str, Any]] = []
    status = count = 0
    try:
        with shared as executor:
            found = results(
                work,
                labels,
                lambda number: _Part.of(classes[number], paths.get(classes[number]), dask),
                executor,
                kept,
                written=lambda done: dataclasses.asdict(done) if done.is_kept else None,
                read=lambda data: _Done(**data),
            )
            for count in range(1, len(classes) + 1):
                with progress_line() if apart else nullcontext(_unseen) as show:
                    show(f"class {count} of {len(classes)} ...")
                    done = next(found)
                repeat(done.said)
                answers += [done.found] if done.found else []
                if done.proofs is not None:
                    write_proofs(*done.proofs)
                    done.found |= done.proofs[0].to_json()
                status = max(status, done.status)
                if done.error is not None:
                    raise done.error
                if done.status == INTERRUPTED:
                    break
    except KeyboardInterrupt:
        if apart:
            left = plural(len(classes) - count + 1, "class", "classes")
            again = "" if resume is None else " The same command continues."
            note(f"lsclasses: interrupted before the last {left}.{again}")
        raise
    finally:
        if as_json:
            print_json(answers)
    if status:
        raise typer.Exit(status)


def _dimension_names(only: Sequence[str]) -> list[str]:
    """Return the dimensions of ``--only``, in its order, each once."""
    # Commas inside parentheses belong to a name, such as R(x=x, Delta, 2).
    has_parentheses = any("(" in each for each in only)
    parts = split_words(",".join(only)) if has_parentheses else split_names(only)
    names = [name.strip() for name in parts if name.strip()]
    if "all" in names:
        return list(DIMENSIONS)
    if not names:
        raise InvalidInput(
            f"--only needs names of dimensions, such as ldim,vcdim, or all. Got {only[-1]!r}."
        )
    try:
        return list(dict.fromkeys(DIMENSIONS.require(name) for name in names))
    except InvalidInput as error:
        if "Did you mean" in str(error) or any(map(DIMENSIONS.answer, names)):
            raise
        raise InvalidInput(f"{error} '--only all' computes every dimension.") from None


def _size(text: str) -> int:
    """Return the number of bytes that a size such as 500M or 2G denotes."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?) *([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if match is None:
        raise InvalidInput(f"--memory needs a size such as 500M or 2G. Got {text!r:.80}.")
    value = parse_number(match[1], "option --memory") * 1024 ** " KMGT".index(
        match[2].upper() or " "
    )
    if not 1 <= value <= LARGEST:
        raise InvalidInput(
            f"--memory is a size from 1 byte to 2^20 T. Got {format_number(value)} bytes."
        )
    return int(value)


def _unseen(text: str) -> None:
    """Ignore the progress message, because each class shows its progress."""


@dataclasses.dataclass(frozen=True)
class _Part:
    """A class as the command names it, or the class itself if a worker could not read it."""

    argument: str
    C: ConceptClass | None
    paths: Mapping[str, Path]

    @classmethod
    def of(cls, argument: str, paths: Mapping[str, Path] | None, dask: str | None) -> _Part:
        here = argument == STANDARD_INPUT or (dask is not None and is_file(argument))
        return cls(argument, load(argument) if here else None, paths or {})


@dataclasses.dataclass
class _Done:
    """The printed results for one class, in words and as JSON, and its error."""

    said: list[Said]
    found: dict[str, Any]
    status: int
    proofs: tuple[Proofs, dict[Path, bytes]] | None = None
    error: Exception | None = None

    @property
    def is_kept(self) -> bool:
        return self.error is None and self.status != INTERRUPTED


def _work(
    part: _Part, *, names: list[str], limit: Limit, witnessed: bool, quiet: bool, apart: bool
) -> _Done:
    """Compute all results for one class. If it runs apart, collect the output."""
    from lsclasses.searching.engines import engine_name

    engine = engine_name()
    answer, proofs, error = None, None, None
    printed: AbstractContextManager[list[Said]] = collected() if apart else nullcontext([])
    with printed as said:
        try:
            C = load(part.argument) if part.C is None else part.C
            answer = _Answer(part.argument, C, limit, engine, witnessed, say=not quiet)
            answer.measure(names)
            if part.paths and answer.status != INTERRUPTED:
                proofs = answer.prove(part.paths)
        except Exception as raised:
            error = raised
    found, status = ({}, 0) if answer is None else (answer.to_json(), answer.status)
    return _Done(said, found, status, proofs, error)


@dataclasses.dataclass
class _Answer:
    """The results on one class, printed as they are found if `say` is true."""

    argument: str
    C: ConceptClass
    limit: Limit
    engine: str
    witnessed: bool
    say: bool
    status: int = 0
    found: dict[str, _Found] = dataclasses.field(default_factory=dict)
    witnesses: dict[str, Any] = dataclasses.field(default_factory=dict)

    @cached_property
    def name(self) -> str | None:
        """The permanent name of the class, or None if it is too large or was stopped."""
        from lsclasses.isomorphism import name_in_atlas

        try:
            return name_in_atlas(self.C, limit=self.limit)
        except TooLarge:
            return None

    def measure(self, names: list[str]) -> None:
        """Find these dimensions, in order, until the user stops it."""
        known: Known = {}
        width = max(map(len, names))
        if self.say:
            known_as = f"; {self.name} in the atlas" if self.name else ""
            say(f"{self.argument}: {counts(self.C)}{known_as}")
        for name in names:
            found, outcome = _measure(self.C, name, self.limit)
            if found.is_open and not self.C.is_empty and self.C.domain.size != 0:
                _conclude(self.C, found, known, self.limit)
            _note(known, name, found)
            if found.is_open:
                found.quote(stated(self.argument, name))
            self.found[name], self.status = found, max(self.status, outcome)
            if self.say:
                say(f"  {name:{width}}  {found.shown}  ({found.source}, {found.seconds:.3g} s)")
                for line in found.quotes():
                    say(line, indent=" " * (width + 4))
            if outcome == INTERRUPTED:
                return
            if self.witnessed and not found.infinite:
                self._witness(name, " " * (width + 4))

    def _witness(self, name: str, indent: str) -> None:
        evidence, outcome = _witness(self.C, name, self.limit)
        self.status = max(self.status, outcome)
        if evidence is not None:
            self.witnesses[name] = evidence.to_json()
            if self.say:
                say(str(evidence), indent=indent)

    def prove(self, paths: Mapping[str, Path]) -> tuple[Proofs, dict[Path, bytes]] | None:
        """Find the certificates and the contents of their files."""
        try:
            proofs, contents = find_proofs(self.C, paths, self.limit, self.argument)
        except KeyboardInterrupt:
            note(f"lsclasses: interrupted. No certificate of {self.argument} was written.")
            self.status = INTERRUPTED
            return None
        if not all(_is_reached(self.limit, stopped) for stopped in proofs.stopped):
            self.status = INVALID
        return proofs, contents

    def to_json(self) -> dict[str, Any]:
        """All results as JSON."""
        found = self.found
        bounds = {name: each.bounds() for name, each in found.items() if each.is_open}
        quoted = {
            name: [
                {"relation": relation, "value": value_json(value), "source": source}
                for relation, value, source in each.stated
            ]
            for name, each in found.items()
            if each.stated
        }
        infinite = [name for name, each in found.items() if each.infinite]
        return {
            "name": self.argument,
            **counts_json(self.C),
            **({"atlas": self.name} if self.name else {}),
            **{name: value_json(each.value) for name, each in found.items()},
            "source": {name: each.source for name, each in found.items()},
            "seconds": {name: round(each.seconds, 6) for name, each in found.items()},
            "engine": self.engine,
            **({"bounds": bounds} if bounds else {}),
            **({"stated": quoted} if quoted else {}),
            **({"infinite": infinite} if infinite else {}),
            **({"witnesses": self.witnesses} if self.witnessed else {}),
        }


def _measure(C: ConceptClass, name: str, limit: Limit) -> tuple[_Found, int]:
    """One dimension, or the bounds known when a limit or the user stopped the search.

    The second value is the exit status that this deserves.
    """
    known: list[tuple[int, int]] = []
    start = time.perf_counter()
    with progress_line() as show:

        def progress(lower: int, upper: int) -> None:
            if DIMENSIONS[name].kind == "sequence":
                show(f"{name}: entry {lower} of {upper} ...")
                return
            known.append((lower, upper))
            show(_bounds_text(name, lower, upper))

        show(f"{name} ...")
        try:
            answer = DIMENSIONS[name].evaluate(C, limit=limit, progress=progress)
        except InfiniteDimension:
            seconds = time.perf_counter() - start
            return _Found(name, source="closed form", seconds=seconds, infinite=True), 0
        except TooLarge as stopped:
            lower, upper = stopped.lower, stopped.upper
            if lower is not None and lower == upper:
                return _Found(name, lower, seconds=time.perf_counter() - start), 0
            status, source = 0, "limit reached"
            if not _is_reached(limit, stopped):
                status, source = INVALID, "too large"
                note(f"lsclasses: {name}: {stopped}")
        except KeyboardInterrupt:
            lower, upper = known[-1] if known else (None, None)
            status, source = INTERRUPTED, "interrupted"
        else:
            return _Found(name, answer.value, None, None, answer.source, answer.seconds), 0
    seconds = time.perf_counter() - start
    return _Found(name, None, lower, upper, source, seconds), status


def _witness(C: ConceptClass, name: str, limit: Limit) -> tuple[Witness | None, int]:
    """Print the witness of a lower bound on a dimension, if one exists. Return the exit status."""
    if DIMENSIONS[name].evidence is None or C.is_empty:
        return None, 0
    with progress_line() as show:
        show(f"witness of {name} ...")
        try:
            found = DIMENSIONS[name].witness(C, limit=limit)
        except TooLarge as stopped:
            note(f"lsclasses: no witness of {name}: {stopped}")
            return None, 0 if _is_reached(limit, stopped) else INVALID
        except KeyboardInterrupt:
            note(f"lsclasses: interrupted. No witness of {name}.")
            return None, INTERRUPTED
    return found, 0


def _conclude(C: ConceptClass, found: _Found, known: Known, limit: Limit) -> None:
    """Improve bounds by known values of other dimensions, from this command or in closed form."""
    from lsclasses.dimensions.derived import derive, stated
    from lsclasses.dimensions.ranges import Range

    unbounded = found.source == "limit reached" and found.lower is None
    needed = DIMENSIONS[found.name].bounded_by
    if unbounded and needed and needed not in known and limit.seconds is not None:
        # An unknown dimension that the bound needs is worth the same time again.
        _note(known, needed, _measure(C, needed, limit)[0])
    facts = known | stated(C)
    if found.name == "growth_function":
        _conclude_growth(found, facts)
    else:
        facts[found.name] = Range(found.lower, found.upper)
        derived = derive(found.name, facts)
        found.lower, found.upper = derived.range.lower, derived.range.upper
        found.value, found.reasons = derived.range.value, derived.reasons
    if found.value is not None:
        found.source = "inequalities"


def _conclude_growth(found: _Found, facts: Known) -> None:
    from lsclasses.dimensions.derived import derive_growth_function
    from lsclasses.dimensions.ranges import Range

    try:
        entries = derive_growth_function(facts)
    except TooLarge:
        return
    found.lower, found.upper = (
        tuple(getattr(entry, side) for entry in entries) for side in ("lower", "upper")
    )
    found.value = found.lower if found.lower == found.upper else None
    vcdim = facts.get("vcdim", Range())
    if vcdim.lower is not None:
        exact = vcdim.value is not None
        found.reasons = (f"vcdim {'' if exact else '>= '}{vcdim.lower}",)


def _note(known: Known, name: str, found: _Found) -> None:
    """Record the value of a dimension that is a number."""
    from lsclasses.dimensions.ranges import Range

    if DIMENSIONS[name].kind != "sequence" and not found.infinite:
        exact = found.value is not None
        known[name] = Range(found.value, found.value) if exact else Range(found.lower, found.upper)


def _bounds_text(name: str, lower: Any, upper: Any) -> str:
    if lower is None and upper is None:
        return "unknown"
    if isinstance(lower, tuple):
        return ", ".join(
            str(least) if least == most else f"{least}..{most}"
            for least, most in zip(lower, upper, strict=True)
        )
    left = "" if lower is None else f"{hundredths(lower, down=True)} <= "
    return left + name + ("" if upper is None else f" <= {hundredths(upper, up=True)}")


def _is_reached(limit: Limit, stopped: TooLarge) -> bool:
    """Whether the search stopped because the user wanted it to, not because it is hopeless."""
    return stopped.limit is not None and stopped.limit in (limit.seconds, limit.memory)
