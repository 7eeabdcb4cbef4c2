"""The parameters of `LayeredSOA`, with their costs, their guarantees, and ways to choose them.

Privacy holds for all parameters, and `LayeredParameters.privacy` computes it. The mistake bounds
are proved in `docs/private-online.md`: Theorem P for base learners that err once, with exact
distributions, and a recursion from layer to layer for all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Literal

from flint import arb

from learners import checked
from learners.accounting import (
    ApproximateDP,
    AtOnce,
    Event,
    Scope,
    SelfComposed,
    Sequential,
    StreamParallel,
    basic,
)
from learners.balls import ball, ceiling, log
from learners.bounds import REALIZABLE, Bound
from learners.budget import Budget
from learners.checked import Epsilon, Failure, Rounds
from learners.concentration import FAILURE
from learners.layers.laws import (
    LARGEST_LAYER,
    MOST_SEQUENCES,
    Requirement,
    good_among,
    good_pairs,
    least_sequences,
    paper_sequences,
    release_failures,
    require_divisible,
    require_few,
    require_few_layers,
    requirement,
    waited_for,
)
from learners.mechanisms.histograms import BoundedHistogram
from learners.mechanisms.sparse_vector import CumulativeAboveThreshold
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import format_number, integer, rational
from lsclasses.options import Option, check_arguments, check_fields

__all__ = ["RULES", "LayeredParameters", "Rule", "STEADY"]

Rule = Literal["tight", "corrected", "printed"]
RULES: tuple[Rule, ...] = ("tight", "corrected", "printed")
"""The rules of `LayeredParameters.from_theorem`."""

STEADY = "the base learner's hypothesis changes with every mistake"
"""A hypothesis of the mistake bound for base learners that may err twice or more."""
ENOUGH = "the layers are large enough"
"""The condition that a frequent hypothesis is released, except with the failure probability."""

UNRELEASED, EARLY, LATE = Fraction(2, 5), Fraction(21, 50), Fraction(9, 50)
"""The parts of the failure probability if the base learner errs at most once."""

SHARES = tuple(Fraction(share, 20) for share in range(12, 20))
"""Candidates for the part of epsilon that histograms spend."""
PROPORTIONS = (16, 18, 20, 22, 24, 28, 32, 36, 40, 48, 56)
"""Candidates for the number of pairs, in multiples of the histogram's largest noise."""
SEARCHED = 200
"""Largest noise for which all candidates are searched. A larger noise has one candidate."""
COVERAGES = (Fraction(3, 2), Fraction(2), Fraction(5, 2), Fraction(3), Fraction(7, 2), Fraction(4))
"""Candidates for the number of mistakes that ends a layer, in multiples of its pairs."""
COVERAGE = Fraction(3)
"""Default of `LayeredParameters.within`: mistakes that end a layer, per pair of the layer."""


Depth = Annotated[int, Option("mistake bound of the base learner", minimum=0)]
Sequences = Annotated[
    int,
    Option(
        "number of sequences in the first layer, a multiple of 2^(mistake bound of --base + 1)",
        minimum=1,
        noun="number of sequences",
    ),
]
Coverage = Annotated[
    Fraction,
    Option(
        "a layer ends after about this number of mistakes per pair of sequences. This option "
        "needs --sequences",
        above=0,
        noun="coverage",
    ),
]
Concepts = Annotated[int, Option("number of concepts", minimum=1)]


@dataclass(frozen=True)
class LayeredParameters:
    """The parameters of `LayeredSOA`: layers, sequences, thresholds, noise.

    **Privacy.** Instances of `CumulativeAboveThreshold`, one at a time, are each epsilon_AT-DP, and
    together (epsilon_AT, 0)-DP. Each layer but the first has one `BoundedHistogram`, which is
    (epsilon/d, delta/d)-DP. Its neighbours are ``"add_remove"``, since a replaced example makes at
    most one pair of the layer agree, or no longer agree (`LayeredSOA`). So `LayeredSOA` with these
    parameters is (epsilon_AT + epsilon, delta)-DP.

    Parameters
    ----------
    depth : int
        Mistake bound d of the base learner. The layers are 0, ..., d.
    sequences : int
        Number N_0 of sequences of layer 0, a multiple of 2^(d + 1), at most the larger of 2^60 and
        2^(d + 1). Layer s has N_s = N_0/2^s sequences.
    rounds : int
        Largest number T of rounds. The constants of bounds depend on T.
    thresholds : tuple of int
        Approximate number of mistakes after which a hypothesis of layer s is dropped, for
        s = 0, ..., d.
    waiting_epsilon : Fraction or int
        Privacy cost epsilon_AT of counting mistakes.
    epsilon, delta : Fraction or int
        Privacy cost of all histograms together. Both are 0 if d = 0, without histograms.
    cuts : tuple of int
        Noisy count below which no hypothesis gets on the list of layer s, for s = 1, ..., d. With 1
        or less, every release of the histogram gets on the list.
    failure : Fraction
        Largest failure probability beta of `bounds`.
    concepts : int, optional
        Largest number of concepts of the class, for the bound for d >= 2. Without it, the bound
        counts labellings by Sauer's lemma.
    rule : str
        Rule that chose the parameters, or ``"own"`` without a rule.

    Raises
    ------
    InvalidInput
        If a parameter is out of range or a float, or the number of sequences is not divisible.

    References
    ----------
    [LWY25, Alg 2, Thm 3.1].

    Examples
    --------
    >>> tiny = Fraction(1, 10**6)
    >>> print(LayeredParameters.from_theorem(Budget(1, tiny), 1, 10**6))
    2 layers of 864 sequences and less, at most 1000000 rounds
      privacy        (1, 1e-06), against adaptive inputs
      for mistakes   epsilon 1/4; a hypothesis goes after about 653, 87
      for histograms epsilon 3/4, delta 1e-06: released from a count of 19
      mistakes <= tau + late = 674 (proved in docs/private-online.md, Theorem P), except \
with probability 1/20
    """

    depth: Depth
    sequences: Sequences
    rounds: Rounds
    thresholds: tuple[int, ...]
    waiting_epsilon: Epsilon
    epsilon: Fraction
    delta: Fraction
    cuts: tuple[int, ...]
    failure: Failure = FAILURE
    concepts: Concepts | None = None
    rule: str = "own"

    def __post_init__(self) -> None:
        check_fields(self)
        require_few_layers(self.depth)
        require_divisible(self.sequences, self.depth)
        if self.depth:
            set_frozen_fields(
                self, epsilon=checked.epsilon(self.epsilon), delta=checked.delta(self.delta)
            )
        elif rational(self.epsilon, "epsilon") or rational(self.delta, "delta"):
            raise InvalidInput(
                "A base learner without mistakes has no histogram, so epsilon and delta "
                f"for histograms must be 0. Got {self.epsilon} and {self.delta}."
            )
        else:
            set_frozen_fields(self, epsilon=Fraction(0), delta=Fraction(0))
        for name, wanted in (("thresholds", self.depth + 1), ("cuts", self.depth)):
            given = tuple(integer(value, name.removesuffix("s")) for value in getattr(self, name))
            if len(given) != wanted:
                raise InvalidInput(
                    f"With d = {self.depth} there are {wanted} {name}. Got {len(given)}: {given}."
                )
            set_frozen_fields(self, **{name: given})

    # ---- the mechanisms

    def pairs(self, layer: int) -> int:
        """Return the number of pairs of sequences in a layer."""
        return self.sequences >> (layer + 1)

    def counter(self, layer: int) -> CumulativeAboveThreshold:
        """Return the counter of mistakes of a hypothesis of a layer."""
        return CumulativeAboveThreshold(self.waiting_epsilon, self.thresholds[layer])

    @cached_property
    def histogram(self) -> BoundedHistogram | None:
        """The histogram that lists the hypotheses of all layers but the first, or None if d = 0."""
        if not self.depth:
            return None
        return _histogram(self.epsilon, self.delta, self.depth)

    @property
    def privacy(self) -> Event:
        """The privacy cost of a whole game of the layered learner."""
        waiting = StreamParallel(self.counter(0).privacy, self.rounds)
        if self.histogram is None:
            return waiting
        # A replaced example adds or removes one item of each histogram.
        once = ApproximateDP(
            self.histogram.epsilon,
            self.histogram.delta,
            name="bounded histogram of a layer",
            scope=Scope.adaptive("replace_one"),
        )
        return Sequential((waiting, SelfComposed(AtOnce(once), self.depth)))

    # ---- proved bounds

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """The bounds proved for `LayeredSOA` with these parameters.

        For d = 1, take early and late as in `CumulativeAboveThreshold`. After R = tau_0 - early
        mistakes in layer 0, the one remaining hypothesis is released except with the probability
        that `learners.layers.laws.release_failures` computes. After the release, there are no
        mistakes. For layers too large for exact distributions, and for d >= 2, the bound is the
        recursion of `docs/private-online.md`.
        """
        if not self.depth:
            return (Bound("the base learner", "mistakes", "0", 0, self.rounds, 0, (REALIZABLE,)),)
        exact = self.depth == 1 and self.pairs(0) <= LARGEST_LAYER
        value = self._once() if exact else self._recursive()
        return (
            Bound(
                "learners.layers.plan, " + ("Theorem P" if exact else "the recursion"),
                "mistakes",
                "tau + late" if exact else "L*(tau + late)",
                value,
                self.rounds,
                self.failure,
                (REALIZABLE, ENOUGH) if self.depth == 1 else (REALIZABLE, STEADY, ENOUGH),
                () if value is not None else (ENOUGH,),
            ),
        )

    def _once(self) -> int | None:
        """Return the bound for a base learner with one mistake."""
        counter, failure = self.counter(0), self.failure
        waited = counter.threshold - counter.early(self.rounds, EARLY * failure)
        if waited < 0:
            return None
        assert self.histogram is not None
        allowed = UNRELEASED * failure
        failures = release_failures(self.pairs(0), self.histogram, waited, self.cuts[0], allowed)
        chance = Fraction(float(failures[min(waited, len(failures) - 1)]))
        if chance > allowed:
            return None
        return counter.threshold + counter.late(LATE * failure)

    def _listed(self, layer: int) -> int:
        """Return an upper bound on the number of hypotheses in the list of a layer."""
        if not layer:
            return 1
        assert self.histogram is not None
        bound = self.histogram.bound
        least = max(self.cuts[layer - 1], bound + 1) - bound
        return self.pairs(layer) // least

    def _recursive(self) -> int | None:
        """Return the bound from layer to layer."""
        assert self.histogram is not None
        listed = [self._listed(layer) for layer in range(self.depth + 1)]
        once = self.failure / (4 * sum(listed))
        early = self.counter(0).early(self.rounds, once)
        waited = [threshold - early for threshold in self.thresholds]
        good = good_pairs(self.depth, self.sequences, waited[:-1], self.failure / 2, self.concepts)
        bound = self.histogram.bound
        for pairs, cut in zip(good[1:], self.cuts, strict=True):
            if pairs - bound < max(cut, bound + 1):
                return None
        if waited[-1] < 1:
            return None
        late = self.counter(0).late(once)
        return sum(
            count * (threshold + late)
            for count, threshold in zip(listed, self.thresholds, strict=True)
        )

    @classmethod
    @check_arguments
    def within(
        cls,
        budget: Budget,
        sequences: Sequences,
        mistake_bound: Depth,
        rounds: Rounds,
        *,
        coverage: Coverage = COVERAGE,
        share: Annotated[Fraction, Option("share", above=0, below=1)] = Fraction(4, 5),
        failure: Failure = FAILURE,
        concepts: Concepts | None = None,
    ) -> LayeredParameters:
        """Return parameters that are (epsilon, delta)-private, with the given number of sequences.

        A hypothesis of layer s < d is dropped after about `coverage` N_s/2 mistakes, and a
        hypothesis of layer d as soon as noise allows. Every release of a histogram gets on the list
        of its layer. The only bounds on mistakes are `bounds`, almost always vacuous for d >= 2.

        Parameters
        ----------
        sequences : int
            Number N_0 of sequences.
        mistake_bound, rounds : int
            Mistake bound d of the base learner, and number T of rounds.
        budget : Budget
            Budget of the whole game.
        coverage : Fraction
            Average number of hits of a pair of the layer. Pairs must be covered in all layers but
            the last, and the covered share enters squared into the next layer. So 3 works with far
            fewer sequences than 1.
        share : Fraction
            Part of epsilon for the histograms.
        failure, concepts
            Parameters of `LayeredParameters`.

        Raises
        ------
        InvalidInput
            If a parameter is out of range, or the number of sequences is not divisible by
            2^(d + 1).

        Examples
        --------
        >>> parameters = LayeredParameters.within(Budget(1, Fraction(1, 10**6)), 2**16, 2, 10**6)
        >>> parameters.thresholds
        (98411, 49259, 108)
        >>> print(*parameters.bounds)
        mistakes <= L*(tau + late) (proved in docs/private-online.md, the recursion), except \
with probability 1/20, does not apply, because it needs: the layers are large enough
        """
        asked = requirement(
            mistake_bound, rounds, budget, failure, rule="practical", concepts=concepts
        )
        require_divisible(sequences, asked.depth)
        # Without histograms the whole epsilon is for counting mistakes.
        waiting = asked.epsilon * (1 - share) if asked.depth else asked.epsilon
        early = CumulativeAboveThreshold(waiting, 0).early(asked.rounds, EARLY * asked.failure)
        waited = waited_for(asked.depth, sequences, coverage)
        thresholds = [mistakes + early for mistakes in (*waited, 1)]
        return cls._planned(asked, sequences, thresholds, waiting, (1,) * asked.depth)

    @classmethod
    @check_arguments
    def from_theorem(
        cls,
        budget: Budget,
        mistake_bound: Depth,
        rounds: Rounds,
        failure: Failure = FAILURE,
        *,
        concepts: Concepts | None = None,
        rule: Rule = "tight",
    ) -> LayeredParameters:
        """Return parameters with a mistake bound that fails with probability at most `failure`.

        **tight**: about the smallest bound that this library proves. For d = 1, a search chooses
        the number of pairs, the mistakes to wait for and the split of epsilon. It uses the exact
        probability that the hypothesis is not released, and may miss the smallest bound by a
        little. For d >= 2, the recursion determines these parameters and the cuts.

        **printed**: the parameters in the proof of [LWY25, Thm 3.1]. Each part has half of epsilon,
        M_s = 128 * 2^(-6 * 2^s) N_s, the thresholds are N_s + a with
        a = 8 (ln T + ln(6T/beta))/epsilon_0, the cuts are 3 M_s/4, and N_0 is the least number that
        satisfies all conditions of the proof.

        **corrected**: the printed rule with M_s = 2^(7 - 8 * 2^s) N_s, because layer 0 has N_0/2
        pairs instead of 2 N_0, and with the conditions that the proof needs for this M_s (see
        `docs/private-online.md`).

        Parameters
        ----------
        mistake_bound, rounds : int
            Mistake bound d of the base learner, and largest number T of rounds.
        budget : Budget
            Budget of the whole game.
        failure : Fraction
            Failure probability beta of the bounds.
        concepts : int, optional
            Largest number of concepts of the class.
        rule : {"tight", "corrected", "printed"}

        Raises
        ------
        InvalidInput
            If a parameter is out of range.
        TooLarge
            If the parameters need more than 2^60 sequences or, for d = 1, exact distributions of
            more than `LARGEST_LAYER` pairs.

        Examples
        --------
        >>> tiny = Fraction(1, 10**6)
        >>> for rule in RULES:
        ...     found = LayeredParameters.from_theorem(Budget(1, tiny), 1, 10**6, rule=rule)
        ...     print(rule, found.sequences, found.bounds[0].value)
        tight 864 674
        corrected 571908744 98082534960
        printed 85622571164820624 984659568395448968
        >>> LayeredParameters.from_theorem(Budget(1, tiny), 2, 10**6, rule="printed")
        Traceback (most recent call last):
            ...
        lsclasses.errors.TooLarge: The rule 'printed' asks for about 1.8e+32 sequences for d = 2. \
At most 2^60 are kept.
        """
        asked = requirement(mistake_bound, rounds, budget, failure, rule=rule, concepts=concepts)
        if rule not in RULES:
            raise InvalidInput(f"A rule is one of {', '.join(RULES)}. Got {rule!r}.")
        if not asked.depth:
            return cls.within(budget, 2, 0, rounds, failure=failure)
        if rule != "tight":
            return cls._of_paper(asked)
        return cls._exact(asked) if asked.depth == 1 else cls._recursively(asked)

    @classmethod
    def _planned(
        cls,
        asked: Requirement,
        sequences: int,
        thresholds: Iterable[int],
        waiting: Fraction,
        cuts: Iterable[int],
    ) -> LayeredParameters:
        """Return parameters for a requirement, with this part of epsilon for counting mistakes."""
        return cls(
            asked.depth,
            sequences,
            asked.rounds,
            tuple(thresholds),
            waiting,
            asked.epsilon - waiting,
            asked.delta if asked.depth else Fraction(0),
            tuple(cuts),
            asked.failure,
            asked.concepts,
            asked.rule,
        )

    @classmethod
    def _of_paper(cls, asked: Requirement) -> LayeredParameters:
        depth, half, failure = asked.depth, asked.epsilon / 2, asked.failure
        needed = paper_sequences(asked, printed=asked.rule == "printed")
        require_few(needed, depth, f"The rule {asked.rule!r} asks")

        def wait() -> arb:
            logarithms = log(asked.rounds) + log(6 * asked.rounds / failure)
            return 8 * logarithms / ball(half)

        exponent = 6 if asked.rule == "printed" else 8
        thresholds = ((needed >> s) + ceiling(wait) for s in range(depth + 1))
        cuts = (-(-3 * (needed >> s) // (1 << (exponent * 2**s - 5))) for s in range(1, depth + 1))
        return cls._planned(asked, needed, thresholds, half, cuts)

    @classmethod
    def _exact(cls, asked: Requirement) -> LayeredParameters:
        """Return parameters with few mistakes by Theorem P, by local search on a grid.

        The search ends where all four neighbours have at least as many mistakes. Elsewhere on the
        grid there may be fewer.
        """
        best: tuple[int, LayeredParameters] | None = None
        place, least = SHARES.index(Fraction(4, 5)), PROPORTIONS.index(22)
        if _histogram(SHARES[place] * asked.epsilon, asked.delta).bound > SEARCHED:
            return cls._with_pairs(asked, SHARES[place], PROPORTIONS[least - 1])
        tried: set[tuple[int, int]] = set()
        waiting = [(place, least)]
        while waiting:
            at = waiting.pop()
            if at in tried or not (0 <= at[0] < len(SHARES) and 0 <= at[1] < len(PROPORTIONS)):
                continue
            tried.add(at)
            found = cls._with_pairs(asked, SHARES[at[0]], PROPORTIONS[at[1]])
            value = found.bounds[0].value
            assert isinstance(value, (int, Fraction))
            if best is None or value < best[0]:
                best = int(value), found
                waiting += [(at[0] + i, at[1] + j) for i, j in ((0, 1), (0, -1), (1, 0), (-1, 0))]
        assert best is not None
        return best[1]

    @classmethod
    def _with_pairs(cls, asked: Requirement, share: Fraction, proportion: int) -> LayeredParameters:
        epsilon = share * asked.epsilon
        histogram = _histogram(epsilon, asked.delta)
        pairs = proportion * histogram.bound
        allowed = UNRELEASED * asked.failure
        while True:
            if pairs > LARGEST_LAYER:
                raise TooLarge(
                    f"The noise of this budget needs about {pairs} pairs of sequences. Exact "
                    f"distributions are computed up to {LARGEST_LAYER}. Take a larger epsilon or "
                    "delta, or the rule 'corrected'.",
                    estimate=pairs,
                    limit=LARGEST_LAYER,
                )
            failures = release_failures(pairs, histogram, 2 * pairs, enough=allowed)
            if Fraction(float(failures[-1])) <= allowed:
                break
            # With nearly all pairs hit, the guesses or the places are still too often wrong.
            pairs += 2 * -(-pairs // 16)
        mistakes = len(failures) - 1
        waiting = asked.epsilon - epsilon
        counter = CumulativeAboveThreshold(waiting, 0)
        early = counter.early(asked.rounds, EARLY * asked.failure)
        return cls._planned(asked, 2 * pairs, (mistakes + early, 1 + early), waiting, (1,))

    @classmethod
    def _recursively(cls, asked: Requirement) -> LayeredParameters:
        """The fewest mistakes by the recursion, over shares, coverages and numbers of sequences."""
        best: tuple[int, LayeredParameters] | None = None
        shares = [Fraction(share, 20) for share in (14, 16, 17, 18)]
        for share in shares:
            epsilon = share * asked.epsilon
            bound = _histogram(epsilon, asked.delta, asked.depth).bound
            for coverage in COVERAGES:
                for found in cls._growing(asked, epsilon, coverage, bound):
                    value = found._recursive()
                    if value is not None and (best is None or value < best[0]):
                        best = value, found
        assert best is not None
        return best[1]

    @classmethod
    def _growing(
        cls, asked: Requirement, epsilon: Fraction, coverage: Fraction, bound: int
    ) -> Iterator[LayeredParameters]:
        """Parameters from the least number of sequences that suffices on, up to four times it."""
        depth, least = asked.depth, least_sequences(asked, coverage, 2 * bound + 1)
        require_few(least, depth, "The recursion asks")
        counter = CumulativeAboveThreshold(asked.epsilon - epsilon, 0)
        for sixteenths in range(16, 41, 4):
            sequences = (least >> depth + 1) * sixteenths // 16 << depth + 1
            if sequences > MOST_SEQUENCES:
                break
            cuts = [pairs - bound for pairs in good_among(asked, sequences, coverage)]
            if min(cuts) <= bound:
                continue
            listed = 1 + sum(
                (sequences >> (s + 1)) // (cut - bound) for s, cut in enumerate(cuts, start=1)
            )
            early = counter.early(asked.rounds, asked.failure / (4 * listed))
            thresholds = [waited + early for waited in (*waited_for(depth, sequences, coverage), 1)]
            waiting = asked.epsilon - epsilon
            yield cls._planned(asked, sequences, thresholds, waiting, cuts)

    def __str__(self) -> str:
        epsilon, delta = basic(self.privacy)
        layers = self.depth + 1
        lines = [
            f"{layers} layer{'s' * (layers > 1)} of {self.sequences} sequences and less, at most "
            f"{self.rounds} rounds",
            f"  privacy        ({format_number(epsilon, exact=10**9, up=True)}, "
            f"{format_number(delta, 3, up=True)}), against adaptive inputs",
            f"  for mistakes   epsilon {format_number(self.waiting_epsilon, exact=10**9)}; a "
            f"hypothesis goes after about {', '.join(map(str, self.thresholds))}",
        ]
        if self.histogram is not None:
            least = [max(cut, self.histogram.threshold) for cut in self.cuts]
            lines.append(
                f"  for histograms epsilon {format_number(self.epsilon, exact=10**9)}, delta "
                f"{format_number(self.delta, 3)}: released from a count of "
                f"{', '.join(map(str, least))}"
            )
        return "\n".join([*lines, *(f"  {bound}" for bound in self.bounds)])


def _histogram(epsilon: Fraction, delta: Fraction, depth: int = 1) -> BoundedHistogram:
    """Return one histogram, in which an example adds or removes one of the counted hypotheses."""
    return BoundedHistogram(epsilon / depth, delta / depth, neighbours="add_remove")
