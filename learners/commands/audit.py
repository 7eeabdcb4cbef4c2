"""``lsclasses audit``: the claimed and the measured privacy loss of a mechanism."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lsclasses.commands.application import CHECKING, CONTRADICTED, AsJson, Force, command
from lsclasses.commands.completion import specification
from lsclasses.commands.output import say
from lsclasses.errors import InvalidInput
from lsclasses.outputs import FileFormat, Reads, Writes
from lsclasses.verdicts import Verdict

if TYPE_CHECKING:
    from flint import arb

    from learners.audit import PairFinding, SampledFinding
    from learners.audit.instances import GameInstance, Instance

CURVE = FileFormat("a curve of losses", {".svg": rb'<svg [^>]*class="lsclasses-curve"'})

TAIL_BITS = 36
"""Default of --tail: the enumeration cuts branches below probability 2^-TAIL_BITS."""
SHOWN = 6
"""Number of outcomes of an event that are printed."""
NEAR = 1e-6
"""Precision of the output. A smaller delta is printed as 0. Two bounds on epsilon that differ by
less are printed as one number."""


def _mechanisms(incomplete: str) -> list[str]:
    from learners.audit.audit_registry import AUDITABLE

    return specification(lambda: AUDITABLE)(incomplete)


@command(CHECKING)
def audit(
    mechanism: Annotated[
        str | None,
        typer.Argument(
            metavar="MECHANISM",
            help="A mechanism with its parameters, for example "
            "above_threshold:epsilon=1/2,queries=4. Without this argument, the command lists all "
            "mechanisms.",
            autocompletion=_mechanisms,
        ),
    ] = None,
    *,
    distributions: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Audit the two distributions in a JSON file (format: docs/files.md) instead "
            "of a mechanism.",
        ),
        Reads(),
    ] = None,
    epsilon: Annotated[
        str | None,
        typer.Option(
            metavar="FRACTION",
            help="Epsilon to audit at, instead of the claimed epsilon.",
        ),
    ] = None,
    delta: Annotated[
        str | None,
        typer.Option(metavar="FRACTION", help="Delta to audit at, instead of the claimed delta."),
    ] = None,
    tail: Annotated[
        int | None,
        typer.Option(
            metavar="INTEGER",
            min=1,
            max=120,
            show_default=str(TAIL_BITS),
            help="Truncate infinite distributions such that the truncated part has "
            "probability at most 2^-INTEGER.",
        ),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(
            metavar="INTEGER",
            min=1,
            help="Also audit the printed pair by sampling. For each of the two inputs, the "
            "command draws this number of samples to choose an event, and again this number to "
            "estimate the probability of the event.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="INTEGER", min=0, help="Seed of the samples.")] = 0,
    svg: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Draw the curve delta(epsilon) of the printed pair or adversary in the SVG "
            "file FILE.",
        ),
        Writes(CURVE),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Measure the privacy loss of a private mechanism on a small instance.

    The command runs the code of the mechanism on every pair of neighbouring inputs of the instance,
    and enumerates all outcomes of the random draws. For online games, it enumerates all adversaries
    of the instance instead of pairs. The output line 'audited' describes the pairs or adversaries.
    The command truncates infinite distributions (--tail). The output lists the claimed epsilon and
    delta, the measured delta at this epsilon, the pair or adversary that attains the measured
    delta, and the event that distinguishes the two inputs best. If the measured delta is 0 up to
    rounding, the command prints the pair or adversary that needs the largest epsilon. The curve
    delta(epsilon) belongs to the printed pair or adversary. At other epsilons, other pairs may need
    a larger delta. The exit status is 1 if the audit refutes the claim. Otherwise, the exit status
    is 0, also if the verdict is 'undecided'.
    """
    from learners.audit import audit_samples
    from learners.audit.audit_registry import RESOLUTION, instance
    from learners.curves import curve
    from lsclasses.files.writing import atomic_write

    if distributions is not None:
        unused = {"a mechanism": mechanism, "--samples": samples, "--tail": tail}
        for name, value in unused.items():
            if value is not None:
                raise InvalidInput(f"--distributions cannot be combined with {name}.")
        _audit_file(distributions, epsilon, delta, seed, svg, as_json=as_json)
        return
    if mechanism is None:
        _list(as_json)
        return
    built = instance(mechanism)
    found = built.audit(
        _claim(built, epsilon, delta),
        tail=Fraction(1, 2 ** (TAIL_BITS if tail is None else tail)),
        resolution=RESOLUTION,
    ).at_measured(RESOLUTION)
    sampled = None
    if samples is not None:
        zero, one = found.pair
        sampled = audit_samples(
            lambda coins: built.run(zero, coins),
            lambda coins: built.run(one, coins),
            (found.epsilon, found.delta),
            samples=samples,
            rng=seed,
        )
    drawn = curve(found.loss, found.epsilon, found.delta, points=11, title=mechanism)
    if svg is not None:
        fine = curve(found.loss, found.epsilon, found.delta, title=mechanism)
        atomic_write(svg, fine.svg())
    _print(mechanism, built, found, sampled, drawn.text(), as_json=as_json)
    if Verdict.VIOLATED in (found.verdict, sampled.verdict if sampled else None):
        raise typer.Exit(CONTRADICTED)


def _audit_file(
    path: Path,
    epsilon: str | None,
    delta: str | None,
    seed: int,
    svg: Path | None,
    *,
    as_json: bool,
) -> None:
    """Audit the two distributions in a file."""
    from learners.audit.audit_registry import RESOLUTION
    from learners.audit.distribution_files import load_distributions
    from learners.commands.audit_distributions import print_report
    from learners.curves import curve
    from lsclasses.files.writing import atomic_write
    from lsclasses.numbers import parse_number

    audited = load_distributions(path, seed=seed)
    allowed = parse_number(delta or "0", "option --delta")
    found = None
    if epsilon is not None:
        stated = parse_number(epsilon, "option --epsilon"), allowed
        found = audited.against(stated, resolution=RESOLUTION)
    elif delta is not None:
        raise InvalidInput("--delta is a part of a claim. Add --epsilon.")
    claim = () if found is None else (found.epsilon, found.delta)
    drawn = curve(audited, *claim, points=11, title=path.name)
    if svg is not None:
        atomic_write(svg, curve(audited, *claim, title=path.name).svg())
    print_report(path.name, audited, found, drawn.text(), as_json=as_json)
    if found is not None and found.verdict == Verdict.VIOLATED:
        raise typer.Exit(CONTRADICTED)


def _list(as_json: bool) -> None:
    from learners.audit.audit_registry import AUDITABLE
    from lsclasses.commands.output import print_json, terminal
    from lsclasses.commands.tables import Grid

    if as_json:
        print_json(
            [
                {
                    "name": entry.name,
                    "title": entry.title,
                    "usage": entry.usage(),
                    "measured": None if entry.measured is None else str(entry.measured),
                    "reason": entry.reason,
                    "unseen": [
                        {
                            "mistake": each.mistake,
                            "reason": each.reason,
                            "seen_by": each.seen_by or None,
                        }
                        for each in entry.unseen
                    ],
                }
                for entry in AUDITABLE.values()
            ]
        )
        return
    table = Grid("mechanism", "what it releases")
    for entry in AUDITABLE.values():
        table.add_row(entry.usage(), entry.title)
    terminal().print(table)


def _claim(
    built: Instance | GameInstance, epsilon: str | None, delta: str | None
) -> tuple[Fraction, Fraction]:
    from learners.accounting import basic
    from lsclasses.numbers import parse_number

    stated = basic(built.privacy)
    return (
        stated[0] if epsilon is None else parse_number(epsilon, "option --epsilon"),
        stated[1] if delta is None else parse_number(delta, "option --delta"),
    )


def _print(
    name: str,
    built: Instance | GameInstance,
    found: PairFinding,
    sampled: SampledFinding | None,
    plot: str,
    *,
    as_json: bool,
) -> None:
    from learners.accounting import scope
    from learners.audit import PlayedAdversary
    from learners.audit.audit_registry import verdict_text
    from learners.audit.claims import claim_text
    from learners.audit.enclosures import text_below
    from learners.audit.instances import audited_streams
    from lsclasses.commands.output import print_json
    from lsclasses.numbers import plural

    if as_json:
        print_json(_json(name, built, found, sampled))
        return
    game = isinstance(found.pair[0], PlayedAdversary)
    nouns = (
        ("position of a game", "positions of a game")
        if game
        else ("pair of neighbours", "pairs of neighbours")
    )
    branches = plural(found.branches, "branch", "branches")
    say(f"{name}: {plural(found.pairs, *nouns)}, {branches}")
    epsilon, delta = claim_text(found.epsilon), claim_text(found.delta)
    say(f"  claimed   (epsilon, delta) = ({epsilon}, {delta})")
    say(f"  covers    {scope(built.privacy)}")
    say(f"  audited   {audited_streams(built)}")
    say(f"  measured  delta({epsilon}) {_between(found.measured)}")
    say(f"  needed    {_needed(found)}")
    say(f"  slack     {_slack(found)}")
    cut = ": too much probability was cut, so ask for more bits (--tail)"
    verdict, words = found.verdict, verdict_text(found.verdict)
    say(
        f"  verdict   {words}{cut * (verdict == Verdict.UNDECIDED)}",
        verdict=(words, verdict),
    )
    if game:
        _print_adversary(found)
    else:
        say(f"  worst pair   {found.pair[0]!r} and {found.pair[1]!r}")
        if found.event:
            likelier = found.pair[found.direction]
            say(f"  worst event  {_event(found.event)}, likelier for {likelier!r}")
    for line in found.blind_spots.lines():
        say(f"  {line}")
    typer.echo("\n".join(["", plot]))
    if sampled is not None:
        least = text_below(sampled.least_epsilon, 4)
        say(
            f"\nsampled: {sampled.verdict} at confidence {float(sampled.confidence)}, "
            f"epsilon is at least {least} ({sampled.counts[0]} against "
            f"{sampled.counts[1]} of {sampled.samples} draws)",
            verdict=(sampled.verdict, sampled.verdict),
        )
        for line in sampled.blind_spots.lines():
            say(f"  {line}")


def _print_adversary(found: PairFinding) -> None:
    """Print the moves of the worst adversary, and the event that distinguishes the secret bits."""
    rows = found.pair[0].strategy()
    say("  worst adversary")
    for seen, move in rows[:SHOWN]:
        say(f"    after {_event(seen)}: {move!r}" if seen else f"    at first: {move!r}")
    if len(rows) > SHOWN:
        say(f"    and after {len(rows) - SHOWN} more histories")
    if found.event:
        answers = tuple(view.answers for view in found.event)
        say(f"  worst event  answers {_event(answers)}, likelier for the bit {found.direction}")


def _ends(enclosure: arb) -> tuple[float, float]:
    """Return the bounds on a delta. A ball without information leaves 0 and 1."""
    from learners.audit.enclosures import float_above, float_below

    low, high = float_below(enclosure), float_above(enclosure)
    return max(0.0, low) if low < math.inf else 0.0, min(1.0, high) if high >= 0 else 1.0


def _between(enclosure: arb) -> str:
    from learners.audit.enclosures import Enclosure, bounds_in_words, text_above

    bounds = Enclosure(*_ends(enclosure))
    if bounds.lower > 0:
        return bounds_in_words(bounds, 9)
    most = text_above(bounds.upper, 3)
    if bounds.upper < NEAR:
        return f"= 0, up to {most} for rounding and cut tails"
    return f"is at most {most}"


def _needed(found: PairFinding) -> str:
    """Return the bounds on the least epsilon of the output distributions, in words."""
    from learners.audit.audit_registry import RESOLUTION
    from learners.audit.claims import claim_text
    from learners.audit.enclosures import float_above, float_below

    below, above = float_below(found.least_epsilon), float_above(found.enough_epsilon)
    least = _decimals(below, math.floor)
    with_delta = f"with delta {claim_text(found.delta)}"
    if not math.isfinite(below):
        return f"no epsilon is enough {with_delta}"
    if not math.isfinite(above):
        return (
            f"epsilon at least {least} {with_delta}. The upper bound is unknown, because too much "
            "was cut. Use more bits (--tail)"
        )
    enough = _decimals(above, math.ceil)
    resolution = f"{float(RESOLUTION):g}"
    if abs(above - below) < NEAR:
        middle = _decimals((below + above) / 2, round)
        return f"epsilon {middle} {with_delta}, up to {NEAR:g} in epsilon and {resolution} in delta"
    return (
        f"epsilon at least {least} {with_delta}. Epsilon {enough} is enough if delta may be "
        f"{resolution} larger"
    )


def _slack(found: PairFinding) -> str:
    """Return the ratio of the claimed epsilon to the least epsilon."""
    from learners.audit.enclosures import Enclosure, rounded_text, text_above, text_below

    ends = _slack_ends(found)
    if ends[1] == 0:
        return "none, because no epsilon is enough with this delta"
    if found.enough_epsilon.upper().is_zero():
        return "these inputs need epsilon 0 only"
    low, high = (
        bound(end, 4) if math.isfinite(end) else "infinitely many"
        for end, bound in zip(ends, (text_below, text_above), strict=True)
    )
    if (known := rounded_text(Enclosure(*ends), 4)) is not None:
        low = high = known
    if low == high == "1":
        return "none, because these inputs need the claimed epsilon, up to rounding"
    times = low if low == high else f"at most {high}" if ends[0] == 0 else f"{low} to {high}"
    only = "only " if ends[1] < 1 else ""
    return f"the claimed epsilon is {only}{times} times the epsilon that these inputs need"


def _slack_ends(found: PairFinding) -> tuple[float, float]:
    """Return bounds on the ratio of the claimed to the needed epsilon."""
    from learners.audit.enclosures import float_above, float_below
    from learners.balls import ball

    claimed = ball(found.epsilon)
    low, high = (
        math.inf if each.is_zero() else bound(claimed / each) if each.is_finite() else 0.0
        for each, bound in (
            (found.enough_epsilon.upper(), float_below),
            (found.least_epsilon.lower(), float_above),
        )
    )
    return min(low, high), high


def _decimals(value: float, towards: Callable[[Fraction], int]) -> str:
    """Return seven decimal places, rounded to the safe side, because a bound must stay a bound."""
    from lsclasses.numbers import exact_text

    if not math.isfinite(value):
        return "infinite"
    return exact_text(Fraction(towards(Fraction(value) * 10**7), 10**7))


def _event(event: tuple[object, ...]) -> str:
    shown = ", ".join(repr(outcome) for outcome in event[:SHOWN])
    more = len(event) - SHOWN
    return shown + (f" and {more} more" if more > 0 else "")


def _json(
    name: str,
    built: Instance | GameInstance,
    found: PairFinding,
    sampled: SampledFinding | None,
) -> dict[str, object]:
    from learners.accounting import scope
    from learners.audit.audit_registry import verdict_text
    from learners.audit.enclosures import float_above, float_below
    from learners.audit.instances import audited_streams

    held = scope(built.privacy)
    least, enough = float_below(found.least_epsilon), float_above(found.enough_epsilon)
    slack = _slack_ends(found)
    return {
        "name": name,
        "claimed": {
            "epsilon": str(found.epsilon),
            "delta": str(found.delta),
            **({} if held is None else held.to_json()),
        },
        "audited": audited_streams(built),
        "verdict": verdict_text(found.verdict),
        "delta": dict(zip(("lower", "upper"), _ends(found.measured), strict=True)),
        # JSON has no infinity, so null replaces an infinite value.
        "least_epsilon": least if least < math.inf else None,
        "enough_epsilon": enough if enough < math.inf else None,
        "slack": {
            name: end if end < math.inf else None
            for name, end in zip(("lower", "upper"), slack, strict=True)
        },
        "worst_pair": [repr(data) for data in found.pair],
        "worst_event": [repr(outcome) for outcome in found.event],
        "likelier_for": repr(found.pair[found.direction]),
        "pairs": found.pairs,
        "branches": found.branches,
        "unexplored": float_above(found.cut),
        "blind_spots": found.blind_spots.to_json(),
        "sampled": None
        if sampled is None
        else {
            "verdict": sampled.verdict,
            "confidence": float(sampled.confidence),
            "least_epsilon": sampled.least_epsilon,
            "counts": list(sampled.counts),
            "samples": sampled.samples,
            "blind_spots": sampled.blind_spots.to_json(),
        },
    }
