"""``lsclasses frontier``: the least error, or mistakes, of all private learners of a class."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from learners.commands.options import number_option, read_count
from lsclasses.commands.application import LEARNING, AsJson, Force, OneClass, command
from lsclasses.commands.classes import load
from lsclasses.commands.option_groups import OptionGroup
from lsclasses.commands.output import counts, note, print_json, progress_line, say, terminal
from lsclasses.commands.tables import Grid
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.files.writing import write_all
from lsclasses.numbers import format_number, plural
from lsclasses.outputs import FileFormat, Writes, json_head
from lsclasses.point_names import name_text

if TYPE_CHECKING:
    from learners.optimal.frontier import Frontier
    from lsclasses.concept_class import ConceptClass

TITLES = {
    "prediction": "a private label for each query",
    "any": "a private function",
    "class": "a private concept",
}
CERTIFICATE = FileFormat(
    "a certificate of a private frontier",
    {".json": json_head("lsclasses-certificate", "private-frontier")},
)
LONGEST = 64
"""Largest number of sample sizes, or of numbers of rounds, in one table."""
DIGITS = 4
"""Number of decimals in a table."""
MOST_LISTED = 10
"""Number of distributions or streams of a prior that are printed."""


@dataclass(frozen=True, kw_only=True)
class FrontierOptions(OptionGroup):
    """The guarantee, the setting and the accuracy of the computed numbers."""

    epsilon: Annotated[str, number_option("Epsilon of the guarantee.")] = "1"
    delta: Annotated[str, number_option("Delta of the guarantee.")] = "0"
    labels: Annotated[
        str,
        typer.Option(
            metavar="KIND",
            help="Labels of the rows: realizable (a concept of the class labels the rows) or "
            "agnostic (any labels). In the agnostic case, the printed error is the error above "
            "the error of the best concept.",
        ),
    ] = "realizable"
    adversary: Annotated[
        str,
        typer.Option(
            metavar="KIND",
            help="Adversary that chooses the stream: oblivious (the stream is fixed in "
            "advance) or adaptive (the next example may depend on the published outputs).",
        ),
    ] = "oblivious"
    rows_per_user: Annotated[
        int,
        typer.Option(
            metavar="INTEGER",
            min=1,
            help="Number of rows of each user. Neighbouring samples may differ in all rows of one "
            "user.",
        ),
    ] = 1
    public_rows: Annotated[
        int,
        typer.Option(
            metavar="INTEGER",
            min=0,
            help="Number of rows that the guarantee does not protect. The other rows belong "
            "to users.",
        ),
    ] = 0
    tolerance: Annotated[
        str,
        number_option(
            "Largest difference between the upper and the lower bound on an expected error."
        ),
    ] = "1/10000"

    def __post_init__(self) -> None:
        if self.epsilon.lower() in ("inf", "infinity"):
            raise InvalidInput(
                "Every learner is private with infinite epsilon. The row 'without privacy' is the "
                "answer, and the output for any finite epsilon contains this row."
            )

    def whole_users(self, sizes: list[int]) -> list[int]:
        """Return the sizes of a range whose private rows are rows of whole users.

        A single size is returned unchanged.
        """
        if len(sizes) == 1:
            return sizes
        found = [
            size
            for size in sizes
            if size > self.public_rows and (size - self.public_rows) % self.rows_per_user == 0
        ]
        return found or sizes

    def question(self, source: str) -> _Asked:
        """Return the parameters of the computation for a class."""
        from lsclasses.numbers import as_printed

        return _Asked(
            load(source),
            as_printed(self.epsilon, "epsilon"),
            as_printed(self.delta, "delta"),
            self.labels,
            self.adversary,
            self.rows_per_user,
            self.public_rows,
            as_printed(self.tolerance, "tolerance"),
        )


@command(LEARNING)
def frontier(
    source: OneClass,
    *,
    rows: Annotated[
        str | None,
        typer.Option(metavar="INTEGERS", help="Sample sizes, such as 3 or 1..4."),
    ] = None,
    rounds: Annotated[
        str | None,
        typer.Option(metavar="INTEGERS", help="Numbers of rounds, for online learners."),
    ] = None,
    outputs: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="Output that the learner publishes: any (a function from points to labels), "
            "class (a concept of the class) or prediction (one label for one query). The default "
            "is all three outputs.",
        ),
    ] = None,
    options: FrontierOptions,
    certificate: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a proof of the lower and the upper bound on one number. 'lsclasses "
            "check' checks the proof. The option needs one value of --rows or --rounds, and the "
            "default of --outputs is then any.",
        ),
        Writes(CERTIFICATE),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Compute the least error of any private learner on a class of few points, with proofs.

    With --rows, the command considers private learners that read a sample. The error of a learner
    is its expected error on the worst distribution of the rows. The command prints the least error
    over all learners. With --rounds, it prints the fewest expected mistakes of any private online
    learner in the worst case. With --rounds and --outputs prediction, the learner answers one query
    in each round. For each user, the guarantee covers the answers that all other users receive, but
    not the answers to this user. The table also lists the optimum without privacy and the error of
    the exponential mechanism on the class. If the lower and the upper bound on a number differ in
    the printed digits, the table shows both bounds.
    """
    from learners.optimal.frontier_certificates import PrivateFrontier

    if (rows is None) == (rounds is None):
        raise InvalidInput(
            "Learners from samples (--rows COUNTS) or online learners (--rounds COUNTS). Got "
            f"{'neither' if rows is None else 'both'}."
        )
    if outputs is not None and outputs not in TITLES:
        raise InvalidInput(f"--outputs is one of {', '.join(TITLES)}. Got {outputs!r}.")
    name, text = ("rows", rows) if rounds is None else ("rounds", rounds)
    sizes = options.whole_users(_read_counts(name, str(text)))
    if rounds is not None and (options.rows_per_user > 1 or options.public_rows):
        raise InvalidInput(
            "--rows-per-user and --public-rows are for learners from samples (--rows). Got "
            f"--rounds {rounds}."
        )
    if certificate is not None:
        outputs = outputs or "any"
        if len(sizes) > 1:
            raise InvalidInput(f"A certificate is about one number of {name}. Got {text}.")
    asked = options.question(source)
    table = _rows_of_samples(asked, outputs) if rounds is None else _rows_online(asked, outputs)
    results, optima = _filled(table, sizes, name, proved=certificate is not None)
    if certificate is not None:
        proof = PrivateFrontier.of(asked.concepts, optima[0].evidence)
        write_all([(certificate, json.dumps(proof.to_json()) + "\n")])
        note(f"Written: {certificate}")
    if as_json:
        print_json(
            asked.to_json(source, name, sizes) | {"results": _json(table, sizes, name, results)}
        )
        return
    _print(asked, source, name, sizes, results)
    if len(optima) == 1:
        _print_hard(optima[0].hard)


def _read_counts(name: str, text: str) -> list[int]:
    """Parse a count, or a range of counts such as 1..4."""
    first, dots, last = text.partition("..")
    low = read_count("frontier", name, first)
    high = read_count("frontier", name, last, least=low) if dots else low
    if high - low >= LONGEST:
        raise InvalidInput(f"A table has at most {LONGEST} numbers of {name}. Got {text}.")
    return list(range(low, high + 1))


Bounds = tuple[Fraction, Fraction]
Row = tuple[str, str, Callable[[int], "Frontier | Bounds"]]
"""A row of the table: a name, a title, and the function that computes an entry (an optimum or two
bounds)."""


@dataclass(frozen=True)
class _Asked:
    """The class and the questions about it."""

    concepts: ConceptClass
    epsilon: Fraction
    delta: Fraction
    labels: str
    adversary: str
    rows_per_user: int
    public_rows: int
    tolerance: Fraction

    @property
    def grouped(self) -> bool:
        """Whether some rows are public, or users have several rows."""
        return self.rows_per_user > 1 or self.public_rows > 0

    def to_json(self, source: str, name: str, sizes: list[int]) -> dict[str, Any]:
        """The question as JSON."""
        online = name == "rounds"
        return {
            "class": source,
            "quantity": "expected mistakes" if online else "expected error",
            name: sizes,
            "epsilon": str(self.epsilon),
            "delta": str(self.delta),
            **({"adversary": self.adversary} if online else {"labels": self.labels}),
            **(
                {"rows_per_user": self.rows_per_user, "public_rows": self.public_rows}
                if self.grouped
                else {}
            ),
        }


def _rows_of_samples(asked: _Asked, outputs: str | None) -> list[Row]:
    from learners.optimal.comparisons import learner_error
    from learners.optimal.error import non_private_error, optimal_error
    from learners.pac.generic import GenericLearner

    C, labels = asked.concepts, asked.labels

    def optimum(kind: str) -> Callable[[int], Frontier]:
        return lambda m: optimal_error(
            C,
            m,
            asked.epsilon,
            asked.delta,
            outputs=kind,  # type: ignore[arg-type]
            labels=labels,  # type: ignore[arg-type]
            rows_per_user=asked.rows_per_user,
            public_rows=asked.public_rows,
            tolerance=asked.tolerance,
        )

    def exponential(m: int) -> Bounds:
        # A changed user is at most `rows_per_user` changed rows, each of which costs its share.
        learner = GenericLearner(C, asked.epsilon / asked.rows_per_user)
        error = learner_error(C, learner, m, labels)  # type: ignore[arg-type]
        return Fraction(error), Fraction(error)

    kinds = [kind for kind in TITLES if outputs in (None, kind)]
    return [
        *((kind, TITLES[kind], optimum(kind)) for kind in kinds),
        (
            "without privacy",
            "without privacy",
            lambda m: non_private_error(C, m, labels=labels, tolerance=asked.tolerance),  # type: ignore[arg-type]
        ),
        ("exponential mechanism", "the exponential mechanism on the class", exponential),
    ]


def _rows_online(asked: _Asked, outputs: str | None) -> list[Row]:
    from learners.optimal.challenge import optimal_answers
    from learners.optimal.comparisons import (
        learner_mistakes,
        non_private_mistakes,
        split_budget_hedge,
    )
    from learners.optimal.mistakes import optimal_mistakes

    C = asked.concepts
    answers = asked.adversary == "oblivious" and not asked.delta
    if outputs == "prediction" and not answers:
        raise InvalidInput(
            "Mistakes of private answers (--outputs prediction) are computed for fixed streams and "
            f"delta = 0. Got the adversary {asked.adversary} and delta "
            f"{format_number(asked.delta, exact=1000)}."
        )

    def optimum(kind: str) -> Callable[[int], Frontier]:
        return lambda T: optimal_mistakes(
            C,
            T,
            asked.epsilon,
            asked.delta,
            adversary=asked.adversary,  # type: ignore[arg-type]
            outputs=kind,  # type: ignore[arg-type]
        )

    def without(T: int) -> Bounds:
        found = non_private_mistakes(C, T)
        return found, found

    def exponential(T: int) -> Bounds:
        found = Fraction(learner_mistakes(C, split_budget_hedge(C, T, asked.epsilon), T))
        return found, found

    kinds = [kind for kind in ("any", "class") if outputs in (None, kind)]
    private: list[Row] = [
        (
            "prediction",
            "answers, private towards all others",
            lambda T: optimal_answers(C, T, asked.epsilon),
        )
    ]
    return [
        *(private if answers and outputs in (None, "prediction") else ()),
        *((kind, TITLES[kind] + " in each round", optimum(kind)) for kind in kinds),
        ("without privacy", "without privacy", without),
        ("exponential mechanism", "the exponential mechanism, for shares of epsilon", exponential),
    ]


def _filled(
    table: list[Row], sizes: list[int], name: str, *, proved: bool
) -> tuple[list[tuple[str, list[Bounds | None]]], list[Frontier]]:
    """Return all entries, with None for entries that are too large, and the optima among them.

    The function computes the optima first. If a proof is requested, an optimum that is too large is
    an error.
    """
    from learners.optimal.frontier import Frontier

    found: list[tuple[str, list[Bounds | None]]] = []
    optima: list[Frontier] = []
    refused: list[TooLarge] = []
    with progress_line() as show:
        for _, title, compute in table:
            entries: list[Bounds | None] = []
            for size in sizes:
                show(f"{title}, {size} {name} ...")
                try:
                    entry = compute(size)
                except TooLarge as error:
                    if proved and not optima:
                        raise
                    refused.append(error)
                    entries.append(None)
                    continue
                if isinstance(entry, Frontier):
                    optima.append(entry)
                    entry = entry.lower, entry.upper
                entries.append(entry)
            found.append((title, entries))
    if all(entry is None for _, entries in found for entry in entries):
        raise refused[0]
    for reason in refused:
        note(f"Note: {reason}")
    return found, optima


def _json(
    table: list[Row], sizes: list[int], name: str, results: list[tuple[str, list[Bounds | None]]]
) -> dict[str, Any]:
    """Return the bounds as JSON. An entry that is too large has trivial bounds."""
    return {
        each: [
            {
                "lower": float(format_number(entry[0], 12, down=True)) if entry else 0.0,
                "upper": float(
                    format_number(entry[1], 12, up=True) if entry else _most(name, size)
                ),
            }
            for entry, size in zip(entries, sizes, strict=True)
        ]
        for (each, _, _), (_, entries) in zip(table, results, strict=True)
    }


def _most(name: str, size: int) -> int:
    """The largest expected error, or number of mistakes."""
    return size if name == "rounds" else 1


def _print(
    asked: _Asked,
    source: str,
    name: str,
    sizes: list[int],
    results: list[tuple[str, list[Bounds | None]]],
) -> None:
    what = (
        f"expected mistakes in the worst case, {asked.adversary} adversary"
        if name == "rounds"
        else f"expected error in the worst case, {asked.labels}"
    )
    budget = f"({format_number(asked.epsilon)}, {format_number(asked.delta)})"
    say(f"{source}: {counts(asked.concepts)}; {what}, {budget}-DP{_grouping(asked)}\n")
    grid = Grid(name, *map(str, sizes))
    for title, entries in results:
        grid.add_row(title, *("-" if entry is None else _digits(*entry) for entry in entries))
    terminal().print(grid)


def _grouping(asked: _Asked) -> str:
    """The users and the public rows, as the end of a heading."""
    each, public = asked.rows_per_user, asked.public_rows
    users = f" for users of {each} rows" if each > 1 else ""
    return users + (f", given {plural(public, 'public row')}" if public else "")


def _digits(lower: Fraction, upper: Fraction) -> str:
    """The digits that both bounds round to, or both."""
    both = f"{float(lower):.{DIGITS}f}", f"{float(upper):.{DIGITS}f}"
    return both[0] if both[0] == both[1] else "-".join(both)


def _print_hard(hard: object) -> None:
    """Print the prior of a lower bound, likeliest first, without adaptive strategies."""
    listed = sorted(_described(hard), key=lambda each: -each[0])
    if not listed:
        return
    say("\nA prior on which every private learner does as badly (or its images under symmetries):")
    for probability, text in listed[:MOST_LISTED]:
        say(f"  {float(probability):.4f}  {text}")
    if len(listed) > MOST_LISTED:
        say(f"  and {len(listed) - MOST_LISTED} more")


def _described(hard: object) -> Iterator[tuple[Fraction, str]]:
    from learners.optimal.publisher import HardStreams
    from learners.optimal.sample_learner import HardPrior

    def example(x: object, y: int) -> str:
        return f"{name_text(x)}:{y}"

    if isinstance(hard, HardPrior):
        for probability, D in hard.distributions():
            weights = sorted(D.counts.items(), key=lambda each: -each[1])
            yield (
                probability,
                "  ".join(f"{example(*z)} {w / D.total:.4f}" for z, w in weights),
            )
    elif isinstance(hard, HardStreams):
        points, total = tuple(hard.concept_class.domain), sum(w for w, _ in hard.streams)
        for weight, stream in hard.streams:
            examples = ", ".join(example(points[z // 2], z % 2) for z in stream)
            yield Fraction(weight, total), examples
