"""The distribution of the published item, by the independent firing times of the items.

The functions share no code with `learners.mechanisms.voting_counters`. Before the output, the votes
are fixed. So the firing times of the items are independent, and each depends on the votes for its
item only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from flint import arb, ctx

from learners.balls import ball

BITS = 128
"""Precision of the interval arithmetic (balls), in bits."""

Votes = tuple[int | None, ...]
"""For each round, the item that receives the vote, or None without a vote."""


@dataclass
class FiringTimes:
    """The exact output distributions of counters with a threshold r.

    Parameters
    ----------
    rate : Fraction
        The number e, with x = exp(-e).
    threshold : int
        Threshold r.
    items : int
        Number of items.
    first_vote_decides : bool
        Whether the item with the earliest first vote is published if several items fire in one
        round, an incorrect rule. Otherwise one of them is chosen uniformly.

    Examples
    --------
    >>> law = FiringTimes(Fraction(1), 3, 1).law((0, 0, 0, None))
    >>> [round(float(p), 3) for p in law]
    [0.099, 0.236, 0.428, 0.055, 0.181]
    """

    rate: Fraction
    threshold: int
    items: int
    first_vote_decides: bool = False
    _known: dict[tuple[bool, ...], list[arb]] = field(default_factory=dict)

    def of_item(self, votes: tuple[bool, ...]) -> list[arb]:
        """Return the probability that an item fires in each round, and in none, for its votes."""
        if votes not in self._known:
            with ctx.workprec(BITS):
                self._known[votes] = self._fires(votes)
        return self._known[votes]

    def _fires(self, votes: tuple[bool, ...]) -> list[arb]:
        x = (-ball(self.rate)).exp()
        found = [arb(0)] * (len(votes) + 1)
        raised, mass = 0, 1 - x
        # The last value of the raise stands for all larger values, whose probability it gets. They
        # fire later, by less than the width of the last ball.
        negligible = arb(2) ** -BITS
        while mass > negligible:
            alive, count = mass, 0
            for round_number, vote in enumerate(votes):
                count += vote
                missing = self.threshold + raised - count
                chance = arb(0) if not count else x**missing if missing > 0 else arb(1)
                found[round_number] += alive * chance
                alive *= 1 - chance
            found[-1] += alive
            raised, mass = raised + 1, mass * x
        rest = arb(0).union(mass / (1 - x))
        return [each + rest for each in found]

    def law(self, votes: Votes) -> list[arb]:
        """Return the probability of every round and item, rounds first, and of no output."""
        rounds = len(votes)
        fires = [self.of_item(tuple(each == i for each in votes)) for i in range(self.items)]
        with ctx.workprec(BITS):
            after = [[sum(law[t + 1 :], arb(0)) for t in range(rounds)] for law in fires]
            published = [
                self._published(votes, fires, after, t, i)
                for t in range(rounds)
                for i in range(self.items)
            ]
            none = arb(1)
            for each in fires:
                none *= each[-1]
            return [*published, none]

    def _published(
        self, votes: Votes, fires: list[list[arb]], after: list[list[arb]], t: int, i: int
    ) -> arb:
        """Return the probability that item i is published in round t, for at most two items."""
        found = fires[i][t]
        for j in range(self.items):
            if j == i:
                continue
            share = ball(Fraction(1, 2))
            if self.first_vote_decides:
                share = arb(int(_first(votes, i) < _first(votes, j)))
            found *= after[j][t] + share * fires[j][t]
        return found


def _first(votes: Sequence[int | None], item: int) -> int:
    return votes.index(item) if item in votes else len(votes)


def hockey_stick(one: Sequence[arb], other: Sequence[arb], epsilon: Fraction) -> arb:
    """Return the sum of the positive parts of p - e^epsilon q over all outcomes."""
    with ctx.workprec(BITS):
        factor = ball(epsilon).exp()
        parts = ((p - factor * q).nonnegative_part() for p, q in zip(one, other, strict=True))
        return sum(parts, arb(0))


def neighbours(votes: Votes, items: int) -> Iterator[Votes]:
    """Yield all votes that differ from the given votes in one round."""
    for t, vote in enumerate(votes):
        for other in (None, *range(items)):
            if other != vote:
                yield (*votes[:t], other, *votes[t + 1 :])
