"""The majority of labels by randomized response: its audit, and the claim of its privacy."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated

from learners.audit.instances import AuditEntry, ClaimedEpsilon, Instance, Run, neighbouring_streams
from learners.claim_checks import Claim, ClaimCheck, Outcome, audited, recomputes
from learners.coins import Coins
from learners.label_vote.algorithm import LabelVote
from lsclasses.point_names import Label, Point
from lsclasses.specifications import Option


def states(learner: LabelVote) -> Run:
    """The state after each label of a stream, from which all predictions follow."""

    def run(labels: tuple[Label, ...], coins: Coins) -> tuple[int, ...]:
        found = [learner.start(coins)]
        for label in labels:
            found.append(learner.learn(found[-1], 0, label, coins))
        return tuple(found)

    return run


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(1),
    rounds: Annotated[int, Option("how many labels", minimum=1, maximum=6)] = 2,
) -> Instance:
    """All neighbouring streams of labels."""
    return Instance(LabelVote(epsilon), states, neighbouring_streams((0, 1), rounds))


AUDITS = (AuditEntry("label_vote", "the majority of randomized labels", _instance),)

PRIVACY = Claim(
    "privacy of LabelVote",
    "(epsilon, 0)",
    source="learners.label_vote.algorithm",
    falsified="(epsilon, 0) where a label that breaks a tie is kept",
)


class HonestOnTies(LabelVote):
    """Wrong: a label that breaks a tie is kept as it is."""

    def _learn(self, state: int, point: Point, label: Label, coins: Coins) -> int:
        return super()._learn(state, point, label, coins) if state else 2 * label - 1


@recomputes(PRIVACY)
def private(epsilon: int, rounds: int) -> Iterator[Outcome]:
    """All streams of labels, against the learner and against a false variant."""
    built = _instance(epsilon=Fraction(epsilon), rounds=rounds)
    false = built.audit(twin=HonestOnTies(Fraction(epsilon)))
    yield audited(PRIVACY, f"T={rounds}, epsilon={epsilon}", built.audit(), false=false)


def checks() -> list[ClaimCheck]:
    """All streams of two labels, and of three."""
    return [ClaimCheck("label-vote", private, given) for given in ((1, 2), (2, 3))]
