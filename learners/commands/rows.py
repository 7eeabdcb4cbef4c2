"""``lsclasses rows``: how many rows private learning of a Littlestone class needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from learners.commands.options import AllowWeakPrivacy, number_option, read_count
from lsclasses.commands.application import LEARNING, AsJson, command
from lsclasses.commands.classes import load
from lsclasses.commands.output import print_json, say, terminal
from lsclasses.commands.tables import Grid
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.outputs import Reads

if TYPE_CHECKING:
    from fractions import Fraction

    from learners.pac.littlestone_parameters import SampleComplexity


@command(LEARNING)
def rows(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[SPEC|FILE]",
            help="A class: a specification such as thresholds:n=16, or a file with a "
            "table. The class determines the Littlestone dimension and the number of "
            "concepts.",
        ),
        Reads(),
    ] = None,
    *,
    ldim: Annotated[
        str | None,
        typer.Option(
            metavar="INTEGER", help="Littlestone dimension of the class, if no class is given."
        ),
    ] = None,
    concepts: Annotated[
        str | None,
        typer.Option(metavar="INTEGER", help="Number of concepts of the class, with --ldim."),
    ] = None,
    alpha: Annotated[str, number_option("Error bound.")] = "1/10",
    beta: Annotated[str, number_option("Largest failure probability of the error bound.")] = "1/20",
    epsilon: Annotated[str, number_option("Epsilon of the guarantee.")] = "1",
    delta: Annotated[str, number_option("Delta of the guarantee.")] = "1e-6",
    allow_weak_privacy: AllowWeakPrivacy = False,
    as_json: AsJson = False,
) -> None:
    """Print how many rows private learners of a class need for an error of at most alpha.

    The output first lists three numbers for the learner of 'lsclasses pac private-littlestone'
    [BLM20]. The number 'printed' uses the constants of the paper's proof. The number 'tight' uses
    exact tail probabilities instead. The number 'sharp' uses a variant of the learner that reads
    fewer rows. If the Littlestone dimension is 1, the output also lists a number for 'pac voting'.
    If the dimension is 2, 3 or 4, the output also lists a number for 'pac merging'. For a finite
    class, two numbers for 'pac generic' follow, with the exponential mechanism and with report
    noisy max. The last two numbers are for the exponential mechanism on rows with arbitrary labels,
    and for learning without privacy.
    """
    from learners.budget import Budget
    from learners.pac.littlestone_parameters import sample_complexity
    from lsclasses.numbers import as_printed

    if (source is None) == (ldim is None):
        raise InvalidInput(
            "Rows are counted for a class, or for a Littlestone dimension (--ldim COUNT). "
            f"Got {'neither' if ldim is None else 'both'}."
        )
    if source is not None and concepts is not None:
        raise InvalidInput("A class determines the number of its concepts. Remove --concepts.")
    if source is not None:
        d, size, exact = _of_class(source)
    else:
        d, size, exact = read_count("rows", "ldim", ldim, least=0), None, True
    if concepts is not None:
        size = read_count("rows", "concepts", concepts, least=0)
    budget = Budget(
        as_printed(epsilon, "epsilon"),
        as_printed(delta, "delta"),
        allow_weak_privacy=allow_weak_privacy,
    )
    error, failure = as_printed(alpha, "error alpha"), as_printed(beta, "failure probability beta")
    found = sample_complexity(d, error, *budget, beta=failure, concepts=size)
    if as_json:
        print_json(_json(found, exact=exact))
    else:
        _print(found, exact=exact)


def _of_class(source: str) -> tuple[int, int | None, bool]:
    """Return the Littlestone dimension, the size, and whether the dimension is exact.

    If the dimension is unknown, an upper bound takes its place. Then all numbers of rows are upper
    bounds, too.
    """
    C = load(source)
    try:
        size = C.size
    except TooLarge:
        size = None
    try:
        return C.ldim(), size, True
    except TooLarge as error:
        bounds = [error.upper, None if size is None else size.bit_length() - 1]
        known = [bound for bound in bounds if bound is not None]
        if not known:
            raise
        return min(known), size, False


def _json(found: SampleComplexity, *, exact: bool) -> dict[str, object]:
    return {
        "ldim": found.dimension,
        "ldim is exact": exact,
        "concepts": found.concepts,
        **{name: str(getattr(found, name)) for name in ("alpha", "beta", "epsilon", "delta")},
        "private-littlestone": {
            rule: {
                "rows": each.rows,
                "read": dict(zip(("at least", "expected", "at most"), each.read, strict=True)),
                "batches": each.batches,
                "batch": each.batch,
                "fresh": each.fresh,
                "n": each.auxiliary,
                "budget": each.budget,
            }
            for rule, each in found.parameters.items()
        },
        "voting": found.voting,
        "merging": found.merging,
        "generic": found.finite,
        "generic, noisy-max": found.finite_noisy_max,
        "generic, agnostic": found.finite_agnostic,
        "without privacy": found.without_privacy,
        "sentence": found.sentence,
    }


def _print(found: SampleComplexity, *, exact: bool) -> None:
    from learners.pac.littlestone_parameters import rows_in_words
    from lsclasses.numbers import format_number

    def exactly(value: Fraction) -> str:
        return format_number(value, exact=10**9)

    dimension = f"{'' if exact else 'at most '}{found.dimension}"
    say(
        f"Littlestone dimension {dimension}, error {exactly(found.alpha)} except with "
        f"probability {exactly(found.beta)}, privacy ({exactly(found.epsilon)}, "
        f"{exactly(found.delta)})\n"
    )
    table = Grid("learner", "rows", "expected to be read", "made of")
    for rule, each in found.parameters.items():
        table.add_row(
            f"private-littlestone, {rule}",
            rows_in_words(each.rows),
            rows_in_words(each.read[1]),
            f"{rows_in_words(each.batches)} batches of {rows_in_words(each.batch)}, "
            f"{rows_in_words(each.fresh)} fresh",
        )
    for name, count in (
        ("voting", found.voting),
        ("merging", found.merging),
        ("generic (exponential mechanism)", found.finite),
        ("generic (report noisy max)", found.finite_noisy_max),
        ("exponential mechanism, agnostic", found.finite_agnostic),
        ("without privacy", found.without_privacy),
    ):
        if count is not None:
            table.add_row(name, rows_in_words(count), rows_in_words(count), "")
    terminal().print(table)
    typer.echo()
    say(found.sentence)
