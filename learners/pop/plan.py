"""The parameters of `POP`, with their costs, their guarantees, and two ways to choose them.

Privacy holds for all parameters, and `POPParameters` computes it. The proved bounds on mistakes
depend on a hypothesis on k and r, and `bounds` states whether it is met. The constants are proved
in `docs/private-prediction.md`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Annotated

from flint import arb

from learners.accounting import CHALLENGE, ApproximateDP, Event, Scope, basic
from learners.balls import ball, ceiling, certainly_le, log, round_up
from learners.bounds import REALIZABLE, Bound
from learners.budget import Budget
from learners.checked import Failure, MistakeBound, Rounds
from learners.concentration import FAILURE, chernoff_trials, least_trials
from learners.mechanisms.challenge_at import ChallengeAT, Halting
from learners.mechanisms.noise import noise_bound, tail
from learners.number_arguments import require_size
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import format_number, integer
from lsclasses.options import Option, check_arguments, check_fields

__all__ = ["POPParameters"]

FAILURE_BITS = 17
"""Number of bits of a failure probability that is rounded up to a fraction."""

MAJORITY_SHARE = Fraction(1, 8)
"""The part of delta that is reserved for majorities that one copy decides."""

SHARES = tuple(Fraction(1, 1 << bits) for bits in range(2, 11))
"""Candidates for the part of epsilon that halting spends."""


Margin = Annotated[Fraction, Option("margin", above=0, below=Fraction(1, 4))]
CopyCount = Annotated[
    int, Option("number of copies of the base learner", minimum=1, noun="number of copies")
]
Disagreements = Annotated[
    int,
    Option(
        "approximate number of reports after which the learner halts. A report is a round in "
        "which the disagreement of the copies, with noise, exceeds a threshold",
        minimum=1,
        noun="number of reports",
    ),
]


@dataclass(frozen=True)
class POPParameters:
    """The parameters of `POP` except the base learner: copies, reports, noise.

    **Privacy.** `POP` with these parameters is (epsilon + halting_epsilon, delta +
    halting_failure + majority_failure)-challenge-DP. `privacy` is this event.

    **The hidden condition.** A label that is not a coin is the majority of the copies, without
    noise. One copy decides it only if the votes are as even as possible. In this case, the label is
    shown only if the noise is at most -m, m = floor((k + 1)/4). The reason is that at least
    ceil(k/2) - 1 votes are in the minority and fewer than k/4 must seem to be. This has probability
    tail(scale, m) = q^m/(1 + q), q = exp(-1/scale). There are at most n = T - 1 such rounds until
    such a label is shown, as many as rounds after the challenge. If halting keeps the reports few,
    there are at most r + `overrun` such rounds, since all but the last are reports. So

        majority_failure >= n q^m/(1 + q), n = min(T - 1, r + overrun),

    is needed **for privacy**, and k must be about 4 scale ln(n/majority_failure).
    [KMMNS23, Thm 5.2] has no such condition on k. Its proof uses that the threshold test is
    accurate except with probability delta, which is this condition. Parameters that break the
    condition are refused, or get a larger delta if `raise_delta` is set.

    Parameters
    ----------
    copies : int
        Number k of copies.
    reports : int
        Number r of reports, as in `learners.mechanisms.ChallengeAT`. The next parameters are also
        parameters of `ChallengeAT`.
    rounds : int
        Largest number T of rounds.
    epsilon, delta : Fraction or int
        Cost of the answers of the threshold test.
    halting_epsilon, halting_failure : Fraction or int
        Cost of halting. With failure 0 the noise is for all rounds.
    majority_failure : Fraction or int
        Largest cost of majorities that one copy decides.
    halting : {"cumulative", "tree", "never"}
        Test that decides when the learner halts.
    calibrated : bool
        Whether to use the numeric scale of the noise, about half of the closed form.
    raise_delta : bool
        Whether to raise `majority_failure` to the value that k needs instead of refusing k.

    Attributes
    ----------
    mechanism : ChallengeAT
        Private test of the learner.
    scale : Fraction
        Scale of the noise of the test, gamma in the paper.

    Raises
    ------
    InvalidInput
        If a parameter is out of range or a float, if there are too few copies for
        `majority_failure`, or if delta in all would be 1 or more.

    References
    ----------
    [KMMNS23, Alg 7, Thm 5.1 to 5.3, App. D].

    Examples
    --------
    >>> print(POPParameters.within(Budget(1, Fraction(1, 10**6)), 10**4, reports=50))
    POP with 8603 copies, halting after about 50 reports (at most 120), at most 10000 rounds
      privacy      (1, 1e-06) under challenge-DP
      for answers  epsilon 3/4, delta 7.66e-07; noise of scale 107.6
      for halting  epsilon 1/4, failure 1.09e-07 (cumulative)
      majorities   failure 1.25e-07: needs k >= 8603
    """

    copies: CopyCount
    reports: Disagreements
    rounds: Rounds
    epsilon: Fraction
    delta: Fraction
    halting_epsilon: Fraction
    halting_failure: Fraction
    majority_failure: Annotated[Fraction, Option("failure probability of majorities", minimum=0)]
    halting: Halting = "cumulative"
    calibrated: bool = False
    raise_delta: bool = False

    def __post_init__(self) -> None:
        check_fields(self)
        test = self.mechanism
        set_frozen_fields(self, reports=test.reports, epsilon=test.epsilon, delta=test.delta)
        set_frozen_fields(self, halting_epsilon=test.halting_epsilon)
        set_frozen_fields(self, halting_failure=test.halting_failure)
        failure = self.majority_failure
        if not certainly_le(self._deciding, failure):
            if not self.raise_delta:
                raise InvalidInput(self._too_few_copies(failure))
            failure = round_up(self._deciding(), FAILURE_BITS)
        set_frozen_fields(self, majority_failure=failure)
        total = self.delta + self.halting_failure + failure
        if total >= 1:
            raise InvalidInput(
                f"These parameters give no privacy. Delta would be {format_number(total, 3)}, and "
                "with delta = 1 any output may be released. Take more copies or less noise."
            )

    @cached_property
    def mechanism(self) -> ChallengeAT:
        """The threshold test on the number of copies in the minority."""
        return ChallengeAT(
            self.epsilon,
            self.delta,
            self.reports,
            -(-self.copies // 4),
            self.halting_epsilon,
            self.halting_failure,
            self.rounds,
            self.halting,
            calibrated=self.calibrated,
        )

    @property
    def scale(self) -> Fraction:
        """The scale of the noise, gamma in the paper."""
        return self.mechanism.scale

    @property
    def privacy(self) -> Event:
        """The privacy cost of a whole game of POP."""
        return ApproximateDP(
            self.epsilon + self.halting_epsilon,
            self.delta + self.halting_failure + self.majority_failure,
            name="POP",
            scope=Scope.adaptive(CHALLENGE),
        )

    def _deciding(self) -> arb:
        """Return an upper bound on P[one copy decides some majority that is shown]."""
        return _ties(self.mechanism) * tail(self.scale, (self.copies + 1) // 4)

    def _too_few_copies(self, failure: Fraction) -> str:
        needed = _copies_for(self.mechanism, failure) if failure else None
        hint = f"Take at least {needed} copies" if needed else "Allow it a failure"
        likely = float(min(round_up(self._deciding(), FAILURE_BITS), Fraction(1)))
        return (
            f"With k = {self.copies} copies and noise of scale {format_number(self.scale, 4)}, one "
            "copy "
            f"can decide a published majority with probability up to {likely:.3g}. The limit is "
            f"{format_number(failure, 3)}. {hint}, or use raise_delta=True, which adds the "
            "difference to delta."
        )

    # ---- choosing

    @classmethod
    def within(
        cls,
        budget: Budget,
        rounds: int,
        reports: int | None = None,
        *,
        share: Fraction = Fraction(1, 4),
        calibrated: bool = True,
        halting: Halting = "cumulative",
    ) -> POPParameters:
        """Return parameters that are (epsilon, delta)-private, with as few copies as possible.

        With a budget of `reports`, halting gets `share` of epsilon and the reports get the rest.
        Delta is split 49 : 7 : 8 between reports, halting and majorities. If `reports` is omitted,
        or does not reduce the number of copies, the noise is for all rounds and halting costs no
        budget. Then the game continues to its last round. Halting can reduce the number of copies
        even if its noise is larger, because one copy can then decide a majority in fewer rounds.

        More copies make mistakes slower to correct, because most copies must have erred before the
        majority changes, and they learn one by one. Assume that one point is presented in every
        round. Then there are about 0.8 k mistakes and 1.1 k reports until three quarters of the
        copies are right at this point. The share of these copies grows from a quarter to three
        quarters within k ln 3 rounds. Nearly all of these rounds are reports. So a budget of less
        than k reports is usually spent before the right majority is shown. The only guarantees
        about mistakes are `bounds`.

        Raises
        ------
        InvalidInput
            If the budget, the number of rounds or reports, or the share is out of range.

        Examples
        --------
        >>> tiny = Fraction(1, 10**6)
        >>> for reports in (50, 500, None):
        ...     parameters = POPParameters.within(Budget(4, tiny), 10**5, reports)
        ...     print(parameters.copies, float(parameters.scale), parameters.halting)
        1851 23.8125 cumulative
        4963 57.8125 cumulative
        40551 379.4375 never
        """
        epsilon, delta = _checked_budget(budget)
        if reports is None:
            reports, halting = 1, "never"
        mechanism, failure = _split(
            epsilon,
            delta,
            reports,
            rounds,
            share=share,
            calibrated=calibrated,
            halting=halting,
            cost=_copies_for,
        )
        return cls._of(mechanism, _copies_for(mechanism, failure), failure)

    @classmethod
    def _of(cls, mechanism: ChallengeAT, copies: int, majority_failure: Fraction) -> POPParameters:
        assert mechanism.horizon is not None
        return cls(
            copies,
            mechanism.reports,
            mechanism.horizon,
            mechanism.epsilon,
            mechanism.delta,
            mechanism.halting_epsilon,
            mechanism.halting_failure,
            majority_failure,
            mechanism.halting,
            mechanism.calibrated,
        )

    @classmethod
    @check_arguments
    def from_theorem(
        cls,
        budget: Budget,
        mistake_bound: MistakeBound,
        rounds: Rounds,
        failure: Failure,
        *,
        margin: Annotated[Fraction, Option("margin", above=0, below=Fraction(1, 4))] = Fraction(
            1, 8
        ),
        calibrated: bool = False,
        halting: Halting = "cumulative",
    ) -> POPParameters:
        """Return parameters for which [KMMNS23, Thm 5.3], made explicit, bounds the mistakes.

        The parameters are the least solution of four conditions:

        - All noise is at most margin k, except with probability failure/3. Then reports and
          mistakes happen only if a share 1/4 - margin of the copies errs.
        - r exceeds the number of such rounds (`costly`, with Chernoff's bound) by the number by
          which the halting test may be early (at failure/3).
        - The noise suffices for r reports, or for all rounds if that noise is not larger.
        - k is large enough for privacy.

        The part of epsilon for halting is the best of 1/4, 1/8, ..., 1/1024. The paper's analysis
        has margin 1/20. The margin 1/8 makes the product of the two shares largest, and so k and
        the bound smallest.

        Parameters
        ----------
        mistake_bound : int
            Mistake bound d of the base learner.
        rounds : int
            Number T of rounds.
        budget : Budget
            Budget of the whole game.
        failure : Fraction
            Largest failure probability beta of the mistake bound.
        margin : Fraction
            Largest noise, as a share of the copies, between 0 and 1/4.
        calibrated : bool
            Whether to use the numeric scale of the noise.
        halting : {"cumulative", "tree"}
            Test that decides when the learner halts.

        Raises
        ------
        InvalidInput
            If the budget, the mistake bound, the failure or the margin is out of range.

        Examples
        --------
        >>> tiny, failure = Fraction(1, 10**6), Fraction(1, 20)
        >>> parameters = POPParameters.from_theorem(Budget(1, tiny), 1, 10**4, failure)
        >>> parameters.copies, parameters.halting, float(parameters.scale)
        (45984, 'never', 455.8125)
        >>> print(parameters.bounds(1, failure)[0])
        mistakes <= R = 325099 [KMMNS23, Thm 5.3], explicit, except with probability 1/30, \
printed: 18*d*k + 18 + log(1/beta), vacuous: at most 10000 anyway
        """
        epsilon, delta = _checked_budget(budget)
        errors = mistake_bound

        def split(reports: int, share: Fraction, calibrated: bool) -> tuple[ChallengeAT, Fraction]:
            return _split(
                epsilon,
                delta,
                reports,
                rounds,
                share=share,
                calibrated=calibrated,
                halting=halting,
            )

        @cache
        def halts_early(share: Fraction, calibrated: bool) -> int:
            return split(1, share, calibrated)[0].early(rounds, failure / 3)

        def step(
            copies: int, share: Fraction, calibrated: bool
        ) -> tuple[int, POPParameters | None]:
            share_erring = Fraction(1, 4) - margin
            before = errors * copies - math.ceil(share_erring * copies)
            costly = 0 if before < 0 else chernoff_trials(before, share_erring, failure / 3)
            early = halts_early(share, calibrated)
            mechanism, majority = split(costly + early + 1, share, calibrated)
            noise = noise_bound(mechanism.scale, 2 * failure / (3 * rounds))
            needed = max(math.ceil(noise / margin), _copies_for(mechanism, majority))
            return needed, cls._of(mechanism, copies, majority) if needed <= copies else None

        def least(copies: int, share: Fraction, calibrated: bool) -> POPParameters:
            # Every sufficient number of copies leads to a smaller sufficient number.
            while True:
                needed, found = step(copies, share, calibrated)
                if found is not None and needed >= copies - max(1, copies >> 5):
                    return found
                copies = needed

        best, share = min(
            ((least(1, share, False), share) for share in SHARES), key=lambda pair: pair[0].copies
        )
        return least(best.copies, share, True) if calibrated else best

    # ---- proved bounds

    @check_arguments
    def costly(self, mistake_bound: int, failure: Failure) -> int | None:
        """Return an upper bound R on rounds with a mistake or a report, or None without a proof.

        With probability 1 - failure/3 no noise is above a = noise_bound(scale, 2 failure/(3T)).
        Then a report needs ceil(k/4) - a copies in the minority, and so at least as many that err.
        A mistake without a report is a mistake of half of the copies, for every noise. Let
        e = ceil(k/4) - a. Assume that there are N + 1 rounds in which e copies err. Each of these
        copies still had a mistake to make before the last of these rounds, so all copies had made
        at most d k - e mistakes. But in each of the N earlier rounds, the copy that learns the
        label is uniform and errs with probability at least e/k, for every history. So R is the
        `least_trials` for d k - e with probability 1 - failure/3. The bound is proved only if
        a < k/4.
        """
        errors = integer(mistake_bound, "mistake bound") * self.copies
        erring = self.mechanism.threshold - noise_bound(self.scale, 2 * failure / (3 * self.rounds))
        if erring < 1:
            return None
        if errors < erring:
            return 0
        return least_trials(errors - erring, Fraction(erring, self.copies), failure / 3)

    def bounds(self, mistake_bound: int, failure: Fraction = FAILURE) -> tuple[Bound, ...]:
        """Return the bounds proved for `POP` with these parameters and a base learner.

        Parameters
        ----------
        mistake_bound : int
            Mistake bound d of the base learner.
        failure : Fraction
            Failure probability beta. All bounds that need `REALIZABLE` hold together with
            probability 1 - beta.

        Returns
        -------
        tuple of Bound
            Bounds for these statements about a game. Until `POP` halts, it makes at most R mistakes
            and at most R reports, where R is the value of `costly`. `POP` does not halt (this bound
            is missing if ``halting`` is "never"). On every stream, there are at most r + `overrun`
            reports, where r is the attribute `reports` (this bound is missing if the noise covers
            all rounds).
        """
        costly = self.costly(mistake_bound, failure)
        early = self.mechanism.early(self.rounds, failure / 3)
        quiet = "all noise stays below k/4 except with probability beta/3"
        noisy = () if costly is not None else (quiet,)
        spare = "r > R + early"
        short = (spare,) if costly is None or self.reports <= costly + early else ()
        printed = "18*d*k + 18 + log(1/beta)"
        source = "[KMMNS23, Thm 5.3], explicit"
        both = 2 * failure / 3
        found = [
            Bound(
                source, "mistakes", "R", costly, self.rounds, both, (REALIZABLE, quiet), noisy,
                printed,
            ),
            Bound(
                source, "reports", "R", costly, self.rounds, both, (REALIZABLE, quiet), noisy,
                printed,
            ),
        ]  # fmt: skip
        if self.halting != "never":
            rests_on = (REALIZABLE, quiet, spare)
            found.append(Bound(source, "halts", "0", 0, 1, failure, rests_on, (*noisy, *short)))
        if self.mechanism.most_reports is not None:
            found.append(
                Bound(
                    "halting test of ChallengeAT",
                    "reports",
                    "r + overrun",
                    self.mechanism.most_reports,
                    self.rounds,
                    self.halting_failure,
                )
            )
        return tuple(found)

    def __str__(self) -> str:
        mechanism, (epsilon, delta) = self.mechanism, basic(self.privacy)
        if mechanism.test is None:
            halting = f"never halting in its {self.rounds} rounds"
        else:
            most = "" if mechanism.most_reports is None else f" (at most {mechanism.most_reports})"
            halting = (
                f"halting after about {self.reports} reports{most}, at most {self.rounds} rounds"
            )
        needed = _copies_for(mechanism, self.majority_failure) if _ties(mechanism) else 1
        return "\n".join(
            [
                f"POP with {self.copies} copies, {halting}",
                f"  privacy      ({format_number(epsilon, exact=10**9, up=True)}, "
                f"{format_number(delta, 3, up=True)}) under challenge-DP",
                f"  for answers  epsilon {format_number(self.epsilon, exact=10**9)}, "
                f"delta {format_number(self.delta, 3)}; "
                f"noise of scale {format_number(self.scale, 4)}",
                f"  for halting  epsilon {format_number(self.halting_epsilon, exact=10**9)}, "
                f"failure {format_number(self.halting_failure, 3)} ({self.halting})",
                f"  majorities   failure {format_number(self.majority_failure, 3)}: needs k >= "
                f"{needed}",
            ]
        )


def _checked_budget(budget: object) -> tuple[Fraction, Fraction]:
    epsilon, delta = Budget.require(budget)
    if not delta:
        raise InvalidInput("The delta must be positive, since majorities are not noisy. Got 0.")
    require_size(epsilon, delta)
    return epsilon, delta


def _split(
    epsilon: Fraction,
    delta: Fraction,
    reports: int,
    rounds: int,
    *,
    share: Fraction,
    calibrated: bool,
    halting: Halting,
    cost: Callable[[ChallengeAT, Fraction], int] | None = None,
) -> tuple[ChallengeAT, Fraction]:
    """Return the mechanism for a part of the budget, and the rest of the budget for majorities.

    `cost` is the number to minimize for a mechanism and this rest, by default the noise.
    """
    rest = MAJORITY_SHARE * delta
    mechanism = ChallengeAT.within(
        epsilon,
        delta - rest,
        reports,
        0,
        share=share,
        horizon=rounds,
        halting=halting,
        calibrated=calibrated,
        cost=None if cost is None else lambda mechanism: cost(mechanism, rest),
    )
    return mechanism, rest


def _ties(mechanism: ChallengeAT) -> int:
    """Return the number of rounds in which one copy can decide the majority, at most."""
    assert mechanism.horizon is not None
    after, most = mechanism.horizon - 1, mechanism.most_reports
    return after if most is None else min(after, most)


def _copies_for(mechanism: ChallengeAT, failure: Fraction) -> int:
    """Return the least k with ties * tail(scale, floor((k + 1)/4)) <= failure."""
    ties, scale = _ties(mechanism), mechanism.scale
    if not ties:
        return 1

    def least() -> arb:
        # q^m/(1 + q) <= failure/ties, for m >= 1
        q = (-1 / ball(scale)).exp()
        return ball(scale) * ((ties / (1 + q)).log() - log(failure))

    needed = ceiling(least)
    if needed < 1:
        needed = 0 if certainly_le(lambda: ties * tail(scale, 0), failure) else 1
    return max(1, 4 * needed - 1)
