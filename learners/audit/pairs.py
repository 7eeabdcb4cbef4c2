"""Exact audits of pairs of neighbouring inputs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any, TypeVar

from flint import arb, ctx

from learners.audit.blind_spots import (
    CHANNELS,
    NEIGHBOURS,
    RANDOMNESS,
    SIZES,
    STRATEGIES,
    BlindSpots,
    cut_mass,
)
from learners.audit.claims import (
    NOT_REPEATED,
    RESOLUTION,
    Claim,
    Finding,
    checked_claim,
    checked_resolution,
    probabilities,
    require_repeated,
    verdict_of,
)
from learners.audit.enclosures import float_above
from learners.audit.losses import Losses, PrivacyLoss, midpoint
from learners.audit.strategies import PlayedAdversary
from learners.balls import ball
from learners.coins import Coins
from learners.exact import (
    MAX_BRANCHES,
    PRECISION,
    TAIL,
    OutputDistribution,
    StepLaws,
    Stepwise,
    distinct,
    exact_distribution,
)
from learners.games import are_neighbours
from lsclasses.errors import InvalidInput
from lsclasses.numbers import plural

Data = TypeVar("Data", bound=Sequence[Any])
Run = Callable[[Any, Coins], Hashable] | Stepwise
"""The audited run: a function of the data and of coins, or a `Stepwise` program."""


def neighbouring_pairs(
    inputs: Iterable[Data], relation: str = "replace_one"
) -> list[tuple[Data, Data]]:
    """Return all pairs of different neighbouring inputs, each pair once.

    Examples
    --------
    >>> from itertools import product
    >>> len(neighbouring_pairs(product((0, 1), repeat=3)))
    12
    >>> neighbouring_pairs(["a", "ab", "b"], "add_remove")
    [('a', 'ab'), ('ab', 'b')]
    """
    listed = list(dict.fromkeys(inputs))
    return [
        (zero, one) for zero, one in combinations(listed, 2) if are_neighbours(zero, one, relation)
    ]


@dataclass(frozen=True)
class PairFinding(Finding):
    """The result of an exact audit of pairs.

    Attributes
    ----------
    measured : arb
        delta(epsilon) at the claimed epsilon, the largest over all pairs.
    least_epsilon : arb
        A lower bound on the least epsilon for which (epsilon, claimed delta) holds on all pairs.
    enough_epsilon : arb
        An upper bound on the least epsilon for which (epsilon, claimed delta + resolution) holds on
        all pairs. It is infinite if the probability that was cut off exceeds the resolution. The
        difference between the claimed epsilon and these two bounds shows how loose the claim is on
        these pairs.
    pair : tuple
        The worst pair. If the claim is violated, the pair with the largest delta(epsilon).
        Otherwise the pair that needs the largest epsilon at the claimed delta.
    event : tuple
        The event, as a tuple of outcomes, that attains delta(epsilon). If delta(epsilon) is 0, the
        outcome of largest loss.
    loss : PrivacyLoss
        Privacy loss of the worst pair.
    pairs, branches : int
        Number of compared pairs, and number of enumerated outcomes of the coins.
    cut : arb
        An upper bound on the probability of the outcomes that were not explored.
    attaining : (pair, PrivacyLoss)
        The pair that attains the measured delta(epsilon), and its privacy loss.
    """

    measured: arb
    least_epsilon: arb
    enough_epsilon: arb
    pair: tuple[Any, Any]
    event: tuple[Any, ...]
    loss: PrivacyLoss[Any] = field(repr=False, compare=False)
    pairs: int
    branches: int
    cut: arb
    attaining: tuple[tuple[Any, Any], PrivacyLoss[Any]] = field(repr=False, compare=False)

    def at_measured(self, resolution: Fraction = RESOLUTION) -> PairFinding:
        """Return this finding with the pair that attains the measured delta(epsilon) as `pair`.

        If the measured delta(epsilon) is at most the resolution, all pairs attain it up to
        rounding. Then the finding is not changed.

        Examples
        --------
        The first pair needs no epsilon at delta = 1/10, but it attains the measured delta(1):

        >>> def run(data, coins):
        ...     name, bit = data
        ...     if name == "rare":
        ...         return bit if coins.flip(Fraction(1, 50)) else 2
        ...     return bit ^ coins.flip(Fraction(2, 5))
        >>> pairs = [((name, 0), (name, 1)) for name in ("rare", "often")]
        >>> found = audit(run, pairs, (1, Fraction(1, 10)))
        >>> found.pair[0], found.at_measured().pair[0]
        (('often', 0), ('rare', 0))
        """
        if not midpoint(self.measured) > float(resolution):
            return self
        pair, loss = self.attaining
        direction, event = loss.event(self.epsilon)
        return replace(self, pair=pair, loss=loss, direction=direction, event=event)

    @property
    def blind_spots(self) -> BlindSpots:
        """The parts of the claim that the audit does not test."""
        played = isinstance(self.pair[0], PlayedAdversary)
        noun = ("position of a game", "positions of a game") if played else ("pair", "pairs")
        return BlindSpots(
            f"{plural(self.pairs, *noun)}, {plural(self.branches, 'branch', 'branches')}",
            cut_mass(float_above(self.cut)),
            (SIZES, STRATEGIES if played else NEIGHBOURS, CHANNELS, RANDOMNESS),
        )


def audit(
    run: Run,
    pairs: Iterable[tuple[object, object]],
    claim: Claim,
    *,
    tail: Fraction = TAIL,
    max_branches: int = MAX_BRANCHES,
    resolution: Fraction = RESOLUTION,
) -> PairFinding:
    """Compare the exact output distributions on pairs of neighbouring inputs with a privacy claim.

    Parameters
    ----------
    run : callable
        Function such that ``run(data, coins)`` returns the release, which must be hashable. For a
        `Stepwise` function, the audit composes the distributions of the steps, which is much
        faster.
    pairs : iterable of (data, data)
        Neighbouring inputs, which must be hashable. `neighbouring_pairs` lists the pairs of an
        input space.
    claim : Event or (epsilon, delta)
        Claimed privacy: the ``privacy`` of a mechanism, whose total is computed by basic
        composition, or two numbers.
    tail, max_branches : Fraction, int
        Largest probability that is cut from an infinite distribution, and largest number of
        outcomes of the coins that are enumerated, as in `learners.exact.exact_distribution`.
    resolution : Fraction
        Tolerance. The verdict is "holds" if the upper bound on delta(epsilon) is at most the
        claimed delta plus the tolerance. If the lower bound exceeds the claimed delta, the claim is
        violated. The upper bound includes the probability that is cut from infinite distributions.

    Returns
    -------
    PairFinding

    Raises
    ------
    InvalidInput
        If no pair is given, the claim is out of range, or two computations of a distribution
        differ.
    TooLarge
        If the coins have more than `max_branches` outcomes on an input.

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> found = audit(lambda n, coins: n + coins.laplace(2), [(0, 1), (1, 2)], (half, 0))
    >>> found.verdict
    'holds'
    >>> found = audit(lambda n, coins: n + coins.laplace(1), [(0, 1)], (half, 0))
    >>> found.verdict, found.pair, max(found.event)
    ('violated', (0, 1), 0)
    >>> print(found.measured.str(12, radius=False))
    0.287649136645
    """

    def laws_of() -> Laws:
        if isinstance(run, Stepwise):
            return run.laws(tail=tail, max_branches=max_branches)
        return lambda data: exact_distribution(
            lambda coins: run(data, coins), tail=tail, max_branches=max_branches
        )

    return _audited(laws_of, pairs, claim, resolution)


Laws = Callable[[Any], OutputDistribution[Any]]


def _audited(
    laws_of: Callable[[], Laws],
    pairs: Iterable[tuple[object, object]],
    claim: Claim,
    resolution: Fraction,
) -> PairFinding:
    """Audit the distributions of all pairs for a claim, where `laws_of` makes new explorers."""
    epsilon, delta = checked_claim(claim)
    laws: dict[Hashable, tuple[object, OutputDistribution[Hashable]]] = {}
    explored = laws_of()

    def law_of(data: object) -> OutputDistribution[Hashable]:
        key = distinct(data)
        if key not in laws:
            laws[key] = data, explored(data)
        return laws[key][1]

    losses = [((zero, one), PrivacyLoss(law_of(zero), law_of(one))) for zero, one in pairs]
    if all(distinct(zero) == distinct(one) for (zero, one), _ in losses):
        raise InvalidInput(
            "The audit needs at least one pair of neighbouring inputs that differ. Got none."
        )
    if not isinstance(explored, StepLaws):
        first, law = next(iter(laws.values()))
        require_repeated(probabilities(law), probabilities(laws_of()(first)))
    elif not explored.repeats():
        raise InvalidInput(NOT_REPEATED)
    branches = sum(law.branches for _, law in laws.values())
    return finding(losses, epsilon, delta, branches, checked_resolution(resolution))


def audit_joint(
    run: Callable[[Any, Coins], Sequence[Hashable]],
    inputs: Iterable[Sequence[object]],
    claim: Claim,
    *,
    tail: Fraction = TAIL,
    max_branches: int = MAX_BRANCHES,
    resolution: Fraction = RESOLUTION,
) -> PairFinding:
    """Audit joint differential privacy [KMMNS23, Def 2.5], where each user gets a separate answer.

    For two inputs that differ in the entry of one person, the audit compares the distributions of
    all answers **except this person's answer**.

    Parameters
    ----------
    run : callable
        ``run(data, coins)`` returns one answer for each entry of the data, in their order.
    inputs : iterable of sequence
        Data sets, hashable. All pairs that differ in one entry are compared.
    claim, tail, max_branches, resolution
        The arguments of `audit`.

    Returns
    -------
    PairFinding
        The field `pair` contains two pairs (data, i), where i is the position of the person whose
        entry differs.

    Raises
    ------
    InvalidInput
        If no two inputs differ in one entry, a run returns too many or too few answers, or the
        claim is out of range.
    TooLarge
        If the coins have more than `max_branches` outcomes on an input.

    Examples
    --------
    Each of three households learns whether it uses more water than a third of a noisy total. The
    answer to a household may depend arbitrarily on its own bit:

    >>> from itertools import product
    >>> def bills(data, coins):
    ...     total = sum(data) + coins.laplace(1)
    ...     return tuple(3 * bit > total for bit in data)
    >>> streams = list(product((0, 1), repeat=3))
    >>> audit_joint(bills, streams, (1, 0)).verdict
    'holds'
    >>> audit(bills, neighbouring_pairs(streams), (1, 0)).verdict
    'violated'
    """

    def answered(data: Sequence[object], coins: Coins) -> tuple[Hashable, ...]:
        answers = tuple(run(data, coins))
        if len(answers) != len(data):
            raise InvalidInput(
                f"A run must return one answer per person, {len(data)} in all. Got {len(answers)}."
            )
        return answers

    def laws_of() -> Laws:
        # The distribution of all answers is the same for every omitted person: explore it once.
        known: dict[Hashable, OutputDistribution[tuple[Hashable, ...]]] = {}

        def others(entry: tuple[Sequence[object], int]) -> OutputDistribution[tuple[Hashable, ...]]:
            data, person = entry
            key = distinct(data)
            explored = key in known
            if not explored:
                known[key] = exact_distribution(
                    partial(answered, data), tail=tail, max_branches=max_branches
                )
            law = known[key].map(lambda answers: answers[:person] + answers[person + 1 :])
            return OutputDistribution(law.weights, known[key].tail, 0) if explored else law

        return others

    pairs = []
    for zero, one in neighbouring_pairs(inputs):
        person = next(i for i, (x, y) in enumerate(zip(zero, one, strict=True)) if x != y)
        pairs.append(((zero, person), (one, person)))
    return _audited(laws_of, pairs, claim, resolution)


def finding(
    losses: Losses,
    epsilon: Fraction,
    delta: Fraction,
    branches: int,
    resolution: Fraction,
) -> PairFinding:
    """Return the finding that the losses of some pairs imply for a claim."""
    measured = [loss.delta(epsilon) for _, loss in losses]
    # If no pair exceeds the claim, report the pair that needs the largest epsilon.
    strictest, closest = _strictest(losses, delta)
    most = max(range(len(losses)), key=lambda i: midpoint(measured[i]))
    over = [midpoint(enclosure) if enclosure > ball(delta) else 0.0 for enclosure in measured]
    if max(over):
        worst = over.index(max(over))
    elif strictest > 0:
        worst = closest
    else:
        worst = most
    pair, loss = losses[worst]
    if midpoint(measured[worst]) > float(resolution):
        direction, event = loss.event(epsilon)
    else:
        direction, event = loss.witness()
    with ctx.workprec(PRECISION):
        largest, cut = arb(0), arb(0)
        for enclosure, (_, each) in zip(measured, losses, strict=True):
            largest, cut = largest.max(enclosure), cut.max(each.cut)
    return PairFinding(
        epsilon,
        delta,
        verdict_of(largest, delta, resolution),
        direction,
        largest,
        strictest,
        _enough(losses, delta + resolution),
        pair,
        event,
        loss,
        len(losses),
        branches,
        cut,
        losses[most],
    )


def _strictest(losses: Losses, delta: Fraction) -> tuple[arb, int]:
    """The largest lower bound on the least epsilon at this delta, and the number of its pair."""
    largest, at = arb(0), 0
    for i, (_, loss) in enumerate(losses):
        # A pair that is close enough at the largest bound so far cannot raise it.
        if delta and not loss.delta(fraction(largest.lower())) > ball(delta):
            continue
        bound = loss.epsilon(delta)
        if not bound > largest:
            continue
        if midpoint(bound) > midpoint(largest) * (1 + 1e-9):  # else it is the same but for rounding
            at = i
        largest = bound
        if not largest.is_finite():
            break
    return largest, at


def _enough(losses: Losses, delta: Fraction) -> arb:
    """Return an upper bound on the least epsilon at this delta, over all pairs."""
    largest = arb(0)
    for _, loss in losses:
        largest = loss.enough(delta, least=fraction(largest.upper()))
        if not largest.is_finite():
            break
    return largest


def fraction(exact: arb) -> Fraction:
    """Return the value of a ball of radius 0."""
    mantissa, exponent = exact.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
