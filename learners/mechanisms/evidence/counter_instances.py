"""Small instances of `learners.mechanisms.counter` for its audits, chosen by their power."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from learners.audit.instances import AuditEntry, ClaimedEpsilon, Instance, neighbouring_streams
from learners.coins import Coins
from learners.exact import Stepwise
from learners.mechanisms.counter import CounterRun, TreeCounter
from lsclasses.specifications import Option


@dataclass(frozen=True)
class _NoisySums:
    """The noisy sums that follow from the counts, clipped to the range of the true ones.

    The count at time t less the one at t - 2^i, 2^i being t's lowest binary digit, is the noisy sum
    over these 2^i times: so the counts and the noisy sums tell the same. A sum s from 0 to 2^i with
    discrete Laplace noise is v with a probability proportional to q^|v - s|; for v <= 0 and
    for v >= 2^i this is a function of v times one of s. So nothing is lost by clipping to 0, ...,
    2^i: no event tells the streams apart better than one of the clipped sums.
    """

    mechanism: TreeCounter

    def start(self, coins: Coins) -> tuple[CounterRun, tuple[tuple[int, int], ...]]:
        """A run, and times with the counts that were released then."""
        return self.mechanism.start(coins), ((0, 0),)

    def answer(
        self, state: tuple[CounterRun, tuple[tuple[int, int], ...]], bit: int, coins: Coins
    ) -> tuple[tuple[CounterRun, tuple[tuple[int, int], ...]], int]:
        run, released = state
        total, run = run.ask(bit, coins)
        time = released[-1][0] + 1
        # Kept are the ends of the intervals that later sums begin after.
        kept = tuple(entry for entry in released if entry[0] <= time & (time - 1))
        begin, before = kept[-1]
        clipped = min(max(total - before, 0), time - begin)
        return (run, (*kept, (time, total))), clipped


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(12),
    rounds: Annotated[int, Option("how many bits", minimum=1, maximum=4)] = 4,
) -> Instance:
    """All neighbouring streams of bits."""
    mechanism = TreeCounter(epsilon, rounds)
    pairs = neighbouring_streams((0, 1), rounds)
    return Instance(mechanism, lambda counter: Stepwise(_NoisySums(counter)), pairs)


AUDITS = (
    AuditEntry(
        "tree_counter",
        "noisy counts after every bit, as clipped sums that tell as much",
        _instance,
    ),
)
