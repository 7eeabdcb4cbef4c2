"""Randomized response: a single answer that is the true one with some probability only."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from learners import checked
from learners.accounting import Event, PureDP, Scope
from learners.coins import Coins
from learners.number_arguments import integer
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields

__all__ = ["RandomizedResponse"]


@dataclass(frozen=True)
class RandomizedResponse:
    """Randomized response: one of k answers, the true one e^epsilon times as likely as another.

    **Guarantee.** (epsilon, 0)-DP when the one answer is replaced, and tight.

    **Proof.** Each answer is reported with probability e^epsilon / (e^epsilon + k - 1) or
    1 / (e^epsilon + k - 1), whatever the truth: the ratio is at most e^epsilon, and is attained.

    Parameters
    ----------
    epsilon : Fraction or int
    answers : int
        How many there are, at least 2; they are numbered from 0.

    Raises
    ------
    InvalidInput
        If epsilon is not positive, or a float, or there are fewer than two answers.

    References
    ----------
    Warner 1965.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> coins = SeededCoins(1)
    >>> [RandomizedResponse(1).release(1, coins) for _ in range(10)]
    [1, 0, 1, 1, 1, 0, 1, 1, 0, 1]
    """

    epsilon: Fraction
    answers: int = 2

    def __post_init__(self) -> None:
        set_frozen_fields(self, epsilon=checked.epsilon(self.epsilon))
        set_frozen_fields(self, answers=checked.positive(self.answers, "number of answers"))
        if self.answers < 2:
            raise InvalidInput("Randomized response needs at least 2 answers. Got 1.")

    @property
    def privacy(self) -> Event:
        """The privacy cost of one report."""
        return PureDP(self.epsilon, name="randomized response", scope=Scope.adaptive("replace_one"))

    def release(self, answer: int, coins: Coins) -> int:
        """Release the answer, or another one.

        Raises
        ------
        InvalidInput
            If there is no such answer.
        """
        answer = integer(answer, "answer")
        if not 0 <= answer < self.answers:
            raise InvalidInput(
                f"The answer must be between 0 and {self.answers - 1}. Got {answer}."
            )
        return coins.pick(
            [int(other == answer) for other in range(self.answers)], unit=self.epsilon
        )
