r"""Agnostic learning from private learners of realizable samples [LWY25, Alg 4].

Draw m of n rows, take one concept for each labelling of their points by the class, and choose one
of these concepts by its errors on all rows. Then a private learner learns the m rows with the
labels of the chosen concept. For a finite class this is a detour, as the exponential mechanism over
the class is private and agnostic itself (`learners.pac.generic`). If no such mechanism exists, the
method still makes learners of realizable samples agnostic. [LWY25] builds sanitizers on this
method.

**Privacy** [LWY25, Claim D.5], with all constants. Let A be (e, d)-DP, r the budget of the choice
(its weights are exp(-r n q/2), q of sensitivity 1/n), and S, S' neighbours that differ in row 1.
Write p(I), p'(I) for the probabilities of an event if the rows I are drawn.

* *1 not in I.* The same concepts are chosen from, with scores that differ by 1/n at most, so p(I)
  <= e^r p'(I).
* *1 in I.* Let J be I with 1 replaced by some i outside. A labelling of the other m - 1 rows is
  extended by one or two of the concepts taken for I, and by one or two of the concepts for J. Take
  a concept h for I and a concept h' for J that agree on these rows. Their scores differ by at most
  1/n + 1/m (q compares them with the same f), so their weights differ by at most e^c, with
  2c = r n (1/n + 1/m) = r + r n/m. So the sum of the weights for I is at least 1/(2 e^c) of the sum
  for J, and h is chosen with at most 2 e^(2c) times the probability of h'. The input of A differs
  in one row. Given h, an event has at most e^e times its probability given h', plus d. Summing over
  h, two for each labelling: p(I) <= 4 e^(2c) e^e p'(J) + d. The d is not multiplied, because the
  probabilities of the choices sum to 1.
* Each J without 1 corresponds to m of the I with 1, and each I to n - m of the J. (I and J are
  sequences: rows are drawn in random order, and i takes the place of 1. If they were sets, given to
  A in the order of the sample, all rows between 1 and i would move, and many rows would differ for
  a learner that cuts its rows into blocks.) So

      P <= (e^r + 4 e^(2c + e) m/(n - m)) P' + d m/n.

With m = ceil(r n), 2c <= 1 + r. The paper has 2c <= 2 (so 4 e^3 for e = 1) and m/(n - m) <= 6 r,
which gives e^r + 24 e^3 r. It also multiplies d by 4 e^2.

**Accuracy** [LWY25, Claim D.6], for N concepts and the exponential mechanism as A: with
probability 1 - 3b, the empirical error exceeds the least empirical error by at most 5a, if a is at
least each of three terms. The first term, (2/(r n)) ln(N/b), is for the choice. The second term is
(4/m) ln(N^2/(2b)): two concepts that differ on a share of at most a of the m rows differ on at most
2a of all rows. For each pair that violates this, a hypergeometric number is at most half its mean,
with probability e^(-a m/4). The third term, (2/(e m)) ln(N/b), is for A. The chosen h_0 has a
concept f_0 with dis_I(h_0, f_0) + err(f_0) <= min err + a, hence dis(h_0, f_0) <= 2a, err(f_0) <=
min err + a. The hypothesis that A finds differs from h_0 on 2a.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import Annotated

from flint import arb

from learners.accounting import ApproximateDP, Event, PureDP, Scope, basic, neighbours
from learners.balls import ball, ceiling, log, rational_above, round_up
from learners.bounds import Bound
from learners.budget import Budget
from learners.checked import Epsilon, Failure, Rows
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.mechanisms.selection import ExponentialMechanism
from learners.pac.base import EMPIRICAL_ERROR, TRIVIAL_ERROR, BatchLearner, Error
from learners.pac.entries import Alpha, Beta, SampleEntry
from learners.pac.generic import GenericLearner
from learners.pac.labellings import Labellings, most_labellings, most_restrictions
from learners.pac.littlestone_parameters import rows_in_words
from learners.pac.private_littlestone import PrivateLittlestoneLearner
from learners.pac.samples import Example, Sample, table_or_class
from learners.playing.private_options import Spending
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput, LsclassesError, TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.numbers import plural
from lsclasses.options import Option, check_arguments, check_fields
from lsclasses.soa import SOA
from lsclasses.table import Table

__all__ = ["LEARNERS", "AgnosticEmpirical", "agnostic_epsilon", "agnostic_epsilon_printed"]

LABELLINGS = 1 << 15
"""Largest number of labellings of the drawn rows, which are compared pair by pair."""

RESTRICTIONS = 1 << 20
"""Largest number of restricted version spaces for a class that is not a table. This number takes a
few minutes."""

INNER = ("generic", "private-littlestone")
"""Names of the learners that may run on the drawn rows."""

DENOMINATOR = 1 << 64


def agnostic_epsilon(rate: Fraction, drawn: int, rows: int, inner: Fraction) -> arb:
    """Return the epsilon of `AgnosticEmpirical`: ln(e^r + 4 e^(r + r n/m + e) m/(n - m)).

    Parameters
    ----------
    rate : Fraction
        Budget r of the choice.
    drawn, rows : int
        Number m of drawn rows, and number n of all rows.
    inner : Fraction
        Epsilon of the learner of the drawn rows.
    """
    r, share = ball(rate), ball(Fraction(drawn, rows - drawn))
    exponent = ball(rate + rate * rows / drawn + inner)
    return (r.exp() + 4 * exponent.exp() * share).log()


def agnostic_epsilon_printed(rate: Fraction) -> arb:
    """Return ln(e^r + 24 e^3 r), the epsilon in the proof of [LWY25, Claim D.5].

    The inner learner, which runs on the drawn rows, is (1, delta)-DP. The number r is `rate`.
    """
    return (ball(rate).exp() + 24 * arb(3).exp() * ball(rate)).log()


@dataclass(frozen=True)
class AgnosticEmpirical(BatchLearner):
    """A private learner for arbitrary labels, made from a private learner for realizable samples.

    The learner draws some of the rows. It privately chooses a concept by its number of errors on
    all rows, where the candidates are one concept for each labelling of the drawn points. It
    replaces the labels of the drawn rows by the labels of the chosen concept, and runs the inner
    learner on the relabelled rows. `bounds` bounds the excess empirical error, that is, the error
    minus the least error of a concept.

    **Guarantee.** `privacy` holds for a replaced row. **Proof.** The docstring of the module
    `learners.pac.agnostic` contains the proof. The proof requires that the candidate for each
    labelling of the drawn points depends only on these points. So the learner takes the first
    concept of the class with this labelling. Whether an exception is raised depends only on the
    class and the number of rows, never on the content of the rows.

    Parameters
    ----------
    of : ConceptClass
        Concept class. If its table is too large to enumerate, the labellings of the drawn points
        are computed by restricting the class at one point after another
        (`learners.pac.labellings`).
    inner : BatchLearner
        Learner that runs on the drawn rows, private for a replaced row.
    rate : Fraction
        Number r with two uses: the epsilon of the choice of a concept, and the share of the rows
        that are drawn.
    size : int
        Number n of rows, on which the privacy cost depends.
    beta : Fraction
        Number less than 1/3. The bounds fail with probability at most 3 beta.

    Raises
    ------
    InvalidInput
        If the inner learner is not private, a parameter is out of range, or all rows would be
        drawn.
    TooLarge
        If the class may label the drawn rows in more than 2^15 ways. For a class that is not a
        table, also if the computation of these labellings may need more than 2^20 version spaces.

    References
    ----------
    [LWY25, Alg 4, Lemma D.3], based on Beimel, Nissim and Stemmer 2015

    Examples
    --------
    >>> import catalog
    >>> from learners.pac.distributions import UniformDistribution
    >>> from learners.coins import SeededCoins
    >>> C = catalog.build("thresholds:n=30")
    >>> D = UniformDistribution(C.domain, C.restrict(12, 1).restrict(11, 0).soa())
    >>> sample = D.noisy(Fraction(1, 10)).sample(40_000, SeededCoins(1))
    >>> learner = AgnosticEmpirical(C, GenericLearner(C, 1), Fraction(1, 50), 40_000)
    >>> learner.drawn, round(float(learner.privacy.epsilon), 3)
    (800, 0.492)
    >>> h = learner.fit(sample, SeededCoins(2))
    >>> float(sample.loss(h) - min(sample.loss(c) for c in C.to_table())) < 0.05
    True
    """

    of: ConceptClass
    inner: BatchLearner
    rate: Epsilon
    size: Rows
    beta: Failure = FAILURE

    @classmethod
    @check_arguments
    def for_error(
        cls,
        of: ConceptClass,
        alpha: Error,
        budget: Budget,
        *,
        beta: Failure = FAILURE,
        rows: Rows | None = None,
    ) -> AgnosticEmpirical:
        """Return the learner whose inner learner is the exponential mechanism, for a given budget.

        The learner draws the largest number m of rows that the budget allows. The error bound of
        [LWY25, Claim D.6] is then a constant divided by m. The inner exponential mechanism gets the
        least epsilon that does not enlarge this bound.

        Parameters
        ----------
        of : ConceptClass
            Finite class.
        alpha, beta : Fraction
            Largest excess empirical error (the error minus the least error of a concept), and the
            probability of a larger excess.
        budget : Budget
            Budget of the whole learner.
        rows : int, optional
            Number of rows. By default, the least number that the accuracy bound needs.

        Raises
        ------
        InvalidInput
            If a parameter is out of range, or there are too few rows to draw one.

        Examples
        --------
        >>> import catalog
        >>> C = catalog.build("thresholds:n=30")
        >>> learner = AgnosticEmpirical.for_error(C, Fraction(1, 10), Budget(1))
        >>> learner.rows, learner.drawn, float(learner.bounds()[0].value) <= 0.1
        (23810, 2054, True)
        """
        failure = beta / 3
        epsilon, _ = Budget.require(budget)
        concepts = table_or_class(of).size
        assert concepts is not None
        inner = GenericLearner(of, cls._inner_epsilon(concepts, failure))
        numerator = cls._error_times_drawn(concepts, failure, inner.epsilon)
        needed = ceiling(lambda: numerator() / ball(alpha))
        most, size = cls._planned(epsilon, inner.epsilon, needed, rows)
        return cls(of, inner, Fraction(most, size), size, failure)

    @classmethod
    @check_arguments
    def around_littlestone(
        cls,
        of: ConceptClass,
        alpha: Fraction,
        budget: Budget,
        *,
        beta: Failure = FAILURE,
        rows: Rows | None = None,
    ) -> AgnosticEmpirical:
        """Return the learner whose inner learner is `PrivateLittlestoneLearner` [BLM20, Cor. 2].

        The number m of drawn rows is the number that the inner learner needs for an error of alpha
        on realizable samples. If the budget does not allow this number, m is the largest number
        within the budget. The inner learner is (1, d)-DP, as in [LWY25, Claim D.5], where d is the
        delta of the budget. The whole learner has the delta d m/n, where n is the number of all
        rows.

        Parameters
        ----------
        of : ConceptClass
            Class of finite Littlestone dimension.
        alpha, beta : Fraction
            Largest error of the inner learner on realizable samples, and the probability of a
            larger error.
        budget : Budget
            Budget of the whole learner.
        rows : int, optional
            Number n of rows. The default is the least number for which the inner learner gets the
            rows that its error bound needs.

        Raises
        ------
        InvalidInput
            If a parameter is out of range, or there are too few rows to draw one.
        TooLarge
            If a limit on labellings or version spaces of `AgnosticEmpirical` is exceeded.

        Examples
        --------
        >>> import catalog
        >>> C = catalog.build("points:n=2^64")
        >>> learner = AgnosticEmpirical.around_littlestone(
        ...     C, Fraction(1, 5), Budget(4, Fraction(1, 10**6))
        ... )
        >>> learner.rows, learner.drawn, learner.inner.rows
        (33795, 17455, 17455)
        """
        failure = beta / 3
        epsilon, delta = Budget.require(budget)
        spent = Budget(Fraction(1), delta, allow_weak_privacy=True)
        inner = PrivateLittlestoneLearner.for_error(SOA(of), alpha, spent, beta=failure)
        most, size = cls._planned(epsilon, Fraction(1), inner.rows, rows)
        most = min(most, inner.rows)
        return cls(of, inner, Fraction(most, size), size, failure)

    @staticmethod
    def _planned(
        epsilon: Fraction, inner: Fraction, drawn: int, rows: int | None
    ) -> tuple[int, int]:
        """Return the most rows that can be drawn, and the least number of rows for `drawn`."""

        def cost(drawn: int, size: int) -> Fraction:
            return round_up(agnostic_epsilon(Fraction(drawn, size), drawn, size, inner))

        if rows is None:
            least, size = drawn, 2 * drawn
            while cost(drawn, size) > epsilon:
                least, size = size, 2 * size
            while size - least > 1:
                middle = (least + size) // 2
                least, size = (least, middle) if cost(drawn, middle) <= epsilon else (middle, size)
        else:
            size = rows
        if size < 2 or cost(1, size) > epsilon:
            raise InvalidInput(
                f"With {size} row{'s' * (size != 1)}, no row can be drawn for an epsilon of "
                f"{epsilon}. Get more rows, or allow a larger epsilon."
            )
        most, over = 1, size
        while over - most > 1:
            middle = (most + over) // 2
            most, over = (middle, over) if cost(middle, size) <= epsilon else (most, middle)
        return most, size

    @staticmethod
    def _inner_epsilon(concepts: int, failure: Fraction) -> Fraction:
        """Return the inner epsilon that balances the last two of the three terms of the bound."""
        # For two concepts it is exactly 1/2, which balls cannot distinguish from a larger number.
        ratio = log(concepts / failure) / (2 * log(Fraction(concepts**2) / (2 * failure)))
        return Fraction(ceil(64 * round_up(ratio)), 64)

    @staticmethod
    def _error_times_drawn(
        concepts: int, failure: Fraction, epsilon: Fraction
    ) -> Callable[[], arb]:
        """Return the bound of [LWY25, Claim D.6] for m = r n, times m."""
        return lambda: (
            5
            * (2 * log(concepts / failure))
            .max(4 * log(Fraction(concepts**2) / (2 * failure)))
            .max(2 * log(concepts / failure) / ball(epsilon))
        )

    def __post_init__(self) -> None:
        check_fields(self)
        if self.beta >= Fraction(1, 3):
            raise InvalidInput(
                f"The bounds may fail with probability 3 beta, so beta must be below 1/3. "
                f"Got {self.beta}."
            )
        if self.drawn >= self.size:
            raise InvalidInput(
                f"Fewer rows must be drawn than exist, so the rate must be below 1 by more than "
                f"1/{self.size}. Got {self.rate}, which draws {self.drawn} of {self.size}."
            )
        if self.inner.privacy is None or neighbours(self.inner.privacy) != "replace_one":
            raise InvalidInput(
                "The learner of the drawn rows must be private for a replaced row, such as "
                f"GenericLearner(C, 1). Got {self.inner!r}."
            )
        if self.inner.domain != self.of.domain:
            raise InvalidInput(
                "The learner of the drawn rows must label the domain of the class, "
                f"{self.of.domain.describe()}. Got {self.inner.domain.describe()}."
            )
        self._require_few()

    def _require_few(self) -> None:
        """Refuse a class that is too large, before a point is drawn: errors depend on rows."""
        ways = most_labellings(self.of, self.drawn, LABELLINGS)
        if ways > LABELLINGS:
            fits = bisect_right(
                range(1, self.drawn),
                LABELLINGS,
                key=lambda rows: most_labellings(self.of, rows, LABELLINGS),
            )
            raise TooLarge(
                f"The class may label the {self.drawn} drawn rows in {rows_in_words(ways)} ways, "
                "which are compared pair by pair (docs/private-pac.md, Agnostic learning). The "
                f"limit is {LABELLINGS}. At most {plural(fits, 'row')} may be drawn. Use fewer "
                "rows, so that fewer are drawn.",
                estimate=ways,
                limit=LABELLINGS,
            )
        if self._table is not None or self.of._lists_labellings():
            return
        restricted = most_restrictions(self.of, self.size)
        if restricted > RESTRICTIONS:
            raise TooLarge(
                f"The class cannot be enumerated as a table, and finding its labellings of "
                f"{self.size} rows restricts up to {rows_in_words(restricted)} version spaces. "
                f"The limit is {RESTRICTIONS}. Use fewer rows.",
                estimate=restricted,
                limit=RESTRICTIONS,
            )

    @cached_property
    def _table(self) -> Table | None:
        """The class as a table, if it can be enumerated."""
        try:
            return self.of.to_table()
        except TooLarge:
            return None

    @property
    def domain(self) -> Domain:
        """The points that the hypotheses of the learner label."""
        return self.of.domain

    @property
    def concept_class(self) -> ConceptClass:
        """The concept class whose best concept the learner competes with."""
        return self.of

    @property
    def drawn(self) -> int:
        """The number m = ceil(r n) of rows that are drawn for the inner learner."""
        return ceil(self.rate * self.size)

    @property
    def rows(self) -> int:
        """The number n of rows of a sample."""
        return self.size

    @property
    def choice(self) -> ExponentialMechanism:
        """The mechanism that chooses a concept. Its scores, n m times the paper's, are integers."""
        return ExponentialMechanism(self.rate, sensitivity=self.drawn)

    @cached_property
    def privacy(self) -> Event:
        """The privacy cost of a hypothesis."""
        assert self.inner.privacy is not None
        epsilon, delta = basic(self.inner.privacy)
        m, n = self.drawn, self.size
        bound = round_up(agnostic_epsilon(self.rate, m, n, epsilon))
        if not delta:
            return PureDP(
                bound, name="agnostic empirical learner", scope=Scope.adaptive("replace_one")
            )
        return ApproximateDP(
            bound,
            delta * Fraction(m, n),
            name="agnostic empirical learner",
            scope=Scope.adaptive("replace_one"),
        )

    def bounds(self, rows: int | None = None) -> tuple[Bound, ...]:
        """Return the bound of [LWY25, Claim D.6] if the inner learner is the exponential mechanism.

        For every other inner learner, the result is the bound O(a) of [BLM20, Cor. 2] for an inner
        learner with error a. This bound has no value, because the paper does not specify the
        constant.
        """
        inner = self.inner
        candidates = self.of if self._table is None else self._table
        if (
            not isinstance(inner, GenericLearner)
            or inner.choice != "exponential"
            or inner.hypotheses != candidates
        ):
            return (
                Bound(
                    source="[BLM20, Cor. 2], citing Alon, Beimel, Moran and Stemmer 2020",
                    quantity=f"excess {EMPIRICAL_ERROR}",
                    formula="O(a)",
                    hypotheses=("the learner of the drawn rows errs on few of them",),
                ),
            )
        size, drawn, concepts = self.size, self.drawn, inner.count

        def error() -> arb:
            count = log(concepts / self.beta)
            choice = 2 * count / ball(self.rate * size)
            transfer = 4 * log(Fraction(concepts**2) / (2 * self.beta)) / drawn
            return 5 * choice.max(transfer).max(2 * count / ball(inner.epsilon * drawn))

        return (
            Bound(
                source="[LWY25, Claim D.6], constants for finite classes",
                quantity=f"excess {EMPIRICAL_ERROR}",
                formula="5*Max(2*log(N/b)/(r*n), 4*log(N**2/(2*b))/m, 2*log(N/b)/(e*m))",
                value=rational_above(error, DENOMINATOR),
                trivial=TRIVIAL_ERROR,
                failure=3 * self.beta,
            ),
        )

    def fit(self, sample: Sample, coins: Coins) -> Hypothesis:
        """Learn a private hypothesis from a sample, which must have the learner's number of rows.

        Raises
        ------
        InvalidInput
            If the sample has another number of rows or another domain.
        """
        self._require(sample.domain)
        if len(sample) != self.size:
            raise InvalidInput(
                f"The learner and its privacy cost need {self.size} rows. Got {len(sample)}."
            )
        drawn = self._draw(sample, coins)  # [LWY25, Alg 4 line 1]
        relabelled = self.relabelled(sample, drawn, coins)
        return self.inner.fit(relabelled, coins)  # [LWY25, Alg 4 line 7]

    def _draw(self, sample: Sample, coins: Coins) -> list[Example]:
        """Return rows at m different positions, in random order (see the proof)."""
        places = coins.places(self.drawn, self.size)
        # Rows that are computed on demand are read fastest in their order.
        rows = {i: sample[i] for i in sorted(places)}
        return [rows[i] for i in places]

    def relabelled(self, sample: Sample, drawn: list[Example], coins: Coins) -> Sample:
        """Return the drawn rows with the labels of a concept chosen by its errors on all rows.

        Parameters
        ----------
        sample : Sample
            All rows, by which the errors of concepts are counted.
        drawn : list of (point, label)
            The m drawn rows.
        coins : Coins
            Source of randomness, `SecureCoins` for a release.
        """
        found = self._labellings(drawn, sample)
        scores = found.scores(self.size, self.drawn)
        # [LWY25, Alg 4 line 5]
        chosen = self.choice.release((-scores).tolist(), coins)
        labels = found.labels(chosen)
        # [LWY25, Alg 4 line 6]
        return Sample.drawn(sample.domain, tuple((x, labels[x]) for x, _ in drawn))

    def _labellings(self, drawn: list[Example], sample: Sample) -> Labellings:
        """Return labellings instead of concepts [LWY25, Alg 4 line 3], which are equivalent."""
        if self._table is None:
            return Labellings.by_restriction(self.of, drawn, sample)
        return Labellings.listed(self._table, drawn, sample)


def _learner(
    C: ConceptClass,
    rows: int | None,
    *,
    budget: Spending,
    alpha: Alpha,
    beta: Beta,
    inner: Annotated[
        str,
        Option(
            "private learner that reads the drawn rows. Only generic is private with delta 0",
            choices=INNER,
        ),
    ] = "generic",
) -> AgnosticEmpirical:
    if inner != "generic":
        return AgnosticEmpirical.around_littlestone(C, alpha, budget, beta=beta, rows=rows)
    try:
        return AgnosticEmpirical.for_error(C, alpha, budget, beta=beta, rows=rows)
    except TooLarge as error:
        raise TooLarge(
            f"{error}{_instead(C)}", estimate=error.estimate, limit=error.limit
        ) from None


def _instead(C: ConceptClass) -> str:
    """Return a sentence about a learner for the class, or '' if no such learner is known."""
    try:
        C.ldim()
    except LsclassesError:
        return " Use lsclasses pac generic, which lists the concepts." * C._lists_concepts()
    return " Use the learner private-littlestone (--inner), which needs no table."


LEARNERS = (
    SampleEntry(
        "agnostic",
        "a private learner that reads drawn rows, with labels by a privately chosen concept "
        "[LWY25, Alg 4]",
        _learner,
        details=(
            "The labels of the rows may be arbitrary. The learner draws some of the rows and "
            "privately chooses a concept with few errors on all rows. It replaces the labels of "
            "the drawn rows by the labels of this concept. Then the private learner --inner "
            "learns from the drawn rows."
        ),
    ),
)
