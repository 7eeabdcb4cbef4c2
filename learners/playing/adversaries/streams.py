"""Adversaries without observations: fixed, random and drifting streams, and noisy labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated

from learners.coins import Coins
from learners.playing.adversaries.base import (
    _LAW_WORDS,
    AdversaryRun,
    PointLaw,
    StreamAdversary,
    _checked_class,
    _checked_law,
    _generator,
    _point_law,
)
from lsclasses.concept_class import ConceptClass, OfClass
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput
from lsclasses.files.comma_separated import load_stream
from lsclasses.files.sources import PathLike
from lsclasses.frozen import set_frozen_fields
from lsclasses.hypothesis import Hypothesis
from lsclasses.numbers import rational
from lsclasses.options import Option, check_fields
from lsclasses.point_names import Label, Point, check_label, plain


@dataclass(frozen=True)
class FixedStream(StreamAdversary):
    """An adversary that presents a fixed stream of examples.

    Parameters
    ----------
    examples : iterable of (point, label)
        Examples, for example a list or `ConceptClass.sample_stream`.
    concept_class : ConceptClass, optional
        Class for which the stream guarantees realizability if a concept is consistent with all
        examples.

    Raises
    ------
    InvalidInput
        If a label is neither 0 nor 1, an example is not a pair, or a point lies outside the domain
        of the class. The message names the example.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("thresholds:n=7")
    >>> FixedStream([(3, 1), (1, 0)], C).realizable, FixedStream([(3, 1), (5, 0)], C).realizable
    (True, False)
    >>> FixedStream([(3, 1), (1, 2)])
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: Example 2: A label must be 0 or 1. Got 2.
    """

    examples: tuple[tuple[Point, Label], ...]
    concept_class: ConceptClass | None = None

    def __init__(
        self, examples: Iterable[tuple[object, object]], concept_class: ConceptClass | None = None
    ) -> None:
        checked = []
        for number, example in enumerate(examples, start=1):
            try:
                if not isinstance(example, (tuple, list)) or len(example) != 2:
                    raise InvalidInput(f"An example is a pair (point, label). Got {example!r}.")
                x, y = example
                x = plain(x) if concept_class is None else concept_class.domain.require(x)
                checked.append((x, check_label(y)))
            except InvalidInput as error:
                raise InvalidInput(f"Example {number}: {error}") from None
        set_frozen_fields(self, examples=tuple(checked), concept_class=concept_class)

    @classmethod
    def load(cls, path: PathLike, concept_class: ConceptClass | None = None) -> FixedStream:
        """Load the stream of a CSV file (see `lsclasses.files.comma_separated.load_stream`)."""
        return cls(load_stream(path), concept_class)

    @property
    def domain(self) -> Domain | None:
        """The domain of the concept class."""
        return None if self.concept_class is None else self.concept_class.domain

    @cached_property
    def _fitting(self) -> ConceptClass | None:
        return None if self.concept_class is None else self.concept_class.given(self.examples)

    @property
    def realizable(self) -> bool:
        """Whether a class is given, and some concept of it is consistent with all examples."""
        return self._fitting is not None and not self._fitting.is_empty

    def begin(self, coins: Coins) -> AdversaryRun:
        """Return the adversary before the first example."""
        return _Recorded(iter(self.examples), self._fitting if self.realizable else None)

    def __str__(self) -> str:
        return f"a fixed stream of {len(self.examples)} examples"


class _Recorded(AdversaryRun):
    def __init__(
        self, examples: Iterable[tuple[Point, Label]], fitting: ConceptClass | None
    ) -> None:
        self._next = iter(examples).__next__
        self._fitting = fitting

    def pose(self) -> tuple[Point, Label] | None:
        try:
            return self._next()
        except StopIteration:
            return None

    @cached_property
    def concept(self) -> Hypothesis | None:
        return None if self._fitting is None else self._fitting.sample(0)


@dataclass(frozen=True)
class RandomConcept(OfClass, StreamAdversary):
    """An adversary that presents random points, labelled by one concept of a class.

    Parameters
    ----------
    concept_class : ConceptClass
        Class that is not empty.
    concept : Hypothesis, optional
        Concept that labels the points. The default is a random concept of the class.
    points : "class", "uniform" or "balanced"
        Distribution of the points. ``"class"`` is the distribution of `ConceptClass.sample_stream`,
        which on huge domains also draws points near the concept. ``"uniform"`` is the uniform
        distribution on a finite domain. ``"balanced"`` tosses a fair coin for the label and draws a
        point with this label, if the concept has such points. On domains of at most 2^12 points,
        the drawn point is uniform among the points with the label. On larger domains, the point has
        the distribution ``"class"``.

    Raises
    ------
    InvalidInput
        If the class is empty, `points` is unknown, or the concept has another domain.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> C = catalog.build("points:n=1000")
    >>> for law in ("uniform", "balanced"):
    ...     opponent = RandomConcept(C, points=law).begin(SeededCoins(1))
    ...     print(sum(opponent.pose()[1] for _ in range(100)))
    0
    48
    """

    concept_class: ConceptClass
    concept: Hypothesis | None = None
    points: PointLaw = "class"

    def __post_init__(self) -> None:
        C = _checked_class(self.concept_class)
        _checked_law(self.points)
        if self.concept is not None and self.concept.domain != C.domain:
            raise InvalidInput(
                "The concept must label the domain of the class, "
                f"{C.domain.describe()}. Got one on {self.concept.domain.describe()}."
            )

    @property
    def realizable(self) -> bool:
        """Always true, because one concept labels all examples of the stream."""
        return True

    def begin(self, coins: Coins) -> AdversaryRun:
        """Return the stream before the first round. If no concept is given, it draws one."""
        rng = _generator(coins)
        concept = self.concept_class.sample(rng) if self.concept is None else self.concept
        return _Drawn(concept, _point_law(self.concept_class, concept, self.points, rng))

    def __str__(self) -> str:
        which = "a random concept" if self.concept is None else "a given concept"
        return f"{_LAW_WORDS[self.points]} points labelled by {which}"


class _Drawn(AdversaryRun):
    def __init__(self, concept: Hypothesis, point: Callable[[], Point]) -> None:
        self._concept, self._label, self._point = concept, concept._label, point

    def pose(self) -> tuple[Point, Label]:
        x = self._point()
        return x, self._label(x)

    @property
    def concept(self) -> Hypothesis:
        return self._concept


@dataclass(frozen=True)
class Drifting(OfClass, StreamAdversary):
    """An adversary with random points, labelled by a random concept that changes every few rounds.

    Parameters
    ----------
    concept_class : ConceptClass
        Class that is not empty.
    every : int
        Number of rounds per concept.
    points : "class", "uniform" or "balanced"
        Distribution of the points, as for `RandomConcept`.

    Raises
    ------
    InvalidInput
        If the class is empty, `points` is unknown, or the number is not positive.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> C = catalog.build("thresholds:n=7")
    >>> opponent = Drifting(C, every=20).begin(SeededCoins(1))
    >>> stream = [opponent.pose() for _ in range(40)]
    >>> C.given(stream[:20]).is_empty, C.given(stream[20:]).is_empty, C.given(stream).is_empty
    (False, False, True)
    """

    concept_class: ConceptClass
    every: Annotated[int, Option("number of rounds between changes", minimum=1)]
    points: PointLaw = "class"

    def __post_init__(self) -> None:
        _checked_class(self.concept_class)
        _checked_law(self.points)
        check_fields(self)

    def begin(self, coins: Coins) -> AdversaryRun:
        """Return the stream before the first round, with the seed of its draws."""
        rng, C = _generator(coins), self.concept_class

        def stream() -> Iterable[tuple[Point, Label]]:
            while True:
                concept = C.sample(rng)
                point = _point_law(C, concept, self.points, rng)
                for _ in range(self.every):
                    x = point()
                    yield x, concept._label(x)

        return _Recorded(stream(), None)

    def __str__(self) -> str:
        return f"{_LAW_WORDS[self.points]} points, a new random concept every {self.every} rounds"


@dataclass(frozen=True)
class Noisy(StreamAdversary):
    """A wrapper that flips each label of another adversary with a given probability.

    Parameters
    ----------
    adversary : StreamAdversary
        Adversary without noise.
    flip : Fraction
        Probability of a flip.

    Raises
    ------
    InvalidInput
        If `flip` is not a probability, or is a float.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> opponent = Noisy(FixedStream([(0, 1)] * 300), Fraction(1, 3)).begin(SeededCoins(1))
    >>> sum(opponent.pose()[1] for _ in range(300))
    211
    """

    adversary: StreamAdversary
    flip: Fraction

    def __post_init__(self) -> None:
        flip = rational(self.flip, "probability of a flip")
        if not 0 <= flip <= 1:
            raise InvalidInput(f"The probability of a flip must be between 0 and 1. Got {flip}.")
        set_frozen_fields(self, flip=flip, sees=self.adversary.sees)

    @property
    def domain(self) -> Domain | None:
        """The domain of the wrapped adversary."""
        return self.adversary.domain

    def begin(self, coins: Coins) -> AdversaryRun:
        """Return the adversary before the first round. Flips are drawn in every round."""
        return _Flipped(self.adversary.begin(coins), self.flip, coins)

    def __str__(self) -> str:
        return f"{self.adversary}, labels flipped with probability {self.flip}"


class _Flipped(AdversaryRun):
    def __init__(self, opponent: AdversaryRun, flip: Fraction, coins: Coins) -> None:
        self._opponent, self._flip, self._coins = opponent, flip, coins
        self.hear = opponent.hear  # type: ignore[method-assign]
        self.read = opponent.read  # type: ignore[method-assign]

    def pose(self) -> tuple[Point, Label | None] | None:
        posed = self._opponent.pose()
        if posed is None or posed[1] is None:
            return posed
        return posed[0], posed[1] ^ self._coins.flip(self._flip)

    def reveal(self, label: Label, coin: bool) -> Label:
        return self._opponent.reveal(label, coin) ^ self._coins.flip(self._flip)
