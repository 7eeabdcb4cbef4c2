"""The optimal private monitor of few rounds, with proofs of both bounds.

A *monitor* publishes a bit b_t in each round t and then receives a bit a_t. Rounds with a_t = 1 are
events. All published bits together are (epsilon, delta)-DP for streams that differ in one bit. On
the stream without events, the loss is the number of published ones. On every other stream, the loss
is the number of events with b_t = 0. The *value* is the least worst expected loss of any monitor.

Every private online learner of point functions contains a monitor: b_t = h_t(x*) in the streams of
`learners.lower_bounds.point_bounds`. The learner makes at least as many expected mistakes as this
monitor loses. So the value is a lower bound on mistakes, and windows and halving bound the value.

The program and the proofs are the program of `learners.optimal.online_program` for the class of two
concepts on one point, with other losses.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from learners import checked
from learners.lower_bounds.point_bounds import Events
from learners.optimal.frontier import checked_privacy, ratios
from learners.optimal.linear import SCALE, Array, LinearProgram, over_scale
from learners.optimal.online_certificates import MIXED, TranscriptLaw, proposed_law
from learners.optimal.online_program import AdaptiveMove, OnlineProgram
from learners.optimal.transcripts import Stream, Transcripts
from lsclasses.errors import BadCertificate, TooLarge

MOST_ROUNDS = 6
"""Largest number of rounds. Seven rounds take minutes."""
BIT = ((0,), (1,))


@dataclass(frozen=True)
class MonitorValue:
    """The least worst loss of any private monitor, between two proved bounds.

    `monitor_value` defines monitors.

    Attributes
    ----------
    lower, upper : Fraction
        Proved bounds on the value.
    monitor : TranscriptLaw
        Private monitor whose worst loss is the upper bound.
    """

    lower: Fraction
    upper: Fraction
    monitor: TranscriptLaw

    def __str__(self) -> str:
        return f"{float(self.lower):.6f} <= loss <= {float(self.upper):.6f}"


def monitor_value(
    rounds: int, epsilon: Fraction | int | str, delta: Fraction | int | str = 0
) -> MonitorValue:
    """Return the least worst loss of any private monitor.

    A monitor publishes a bit in each round and then receives a bit, which is 1 for an event. On the
    stream without events, the loss is the number of published ones. On every other stream, the loss
    is the number of events with a published 0. The lower bound follows from weak duality in exact
    arithmetic. For the upper bound, all neighbouring streams and all losses of a monitor are
    compared in integers.

    Parameters
    ----------
    rounds : int
        Number T of rounds, at most 6.
    epsilon : Fraction or int
        Positive epsilon.
    delta : Fraction or int
        Delta of at least 0 and less than 1.

    Raises
    ------
    InvalidInput
        If a parameter is out of range.
    TooLarge
        If there are more than 6 rounds.

    Examples
    --------
    >>> print(monitor_value(2, 1))
    0.768941 <= loss <= 0.768941
    """
    rounds = checked.positive(rounds, "number of rounds")
    exact, failure = checked_privacy(
        epsilon,
        delta,
        infinite="Without privacy, the value of T rounds is T/(T + 1).",
        zero="The bits are then independent of the events, and the value is half the rounds.",
    )
    if rounds > MOST_ROUNDS:
        raise TooLarge(
            f"A monitor game may have at most {MOST_ROUNDS} rounds. Got {rounds}.",
            estimate=rounds,
            limit=MOST_ROUNDS,
        )
    program = _MonitorProgram(Transcripts(BIT, BIT, rounds, ()), failure)
    below, above = ratios(exact)
    proposal = program.linear.propose(below)
    multipliers = over_scale(np.maximum(proposal.multipliers, 0))
    first = [row for row, _ in program.moves]
    largest = max(first, key=lambda row: multipliers[row])
    multipliers[largest] += SCALE - sum(multipliers[first].tolist())
    lower = program.linear.bound(multipliers, over_scale(proposal.prices), above)
    monitor = _private(program, [proposal.primal[each] for each in program.published], below)
    upper = max(loss(monitor, stream) for stream in program.streams)
    return MonitorValue(max(lower, Fraction(0)), upper, monitor)


class _MonitorProgram(OnlineProgram):
    """The program of private learners of one bit, with the losses of monitors."""

    @property
    def streams(self) -> list[Events]:
        """All streams. An example of the class of one point is the number of its label."""
        numbers = range(2**self.transcripts.rounds)
        places = range(self.transcripts.rounds)[::-1]
        return [tuple(number >> place & 1 for place in places) for number in numbers]

    def _fix(
        self, linear: LinearProgram, published: list[Array]
    ) -> list[tuple[int, Stream | AdaptiveMove]]:
        found, worst = self.transcripts, linear.new(1, self.transcripts.rounds)
        moves: list[tuple[int, Stream | AdaptiveMove]] = []
        for stream in self.streams:
            row = linear.plain.new(1)
            for t, (event, after) in enumerate(found.along(stream)):
                if event or not any(stream):
                    lost = after[:, 1 - event]
                    linear.plain.add(row, published[t][found.published[t + 1].of[lost]])
            linear.plain.add(row, worst, -1)
            moves.append((int(row[0]), stream))
        return moves


def _private(program: OnlineProgram, primal: list[Array], ratio: Fraction) -> TranscriptLaw:
    """Return a private monitor as near to the proposal as its errors allow."""
    for mixed in (*range(MIXED, 0, -6), 0):
        monitor = proposed_law(program.transcripts, primal, mixed)
        try:
            monitor.require_private(ratio, program.delta)
        except BadCertificate:
            continue
        break
    return monitor


def loss(monitor: TranscriptLaw, events: Events) -> Fraction:
    """Return the expected loss of a monitor on a stream, exactly.

    Examples
    --------
    The monitor of one round that publishes each bit with probability 1/2:

    >>> monitor = TranscriptLaw(Transcripts(BIT, BIT, 1, ()), (1, 1), (1, 1))
    >>> loss(monitor, (0,)), loss(monitor, (1,))
    (Fraction(1, 2), Fraction(1, 2))
    """
    lost = 0
    for t, (event, after) in enumerate(monitor.transcripts.along(events)):
        if event or not any(events):
            lost += int(sum(monitor.published[t + 1][after[:, 1 - event]].tolist()))
    return Fraction(lost, monitor.total)
