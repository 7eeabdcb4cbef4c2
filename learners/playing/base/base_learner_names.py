"""The default base learner: the SOA if it can run, and otherwise a learner with a mistake bound."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Literal

import catalog
from catalog.closed_forms.long_lists import LongLists
from catalog.closed_forms.short_lists import ShortLists
from learners.playing.base.decision_list_elimination import DecisionListElimination
from learners.playing.base.halving import Halving
from learners.playing.base.winnow import Winnow, winnow_bound
from learners.playing.features import Literals, ShortConjunctions
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.limits import Limit
from lsclasses.online import MistakeBounded
from lsclasses.registry import Registry
from lsclasses.soa import SOA

__all__ = [
    "FAMILY_LEARNERS",
    "MARGIN_LEARNERS",
    "BaseLearner",
    "base_learner",
    "decision_list_elimination",
    "decision_list_learner",
    "decision_list_margin",
    "decision_list_winnow",
    "margin_halfspace_learner",
    "margin_learner",
]

SEARCH = Limit(seconds=10)
"""Limit of the search for the Littlestone dimension. If the search exceeds it, another learner is
chosen."""
LARGEST_INVERSE_MARGIN = 10**6
"""Largest inverse margin of decision lists for which Winnow is offered. For smaller margins, its
bound exceeds 10^12."""


@dataclass(frozen=True)
class BaseLearner:
    """An online learner with its mistake bound, for use as a base learner.

    Attributes
    ----------
    state : MistakeBounded
        The starting state.
    bound : int
        The largest number of mistakes on a sequence that is consistent with some concept.
    measure : "Ldim" or "mistake bound"
        Whether the bound is the Littlestone dimension, so that no deterministic learner has a
        smaller bound, or only the bound that is proved for this learner.

    Examples
    --------
    >>> print(base_learner("thresholds:n=15"), base_learner("decision-lists:n=20"), sep="; ")
    SOA, Ldim 4; DecisionListElimination, mistake bound 861
    """

    state: MistakeBounded
    bound: int
    measure: Literal["Ldim", "mistake bound"]

    def __str__(self) -> str:
        return f"{type(self.state).__name__}, {self.measure} {self.bound}"


def base_learner(
    source: str | ConceptClass, *, limit: Limit | None = SEARCH, published: bool = False
) -> BaseLearner:
    """Return the SOA of a class if its Littlestone dimension is found, or else another learner.

    The other learner is the available learner of the class with the least mistake bound.

    Parameters
    ----------
    source : str or ConceptClass
        A specification such as ``"decision-lists:n=20,alternations=2"``, or a class.
    limit : Limit, optional
        Limit of the search for the Littlestone dimension.
    published : bool
        Whether the hypotheses are published, so that they need a form in which they can be
        compared. Votes over too many points have no such form.

    Raises
    ------
    InvalidInput
        If the specification is wrong or the class is empty.
    TooLarge
        If no learner can be run, because the class has no Littlestone dimension in closed form, no
        table and no special learner.

    Examples
    --------
    >>> learner = base_learner("margin-halfspaces:d=28,norm=3")
    >>> print(learner)
    Winnow, mistake bound 71
    """
    family_learner: Callable[[], MistakeBounded] | None = None
    C: ConceptClass | None = None
    try:
        if isinstance(source, str):
            family, given = catalog.parse(source)
            values = family.values(**given)
            if family.name in FAMILY_LEARNERS:
                family_learner = partial(FAMILY_LEARNERS[family.name], **values)
            C = family.concept_class(**values)
        else:
            C = source
            if isinstance(C, (LongLists, ShortLists)) and not tuple(C._leaving()):
                family_learner = partial(decision_list_learner, **vars(C.bounds))
        if C.is_empty:
            raise InvalidInput("A learner needs a class with at least one concept. Got none.")
        return BaseLearner(SOA(C), C.ldim(limit=limit), "Ldim")
    except TooLarge as stopped:
        candidates = [each for each in (family_learner, _halving(C)) if each is not None]
        if published:
            candidates = _with_published_hypotheses(candidates, C)
        bounded = [_bounded(learner()) for learner in candidates]
        if not bounded:
            raise TooLarge(
                f"There is no learner for {source!r}: {stopped}",
                estimate=stopped.estimate,
                limit=stopped.limit,
                lower=stopped.lower,
                upper=stopped.upper,
            ) from None
        return min(bounded, key=lambda learner: learner.bound)


def _with_published_hypotheses(
    candidates: list[Callable[[], MistakeBounded]], C: ConceptClass | None
) -> list[Callable[[], MistakeBounded]]:
    """Return the learners whose hypotheses have a canonical form, or all if no learner has."""

    def publishes(learner: Callable[[], MistakeBounded]) -> bool:
        try:
            learner().hypothesis.canonical()
        except TooLarge:
            return False
        return True

    if isinstance(C, (LongLists, ShortLists)) and not tuple(C._leaving()):
        candidates = [*candidates, partial(decision_list_elimination, **vars(C.bounds))]
    return [learner for learner in candidates if publishes(learner)] or candidates


def _halving(C: ConceptClass | None) -> Callable[[], MistakeBounded] | None:
    """Return the halving algorithm, if the concepts can be counted."""
    try:
        if C is None or C.size is None or not C._counts_version_spaces():
            return None
        return lambda: Halving(C)
    except TooLarge:
        return None


def _bounded(state: MistakeBounded) -> BaseLearner:
    bound = state.mistake_bound
    assert bound is not None
    return BaseLearner(state, bound, "mistake bound")


# ---- families without closed Littlestone dimension


def decision_list_learner(
    n: int, k: int = 1, length: int = 0, alternations: int = 0, monotone: int = 0
) -> MistakeBounded:
    """Return a learner of k-decision lists over n variables, for any n (family decision-lists).

    The learner is elimination by levels. It is Winnow if the margin of such lists gives a smaller
    bound, as for lists with few rules among very many variables.

    Parameters
    ----------
    n, k, length, alternations, monotone : int
        As for the family: 0 for `length` or `alternations` means any number.

    Raises
    ------
    InvalidInput
        If a parameter is out of range.
    TooLarge
        If there are too many conjunctions of k literals.

    Examples
    --------
    >>> print(_bounded(decision_list_learner(10_000)))
    DecisionListElimination, mistake bound 200030001
    >>> print(_bounded(decision_list_learner(10_000, length=3, alternations=1)))
    Winnow, mistake bound 491
    """
    by_levels = decision_list_elimination(n, k, length, alternations, monotone)
    weighted = decision_list_winnow(n, k, length, alternations, monotone)
    if weighted.margin.denominator > LARGEST_INVERSE_MARGIN:
        return by_levels
    if winnow_bound(weighted.experts, weighted.margin) < (by_levels.mistake_bound or 0):
        return weighted
    return by_levels


def decision_list_elimination(
    n: int, k: int = 1, length: int = 0, alternations: int = 0, monotone: int = 0
) -> DecisionListElimination:
    """Return elimination by levels for k-decision lists over n variables.

    Parameters
    ----------
    n, k, length, alternations, monotone : int
        Parameters of `decision_list_learner`, which may raise for the same reasons.

    Examples
    --------
    >>> decision_list_elimination(100, length=3).mistake_bound
    798
    """
    features, _, changes = _rules(n, k, length, alternations, monotone)
    return DecisionListElimination(features, changes + 1)


def decision_list_winnow(
    n: int, k: int = 1, length: int = 0, alternations: int = 0, monotone: int = 0
) -> Winnow:
    """Return Winnow for k-decision lists over n variables, with a margin common to all.

    Parameters
    ----------
    n, k, length, alternations, monotone : int
        Parameters of `decision_list_learner`, which may raise for the same reasons.

    Examples
    --------
    >>> decision_list_winnow(100, length=3, alternations=1).margin
    Fraction(1, 5)
    """
    features, rules, changes = _rules(n, k, length, alternations, monotone)
    # Negated variables need no separate features, because weights may be negative.
    plain = Literals(n) if k == 1 else features
    return Winnow(plain, decision_list_margin(rules, changes), bias=True)


def _rules(
    n: int, k: int, length: int, alternations: int, monotone: int
) -> tuple[ShortConjunctions, int, int]:
    """Return the features that rules test, and the largest numbers of rules and alternations."""
    if min(length, alternations) < 0:
        raise InvalidInput(
            "The bounds on length and alternations must be at least 0 (0 for none). "
            f"Got length={length}, alternations={alternations}."
        )
    features = ShortConjunctions(n, k, monotone=bool(monotone))
    # A list without useless rules tests every feature once. The default is one additional rule.
    rules = min(length - 1 if length else features.count, features.count)
    return features, rules, min(alternations or rules, rules)


def decision_list_margin(rules: int, alternations: int) -> Fraction:
    """Return a common margin of all decision lists, as halfspaces over their features in {-1, 1}.

    A list whose last rules do not merely repeat the default has runs of n_1, ..., n_D rules with
    equal bits (D alternations) before the default. Beginning with the weight 1 for the default, let
    each rule of a run, the last run first, weigh one more than everything after the run together.
    Then the first rule that holds decides, by 1 at least, and all weights add up to
    2 (n_1 + 1) ... (n_D + 1) - 1 at most, written with features -1 and 1 and a constant. The
    product is largest if the runs are equally long.

    Parameters
    ----------
    rules : int
        The largest number of rules in addition to the default.
    alternations : int
        The largest number of places where consecutive bits differ, the default's included.

    References
    ----------
    Blum and Singh 1990; [BF25, Lemma 4.10] has the order of magnitude, rules^-alternations

    Examples
    --------
    >>> decision_list_margin(2, 1), decision_list_margin(2, 2), decision_list_margin(5, 0)
    (Fraction(1, 5), Fraction(1, 7), Fraction(1, 1))
    """
    if not alternations or not rules:
        return Fraction(1)
    shorter, longer_runs = divmod(rules, alternations)
    product = (shorter + 2) ** longer_runs * (shorter + 1) ** (alternations - longer_runs)
    return Fraction(1, 2 * product - 1)


def margin_halfspace_learner(d: int, norm: int, margin: int = 1) -> Winnow:
    """Return Winnow for halfspaces over {-1,1}^d, for any d (family margin-halfspaces).

    Parameters
    ----------
    d : int
        The dimension.
    norm, margin : int
        Integer bounds of a halfspace. Its weights are integers whose absolute values add up to at
        most `norm`. The sum of weights times the signs of a point is at least `margin` in absolute
        value.

    Raises
    ------
    InvalidInput
        If `norm` or `margin` is out of range.

    Examples
    --------
    >>> margin_halfspace_learner(10_000, norm=3).mistake_bound
    174
    """
    if not 1 <= margin <= norm:
        raise InvalidInput(
            f"The margin must be from 1 to the norm. Got margin={margin}, norm={norm}."
        )
    return Winnow(Literals(d, signed=True), Fraction(margin, norm))


def _require_callable(loaded: object) -> Callable[..., Winnow]:
    if not callable(loaded):
        raise InvalidInput(
            "The learner of a family is called with the parameters of a member by name. "
            f"Got {loaded!r}."
        )
    return loaded


MARGIN_LEARNERS: Registry[Callable[..., Winnow]] = Registry(
    "margin_learners", "family of halfspaces with a known margin", _require_callable
)
"""Winnow learners with their features and margin, by the name of a family of halfspaces."""


def margin_learner(specification: str) -> Winnow:
    """Return Winnow with the features and the margin of a family of halfspaces.

    Raises
    ------
    InvalidInput
        If the specification is wrong, or the family is not in `MARGIN_LEARNERS`.

    Examples
    --------
    >>> learner = margin_learner("margin-halfspaces:d=28,norm=3")
    >>> learner.features, learner.margin, learner.bias
    (Literals(28, signed=True), Fraction(1, 3), False)
    """
    family, given = catalog.parse(specification)
    if family.name not in MARGIN_LEARNERS:
        known = " and ".join(sorted(MARGIN_LEARNERS))
        raise InvalidInput(
            f"A margin is known of the halfspaces in the families {known}. Got {family.name}."
        )
    return MARGIN_LEARNERS[family.name](**family.values(**given))


FAMILY_LEARNERS: Registry[Callable[..., MistakeBounded]] = Registry(
    "family_learners", "family with a special learner", _require_callable
)
"""Learners for the member of a family with the given parameters, by the name of the family."""
