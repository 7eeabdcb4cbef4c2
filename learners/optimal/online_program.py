"""The linear program of the best private online learner, in sequence form.

The columns are the distribution of h_1 and x_t for each orbit of z_1, h_2, ..., h_t, then columns
that privacy and the adversary need, and last the expected number L of mistakes in the worst case,
which is minimised.

**Privacy, delta = 0.** All complete transcripts with the same hypotheses h_1, ..., h_T and the same
stream except z_i are neighbours. Their probabilities p(z_i) are within a factor r = e^epsilon of
each other if and only if some u has u <= p(z) <= r u for all z (u = min p). So a *hub* u takes two
rows for each transcript and i, instead of one row for each pair. Privacy of h_1, ..., h_t follows
by summation.

**Privacy, delta > 0.** For each ordered pair of neighbouring streams the sum over all h_1, ..., h_T
of the positive part of p - r p' is at most delta. Slack columns represent the positive parts.

**Oblivious adversaries** fix a realizable stream. The program has one row for each orbit of
streams, with sum_t sum [h_t errs on z_t] x_t(z_1, h_2, ..., h_t) <= L.

**Adaptive adversaries** observe h_1, ..., h_(t-1) before they choose z_t, which keeps the stream
realizable [LWY25, section 2]. Let W_t of a history be the probability of its hypotheses times the
gain of the best adversary from then on. W_t is the least number that is at least sum over h_t of
[h_t errs on z_t] x_t + W_(t+1), for each z_t, and L = W_1. With delta = 0, a learner that is
private on all streams is also private against adaptive streams: a transcript of hypotheses fixes
the choices of an adaptive adversary, so its probabilities with both challenges are the
probabilities of two neighbouring streams. With delta > 0, the sum over transcripts mixes many
streams, and the guarantee is a different guarantee, for which this module makes no program.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from learners.optimal.linear import Array, LinearProgram
from learners.optimal.transcripts import Stream, Transcripts


@dataclass(frozen=True)
class AdaptiveMove:
    """A move of an adaptive adversary: an example after a history.

    Attributes
    ----------
    round : int
        Number of the round, from 0 on.
    history, example : int
        Numbers of the history and of the example.
    """

    round: int
    history: int
    example: int


@dataclass(frozen=True)
class OnlineProgram:
    """The linear program of the best online learner, and the positions of its rows and columns.

    Parameters
    ----------
    transcripts : Transcripts
        All streams and transcripts of the game.
    delta : Fraction
        Delta of the privacy guarantee.
    adaptive : bool
        Whether the adversary observes the hypotheses of earlier rounds.
    """

    transcripts: Transcripts
    delta: Fraction = Fraction(0)
    adaptive: bool = False

    @cached_property
    def linear(self) -> LinearProgram:
        """The linear program of the best private online learner."""
        return self._built[0]

    @cached_property
    def published(self) -> list[Array]:
        """The columns of the orbits of z_1, h_2, ..., h_t, at index t - 1."""
        return self._built[1]

    @cached_property
    def moves(self) -> list[tuple[int, Stream | AdaptiveMove]]:
        """The rows of the adversary's moves: streams, or examples after histories."""
        return self._built[2]

    @staticmethod
    def is_first(move: Stream | AdaptiveMove) -> bool:
        """Return whether a move is the first of the game: a whole stream, or a move of round 0."""
        return not isinstance(move, AdaptiveMove) or move.round == 0

    @cached_property
    def _built(self) -> tuple[LinearProgram, list[Array], list[tuple[int, Stream | AdaptiveMove]]]:
        linear = LinearProgram()
        published = [linear.new(each.count) for each in self.transcripts.published[1:]]
        self._sums(linear, published)
        if self.delta:
            self._slacks(linear, published[-1])
        else:
            self._hubs(linear, published[-1])
        act = self._adapt if self.adaptive else self._fix
        return linear, published, act(linear, published)

    def _sums(self, linear: LinearProgram, published: list[Array]) -> None:
        """Add rows that give the outputs of a round the total probability of their history."""
        for t, histories in enumerate(self.transcripts.histories):
            rows = linear.equal.new(histories.count)
            linear.equal.add(rows[:, None], self._next(published, t))
            if t > 1:
                linear.equal.add(rows, self._last(published, t), -1)
            else:
                linear.totals |= dict.fromkeys(rows.tolist(), 1)

    def _next(self, published: list[Array], t: int) -> Array:
        """Return the columns of all outputs after each orbit of histories of t examples."""
        found, hypotheses = self.transcripts, np.arange(len(self.transcripts.outputs))
        after = found.histories[t].representatives[:, None] * len(hypotheses) + hypotheses
        columns: Array = published[t][found.published[t + 1].of[after]]
        return columns

    def _last(self, published: list[Array], t: int) -> Array:
        """Return the column of the last output in each orbit of histories of t > 1 examples."""
        found = self.transcripts
        before = found.histories[t].representatives // found.examples
        columns: Array = published[t - 1][found.published[t].of[before]]
        return columns

    def best_prices(self, multipliers: Array) -> Array:
        """Return the prices that prove the largest lower bound with given multipliers.

        `LinearProgram.bound` loses min(0, w) for each column with the weight w. The sum of the
        columns of a history is fixed. So the prices, from the last round on, make each of these
        weights at least 0. A history then loses the largest loss of an output, and not the sum
        over all outputs.

        Parameters
        ----------
        multipliers : array of int
            Multipliers of the inequalities over `SCALE`, against oblivious adversaries.
        """
        linear = self.linear
        left = linear.plain.transposed_times(multipliers, linear.columns)
        prices = np.zeros(linear.equal.rows, dtype=object)
        end = linear.equal.rows
        for t in reversed(range(self.transcripts.rounds)):
            columns = self._next(self.published, t)
            rows = np.arange(end - len(columns), end)
            end -= len(columns)
            # A column occurs as often in a row as the history has outputs in its orbit.
            times = (columns[:, :, None] == columns[:, None]).sum(axis=2)
            prices[rows] = (-(left[columns] // times.astype(object))).max(axis=1)
            if t > 1:
                np.subtract.at(left, self._last(self.published, t), prices[rows])
        return prices

    def _hubs(self, linear: LinearProgram, complete: Array) -> None:
        for t in range(1, self.transcripts.rounds):
            of, count = self.transcripts.hubs(t)
            hubs = linear.new(count)[of]
            above, below = (linear.plain.new(len(complete)) for _ in "ab")
            linear.plain.add(above, hubs)
            linear.plain.add(above, complete, -1)
            linear.plain.add(below, complete)
            linear.ratio.add(below, hubs, -1)

    def _slacks(self, linear: LinearProgram, complete: Array) -> None:
        found = self.transcripts
        complete_of = found.published[-1].of
        for t in range(1, found.rounds):
            pairs = found.replaced(t)
            numbers = pairs.representatives
            transcript, other = numbers // found.examples, found.with_replaced(numbers, t)
            slacks, rows = linear.new(pairs.count), linear.plain.new(pairs.count)
            linear.plain.add(rows, complete[complete_of[transcript]])
            linear.ratio.add(rows, complete[complete_of[other]], -1)
            linear.plain.add(rows, slacks, -1)
            for each in found.replaced_streams(t):
                row = linear.plain.new(1)
                linear.plain.add(row, slacks[pairs.of[each]])
                linear.right[int(row[0])] = self.delta

    def _fix(
        self, linear: LinearProgram, published: list[Array]
    ) -> list[tuple[int, Stream | AdaptiveMove]]:
        worst = linear.new(1, self.transcripts.rounds)
        moves: list[tuple[int, Stream | AdaptiveMove]] = []
        for stream in self.transcripts.stream_orbits():
            row = linear.plain.new(1)
            for t, (z, after) in enumerate(self.transcripts.along(stream)):
                errs = after[:, self.transcripts.errs[:, z] == 1]
                linear.plain.add(row, published[t][self.transcripts.published[t + 1].of[errs]])
            linear.plain.add(row, worst, -1)
            moves.append((int(row[0]), stream))
        return moves

    def _adapt(
        self, linear: LinearProgram, published: list[Array]
    ) -> list[tuple[int, Stream | AdaptiveMove]]:
        found = self.transcripts
        versions = [
            found.versions(each.representatives, t) for t, each in enumerate(found.histories)
        ]
        worth: list[Array] = []
        for t in reversed(range(found.rounds)):
            played = np.flatnonzero(versions[t].any(axis=1))
            columns = np.full(len(versions[t]), -1)
            columns[played] = linear.new(len(played), found.rounds - t)
            worth.insert(0, columns)
        moves: list[tuple[int, Stream | AdaptiveMove]] = []
        hypotheses = np.arange(len(found.outputs))
        for t, histories in enumerate(found.histories):
            for z, fits in enumerate(found.consistent):
                played = np.flatnonzero((versions[t] & fits).any(axis=1))
                before = histories.representatives[played]
                rows = linear.plain.new(len(played))
                after = before[:, None] * len(hypotheses) + hypotheses
                errs = after[:, found.errs[:, z] == 1]
                linear.plain.add(rows[:, None], published[t][found.published[t + 1].of[errs]])
                linear.plain.add(rows, worth[t][played], -1)
                if t + 1 < found.rounds:
                    # The first hypothesis does not influence later rounds.
                    later = found.after(t, after if t else after[:, :1], z)
                    linear.plain.add(rows[:, None], worth[t + 1][found.histories[t + 1].of[later]])
                moves += zip(
                    rows.tolist(), (AdaptiveMove(t, at, z) for at in before.tolist()), strict=True
                )
        return moves
