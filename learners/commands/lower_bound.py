"""``lsclasses lower-bound``: rows and mistakes that every private learner needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from learners.commands.options import number_option, read_count
from lsclasses.commands.application import LEARNING, AsJson, command
from lsclasses.commands.output import print_json, say
from lsclasses.errors import InvalidInput
from lsclasses.numbers import format_number, plural

if TYPE_CHECKING:
    from fractions import Fraction

    from learners.lower_bounds.point_bounds import MistakeBound
    from learners.lower_bounds.threshold_theorem import ThresholdBound

DIGITS = 6
"""Number of decimals with which a bound is printed."""


@command(LEARNING)
def lower_bound(
    *,
    rounds: Annotated[
        str | None,
        typer.Option(
            metavar="INTEGER", help="Number of rounds of the online learner of point functions."
        ),
    ] = None,
    points: Annotated[
        str | None,
        typer.Option(
            metavar="INTEGER",
            help="Number of points, with --rounds. The default is one more than the rounds.",
        ),
    ] = None,
    rows: Annotated[
        str | None,
        typer.Option(
            metavar="INTEGER",
            help="Number of rows that the learner of thresholds reads, an even number.",
        ),
    ] = None,
    error: Annotated[
        str | None,
        number_option(
            "With --rows, the expected error that every private learner exceeds on some sample. "
            "The default is 1/8."
        ),
    ] = None,
    epsilon: Annotated[str, number_option("Epsilon of the guarantee.")] = "1/10",
    delta: Annotated[str, number_option("Delta of the guarantee.")] = "0",
    as_json: AsJson = False,
) -> None:
    """Print a proved lower bound for all private learners of point functions or thresholds.

    With --rounds, the command prints a number of expected mistakes. For every private online
    learner of point functions, some adversary forces this number. The number grows with the
    logarithm of --rounds. With --rows, the command prints a number N of points. For every private
    learner of the thresholds on at least N points, the expected error on some sample exceeds
    --error. N is a tower of powers of two: 2^2^...^2. The height of the tower is about --rows.
    """
    from lsclasses.numbers import as_printed

    if (rounds is None) == (rows is None):
        raise InvalidInput(
            "Bounds are about online learners (--rounds COUNT) or learners from samples (--rows "
            f"COUNT). Got {'neither' if rows is None else 'both'}."
        )
    budget = as_printed(epsilon, "epsilon"), as_printed(delta, "delta")
    if rounds is not None:
        if error is not None:
            raise InvalidInput("--error is about learners from samples. Use it with --rows.")
        _of_points(read_count("lower-bound", "rounds", rounds), points, budget, as_json=as_json)
        return
    if points is not None:
        raise InvalidInput("--points is about online learners. Use it with --rounds.")
    count = read_count("lower-bound", "rows", rows)
    most = as_printed("1/8" if error is None else error, "error")
    _of_thresholds(count, budget, most, as_json=as_json)


Budget = tuple["Fraction", "Fraction"]


def _of_points(rounds: int, points: str | None, budget: Budget, *, as_json: bool) -> None:
    from learners.lower_bounds.point_bounds import mistakes_at_least

    default = str(rounds + 1)
    count = read_count("lower-bound", "points", points or default, least=2)
    found = mistakes_at_least(count, rounds, *budget)
    if as_json:
        print_json(_json_of_points(count, rounds, budget, found))
        return
    say(
        f"Every {_private(budget)} online learner of the point functions on {count} points makes "
        f"at least {format_number(found.value, DIGITS, down=True)} mistakes in expectation, on "
        f"some stream of {plural(rounds, 'round')}."
    )
    events = plural(found.events, "example")
    say(f"Argument: {found.argument}, with at most {events} with label 1.")


def _json_of_points(
    points: int, rounds: int, budget: Budget, found: MistakeBound
) -> dict[str, Any]:
    return {
        "class": "points",
        "points": points,
        "rounds": rounds,
        **_json_of_budget(budget),
        "mistakes": float(format_number(found.value, 12, down=True)),
        "argument": found.argument,
        "events": found.events,
    }


def _of_thresholds(rows: int, budget: Budget, error: Fraction, *, as_json: bool) -> None:
    from learners.lower_bounds.threshold_theorem import threshold_bound

    found = threshold_bound(rows, *budget, error)
    if as_json:
        print_json(_json_of_thresholds(found))
        return
    examples = plural(rows, "example")
    say(
        f"Every {_private(budget)} learner of thresholds from {examples} has an expected "
        f"error of more than {format_number(error)} on some sample, if there are at least "
        f"{found.points} points."
    )
    if found.levels:
        say(
            f"The proof searches a tree of {plural(found.levels, 'level')} by majorities of "
            f"{plural(found.copies, 'independent copy', 'independent copies')} of the learner."
        )
    say(
        f"Ramsey's theorem then gives {_count(found.homogeneous)} points on which the learner "
        f"depends only on comparisons, up to {format_number(found.tolerance)}."
    )


def _json_of_thresholds(found: ThresholdBound) -> dict[str, Any]:
    from learners.lower_bounds.ramsey import Tower

    return {
        "class": "thresholds",
        "rows": found.rows,
        **_json_of_budget((found.epsilon, found.delta)),
        "error": str(found.error),
        "tolerance": str(found.tolerance),
        "levels": found.levels,
        "copies": found.copies,
        "homogeneous": _count(found.homogeneous),
        "tower": str(found.points),
        "height": found.points.height if isinstance(found.points, Tower) else 0,
    }


def _count(number: int) -> str:
    """Return a number in digits, or as a power of two that is at least the number."""
    return str(number) if number < 10**18 else f"2^{number.bit_length()}"


def _json_of_budget(budget: Budget) -> dict[str, str]:
    return {"epsilon": str(budget[0]), "delta": str(budget[1])}


def _private(budget: Budget) -> str:
    return f"({format_number(budget[0])}, {format_number(budget[1])})-DP"
