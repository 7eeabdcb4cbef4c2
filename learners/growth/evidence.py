"""Claims about the growth of proved bounds when one parameter doubles.

The computed side is the planner of the learner at two values of the parameter. The stated side is
the growth in the record of the rate. A logarithm or a correction in this growth is the explicit
o(1). The false variant changes one exponent by a factor of at most 2, or drops a logarithm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from catalog.check_rows import Claim, Outcome
from learners.balls import ball
from learners.claim_checks import ClaimCheck, compare, recomputes
from learners.growth.all_rates import PAPERS
from learners.growth.rates import Rate

TOPIC = "growth"


def claim_of(rate: Rate) -> Claim:
    """Return the claim that the bound grows at most at its rate."""
    return Claim(
        f"{rate.quantity}: bound at 2u divided by bound at u, u = {rate.symbol}",
        f"the ratio of {rate.allowed.text('u')}",
        source=f"learners.growth.{rate.paper.lower()}",
        statements=rate.statements,
        falsified=f"the ratio of {rate.incorrect.text('u')}",
        drops=rate.drops,
        growth=True,
    )


CLAIMS = {rate.name: claim_of(rate) for rates in PAPERS.values() for rate in rates}
"""Claims by the names of the rates."""


def outcomes(rates: Sequence[Rate], every: bool) -> Iterator[Outcome]:
    """Check the rates, at all doublings or only at the quick doublings."""
    for rate in rates:
        for u in rate.places(every=every):
            yield compare(
                CLAIMS[rate.name],
                f"{rate.setting}, u = {u}",
                computed=ball(rate.ratio(u)),
                stated=rate.allowed.ratio(u),
                false=rate.incorrect.ratio(u),
            )


def _claims(paper: str) -> list[Claim]:
    return [CLAIMS[rate.name] for rate in PAPERS[paper]]


@recomputes(*_claims("LWY25"))
def lwy25(every: bool) -> Iterator[Outcome]:
    """Check the growth of bounds on layers, sanitizers, constructed experts and majorities."""
    yield from outcomes(PAPERS["LWY25"], every)


@recomputes(*_claims("KMMNS23"))
def kmmns23(every: bool) -> Iterator[Outcome]:
    """Check the growth of the bounds on POP, its halting test and its phases."""
    yield from outcomes(PAPERS["KMMNS23"], every)


@recomputes(*_claims("GL21"))
def gl21(every: bool) -> Iterator[Outcome]:
    """Check the growth of the bounds on forests."""
    yield from outcomes(PAPERS["GL21"], every)


@recomputes(*_claims("BF25"))
def bf25(every: bool) -> Iterator[Outcome]:
    """Check the growth of the bounds on the private Winnow, decision lists and covering."""
    yield from outcomes(PAPERS["BF25"], every)


@recomputes(*_claims("BLM20"))
def blm20(every: bool) -> Iterator[Outcome]:
    """Check the growth of the numbers of examples of private learners."""
    yield from outcomes(PAPERS["BLM20"], every)


def checks() -> list[ClaimCheck]:
    """Return the checks: some doublings of each rate, and all doublings on demand."""
    work = (lwy25, kmmns23, gl21, bf25, blm20)
    quick = [ClaimCheck(TOPIC, each, (False,)) for each in work]
    return quick + [ClaimCheck(TOPIC, each, (True,), slow=True) for each in work]
