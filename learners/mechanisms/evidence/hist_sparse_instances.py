"""Small instances of `learners.mechanisms.hist_sparse` for its audits, chosen by their power."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from learners.audit.instances import AuditEntry, ClaimedDelta, ClaimedEpsilon, Instance
from learners.coins import Coins
from learners.exact import Stepwise
from learners.mechanisms.hist_sparse import HistSparse, HistSparseRun
from lsclasses.specifications import Option


@dataclass(frozen=True)
class _Names:
    """The name after each list, and the time of the halt, which reveals more than names."""

    mechanism: HistSparse

    def start(self, coins: Coins) -> HistSparseRun:
        return self.mechanism.start(coins)

    def answer(
        self, run: HistSparseRun, items: tuple[str | None, ...], coins: Coins
    ) -> tuple[HistSparseRun | None, Hashable]:
        name, after = run.ask(Counter(items), coins, key=str)
        if not after.halted:
            return after, name
        # Under the rule of the paper a run ends with a name, else with a test.
        return None, name if self.mechanism.paper_constants else None


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(8),
    delta: ClaimedDelta = Fraction(1, 1000),
    frequency: Annotated[Fraction, Option("eta, how frequent is frequent")] = Fraction(1, 2),
    histograms: Annotated[
        int, Option("how often it may look for a new name", minimum=1, maximum=2)
    ] = 1,
    size: Annotated[int, Option("items of a list", minimum=2, maximum=64)] = 5,
    lists: Annotated[int, Option("how many lists there are", minimum=2, maximum=12)] = 8,
    printed: Annotated[
        bool, Option("the rule of [GL21, Alg 2]: half of the noise and a test less")
    ] = False,
) -> Instance:
    """One item of the first list changes, which all share or which ties with another; later lists
    keep the name common in one world and a bit less so in the other, but for the last list, where
    it is the other way round.
    """
    mechanism = HistSparse(epsilon, delta, frequency, histograms, size, paper_constants=printed)
    rare = min(mechanism.test.threshold, size)
    fewer, more = ((("a",) * (size - others) + (None,) * others) for others in (rare - 1, rare))
    ways = [(low,) * (lists - 2) + (high,) for low, high in ((fewer, more), (more, fewer))]
    half = size // 2
    firsts = [
        (("a",) * size, ("a",) * (size - 1) + (None,)),
        (("a",) * size, ("a",) * (size - 1) + ("b",)),
        (("a",) * half + ("b",) * (size - half), ("a",) * (half - 1) + ("b",) * (size - half + 1)),
    ]
    pairs = tuple(
        ((first, *later), (second, *other_later))
        for one, other in firsts
        for first, second in ((one, other), (other, one))
        for later, other_later in (ways, ways[::-1])
    )
    return Instance(mechanism, lambda names: Stepwise(_Names(names)), pairs)


AUDITS = (
    AuditEntry(
        "hist_sparse",
        "a frequent item of changing lists",
        _instance,
        Fraction("5.94"),
        "only names are released, so that one changed item moves a histogram by a quarter of "
        "epsilon, not by a half",
    ),
)
