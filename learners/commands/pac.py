"""``lsclasses pac``: a hypothesis from a sample, privately."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from learners.commands.learner_commands import command_for, learner_group
from learners.commands.options import ClassSource, ReleaseOptions, Save, read_count
from learners.commands.populations import Noise, Points, population
from learners.commands.session import NotPrivate, Session, warnings_as_notes
from lsclasses.commands.application import CONTRADICTED, LEARNING, Force, command
from lsclasses.commands.classes import load
from lsclasses.commands.option_groups import OptionGroup
from lsclasses.commands.output import counts, labelled, say, terminal
from lsclasses.commands.tables import Grid
from lsclasses.errors import InvalidInput, NotRealizable, TooLarge
from lsclasses.numbers import format_number
from lsclasses.outputs import Reads
from lsclasses.verdicts import Verdict

if TYPE_CHECKING:
    from typer.core import TyperCommand

    from learners.bounds import Bound
    from learners.coins import Coins
    from learners.pac.base import BatchLearner
    from learners.pac.entries import SampleEntry
    from learners.pac.sample_verdicts import Population
    from learners.pac.samples import Sample
    from learners.tables.guarantees import Guarantee
    from lsclasses.concept_class import ConceptClass
    from lsclasses.hypothesis import Hypothesis
    from lsclasses.registry import Registry

    Common = tuple[Session, SampleEntry, Mapping[str, object], str, ConceptClass]

READABLE = 10**9
"""Largest number of rows of a sample that the command draws."""


def _trainable() -> Registry[SampleEntry]:
    from learners.pac.entries import BATCH_LEARNERS

    return BATCH_LEARNERS


def _build(entry: SampleEntry) -> TyperCommand:
    """Build the command of one learner."""
    return command_for(entry, _run, _help(entry))


def _help(entry: SampleEntry) -> str:
    details = f"{entry.details}\n\n" if entry.details else ""
    return (
        f"Learn a hypothesis by {entry.name}: {entry.title}.\n\n{details}With --data, the learner "
        "reads rows from a file. With --target, the command draws the rows from a distribution, "
        "and a concept of the class labels them. For drawn rows, the command computes the error "
        "of the hypothesis exactly and compares the error with the proved bound. The exit status "
        "is 1 if a bound is violated. For rows from a file, some results depend on the rows "
        "without a privacy guarantee. The command prints these results on standard error, or "
        "with --json in a field whose name marks the results as not private."
    )


pac = command(LEARNING)(
    learner_group(
        _trainable,
        _build,
        _help,
        name="pac",
        rows="SPEC|FILE",
        text="Learn a hypothesis from a sample with differential privacy (private PAC learning). "
        "Without a learner, the command lists all learners.",
    )
)


@dataclass(frozen=True, kw_only=True)
class Examples(OptionGroup):
    """The source of the examples: a distribution, or the rows of a table."""

    target: Annotated[
        str | None,
        typer.Option(
            metavar="CONCEPT",
            help="Concept that labels the points: a name, a parameter such as start=3, the "
            "labels of all points such as 0001, or random. Examples point:label, such as "
            "3:1,2:0, denote the only concept that agrees with all of them.",
        ),
    ] = None
    points: Points = "uniform"
    noise: Noise = "0"
    data: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="CSV file of rows with the header point,label."),
        Reads(),
    ] = None
    rows: Annotated[
        str | None,
        typer.Option(
            metavar="INTEGER",
            help="Number of rows in the sample. The default is the least number for which "
            "the error bound is proved. Learners without such a number, such as erm and "
            "subsample-aggregate, need --rows.",
        ),
    ] = None
    seeds: Annotated[
        int,
        typer.Option(
            metavar="INTEGER",
            min=1,
            help="Number of samples. The seeds of the samples are the value of --seed, this value "
            "+ 1, and so on.",
        ),
    ] = 1

    def __post_init__(self) -> None:
        if (self.target is None) == (self.data is None):
            raise InvalidInput(
                "Rows are drawn from a distribution (--target CONCEPT) or read from a table "
                f"(--data FILE). Got {'neither' if self.target is None else 'both'}."
            )
        if self.data is not None:
            _refuse_for_data(
                points=self.points != "uniform",
                noise=self.noise != "0",
                rows=self.rows is not None,
                seeds=self.seeds > 1,
            )


@dataclass(frozen=True, kw_only=True)
class SampleReleaseOptions(ReleaseOptions):
    """The randomness, the budget and the output format of learning from a sample."""

    seed: Annotated[
        int | None,
        typer.Option(
            metavar="INTEGER",
            min=0,
            help="Seed of the random numbers, 0 by default with --target. With --data and a "
            "seed, the output is only a simulation, so do not publish the output.",
        ),
    ] = None
    secure: Annotated[
        bool,
        typer.Option(
            "--secure",
            help="Take random numbers from the operating system. This choice is the "
            "default with --data.",
        ),
    ] = False


@warnings_as_notes()
def _run(
    entry: SampleEntry,
    source: ClassSource,
    *,
    examples: Examples,
    options: Mapping[str, object],
    save: Save = None,
    force: Force = False,
    release: SampleReleaseOptions,
) -> None:
    if release.secure and (release.seed is not None or examples.data is None):
        raise InvalidInput(
            "--secure is for the rows of a table (--data) without --seed. Draws from a seed and "
            "rows from a distribution are simulations."
        )
    C = load(source)
    task: _Task
    if examples.target is None:
        assert examples.data is not None
        task = _Table(release.session(), entry, options, source, C, data=examples.data)
    else:
        if release.budget is not None:
            raise InvalidInput("--budget is for the rows of a table (--data).")
        session = Session(release.seed or 0, None, release.as_json)
        task = _drawn((session, entry, options, source, C), examples, saved=save is not None)
    task.learn()
    task.saved = task.session.save(save, task.save)
    hidden = NotPrivate(task.errors, task.error_lines) if isinstance(task, _Table) else None
    task.session.answer(task.to_json, task.show, hidden)
    if any(verdict == Verdict.VIOLATED for _, verdict, _ in task.judged):
        raise typer.Exit(CONTRADICTED)


def _drawn(common: Common, examples: Examples, *, saved: bool) -> _Drawn:
    """Return the task of learning from samples of a distribution."""
    session, _, _, source, C = common
    number, rows = session.seed or 0, examples.rows
    count = None if rows is None else read_count("pac", "rows", rows)
    law = population(
        source, C, str(examples.target), points=examples.points, noise=examples.noise, seed=number
    )
    if examples.seeds > 1 and saved:
        raise InvalidInput(
            f"--save writes one hypothesis. Got {examples.seeds} samples. Remove --seeds."
        )
    every = range(number, number + examples.seeds)
    return _Drawn(*common, population=law, rows=count, seeds=every)


def _refuse_for_data(**given: bool) -> None:
    for name, present in given.items():
        if present:
            raise InvalidInput(
                f"--{name} is for rows from a distribution (--target). Got the rows of a table "
                "(--data). Remove this option."
            )


class _Task:
    """The task of learning one sample, with its results."""

    several = ""
    """Words before the largest of several numbers."""
    learner: BatchLearner
    sample: Sample
    hypothesis: Hypothesis

    def __init__(
        self,
        session: Session,
        entry: SampleEntry,
        options: Mapping[str, object],
        source: str,
        C: ConceptClass,
    ) -> None:
        self.session, self.entry, self.options = session, entry, options
        self.source, self.C = source, C
        self.judged: list[tuple[Bound, str, Fraction | None]] = []
        self.saved: Path | None = None

    def learn(self) -> None:
        """Build the learner and the rows, and learn."""
        raise NotImplementedError

    @property
    def guarantee(self) -> Guarantee | None:
        """The privacy guarantee of the hypothesis."""
        from learners.tables.guarantees import Guarantee

        event = self.learner.privacy
        if event is None:
            return None
        return Guarantee.of(event, simulated=self.session.simulated, conditional=False)

    @property
    def counted(self) -> bool:
        """Whether the number of rows is public."""
        guarantee = self.guarantee
        return guarantee is None or guarantee.neighbours == "replace_one"

    def save(self, path: Path) -> None:
        """Write the hypothesis to a file."""
        from learners.tables.hypothesis_models import HypothesisModel
        from lsclasses.table import Table

        values = {name: str(v) for name, v in self.entry.values(**self.options).items()}
        HypothesisModel(
            self.C if isinstance(self.C, Table) and self.from_file else self.source,
            self.entry.name,
            values,
            len(self.sample) if self.counted else None,
            self.hypothesis,
            self.guarantee,
        ).save(path)

    @property
    def from_file(self) -> bool:
        """Whether the class is in a file without a specification."""
        from lsclasses.commands.classes import is_file

        return is_file(self.source)

    def to_json(self) -> dict[str, object]:
        """All results as JSON."""
        from catalog.hypotheses import hypothesis_to_json

        guarantee = self.guarantee
        try:
            written_out = hypothesis_to_json(self.hypothesis)
        except (InvalidInput, TooLarge):
            written_out = None
        return {
            "class": self.source,
            "learner": self.entry.name,
            "parameters": {k: str(v) for k, v in self.entry.values(**self.options).items()},
            **({"rows": len(self.sample)} if self.counted else {}),
            "needed": self.learner.rows,
            "ledger": None if guarantee is None else guarantee.to_json(),
            "hypothesis": written_out,
            "labels": labelled(self.hypothesis),
            "bounds": [
                {
                    **bound.to_json(),
                    "unmet": list(bound.unmet),
                    "verdict": verdict or None,
                    "measured": None if value is None else str(value),
                }
                for bound, verdict, value in self.judged
            ],
            **self._more_json(),
            "saved": None if self.saved is None else str(self.saved),
        }

    def _more_json(self) -> dict[str, object]:
        return {}

    def show(self) -> None:
        """Print the results, except values that no guarantee covers."""
        from learners.playing.transcript import in_words

        say(f"{self.entry.name} on {self.source}: {counts(self.C)}")
        parameters = getattr(self.learner, "parameters", None)
        if parameters is not None:
            say(f"  {parameters}")
        if self.counted:
            say(f"\nrows        {len(self.sample)}{self._needed()}")
        self._print_found()
        say("\nbounds" if self.judged else "\nNo bound is stated.")
        for bound, verdict, value in self.judged:
            # Named, since the sentence may end with a number of rows.
            known = "" if value is None else f"{self.several}{_exactly(value)}"
            measured = known and f" ({bound.quantity} here: {known})"
            text = f"  {in_words(bound, verdict) if verdict else bound}{measured}"
            coloured = (known for known in Verdict if known.in_full == verdict)
            say(text, verdict=next(((verdict, known) for known in coloured), None))
        guarantee = self.guarantee
        say("\nLedger:")
        text = NOT_PRIVATE if guarantee is None else str(guarantee)
        for line in text.splitlines():
            say(f"  {line}")
        if self.saved is not None:
            say(f"\nThe model is in {self.saved}.")

    def _needed(self) -> str:
        needed = self.learner.rows
        return "" if needed is None else f" (the error bound needs {needed})"

    def _print_found(self) -> None:
        typer.echo(f"hypothesis  {labelled(self.hypothesis)}")


class _Drawn(_Task):
    """Rows of a known distribution, drawn once or several times."""

    def __init__(
        self, *common: *Common, population: Population, rows: int | None, seeds: range
    ) -> None:
        super().__init__(*common)
        self.population, self.rows, self.seeds = population, rows, seeds
        self.several = "at most " if len(seeds) > 1 else ""
        self.found: list[tuple[int, str, Fraction | None]] = []

    def learn(self) -> None:
        """Draw the rows, learn, and compare the bounds with the result."""
        from learners.coins import SeededCoins

        self.learner = learner = self.entry.learner(self.C, self.rows, **self.options)
        rows = self.rows or learner.rows
        if rows is None:
            raise InvalidInput(
                f"{self.entry.name!r} has no bound that determines a number of rows, so it needs "
                "--rows INTEGER, the number of rows to draw. For example, use --rows 1000."
            )
        _require_readable(learner, rows)
        bounds = self.population.bounds(learner, rows)
        self._require_learnable(bounds)
        values: list[list[Fraction | None]] = []
        for seed in self.seeds:
            self.sample = self.population.distribution.sample_seeded(rows, seed)
            self.hypothesis = learner.fit(self.sample, SeededCoins(seed))
            error = self._measured("population error")
            self.found.append((seed, labelled(self.hypothesis), error))
            values.append([self._measured(bound.quantity) for bound in bounds])
        for bound, each in zip(bounds, zip(*values, strict=True), strict=True):
            known = [value for value in each if value is not None]
            if len(known) < len(each):
                self.judged.append((bound, "not measured", None))
            else:
                verdict = self.population.verdict(bound, known)
                self.judged.append((bound, verdict, max(known)))

    def _require_learnable(self, bounds: tuple[Bound, ...]) -> None:
        from learners.pac.base import REALIZABLE, ZERO_LOSS

        least = self.population.least
        if least and bounds and all({REALIZABLE, ZERO_LOSS} & {*b.unmet} for b in bounds):
            raise NotRealizable(
                f"{self.entry.name!r} is for distributions whose labels a concept gives. Here "
                f"every concept of {self.source} errs with probability {_exactly(least)} at least; "
                "'generic' and 'agnostic' learn from such rows."
            )

    def _measured(self, quantity: str) -> Fraction | None:
        try:
            return self.population.measured(quantity, self.hypothesis, self.sample, self.C)
        except TooLarge:
            return None

    def _more_json(self) -> dict[str, object]:
        seed, _, error = self.found[-1]
        more: dict[str, object] = {
            "population error": _text(error),
            "least population error": str(self.population.least),
            "seed": seed,
        }
        if self.several:
            more["samples"] = [
                {"seed": each, "labels": labels, "population error": _text(error)}
                for each, labels, error in self.found
            ]
        return more

    def _print_found(self) -> None:
        least = f"the best concept errs on {_exactly(self.population.least)}"
        if not self.several:
            super()._print_found()
            say(f"error       {_error(self.found[0][2])} on the distribution; {least}")
            return
        table = Grid("seed", "hypothesis", "error")
        for seed, labels, error in self.found:
            table.add_row(str(seed), labels, _error(error))
        terminal().print("", table)
        say(f"\nErrors are on the distribution; {least}.")


class _Table(_Task):
    """Rows of a table. Only results that the ledger covers may be published."""

    def __init__(self, *common: *Common, data: Path) -> None:
        super().__init__(*common)
        self.data = data

    def learn(self) -> None:
        """Read the rows, shuffle them, and learn."""
        from learners.pac.samples import Sample

        read = Sample.load(self.session.rows(self.data), self.C.domain)
        if not len(read):
            raise InvalidInput(f"{str(self.data)!r} holds no rows to learn from.")
        self.learner = self.entry.learner(self.C, len(read), **self.options)

        def fit(coins: Coins) -> None:
            self.sample = read.shuffled(coins)
            self.hypothesis = self.learner.fit(self.sample, coins)

        what = f"pac {self.entry.name} {self.source}"
        self.session.release(self.learner.privacy, what, fit)
        if self.counted:
            self.judged = [(bound, "", None) for bound in self.learner.bounds(len(read))]

    def errors(self) -> dict[str, object]:
        """Return the numbers of errors on the true rows."""
        from lsclasses.error_histograms import error_histogram

        found: dict[str, object] = {} if self.counted else {"rows": len(self.sample)}
        found["errors"] = self.sample.errors(self.hypothesis)
        with suppress(TooLarge):
            found["least errors of a concept"] = error_histogram(self.C, self.sample.counts).least
        return found

    def _more_json(self) -> dict[str, object]:
        return {"data": str(self.data)}

    def error_lines(self) -> Iterator[str]:
        """Yield the numbers of errors on the true rows, in words."""
        for name, value in self.errors().items():
            yield f"rows: {value}" if name == "rows" else f"{name}: {value} of {len(self.sample)}"


def _require_readable(learner: BatchLearner, rows: int) -> None:
    from learners.pac.littlestone_parameters import rows_in_words

    reads = learner.reads(rows)
    if reads > READABLE:
        raise TooLarge(
            f"The command would draw and read about {rows_in_words(reads)} rows, which takes days. "
            f"The limit is {rows_in_words(READABLE)}. Ask for fewer rows (--rows) or for a weaker "
            "guarantee. 'lsclasses rows' prints the number of rows for a guarantee.",
            estimate=reads,
            limit=READABLE,
        )


NOT_PRIVATE = "There is no guarantee: the learner is not private. Do not publish its hypothesis."


def _text(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


def _error(value: Fraction | None) -> str:
    return "takes too much to find" if value is None else _exactly(value)


def _exactly(value: Fraction) -> str:
    return format_number(value, exact=10**9)
