"""Who chooses the points and the labels that an online learner meets.

An adversary is an immutable description; `begin` draws from the coins whatever it draws beforehand
and gives an `AdversaryRun` for one game. What it may see is built into the game: a label named
together with its point cannot depend on the prediction there.

| adversary | labels | sees |
|---|---|---|
| `FixedStream` | any | nothing |
| `RandomConcept` | one concept's | nothing |
| `Drifting` | a new concept's every few rounds | nothing |
| `Noisy` | another adversary's, some of them flipped | what that one sees |
| `Seeking` | one concept's | earlier predictions |
| `Optimal`, `Repeating` | one concept's | this prediction; `Repeating` what is published, too |

Those that label by one concept vouch for it (`StreamAdversary.realizable`), and name it at the end
(`AdversaryRun.concept`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np

from learners.coins import Coins
from learners.numbers import checked_positive, rational
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.files import PathLike, load_stream
from lsclasses.hypothesis import Hypothesis
from lsclasses.points import Label, Point, check_label, nearest, plain
from lsclasses.registry import Registry
from lsclasses.specifications import Parameter, Specified, split

__all__ = [
    "ADVERSARIES",
    "NAMED",
    "Drifting",
    "FixedStream",
    "EARLIER",
    "Repeating",
    "NOTHING",
    "NamedAdversary",
    "Noisy",
    "AdversaryRun",
    "Optimal",
    "PointLaw",
    "RandomConcept",
    "Seeking",
    "StreamAdversary",
    "THIS",
    "adversary",
]

PointLaw = Literal["class", "uniform", "balanced"]
"""How random points are drawn; see `RandomConcept`."""

NOTHING = "nothing"
EARLIER = "earlier predictions"
THIS = "this prediction"
"""What an adversary sees: which parts of an `AdversaryRun` the game calls depends on it."""

LISTED_UP_TO = 1 << 12
"""On domains of at most this many points, those of a label are listed."""
TRIES = 64
"""How often a point of the wanted label is tried for on larger domains."""


class AdversaryRun(ABC):
    """An adversary in one game; it changes as the game goes on.

    In every round the game calls `pose`, then `reveal` if the label was left open, which only an
    adversary that sees this prediction may do, and `hear` at the end, unless it sees nothing.
    Before the round, one that sees this prediction is told the hypothesis in force by `read`, if
    the learner publishes hypotheses.
    """

    def read(self, hypothesis: Hypothesis) -> None:
        """Take notice of the hypothesis that the learner has published for this round."""
        return

    @abstractmethod
    def pose(self) -> tuple[Point, Label | None] | None:
        """The next point and its label, None if the label depends on the prediction.

        Returns None instead of a pair when there are no more points.
        """

    def reveal(self, label: Label, coin: bool) -> Label:
        """The true label, after the prediction was shown."""
        raise NotImplementedError(f"{type(self).__name__} leaves no label open.")

    def hear(self, label: Label, coin: bool) -> None:
        """Take notice of what the learner predicted in this round."""
        return

    @property
    def concept(self) -> Hypothesis | None:
        """What labels all examples so far, if the adversary vouches for it."""
        return None


class StreamAdversary(ABC):
    """What an adversary does; see the module for the list.

    Attributes
    ----------
    sees : str
        ``"nothing"``, ``"earlier predictions"`` or ``"this prediction"``.
    """

    sees: str = NOTHING

    @property
    def domain(self) -> Domain | None:
        """Where its points lie, if it knows."""
        return None

    @property
    def realizable(self) -> bool:
        """Whether it vouches that some concept of its class labels all examples."""
        return False

    @abstractmethod
    def begin(self, coins: Coins) -> AdversaryRun:
        """The adversary for one game; randomness it needs is drawn or seeded from the coins."""


def _generator(coins: Coins) -> np.random.Generator:
    """A generator for random points and concepts, which are drawn by NumPy."""
    return np.random.default_rng([coins.below(1 << 64) for _ in range(2)])


# ---- oblivious


@dataclass(frozen=True)
class FixedStream(StreamAdversary):
    """Examples that were fixed before the game.

    Parameters
    ----------
    examples : iterable of (point, label)
        Such as a list, or `ConceptClass.sample_stream`.
    concept_class : ConceptClass, optional
        With it, the stream vouches for being realizable if a concept fits all examples.

    Raises
    ------
    InvalidInput
        If a label is neither 0 nor 1, an example is no pair, or a point lies outside the domain
        of the class; the message names the example.

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
        self, examples: Iterable[tuple[Any, Any]], concept_class: ConceptClass | None = None
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
        object.__setattr__(self, "examples", tuple(checked))
        object.__setattr__(self, "concept_class", concept_class)

    @classmethod
    def load(cls, path: PathLike, concept_class: ConceptClass | None = None) -> FixedStream:
        """The stream in a CSV file; see `lsclasses.files.load_stream`."""
        return cls(load_stream(path), concept_class)

    @property
    def domain(self) -> Domain | None:
        """The domain of the class."""
        return None if self.concept_class is None else self.concept_class.domain

    @cached_property
    def _fitting(self) -> ConceptClass | None:
        return None if self.concept_class is None else self.concept_class.given(self.examples)

    @property
    def realizable(self) -> bool:
        """Whether there is a class and some concept of it fits all examples."""
        return self._fitting is not None and not self._fitting.is_empty

    def begin(self, coins: Coins) -> AdversaryRun:
        """Walk through the examples."""
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


def _point_law(
    C: ConceptClass, concept: Hypothesis, law: PointLaw, rng: np.random.Generator
) -> Callable[[], Point]:
    """Draws one random point after the other."""
    domain = C.domain
    if law == "class":
        return lambda: C._sample_point(rng, concept)
    if law == "uniform":
        return lambda: domain.sample(rng)
    if domain.size is not None and domain.size <= LISTED_UP_TO:
        of_label: list[list[Point]] = [[], []]
        for x in domain:
            of_label[concept._label(x)].append(x)
        sides = [points for points in of_label if points]

        def listed() -> Point:
            points = sides[int(rng.integers(len(sides)))]
            return points[int(rng.integers(len(points)))]

        return listed

    def tried() -> Point:
        wanted = int(rng.integers(2))
        x = C._sample_point(rng, concept)
        for _ in range(TRIES):
            if concept._label(x) == wanted:
                break
            x = C._sample_point(rng, concept)
        return x

    return tried


def _checked_law(law: Any) -> PointLaw:
    if law not in get_args(PointLaw):
        raise InvalidInput(
            f"Random points are drawn by one of the laws {', '.join(get_args(PointLaw))}. "
            f"Got {law!r}."
        )
    return law  # type: ignore[no-any-return]


def _checked_class(C: Any) -> ConceptClass:
    if not isinstance(C, ConceptClass):
        raise InvalidInput(f"An adversary needs a concept class. Got {C!r}.")
    if C.is_empty:
        raise InvalidInput("An adversary needs a class with at least one concept. Got none.")
    return C


@dataclass(frozen=True)
class RandomConcept(StreamAdversary):
    """Random points, labelled by one concept of the class: a realizable stream.

    Parameters
    ----------
    concept_class : ConceptClass
        Not empty.
    concept : Hypothesis, optional
        The labelling; a random concept of the class when omitted.
    points : "class", "uniform" or "balanced"
        ``"class"`` is the law of `ConceptClass.sample_stream`: families on huge domains mix in
        points near the concept. ``"uniform"`` is uniform over a finite domain. ``"balanced"``
        tosses a fair coin for the label and takes a point of that label, where the concept has
        some: uniformly on domains of at most 2^12 points, by the class's law on larger ones.

    Raises
    ------
    InvalidInput
        If the class is empty, the law is unknown, or the concept labels another domain.

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
    def domain(self) -> Domain:
        """The domain of the class."""
        return self.concept_class.domain

    @property
    def realizable(self) -> bool:
        """It is, by the concept that labels."""
        return True

    def begin(self, coins: Coins) -> AdversaryRun:
        """Draw the concept."""
        rng = _generator(coins)
        concept = self.concept_class.sample(rng) if self.concept is None else self.concept
        return _Drawn(concept, _point_law(self.concept_class, concept, self.points, rng))

    def __str__(self) -> str:
        which = "a random concept" if self.concept is None else "a given concept"
        return f"{_LAW_WORDS[self.points]} points labelled by {which}"


_LAW_WORDS = {"class": "random", "uniform": "uniform", "balanced": "balanced"}


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
class Drifting(StreamAdversary):
    """Random points, labelled by a random concept that is replaced every few rounds.

    Parameters
    ----------
    concept_class : ConceptClass
        Not empty.
    every : int
        After how many rounds.
    points : "class", "uniform" or "balanced"
        As for `RandomConcept`.

    Raises
    ------
    InvalidInput
        If the class is empty, the law unknown or the number not positive.

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
    every: int
    points: PointLaw = "class"

    def __post_init__(self) -> None:
        _checked_class(self.concept_class)
        _checked_law(self.points)
        every = checked_positive(self.every, "number of rounds between changes")
        object.__setattr__(self, "every", every)

    @property
    def domain(self) -> Domain:
        """The domain of the class."""
        return self.concept_class.domain

    def begin(self, coins: Coins) -> AdversaryRun:
        """Seed what will draw the concepts."""
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
    """Another adversary whose labels are flipped at random, each with the same probability.

    Parameters
    ----------
    adversary : StreamAdversary
    flip : Fraction
        The probability.

    Raises
    ------
    InvalidInput
        If it is no probability, or a float.

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
        object.__setattr__(self, "flip", flip)
        object.__setattr__(self, "sees", self.adversary.sees)

    @property
    def domain(self) -> Domain | None:
        """That of the other adversary."""
        return self.adversary.domain

    def begin(self, coins: Coins) -> AdversaryRun:
        """The other adversary for one game; flips are drawn in every round."""
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


# ---- adaptive


class _InClass(AdversaryRun):
    """What adaptive adversaries share: the concepts left, and what to ask when only one is."""

    _settled: Hypothesis | None = None
    """The concept, once it is the only one left."""

    def __init__(self, C: ConceptClass, coins: Coins) -> None:
        self._class, self._left, self._coins = C, C, coins
        self._asked: dict[Point, Label] = {}

    @cached_property
    def _rng(self) -> np.random.Generator:
        # Nothing is drawn on the tree, so that short games have exact laws.
        return _generator(self._coins)

    def _split(self) -> Point | None:
        """A point whose labels both leave mistakes to be made, None if one concept is left."""
        if self._settled is None:
            if self._left.ldim() > 0:
                return self._left.splitting_point()
            self._settled = self._left.sample(self._rng)
            self._again = tuple(self._asked)
            self._random_point = _point_law(self._class, self._settled, "class", self._rng)
        return None

    def _fix(self, x: Point, y: Label) -> None:
        self._left = self._left._restrict(x, y)
        self._asked[x] = y

    def _afterwards(self) -> tuple[Point, Label]:
        """A point asked before or a random one, by a fair coin."""
        assert self._settled is not None
        if self._again and self._rng.integers(2):
            x = self._again[int(self._rng.integers(len(self._again)))]
        else:
            x = self._random_point()
        return x, self._settled._label(x)

    @property
    def concept(self) -> Hypothesis:
        """One of the concepts left."""
        return self._left.sample(self._rng) if self._settled is None else self._settled


@dataclass(frozen=True)
class _Adaptive(StreamAdversary):
    concept_class: ConceptClass

    def __post_init__(self) -> None:
        _checked_class(self.concept_class)

    @property
    def domain(self) -> Domain:
        """The domain of the class."""
        return self.concept_class.domain

    @property
    def realizable(self) -> bool:
        """It keeps a concept that fits."""
        return True


@dataclass(frozen=True)
class Seeking(_Adaptive):
    """An adversary that looks for disagreement in a realizable stream, each label fixed beforehand.

    While the learner errs or tosses a coin at a point, that point is asked again. Otherwise it
    asks a point that splits the concepts left, with the label that the SOA would not predict. When
    one concept is left, points asked before alternate with random ones.

    Parameters
    ----------
    concept_class : ConceptClass
        Not empty, of finite Littlestone dimension.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> opponent = Seeking(catalog.build("thresholds:n=7")).begin(SeededCoins(1))
    >>> opponent.pose(), opponent.hear(0, coin=False)
    ((3, 1), None)
    >>> opponent.pose(), opponent.hear(1, coin=True)
    ((3, 1), None)
    >>> opponent.pose(), opponent.hear(1, coin=False)
    ((3, 1), None)
    >>> opponent.pose()
    (1, 1)
    """

    sees = EARLIER

    def begin(self, coins: Coins) -> AdversaryRun:
        """All concepts are left."""
        return _Seeker(self.concept_class, coins)

    def __str__(self) -> str:
        return "disagreement seeking"


class _Seeker(_InClass):
    _last: tuple[Point, Label] | None = None
    _repeat = False

    def pose(self) -> tuple[Point, Label]:
        if self._repeat and self._last is not None:
            return self._last
        x = self._split()
        if x is None:
            self._last = self._afterwards()
        else:
            self._last = x, 1 - self._left._soa_label(x)
            self._fix(*self._last)
        return self._last

    def hear(self, label: Label, coin: bool) -> None:
        assert self._last is not None
        self._repeat = coin or label != self._last[1]


@dataclass(frozen=True)
class Optimal(_Adaptive):
    """The adversary that no deterministic learner can beat: every prediction on its way is wrong.

    It walks down a shattered tree and reveals the label that was not predicted, so it forces as
    many mistakes as the Littlestone dimension. At the end of the tree it goes on with the concept
    that fits: points asked before alternate with random ones.

    Parameters
    ----------
    concept_class : ConceptClass
        Not empty, of finite Littlestone dimension.

    References
    ----------
    Littlestone 1988

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> opponent = Optimal(catalog.build("thresholds:n=7")).begin(SeededCoins(1))
    >>> opponent.pose(), opponent.reveal(0, coin=False), opponent.pose()
    ((3, None), 1, (1, None))
    """

    sees = THIS

    def begin(self, coins: Coins) -> AdversaryRun:
        """All concepts are left."""
        return _Walker(self.concept_class, coins, 0)

    def __str__(self) -> str:
        return "optimal"


@dataclass(frozen=True)
class Repeating(_Adaptive):
    """The optimal adversary, except that it asks a point until the learner has got it right.

    A learner that keeps many copies of another one and tells each example to one of them, such as
    [KMMNS23, Alg. 7], errs at a point until most of its copies have been told. Going on at once,
    as `Optimal` does, would spare it that.

    At the end of the tree one concept is left. Against a learner that publishes hypotheses it goes
    on: as long as the hypothesis in force differs from that concept, it asks where it does. So
    every round is a mistake until the learner publishes another one.

    Parameters
    ----------
    concept_class : ConceptClass
        Not empty, of finite Littlestone dimension.
    patience : int
        How many right predictions in a row let it go on. Coins that come out right do not count.

    Raises
    ------
    InvalidInput
        If the class is empty or the patience not positive.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> opponent = Repeating(catalog.build("thresholds:n=7")).begin(SeededCoins(1))
    >>> opponent.pose(), opponent.reveal(0, coin=False), opponent.hear(0, coin=False)
    ((3, None), 1, None)
    >>> opponent.pose(), opponent.hear(1, coin=False)
    ((3, 1), None)
    >>> opponent.pose()
    (1, None)

    The points of the line, one of which is the target; after the only mistake of the tree, the
    hypothesis that there is none is wrong at the target only:

    >>> C = catalog.build("points:n=9")
    >>> opponent = Repeating(C).begin(SeededCoins(1))
    >>> opponent.pose(), opponent.reveal(0, coin=False), opponent.hear(1, coin=False)
    ((0, None), 1, None)
    >>> opponent.read(C.soa())
    >>> opponent.pose(), opponent.hear(0, coin=False), opponent.pose()
    ((0, 1), None, (0, 1))
    """

    patience: int = 1

    sees = THIS

    def __post_init__(self) -> None:
        super().__post_init__()
        patience = checked_positive(self.patience, "patience of the adversary")
        object.__setattr__(self, "patience", patience)

    def begin(self, coins: Coins) -> AdversaryRun:
        """All concepts are left."""
        return _Walker(self.concept_class, coins, self.patience)

    def __str__(self) -> str:
        times = "once" if self.patience == 1 else f"{self.patience} times in a row"
        return f"repeating a point until it is predicted right {times}"


class _Walker(_InClass):
    _node: Point | None = None
    _right = 0
    _published: Hypothesis | None = None
    _compared: tuple[Hypothesis, Point | None] | None = None

    def __init__(self, C: ConceptClass, coins: Coins, patience: int) -> None:
        super().__init__(C, coins)
        self._patience = patience

    def pose(self) -> tuple[Point, Label | None]:
        if self._node is not None:
            return self._node, self._asked[self._node]
        x = self._split()
        if x is None:
            wrong = self._wrong()
            return self._afterwards() if wrong is None else (wrong, self._labelled(wrong))
        self._posed = x
        return x, None

    def read(self, hypothesis: Hypothesis) -> None:
        if self._patience:
            self._published = hypothesis

    def _wrong(self) -> Point | None:
        """Where what is published differs from the concept that is left."""
        if self._published is None or self._settled is None:
            return None
        if self._compared is None or self._compared[0] is not self._published:
            try:
                x = self._settled.disagreement(self._published)
            except TooLarge:
                x = None
            self._compared = self._published, x
        return self._compared[1]

    def _labelled(self, x: Point) -> Label:
        assert self._settled is not None
        return self._settled._label(x)

    def reveal(self, label: Label, coin: bool) -> Label:
        self._fix(self._posed, 1 - label)
        if self._patience:
            self._node, self._right = self._posed, 0
        return 1 - label

    def hear(self, label: Label, coin: bool) -> None:
        if self._node is None:
            return
        right = label == self._asked[self._node] and not coin
        self._right = self._right + 1 if right else 0
        if self._right >= self._patience:
            self._node = None


# ---- by name


@dataclass(frozen=True)
class NamedAdversary(Specified):
    """An adversary that a command can name, in the tuple ``ADVERSARIES`` of its module.

    Attributes
    ----------
    name, title : str
    parameters : tuple of Parameter
    build : callable
        ``build(C, **values)`` gives the adversary that asks the points of a class.
    """

    name: str
    title: str
    parameters: tuple[Parameter, ...]
    build: Callable[..., StreamAdversary]


def _noisy(C: ConceptClass, flip: Fraction, points: PointLaw) -> StreamAdversary:
    return Noisy(RandomConcept(C, points=points), flip)


_POINTS = Parameter(
    "points", "how random points are drawn", default="class", choices=get_args(PointLaw)
)

ADVERSARIES = (
    NamedAdversary(
        "random", "random points, labelled by a random concept", (_POINTS,), RandomConcept
    ),
    NamedAdversary(
        "drifting",
        "the same, with a new concept every few rounds",
        (Parameter("every", "rounds that a concept lasts", default=100, minimum=1), _POINTS),
        Drifting,
    ),
    NamedAdversary(
        "noisy",
        "labels of a random concept, flipped at random",
        (
            Parameter(
                "flip",
                "probability that a label is flipped",
                default=Fraction(1, 10),
                minimum=0,
                maximum=1,
                rational=True,
            ),
            _POINTS,
        ),
        _noisy,
    ),
    NamedAdversary("seeking", "looks for disagreement among copies", (), Seeking),
    NamedAdversary("optimal", "follows a shattered tree, always contradicting", (), Optimal),
    NamedAdversary(
        "repeating",
        "the same, asking a point until it is predicted right",
        (Parameter("patience", "right predictions that it waits for", default=1, minimum=1),),
        Repeating,
    ),
)
"""What this module adds to `NAMED`."""


def _require_named(loaded: object) -> NamedAdversary:
    if not isinstance(loaded, NamedAdversary):
        raise InvalidInput(
            "An adversary is declared by a learners.playing.adversaries.NamedAdversary. "
            f"Got {loaded!r}."
        )
    return loaded


NAMED = Registry("lsclasses.adversaries", "adversary", _require_named)
"""What `adversary` builds by name, beside streams in files."""


def adversary(specification: str, concept_class: ConceptClass) -> StreamAdversary:
    """The adversary that a text names.

    Parameters
    ----------
    specification : str
        ``"random"``, ``"repeating:patience=2"`` and so on, see `NAMED`, or
        ``"stream:FILE"`` for the examples in a CSV file.
    concept_class : ConceptClass
        Whose points it asks.

    Raises
    ------
    InvalidInput
        If there is no such adversary, or an option is wrong.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("points:n=9")
    >>> print(adversary("noisy:flip=1/20,points=balanced", C))
    balanced points labelled by a random concept, labels flipped with probability 1/20
    >>> adversary("repeting", C)
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: There is no adversary 'repeting'. Did you mean 'repeating'?
    """
    name, options = split(specification)
    if name == "stream":
        if not options:
            raise InvalidInput("The adversary 'stream' needs a file: stream:examples.csv.")
        return FixedStream.load(options, concept_class)
    if name not in NAMED:
        hint = nearest(name, [*NAMED.names(), "stream"])
        raise InvalidInput(f"There is no adversary {name!r}. {hint}")
    entry = NAMED[name]
    return entry.build(concept_class, **entry.values(**entry.given(options)))
