"""Small instances of `learners.forest.rerun` for its audits, chosen by their power."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from learners.accounting import SelfComposed
from learners.audit.instances import AuditEntry, ClaimedDelta, ClaimedEpsilon, Instance
from learners.coins import Coins
from learners.exact import Stepwise
from learners.forest.evidence.instances import PUBLISH, FirstMistake, PublishedStream, tree_after
from learners.forest.rerun import Example, Examples, RerunForest, RerunParameters
from learners.forest.tree import Tree
from lsclasses.domain import FiniteDomain
from lsclasses.hypothesis import Hypothesis
from lsclasses.specifications import Option


@dataclass(frozen=True)
class FixedCoinsRerun(RerunForest):
    """`RerunForest` with fixed choices, as in its privacy proof: only noise is random.

    Every tree was told the same examples before the audit begins; then each example is told to the
    next tree, until there is none left. All turns and guesses are 1. The choices are the same in
    every round: privacy needs no fresh ones, as mistakes do.

    Parameters
    ----------
    base, parameters
        As in `RerunForest`.
    history : tuple of (point, label)
        What every tree was told.
    """

    history: Examples = ()

    def _shown(self, examples: Examples, coins: Coins) -> Mapping[Hypothesis | None, int]:
        fresh = tree_after(Tree.of(self.base, self.parameters.leaves), self.history)
        trees = [tree_after(fresh, [example]) for example in examples[: self.parameters.trees]]
        left = self.parameters.trees - len(trees)
        return Counter([*(tree.shown for tree in trees), *(fresh.shown,) * left])


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(8),
    delta: ClaimedDelta = Fraction(1, 50),
    trees: Annotated[int, Option("how many trees there are", minimum=2, maximum=16)] = 4,
    rounds: Annotated[int, Option("how many rounds are compared", minimum=1, maximum=4)] = 2,
) -> Instance:
    """Half of the trees show a name, or one less, in some rounds or in the last only.

    What is published before is the same in both worlds, and is not part of what is compared.
    """
    before = trees // 2
    all_rounds = before + rounds
    total = (all_rounds * delta + 1) / 2
    # So low a frequency that the threshold is that of the histogram alone.
    parameters = RerunParameters(4, trees, Fraction(1, 64), all_rounds, epsilon, delta, total)
    hit, others = (0, 1), ((0, 0), (1, 1))
    learner = FixedCoinsRerun(FirstMistake(FiniteDomain(range(2))), parameters, history=(hit,))

    def stream(first: Example, last: Example) -> tuple[object, ...]:
        """The one example before the first round that is compared, and the one before the last."""
        middle = ((0, 0),) * (rounds - 2)
        listed = (first, *middle, last) if rounds > 1 else (first,)
        shown = [item for example in listed for item in (example, PUBLISH)]
        return (*(hit,) * (before - 1), *shown)

    early = tuple((stream(hit, (0, 0)), stream(other, (0, 0))) for other in others)
    late = tuple((stream((0, 0), hit), stream((0, 0), other)) for other in others)
    return Instance(
        learner,
        lambda forest: Stepwise(PublishedStream(forest)),
        early if rounds == 1 else early + late,
        SelfComposed(parameters.histogram.privacy, rounds),
    )


AUDITS = (
    AuditEntry(
        "rerun_forest",
        "the hypotheses of a forest that is grown anew in every round, given its choices",
        _instance,
    ),
)
