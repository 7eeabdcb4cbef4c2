"""Transcripts of predictors that answer one query per round, and their orbits under symmetries.

In round t the predictor receives a point x_t, answers by a label a_t, and then receives the label
y_t. Each round belongs to one user. A change of user i changes z_i = (x_i, y_i).

**The first answer is separate.** Some optimal predictor draws a_1 independently of all later
answers. Given any predictor, answer x_1 by the distribution of its answer. Then draw another answer
to x_1 by the same distribution, keep it secret, and continue as the predictor continues after it.
The later answers have their old distribution. The answer a_1 depends only on x_1, and the view of
all users except the first does not change if z_1 changes only a_1. So privacy towards every user
and the expected mistakes in each round are kept.

So a predictor is described by the distribution of a_1 for each x_1 and, in *sequence form*, by the
probability x_t(z_1, x_2, a_2, y_2, ..., x_t, a_t) of the answers a_2, ..., a_t on these queries and
labels. These numbers belong to a predictor exactly if they are not negative and their sum over a_t
is the number of the history before, or 1 for t = 2.

**Symmetry.** An automorphism of the class permutes points, and may flip labels at some of them. It
maps queries, labels and answers, and keeps realizability, mistakes, neighbours and views. So some
optimal predictor is invariant (as in `learners.optimal.transcripts`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, reduce
from math import prod

import numpy as np
from numpy.typing import NDArray

from learners.optimal.symmetries import Integers, Labels, Symmetry, generators, orbits
from learners.optimal.transcripts import Orbits, Stream
from lsclasses.concept_class import ConceptClass


@dataclass(frozen=True)
class ChallengeTranscripts:
    """All transcripts over a few rounds, numbered in mixed radix.

    The digits are z_1, then (x_t, a_t, y_t) for t = 2, ..., T - 1, and last (x_T, a_T). A point x
    with labels a and y has the digit 4x + 2a + y. A point x with one label y has the digit 2x + y.

    Parameters
    ----------
    concepts : tuple of tuple of 0 or 1
        Labels of each concept.
    rounds : int
        Number T of rounds.
    symmetries : tuple
        Automorphisms of the class.

    Examples
    --------
    >>> bit = ChallengeTranscripts(((0,), (1,)), 3, (((0,), (1,)),))
    >>> bit.radices(3), bit.answered[3].count, bit.realizable
    ((2, 4, 2), 8, ((0, 0, 0), (1, 1, 1)))
    """

    concepts: tuple[Labels, ...]
    rounds: int
    symmetries: tuple[Symmetry, ...]

    @classmethod
    def of(cls, C: ConceptClass, rounds: int) -> ChallengeTranscripts:
        """Return the transcripts for a class. Concepts with equal labels count once."""
        concepts = tuple(sorted({tuple(row) for row in C.to_table().labels.tolist()}))
        return cls(concepts, rounds, generators(concepts))

    @property
    def points(self) -> int:
        """The number of points."""
        return len(self.concepts[0])

    @property
    def examples(self) -> int:
        """The number of labelled points."""
        return 2 * self.points

    def radices(self, rounds: int) -> tuple[int, ...]:
        """Return the number of digits of each round, for transcripts that end with an answer."""
        if rounds == 1:
            return (self.examples,)
        return (self.examples, *(4 * self.points,) * (rounds - 2), self.examples)

    def size(self, rounds: int) -> int:
        """Return the number of transcripts that end with the answer of a round."""
        return prod(self.radices(rounds))

    @cached_property
    def _maps(self) -> tuple[tuple[Integers, Integers], ...]:
        """The images of labelled points and of points with two labels under each symmetry."""
        found = []
        for to, flips in self.symmetries:
            once = [2 * to[d // 2] + (d % 2 ^ flips[d // 2]) for d in range(self.examples)]
            twice = [4 * to[d // 4] + (d % 4 ^ 3 * flips[d // 4]) for d in range(4 * self.points)]
            found.append((np.array(once), np.array(twice)))
        return tuple(found)

    def _orbits(self, radices: tuple[int, ...]) -> Orbits:
        """Return the orbits of the numbers with these digits."""
        images = []
        for once, twice in self._maps:
            digits = [once if radix == self.examples else twice for radix in radices]
            images.append(reduce(_appended, digits, np.zeros(1, dtype=np.int64)))
        return Orbits(*orbits(prod(radices), images))

    @cached_property
    def answered(self) -> tuple[Orbits, ...]:
        """The orbits of transcripts that end with the answer of round t, at index t.

        At index 1, these are the orbits of (x_1, a_1), and at index 0 a single orbit.
        """
        return tuple(self._orbits(self.radices(t) if t else ()) for t in range(self.rounds + 1))

    @cached_property
    def streams(self) -> Orbits:
        """The orbits of streams of T examples."""
        return self._orbits((self.examples,) * self.rounds)

    def histories(self, rounds: int) -> Integers:
        """Return a query of the next round after each history, one of each orbit.

        A history of t rounds with the next query x is numbered by the transcript with the answer 0
        to x. Half of the transcripts have this answer.
        """
        numbers = self.answered[rounds + 1].of.reshape(-1, 2)
        pairs = np.sort(numbers, axis=1)
        _, first = np.unique(pairs, axis=0, return_index=True)
        found: Integers = 2 * np.sort(first)
        return found

    def before(self, transcripts: Integers, rounds: int) -> Integers:
        """Return the transcripts that end with the answer before the last answer."""
        digits = transcripts // self.examples
        if rounds == 2:
            return np.zeros_like(digits)
        # The last middle digit 4x + 2a + y becomes 2x + a.
        found: Integers = (
            digits // (4 * self.points) * self.examples + digits % (4 * self.points) // 2
        )
        return found

    def place(self, round: int) -> int:
        """Return the place value of the digit of a round of complete transcripts, from round 1."""
        return prod(self.radices(self.rounds)[round:])

    def split(self, transcripts: Integers, round: int) -> tuple[Integers, Integers]:
        """Return the example of a round, and the number of the transcript without this round.

        Complete transcripts with equal numbers differ at most in the round: its query, its answer
        and its label.
        """
        place, radix = self.place(round), self.radices(self.rounds)[round - 1]
        digit = transcripts // place % radix
        rest = transcripts // (place * radix) * place + transcripts % place
        example = digit if radix == self.examples else digit // 4 * 2 + digit % 2
        return example, rest

    def views(self, round: int) -> tuple[Orbits, Integers]:
        """Return orbits of pairs (example of a round, rest), and the orbit of each transcript.

        The number of an example with a rest is ``rest * examples + example``. Its probability is
        the sum over the answer of the round.
        """
        everything = np.arange(self.size(self.rounds))
        example, rest = self.split(everything, round)
        numbers = rest * self.examples + example
        count = self.size(self.rounds) // self.radices(self.rounds)[round - 1] * self.examples
        images = []
        for image in self._images:
            moved_example, moved_rest = self.split(image, round)
            moved = np.zeros(count, dtype=np.int64)
            moved[numbers] = moved_rest * self.examples + moved_example
            images.append(moved)
        return Orbits(*orbits(count, images)), numbers

    def rests(self, round: int) -> Orbits:
        """Return the orbits of complete transcripts from which one round is removed."""
        radices = self.radices(self.rounds)
        return self._orbits((*radices[: round - 1], *radices[round:]))

    @cached_property
    def _images(self) -> tuple[Integers, ...]:
        """The images of all complete transcripts under each symmetry."""
        found = []
        for once, twice in self._maps:
            digits = [once if r == self.examples else twice for r in self.radices(self.rounds)]
            found.append(reduce(_appended, digits, np.zeros(1, dtype=np.int64)))
        return tuple(found)

    @cached_property
    def consistent(self) -> NDArray[np.bool_]:
        """An array that states whether each example agrees with each concept."""
        labels = np.array(self.concepts)
        return np.array([labels[:, z // 2] == z % 2 for z in range(self.examples)])

    @cached_property
    def realizable(self) -> tuple[Stream, ...]:
        """The streams of T examples that some concept labels."""
        return tuple(self._extended((), np.ones(len(self.concepts), dtype=bool)))

    def _extended(self, before: Stream, left: NDArray[np.bool_]) -> Iterator[Stream]:
        if len(before) == self.rounds:
            yield before
            return
        for z in range(self.examples):
            after = left & self.consistent[z]
            if after.any():
                yield from self._extended((*before, z), after)

    def stream_orbits(self) -> tuple[Stream, ...]:
        """One realizable stream from each orbit."""
        realizable = set(self.realizable)
        places = self.examples ** np.arange(self.rounds)[::-1]
        found = [
            tuple((number // places % self.examples).tolist())
            for number in self.streams.representatives
        ]
        return tuple(each for each in found if each in realizable)

    def errors(self, stream: Stream) -> Iterator[Integers]:
        """Yield the transcripts that err in round t on a stream, for t = 1, ..., T.

        The sum of their probabilities is the probability of a mistake in this round.
        """
        first = stream[0]
        yield np.array([2 * (first // 2) + (1 - first % 2)])
        histories = np.array([first])
        for z in stream[1:]:
            x, y = divmod(z, 2)
            yield histories * self.examples + 2 * x + (1 - y)
            digits = np.array([4 * x + y, 4 * x + 2 + y])
            histories = (histories[:, None] * (4 * self.points) + digits).ravel()


def _appended(images: Integers, digits: Integers) -> Integers:
    """Return the images of numbers with one more digit."""
    found: Integers = (images[:, None] * len(digits) + digits).ravel()
    return found
