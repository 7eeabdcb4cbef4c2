"""Transcripts of online learners over a few rounds, and their orbits under symmetries of the class.

The learner publishes h_1, receives z_1 = (x_1, y_1), publishes h_2, ..., and publishes h_T.

**The first hypothesis is separate.** Some optimal learner draws h_1 independently of all later
hypotheses. Given any learner, draw h_1 by its distribution. Then draw h_1' by the same
distribution, keep it secret, and continue as the learner continues after h_1'. The output after h_1
is a mixture of private distributions, and h_1 depends on no example, so the whole output is
private. On each stream, the expected mistakes are equal in each round. An adaptive adversary could
play against the old learner as well as against the new learner: it draws a separate h_1, and
ignores the h_1 that it observes.

So a learner is described by the distribution of h_1 and, in *sequence form*, by the probability
x_t(z_1, h_2, z_2, ..., z_(t-1), h_t) that it publishes h_2, ..., h_t on a stream that begins with
z_1, ..., z_(t-1). These numbers belong to a learner exactly if they are not negative, the sums of
x_2 over h_2 are 1, and the sum over h_t of x_t is the x_(t-1) of the history before. Loss and
privacy are linear in them.

**Symmetry.** Consider a permutation of the points, with flips of labels at some of them, that maps
the class to itself. It maps streams to streams, neighbours to neighbours, realizable streams to
realizable streams and hypotheses to hypotheses. A hypothesis h errs on z exactly if its image errs
on the image of z. Let a learner draw one such map secretly before the first round and play under
the new names. It stays private, since privacy is convex in the distributions. The worst case over
streams or adversaries does not grow, since the loss on each is a mean of losses on their images. So
some optimal learner is invariant, and its x_t are constant on orbits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.optimal.symmetries import Integers, Labels, Symmetry, generators, image, orbits
from lsclasses.concept_class import ConceptClass

Stream = tuple[int, ...]
"""A stream as numbers of examples. (x_i, y) has the number 2i + y."""


@dataclass(frozen=True)
class Orbits:
    """The orbits of the numbers 0, 1, ... under some maps.

    Attributes
    ----------
    of : array
        Orbit of each number.
    representatives : array
        Least member of each orbit, in increasing order.
    """

    of: Integers
    representatives: Integers

    @property
    def count(self) -> int:
        """The number of orbits of the symmetries."""
        return len(self.representatives)


@dataclass(frozen=True)
class Transcripts:
    """All transcripts of an online learner over a few rounds, with their orbits under symmetries.

    In round t, the learner publishes the hypothesis h_t and then receives the example z_t. A
    history z_1, h_2, z_2, ..., z_(t-1) and the next output are numbered in mixed radix, in this
    order. So a number divided by the number of hypotheses, or of examples, is the number of the
    transcript one step before. The separate first hypothesis is not part of these numbers.

    Parameters
    ----------
    concepts : tuple of tuple of 0 or 1
        Labels of each concept.
    outputs : tuple of tuple of 0 or 1
        Labels of each hypothesis that may be published.
    rounds : int
        Number T of rounds.
    symmetries : tuple
        Automorphisms of the class. Orbits are the orbits of all their products.

    Examples
    --------
    >>> bit = Transcripts(((0,), (1,)), ((0,), (1,)), 2, (((0,), (1,)),))
    >>> bit.size, bit.published[2].count, bit.realizable
    (4, 2, ((0, 0), (1, 1)))
    """

    concepts: tuple[Labels, ...]
    outputs: tuple[Labels, ...]
    rounds: int
    symmetries: tuple[Symmetry, ...]

    @classmethod
    def of(cls, C: ConceptClass, rounds: int, *, proper: bool) -> Transcripts:
        """Return the transcripts of learners that publish only concepts, or any functions.

        Parameters
        ----------
        C : ConceptClass
            Class on few points. Concepts with equal labels at all points count once.
        rounds : int
            Number of rounds.
        proper : bool
            Whether learners publish only concepts.
        """
        table = C.to_table()
        concepts = tuple(sorted({tuple(row) for row in table.labels.tolist()}))
        outputs = concepts if proper else tuple(product((0, 1), repeat=len(table.points)))
        return cls(concepts, outputs, rounds, generators(concepts))

    @property
    def examples(self) -> int:
        """The number of labelled points."""
        return 2 * len(self.concepts[0])

    @property
    def size(self) -> int:
        """The number of transcripts z_1, h_2, ..., z_(T-1), h_T, or of h_1 for one round."""
        each = len(self.outputs) * self.examples
        return int(each ** (self.rounds - 1)) if self.rounds > 1 else len(self.outputs)

    @cached_property
    def errs(self) -> Integers:
        """An array that states whether each hypothesis errs on each example."""
        return np.array(
            [[h[z // 2] != z % 2 for z in range(self.examples)] for h in self.outputs]
        ).astype(np.int64)

    @cached_property
    def consistent(self) -> NDArray[np.bool_]:
        """An array that states whether each example agrees with each concept."""
        labels = np.array(self.concepts)
        return np.array([labels[:, z // 2] == z % 2 for z in range(self.examples)])

    @cached_property
    def realizable(self) -> tuple[Stream, ...]:
        """The streams of T examples that some concept labels."""
        return tuple(self._streams((), np.ones(len(self.concepts), dtype=bool)))

    def _streams(self, before: Stream, left: NDArray[np.bool_]) -> Iterator[Stream]:
        if len(before) == self.rounds:
            yield before
            return
        for z in range(self.examples):
            after = left & self.consistent[z]
            if after.any():
                yield from self._streams((*before, z), after)

    @cached_property
    def maps(self) -> tuple[tuple[Integers, Integers], ...]:
        """The images of hypotheses and of examples under each symmetry."""
        number = {h: i for i, h in enumerate(self.outputs)}
        found = []
        for symmetry in self.symmetries:
            to, flips = symmetry
            moved = [number[image(symmetry, h)] for h in self.outputs]
            shown = [2 * to[z // 2] + (z % 2 ^ flips[z // 2]) for z in range(self.examples)]
            found.append((np.array(moved), np.array(shown)))
        return tuple(found)

    def _images(self, kinds: str) -> list[Integers]:
        """Return the images of all sequences of hypotheses (h) and examples (z) of these kinds."""
        found = []
        for moved, shown in self.maps:
            images = np.zeros(1, dtype=np.int64)
            for kind in kinds:
                digits = moved if kind == "h" else shown
                images = (images[:, None] * len(digits) + digits).ravel()
            found.append(images)
        return found

    def orbits(self, kinds: str) -> Orbits:
        """Return the orbits of sequences with the types in a word of h and z, such as "zhz"."""
        hypotheses, examples = kinds.count("h"), kinds.count("z")
        count = len(self.outputs) ** hypotheses * self.examples**examples
        return Orbits(*orbits(count, self._images(kinds)))

    @staticmethod
    def _history(examples: int) -> str:
        """Return the kinds of the steps z_1, h_2, z_2, ... of a history with t examples."""
        return ("hz" * examples)[1:]

    @cached_property
    def published(self) -> tuple[Orbits, ...]:
        """The orbits of transcripts z_1, h_2, ..., h_t, at index t."""
        return (
            self.orbits(""),
            *(self.orbits(self._history(t) + "h") for t in range(self.rounds)),
        )

    @cached_property
    def histories(self) -> tuple[Orbits, ...]:
        """The orbits of z_1, h_2, ..., z_t, at index t from 0 to T - 1."""
        return tuple(self.orbits(self._history(t)) for t in range(self.rounds))

    @cached_property
    def asked(self) -> tuple[Orbits, ...]:
        """The orbits of z_1, h_2, ..., z_t and one more example, at index t from 0 to T - 1."""
        return tuple(self.orbits(self._history(t) + "z") for t in range(self.rounds))

    def after(self, round: int, published: Integers, example: int | Integers) -> Integers:
        """Return the histories with an example after the output of a round, counted from 0."""
        found: Integers = published * self.examples if round else np.zeros_like(published)
        return found + example

    def place(self, round: int) -> int:
        """Return the place value of the digit of z_round in the number of a complete transcript.

        Rounds are counted from 1.
        """
        later = self.rounds - round
        return int(len(self.outputs) ** later * self.examples ** (later - 1))

    def without(self, transcripts: Integers, round: int) -> Integers:
        """Return the numbers of complete transcripts without the digit of z_round."""
        place = self.place(round)
        return transcripts // (place * self.examples) * place + transcripts % place

    def hubs(self, round: int) -> tuple[Integers, int]:
        """Return the hub of each orbit of complete transcripts, and the number of hubs.

        The hub is the orbit after z_round is removed. Two complete transcripts that differ only in
        z_round have one hub, and transcripts with one hub are neighbours.
        """
        hubs = np.arange(self.size // self.examples)
        place = self.place(round)
        filled = hubs // place * (place * self.examples) + hubs % place
        images = [self.without(each[filled], round) for each in self._images(self.complete)]
        of, first = orbits(len(hubs), images)
        return of[self.without(self.published[-1].representatives, round)], len(first)

    @property
    def complete(self) -> str:
        """The word of h and z that describes a complete transcript."""
        return self._history(self.rounds - 1) + "h"

    def replaced(self, round: int) -> Orbits:
        """Return the orbits of complete transcripts with another example for z_round.

        The number of an entry is the number of the transcript times the number of examples, plus
        the example. The orbit is -1 if this example is z_round itself.
        """
        every = self.orbits(self.complete + "z")
        transcripts, shown = np.divmod(every.representatives, self.examples)
        other = transcripts // self.place(round) % self.examples != shown
        number = np.where(other, np.cumsum(other) - 1, -1)
        return Orbits(number[every.of], every.representatives[other])

    def with_replaced(self, numbers: Integers, round: int) -> Integers:
        """Return the transcripts after the replacements with the given numbers (see `replaced`)."""
        transcripts, shown = np.divmod(numbers, self.examples)
        place = self.place(round)
        found: Integers = transcripts + (shown - transcripts // place % self.examples) * place
        return found

    def replaced_streams(self, round: int) -> Iterator[Integers]:
        """Yield the numbers of `replaced` for one stream and replaced example of each orbit."""
        for stream in self._stream_representatives():
            if stream[-1] != stream[round - 1]:
                *_, (z, transcripts) = self.along(stream)
                yield transcripts.ravel() * self.examples + z

    def _stream_representatives(self) -> Iterator[Stream]:
        """Yield one stream of T examples of each orbit."""
        places = self.examples ** np.arange(self.rounds)[::-1]
        for number in self.orbits("z" * self.rounds).representatives:
            yield tuple((number // places % self.examples).tolist())

    def stream_orbits(self) -> tuple[Stream, ...]:
        """One realizable stream of each orbit."""
        realizable = set(self.realizable)
        return tuple(each for each in self._stream_representatives() if each in realizable)

    def along(self, stream: Stream) -> Iterator[tuple[int, Integers]]:
        """Yield, for each example of a stream, its number and all possible outputs up to it.

        The outputs are an array with a row for each history and a column for each hypothesis.
        """
        histories = np.zeros(1, dtype=np.int64)
        hypotheses = np.arange(len(self.outputs))
        for t, z in enumerate(stream):
            transcripts = histories[:, None] * len(self.outputs) + hypotheses
            yield z, transcripts
            histories = np.unique(self.after(t, transcripts.ravel(), z))

    def versions(self, histories: Integers, rounds: int) -> NDArray[np.bool_]:
        """Return, for each history of these rounds, the concepts that agree with its examples."""
        left = np.ones((len(histories), len(self.concepts)), dtype=bool)
        for _ in range(rounds):
            left &= self.consistent[histories % self.examples]
            histories = histories // self.examples // len(self.outputs)
        return left


def as_objects(values: Any) -> NDArray[np.object_]:
    """Return an array of Python integers, which do not overflow."""
    return np.array(values, dtype=object)
