"""Randomized response, which reports the true answer only with some probability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from learners.accounting import Event, PureDP, Scope
from learners.checked import Epsilon
from learners.coins import Coins
from lsclasses.errors import InvalidInput
from lsclasses.numbers import integer
from lsclasses.options import Option, check_fields

__all__ = ["RandomizedResponse"]


@dataclass(frozen=True)
class RandomizedResponse:
    """A random report of one of k answers, which is the true answer with the largest probability.

    The true answer is e^epsilon times as likely as each of the k - 1 false answers.

    **Guarantee.** The report is (epsilon, 0)-DP if the true answer is replaced, and no smaller
    epsilon holds.

    **Proof.** Each answer is reported with probability e^epsilon / (e^epsilon + k - 1) or
    1 / (e^epsilon + k - 1), for every true answer. The ratio is at most e^epsilon, which is
    attained.

    Parameters
    ----------
    epsilon : Fraction or int
        Privacy cost of one report.
    answers : int
        Number of answers, at least 2. The answers are numbered from 0.

    Raises
    ------
    InvalidInput
        If epsilon is not positive or a float, or there are fewer than two answers.

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

    epsilon: Epsilon
    answers: Annotated[int, Option("number of answers", minimum=1)] = 2

    def __post_init__(self) -> None:
        check_fields(self)
        if self.answers < 2:
            raise InvalidInput("Randomized response needs at least 2 answers. Got 1.")

    @property
    def privacy(self) -> Event:
        """The privacy cost of one report."""
        return PureDP(self.epsilon, name="randomized response", scope=Scope.adaptive("replace_one"))

    def release(self, answer: int, coins: Coins) -> int:
        """Return a random report for the given true answer.

        Raises
        ------
        InvalidInput
            If the answer is out of range.
        """
        answer = integer(answer, "answer")
        if not 0 <= answer < self.answers:
            raise InvalidInput(
                f"The answer must be between 0 and {self.answers - 1}. Got {answer}."
            )
        return coins.pick(
            [int(other == answer) for other in range(self.answers)], unit=self.epsilon
        )
