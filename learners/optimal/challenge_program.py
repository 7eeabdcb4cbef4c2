"""The linear program of the best predictor with private answers, in sequence form.

The columns are the distribution of a_1 for each query, x_t for each orbit of transcripts that end
with the answer of round t, columns that privacy needs, and last the expected number L of mistakes
in the worst case, which is minimised.

**Privacy towards user i** [KMMNS23, challenge-DP]. The view of all other users consists of all
answers except a_i. Its probability q(z_i) on a stream is the sum of x_T over a_i. All streams that
differ only in z_i have values q(z_i) within a factor r = e^epsilon of each other if and only if
some u has u <= q(z) <= r u for all z (u = min q). The last user's example influences no other
answer. The guarantee also covers adversaries that choose queries and labels after they observe the
answers of all users except user i. Given the answers, the choices of such an adversary are a fixed
stream, so the probabilities of a view are values q on two streams that differ in z_i.

**Mistakes.** A realizable stream is fixed in advance. The program has one row for each orbit of
streams.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from learners.optimal.challenge_transcripts import ChallengeTranscripts
from learners.optimal.linear import Array, LinearProgram
from learners.optimal.transcripts import Stream


@dataclass(frozen=True)
class ChallengeProgram:
    """The linear program of the best predictor, and the positions of its rows and columns.

    Parameters
    ----------
    transcripts : ChallengeTranscripts
        All streams and transcripts of the game.
    """

    transcripts: ChallengeTranscripts

    @cached_property
    def linear(self) -> LinearProgram:
        """The linear program of the best learner against challenges."""
        return self._built[0]

    @cached_property
    def answered(self) -> list[Array]:
        """The columns of the orbits of transcripts that end with the answer of round t + 1."""
        return self._built[1]

    @cached_property
    def moves(self) -> list[tuple[int, Stream]]:
        """The positions of the rows of the streams."""
        return self._built[2]

    @cached_property
    def _built(self) -> tuple[LinearProgram, list[Array], list[tuple[int, Stream]]]:
        linear = LinearProgram()
        answered = [linear.new(each.count) for each in self.transcripts.answered[1:]]
        self._sums(linear, answered)
        for round in range(1, self.transcripts.rounds):
            self._hubs(linear, answered[-1], round)
        worst = linear.new(1, self.transcripts.rounds)
        return linear, answered, self._streams(linear, answered, worst)

    def _sums(self, linear: LinearProgram, answered: list[Array]) -> None:
        """Add rows that give both answers to a query the total probability of the history."""
        found = self.transcripts
        for t, columns in enumerate(answered):
            queries = found.histories(t)
            rows = linear.equal.new(len(queries))
            of = found.answered[t + 1].of
            linear.equal.add(rows, columns[of[queries]])
            linear.equal.add(rows, columns[of[queries + 1]])
            if t > 1:
                before = found.answered[t].of[found.before(queries, t + 1)]
                linear.equal.add(rows, answered[t - 1][before], -1)
            else:
                linear.totals |= dict.fromkeys(rows.tolist(), 1)

    def _hubs(self, linear: LinearProgram, complete: Array, round: int) -> None:
        """Add the rows of privacy towards the user of a round."""
        found = self.transcripts
        views, numbers = found.views(round)
        rests = found.rests(round)
        hubs = linear.new(rests.count)[rests.of[views.representatives // found.examples]]
        above, below = (linear.plain.new(views.count) for _ in "ab")
        # The transcripts whose sum is the probability of a view.
        chosen = np.full(len(views.of), -1)
        chosen[views.representatives] = np.arange(views.count)
        view = chosen[numbers]
        some = np.flatnonzero(view >= 0)
        columns = complete[found.answered[found.rounds].of[some]]
        linear.plain.add(above, hubs)
        linear.plain.add(above[view[some]], columns, -1)
        linear.plain.add(below[view[some]], columns)
        linear.ratio.add(below, hubs, -1)

    def _streams(
        self, linear: LinearProgram, answered: list[Array], worst: Array
    ) -> list[tuple[int, Stream]]:
        found = self.transcripts
        moves = []
        for stream in found.stream_orbits():
            row = linear.plain.new(1)
            for t, errors in enumerate(found.errors(stream)):
                linear.plain.add(row, answered[t][found.answered[t + 1].of[errors]])
            linear.plain.add(row, worst, -1)
            moves.append((int(row[0]), stream))
        return moves
