"""The best predictor with private answers, as an online learner that can be run."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from learners.accounting import Event
from learners.bounds import EXPECTED, OBLIVIOUS, REALIZABLE, Bound
from learners.coins import Coins
from learners.optimal.challenge_certificates import AnswerLaw
from learners.playing.learner import OnlineLearner
from learners.states import State, require_own, require_rounds_left
from lsclasses.domain import FiniteDomain
from lsclasses.errors import InvalidInput
from lsclasses.point_names import Label, Point


@dataclass(frozen=True)
class AnswersState(State["OptimalAnswers"]):
    """The state of `OptimalAnswers`: the transcript so far, which contains all examples.

    Attributes
    ----------
    rounds : int
        Number of finished rounds.
    number : int
        Number of the transcript (`ChallengeTranscripts`).
    answer : int or None
        Answer of the current round, None between two rounds.
    """

    rounds: int
    number: int
    answer: int | None = None


@dataclass(frozen=True)
class OptimalAnswers(OnlineLearner):
    """A private predictor that draws each answer from an exact table of answer probabilities.

    A transcript consists of the examples and answers so far. The table contains integer weights of
    transcripts, which determine the conditional probability of each answer. The first answer is
    independent of all later answers, because this costs no mistakes
    (`learners.optimal.challenge_transcripts`).

    **Guarantee.** Each round answers one user. For every user i, the answers to all other users are
    epsilon-DP for streams that differ in the example of user i. A computation in integers has
    checked all pairs of such streams (`AnswerLaw.require_private`). The guarantee also covers
    adversaries that observe these answers before they choose the next example
    (`learners.optimal.challenge_program`).

    Parameters
    ----------
    points : FiniteDomain
        Points of the class, in the order of the table `law`.
    law : AnswerLaw
        Table of the answer probabilities.
    guarantee : Event
        Guarantee `PureDP` for the neighbour relation ``challenge``, which excludes the answer to
        the user whose example differs.
    mistakes : Fraction
        Expected number of mistakes on the worst fixed realizable stream.
    """

    points: FiniteDomain
    law: AnswerLaw = field(repr=False)
    guarantee: Event
    mistakes: Fraction

    @property
    def privacy(self) -> Event:
        """The privacy cost of the answers to all users except one."""
        return self.guarantee

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """The expected number of mistakes, computed exactly."""
        value = Fraction(-(-self.mistakes * 10**12 // 1), 10**12)
        return (
            Bound(
                "computed for all streams",
                f"{EXPECTED}mistakes",
                "M",
                value,
                trivial=self.rounds,
                hypotheses=(REALIZABLE, OBLIVIOUS),
            ),
        )

    @property
    def domain(self) -> FiniteDomain:
        """The points that the learner labels."""
        return self.points

    @property
    def rounds(self) -> int:
        """The number T of rounds."""
        return self.law.transcripts.rounds

    def start(self, coins: Coins) -> AnswersState:
        """Return the state before the first round."""
        return AnswersState(self, 0, 0)

    def _predict(
        self, state: AnswersState, point: Point, coins: Coins
    ) -> tuple[AnswersState, Label]:
        require_own(self, state)
        require_rounds_left(state.rounds, self.rounds, "predictor", "law")
        first = state.number * self.law.transcripts.examples * (state.rounds > 0)
        first += 2 * self.points.index(point)
        law = self.law.answered[state.rounds][first : first + 2].tolist()
        possible = [a for a, weight in enumerate(law) if weight]
        answer = possible[coins.pick([0] * len(possible), counts=[law[a] for a in possible])]
        return replace(state, answer=answer), answer

    def _learn(self, state: AnswersState, point: Point, label: Label, coins: Coins) -> AnswersState:
        require_own(self, state)
        if state.answer is None:
            raise InvalidInput("A label must follow the answer to its query. Got no answer.")
        found, x = self.law.transcripts, self.points.index(point)
        number = state.number
        if state.rounds == 0:
            number = 2 * x + label
        elif state.rounds + 1 < self.rounds:
            number = number * 4 * found.points + 4 * x + 2 * state.answer + label
        return AnswersState(self, state.rounds + 1, number)

    def state_to_json(self, state: AnswersState) -> list[int]:
        """Return the state as two integers: the number of played rounds and an index.

        The index numbers the examples and answers so far among all that are possible.
        """
        require_own(self, state)
        return [state.rounds, state.number]

    def state_from_json(self, data: Any) -> AnswersState:
        """Return the state that `state_to_json` wrote."""
        rounds, number = data
        valid = isinstance(rounds, int) and isinstance(number, int) and 0 <= rounds <= self.rounds
        if not valid or not 0 <= number < self._histories(rounds):
            raise InvalidInput(f"A transcript must have valid rounds and number. Got {data!r}.")
        return AnswersState(self, rounds, number)

    def _histories(self, rounds: int) -> int:
        """Return the number of transcripts after some rounds."""
        found = self.law.transcripts
        learned = min(rounds, max(1, self.rounds - 1))
        return found.examples * (4 * found.points) ** (learned - 1) if rounds else 1

    def __str__(self) -> str:
        return f"optimal predictor for {self.rounds} rounds"
