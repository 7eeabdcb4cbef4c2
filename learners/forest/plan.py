"""The parameters of `ForestSOA`, with their costs, their guarantees, and ways to choose them.

Privacy holds for all parameters. The bound on mistakes needs a huge number of trees (about 2^62 for
point functions), so it exceeds any number of rounds that is played. `bounds` states its hypotheses
and that it is vacuous. The constants are proved in `docs/private-online.md`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Annotated

from flint import arb

from learners.accounting import AtOnce, Event, SelfComposed, Sequential, basic
from learners.balls import ball, ceiling, log
from learners.bounds import OBLIVIOUS, REALIZABLE, Bound
from learners.budget import Budget
from learners.checked import Failure, Histograms, MistakeBound, Rounds
from learners.concentration import FAILURE, chernoff_trials
from learners.forest.tree import checked_leaves
from learners.mechanisms.hist_sparse import HistSparse
from learners.number_arguments import require_size
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import format_number
from lsclasses.options import Option, check_arguments, check_fields

__all__ = [
    "CORRECTS",
    "DEEP",
    "FREQUENCY",
    "HISTOGRAMS",
    "RARE",
    "ForestParameters",
    "checked_forest_budget",
    "frequency_shown",
    "leaves_for",
    "practical_leaves",
    "trees_for_frequency",
]

DEEP = "a tree has at least 2^(M + 1) leaves, M the mistake bound of the base learner"
CORRECTS = "the base learner is right, from then on, at a point where it has just erred"
RARE = "frequency eta <= 2^(-4 k_1)/(16 k_1)"
ENOUGH_NAMES = "histograms c >= 8 k_1/eta"
MANY = "k_2 is so large that noise and chance are small compared with eta k_2"
"""The hypothesis on the number of trees that the mistake bound needs."""

FREQUENCY = Fraction(1, 4)
HISTOGRAMS = 16
"""The defaults of eta (`FREQUENCY`) and c (`HISTOGRAMS`) in `ForestParameters.within`."""

LEAST_PRINTED = 20
"""The least number of leaves of the trees that the printed lemmas are about."""

DEEPEST = 5
"""Largest mistake bound for which the numbers of the theorem are computed. They would have too many
digits beyond it."""


@check_arguments
def leaves_for(mistake_bound: MistakeBound) -> int:
    """Return 2^(M + 1) leaves, which suffice for a base learner with at most M mistakes.

    Raises
    ------
    InvalidInput
        If the bound is negative.
    TooLarge
        If the theorem's numbers would be too large to be computed.

    Examples
    --------
    >>> leaves_for(3)
    16
    """
    if mistake_bound > DEEPEST:
        raise TooLarge(
            f"For a learner with mistake bound {mistake_bound} the forest needs about "
            f"2^{16 << mistake_bound + 1} trees. Parameters are computed up to the mistake bound "
            f"{DEEPEST}. Take practical parameters instead of the theorem's parameters. The forest "
            "is private for all parameters.",
            estimate=mistake_bound,
            limit=DEEPEST,
        )
    return 2 << mistake_bound


@check_arguments
def practical_leaves(mistake_bound: MistakeBound) -> int:
    """Return the default number of leaves of practical parameters, at most 2^6.

    The number is 2^(M + 1) for a mistake bound M of at most 5. For larger mistake bounds, no bound
    on the mistakes of the forest applies. The forest is private for every number of leaves.

    Examples
    --------
    >>> practical_leaves(3), practical_leaves(64)
    (16, 64)
    """
    return 2 << min(mistake_bound, DEEPEST)


def frequency_shown(leaves: int) -> Fraction:
    """Return a lower bound on the largest share of trees with one hypothesis: 2^(-4 k_1)/(16 k_1).

    The bound holds in every round. [GL21, Lemma A.2] prints four times as much. The proof in
    `docs/private-online.md` gives even 2^(-k_1)/(2 k_1^3 log2(k_1)^2), which is more than the
    returned bound.

    Examples
    --------
    >>> frequency_shown(4) == Fraction(1, 2**22)
    True
    """
    return Fraction(1, 16 * leaves << 4 * leaves)


def trees_for_frequency(leaves: int, rounds: int, failure: Fraction) -> int:
    """Return a number of trees for which `frequency_shown` holds in all rounds.

    The bound fails in some round with probability at most `failure`.

    The number is the least k_2 >= 2^(8 k_1 + 6) k_1^2 ln(5 T log2(k_1)/failure) [GL21, (6)].

    Examples
    --------
    >>> trees_for_frequency(4, 10**5, Fraction(1, 10**5)).bit_length()
    47
    """
    levels = leaves.bit_length() - 1

    def least() -> arb:
        return ball(leaves**2 << 8 * leaves + 6) * log(5 * rounds * levels / failure)

    return ceiling(least)


Trees = Annotated[int, Option("number of trees", minimum=1)]
Frequency = Annotated[
    Fraction,
    Option(
        "approximate share of trees that must agree on a hypothesis before the learner "
        "publishes the hypothesis",
        above=0,
        below=1,
        noun="frequency eta",
    ),
]


@dataclass(frozen=True)
class ForestParameters:
    """The parameters of `ForestSOA`, with number and size of trees, and the search for names.

    **Privacy.** Before the first example, all trees are in a known state, so the first name is not
    secret. After the last of the c histograms, the name stays. So c - 1 tests and c - 1 histograms
    of `HistSparse` read the examples. `privacy` is their composition, (c - 1)/c of the cost of
    HistSparse.

    Parameters
    ----------
    leaves : int
        Number k_1 of leaves of every tree, a power of two.
    trees : int
        Number k_2 of trees, of any size.
    frequency : Fraction
        Approximate frequency eta of named hypotheses, strictly between 0 and 1.
    histograms : int
        Largest number c of searches for a name, including the first search, at least 1. With 1, the
        first hypothesis stays for ever.
    epsilon, delta : Fraction or int
        Privacy cost of `HistSparse`.
    rounds : int, optional
        Largest number T of rounds. Privacy does not depend on this number.
    paper_constants : bool
        Whether names are found by the rule of the paper, with half of the noise. `privacy` states
        the proved guarantee of this rule.

    Raises
    ------
    InvalidInput
        If a number is out of range, or a float, or `leaves` is not a power of two.

    References
    ----------
    [GL21, Alg 1 and 2].

    Examples
    --------
    >>> print(ForestParameters.within(Budget(1, Fraction(1, 10**6)), 1, 10**5))
    Forest of 283136 trees with 4 leaves each, at most 100000 rounds
      privacy    (1, 1e-06) under replace-one, against adaptive inputs, too
      names      at most 16, each of frequency about 0.25
      tests      noise of scale 60 for the threshold and 120 for counts, threshold 276500
      histograms noise of scale 60, threshold 44240
    >>> theorem = ForestParameters.from_theorem(Budget(1, Fraction(1, 10**6)), 1, 10**5)
    >>> theorem.leaves, theorem.trees.bit_length(), theorem.histograms == 2**27
    (4, 63, True)
    """

    leaves: int
    trees: Trees
    frequency: Frequency
    histograms: int
    epsilon: Fraction
    delta: Fraction
    rounds: Rounds | None = None
    paper_constants: bool = False

    def __post_init__(self) -> None:
        set_frozen_fields(self, leaves=checked_leaves(self.leaves))
        check_fields(self)
        names = self.names
        set_frozen_fields(
            self, epsilon=names.epsilon, delta=names.delta, histograms=names.histograms
        )

    @cached_property
    def names(self) -> HistSparse:
        """The mechanism that names a frequent hypothesis."""
        return HistSparse(
            self.epsilon,
            self.delta,
            self.frequency,
            self.histograms,
            self.trees,
            self.paper_constants,
        )

    @property
    def privacy(self) -> Event:
        """The privacy cost of a whole game of `ForestSOA`."""
        asked = self.histograms - 1
        return Sequential(
            (
                SelfComposed(self.names.test.privacy, asked),
                SelfComposed(AtOnce(self.names.histogram.privacy), asked),
            )
        )

    # ---- choosing

    @classmethod
    @check_arguments
    def within(
        cls,
        budget: Budget,
        mistake_bound: int,
        rounds: Rounds,
        *,
        frequency: Frequency = FREQUENCY,
        histograms: Histograms = HISTOGRAMS,
        failure: Failure = FAILURE,
        leaves: int | None = None,
    ) -> ForestParameters:
        """Return parameters for a budget, with as few trees as accurate names allow.

        With k_2 trees, `HistSparse` names and keeps the right hypotheses, except with probability
        2 failure. No guarantee covers mistakes. Only simulations show whether a hypothesis is as
        frequent as eta, and whether c names are enough. `docs/private-online.md` has an example in
        which about 1.9 k_1 k_2 mistakes pass until nearly all trees show another hypothesis.

        Parameters
        ----------
        mistake_bound : int
            Mistake bound M of the base learner.
        rounds : int
            Largest number T of rounds.
        budget : Budget
            Budget of the whole game.
        frequency : Fraction
            Approximate frequency eta of named hypotheses.
        histograms : int
            Largest number c of searches for a name.
        failure : Fraction
            Largest probability that a histogram fails, and that a test fails.
        leaves : int, optional
            Number k_1 of leaves of every tree. The default is 2^(M + 1), or 64 for M > 5.

        Raises
        ------
        InvalidInput
            If the budget, a number or the frequency is out of range.

        Examples
        --------
        >>> tiny = Fraction(1, 10**6)
        >>> for frequency, histograms in ((Fraction(1, 2), 4), (Fraction(1, 8), 64)):
        ...     parameters = ForestParameters.within(
        ...         Budget(1, tiny), 1, 10**5, frequency=frequency, histograms=histograms
        ...     )
        ...     print(parameters.trees, basic(parameters.privacy) == (1, tiny))
        27264 True
        2467840 True
        """
        epsilon, delta = checked_forest_budget(budget)
        eta = frequency
        count = histograms
        width = practical_leaves(mistake_bound) if leaves is None else checked_leaves(leaves)
        epsilon, delta = _for_names(epsilon, delta, count)
        trees = HistSparse.size_needed(
            epsilon,
            delta,
            frequency=eta,
            histograms=count,
            rounds=rounds,
            failure=failure,
        )
        return cls(width, trees, eta, count, epsilon, delta, rounds)

    @classmethod
    @check_arguments
    def from_theorem(
        cls,
        budget: Budget,
        mistake_bound: int,
        rounds: Rounds,
        failure: Failure = FAILURE,
        *,
        leaves: int | None = None,
        printed: bool = False,
    ) -> ForestParameters:
        """Return parameters for which [GL21, Theorem 4.1], corrected or printed, bounds mistakes.

        Corrected: k_1 = 2^(M + 1), eta = 2^(-4 k_1)/(16 k_1), c = 8 k_1/eta, and k_2 so large that
        names are accurate and frequent, each except with probability min(1/T, failure/4).

        Printed: k_1 at least 20, eta = 2^(-4 k_1)/(4 k_1), c = 4 k_1/eta, k_2 as in (4) and (6)
        with failure 1/T, and half of the noise. This library proves no bound on mistakes for the
        printed parameters.

        Parameters
        ----------
        mistake_bound, rounds
            Parameters of `within`.
        budget : Budget
            Budget of the whole game. (`privacy` states the proved guarantee of the printed
            parameters.)
        failure : Fraction
            Largest failure probability beta of `bounds`.
        leaves : int, optional
            Number k_1 of leaves of every tree, if larger than the number of the theorem.
        printed : bool
            Whether to take the printed parameters.

        Raises
        ------
        InvalidInput
            If a parameter is out of range, or trees have too few leaves.
        TooLarge
            If the mistake bound is above 5.

        Examples
        --------
        >>> tiny, T = Fraction(1, 10**6), 10**5
        >>> [
        ...     ForestParameters.from_theorem(Budget(1, tiny), M, T).trees.bit_length()
        ...     for M in (1, 2, 3)
        ... ]
        [63, 98, 165]
        >>> printed = ForestParameters.from_theorem(Budget(1, tiny), 1, T, printed=True)
        >>> printed.leaves, printed.trees.bit_length(), float(basic(printed.privacy)[0])
        (32, 292, 1.5)
        """
        epsilon, delta = checked_forest_budget(budget)
        width = _leaves(mistake_bound, leaves, LEAST_PRINTED if printed else 0)
        if printed:
            eta = 4 * frequency_shown(width)
            count = int(4 * width / eta)
            trees = max(
                _printed_size(epsilon, delta, eta, count, rounds),
                trees_for_frequency(width, rounds, Fraction(1, rounds)),
            )
            return cls(width, trees, eta, count, epsilon, delta, rounds, paper_constants=True)
        eta = frequency_shown(width)
        count = int(8 * width / eta)
        epsilon, delta = _for_names(epsilon, delta, count)
        few = cls(width, 1, eta, count, epsilon, delta, rounds)
        return replace(few, trees=few.trees_needed(failure))

    # ---- proved bounds

    @check_arguments
    def trees_needed(self, failure: Failure = FAILURE) -> int:
        """Return the number of trees that `bounds` needs with these parameters.

        Raises
        ------
        InvalidInput
            If the number of rounds is not known, or the failure out of range.
        """
        if self.rounds is None:
            raise InvalidInput(
                "The number of trees depends on the number of rounds. Give the number of rounds."
            )
        bad = min(Fraction(1, self.rounds), failure / 4)
        for_names = HistSparse.size_needed(
            self.epsilon,
            self.delta,
            frequency=self.frequency,
            histograms=self.histograms,
            rounds=self.rounds,
            failure=bad,
        )
        return max(for_names, trees_for_frequency(self.leaves, self.rounds, bad))

    @check_arguments
    def bounds(
        self, mistake_bound: int | None, corrects: bool, failure: Failure = FAILURE
    ) -> tuple[Bound, ...]:
        """Return the bounds proved for `ForestSOA` with these parameters and a base learner.

        Let R = (k_1 - 1) k_2, the number of merges that the forest has in all, and N the number of
        mistakes. Consider rounds in which the name has frequency eta/16 or more and errs. In such a
        round, a uniform leaf is below a vertex that shows the name with probability
        p = eta/(16 k_1) or more, and then there is a merge. So the mean of N in such rounds is at
        most R/p, and N exceeds (R + L + sqrt(L^2 + 2 R L))/p, L = ln(4/beta), with probability at
        most beta/4. All rounds are of this kind, except with probability 3 beta/4 (and, for the
        mean, 3/T).

        Parameters
        ----------
        mistake_bound : int or None
            Mistake bound M of the base learner, or None if the learner has no bound.
        corrects : bool
            Whether the base learner predicts correctly at a point after a mistake at this point.
        failure : Fraction
            Failure probability beta of the bounds.

        Returns
        -------
        tuple of Bound
            Bounds on mistakes, of an oblivious realizable stream, and on their mean. For all
            streams, also a bound on the number of changes of the published hypothesis.
        """
        switches = Bound(
            "c histograms at most", "switches", "c - 1", self.histograms - 1, self.rounds
        )
        if mistake_bound is None or self.rounds is None:
            return (switches,)
        k_1, k_2, eta = self.leaves, self.trees, self.frequency
        met = {
            DEEP: k_1 >= 2 << mistake_bound,
            CORRECTS: corrects,
            RARE: eta <= frequency_shown(k_1),
            ENOUGH_NAMES: self.histograms >= 8 * k_1 / eta,
        }
        # Numbers of trees for shorter trees or a larger eta would be meaningless.
        met[MANY] = all(met.values()) and k_2 >= self.trees_needed(failure)
        hypotheses = (REALIZABLE, OBLIVIOUS, *met)
        unmet = tuple(name for name, holds in met.items() if not holds)
        mean = 16 * k_1**2 * k_2 / eta + 3
        merges = (k_1 - 1) * k_2
        likely = chernoff_trials(merges, eta / (16 * k_1), failure / 4)
        source = "[GL21, Lemma A.3], explicit"
        printed = "4*k_1**3*2**(2*k_1)*k_2/eta + 1 on average"
        return (
            Bound(
                source, "mistakes", "16*k_1*(R + L + sqrt(L**2 + 2*R*L))/eta", likely, self.rounds,
                failure, hypotheses, unmet, printed,
            ),
            Bound(
                source, "mean number of mistakes", "16*k_1**2*k_2/eta + 3", mean, self.rounds,
                0, hypotheses, unmet, printed,
            ),
            switches,
        )  # fmt: skip

    def __str__(self) -> str:
        epsilon, delta = basic(self.privacy)
        test, histogram = self.names.test, self.names.histogram
        most = "" if self.rounds is None else f", at most {self.rounds} rounds"
        printed = ", the paper's noise" if self.paper_constants else ""
        scales = [format_number(each, 4) for each in (test.threshold_scale, test.query_scale)]
        return "\n".join(
            [
                f"Forest of {format_number(self.trees, 4, exact=10**9)} trees with {self.leaves} "
                f"leaves each{most}{printed}",
                f"  privacy    ({format_number(epsilon, exact=10**9, up=True)}, "
                f"{format_number(delta, 3, up=True)}) under replace-one, against adaptive inputs, "
                "too",
                f"  names      at most {format_number(self.histograms, 4, exact=10**9)}, each of "
                f"frequency about {format_number(self.frequency, 4)}",
                f"  tests      noise of scale {scales[0]} for the threshold and {scales[1]} for "
                f"counts, threshold {format_number(test.threshold, 4, exact=10**9)}",
                f"  histograms noise of scale {format_number(histogram.scale, 4)}, threshold "
                f"{format_number(histogram.threshold, 4, exact=10**9)}",
            ]
        )


def checked_forest_budget(budget: object) -> tuple[Fraction, Fraction]:
    """Return epsilon and delta of a budget whose delta is positive."""
    epsilon, delta = Budget.require(budget)
    if not delta:
        raise InvalidInput("The delta must be positive, since histograms need one. Got 0.")
    require_size(epsilon, delta)
    return epsilon, delta


def _for_names(epsilon: Fraction, delta: Fraction, histograms: int) -> tuple[Fraction, Fraction]:
    """Return the budget of HistSparse if all but one of its tests and histograms are paid for."""
    asked = max(1, histograms - 1)
    return epsilon * histograms / asked, delta * histograms / asked


def _leaves(mistake_bound: int, leaves: int | None, least: int) -> int:
    needed = leaves_for(mistake_bound)
    while needed < least:
        needed *= 2
    if leaves is None:
        return needed
    width = checked_leaves(leaves)
    if width < needed:
        raise InvalidInput(
            f"For a base learner with mistake bound {mistake_bound} the theorem needs trees of at "
            f"least {needed} leaves, k_1 >= 2^(M + 1){f' and {least}' * bool(least)}. Got {width}."
        )
    if width > 2 << DEEPEST:
        raise TooLarge(
            f"Parameters are computed for trees of up to {2 << DEEPEST} leaves. Got {width}.",
            estimate=width,
            limit=2 << DEEPEST,
        )
    return width


def _printed_size(
    epsilon: Fraction, delta: Fraction, eta: Fraction, histograms: int, rounds: int
) -> int:
    """[GL21, (4)] with alpha = eta/32 and beta = 1/T, as printed."""
    bad = Fraction(1, rounds)

    def for_tests() -> arb:
        size = log(rounds) + log(2 * histograms / bad)
        return ball(8 * 32 * histograms / (eta * epsilon)) * size

    def for_histograms() -> arb:
        return 4 / ball(eta) - log(eta**2 * bad * delta) / ball(eta * epsilon)

    return max(ceiling(for_tests), ceiling(for_histograms))
