"""ConfidentWinnow and DP-Winnow [BF25, Alg 4.1 and 4.2], transcribed expert by expert."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
from flint import arb, ctx

from learners.balls import ball
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.coins import Coins
from learners.exact import PRECISION, exact_distribution
from learners.playing.features import Literals
from learners.winnow.algorithm import DPWinnow
from learners.winnow.confident import ConfidentWinnow

CONFIDENT = Claim(
    "predictions of ConfidentWinnow, and decisions whether they are sure, that differ from its "
    "transcription, for all examples and requests",
    "0",
    "==",
    source="[BF25, Alg 4.1]",
    falsified="without requested updates",
    incorrect_object=True,
)
PRIVATE = Claim(
    "distance between the hypotheses of dp_winnow and of its transcription",
    "10^-4",
    source="[BF25, Alg 4.2]",
    falsified="with the last mistakes of a phase in place of the first",
    incorrect_object=True,
)

Example = tuple[tuple[int, ...], int]
Released = tuple[tuple[int, tuple[int, ...]], ...]
"""For each hypothesis: the round after which it begins, and the number of votes of each expert."""


@recomputes(CONFIDENT)
def confident(d: int, rounds: int) -> Iterator[Outcome]:
    """Check `ConfidentWinnow` against a transcription of [BF25, Alg 4.1].

    The check enumerates all sequences of examples and requests, without bias and negations.
    """
    rho, c, eta = Fraction(1), Fraction(1, 3), Fraction(2, 9)
    learner = ConfidentWinnow(Literals(d), rho, c, eta, bias=False, balanced=False)
    points, wrong = list(product((0, 1), repeat=d)), {True: 0, False: 0}

    def product_of(w: Sequence[arb], x: Sequence[int]) -> arb:
        return sum((weight * (2 * e - 1) for weight, e in zip(w, x, strict=True)), arb(0))

    def play(state: ConfidentWinnow, w: list[arb], left: int, requests: bool) -> None:
        for x in points:
            value = product_of(w, x)
            label = int(not value < 0)
            sure = not abs(value) < ball(c * rho)
            wrong[requests] += state.predict(x) != label or state.is_sure(x) != sure
            for y, b in product((0, 1), repeat=2) if left else ():
                after = w
                if label != y or (not sure and b and requests):
                    grown = [
                        weight * (ball(eta) * (2 * y - 1) * (2 * e - 1)).exp()
                        for weight, e in zip(w, x, strict=True)
                    ]
                    after = [weight / sum(grown, arb(0)) for weight in grown]
                play(state.observe(x, y, bool(b)), after, left - 1, requests)

    with ctx.workprec(PRECISION):
        for requests in (True, False):
            play(learner, [arb(1) / d] * d, rounds, requests)
    yield compare(
        CONFIDENT,
        f"d={d}, T={rounds}, rho={rho}, c={c}, eta={eta}",
        computed=wrong[True],
        stated=0,
        twin=wrong[False],
    )


def transcribed(
    learner: DPWinnow, stream: Sequence[Example], coins: Coins, *, last: bool = False
) -> Released:
    """Return the hypotheses of [BF25, Alg 4.2] with the corrections of `DPWinnow`.

    Parameters
    ----------
    learner : DPWinnow
        Learner with the parameters of the run.
    stream : sequence of (point, label)
        Examples of the game.
    coins : Coins
        Source of the random draws.
    last : bool
        Whether an update uses the last mistakes of a phase in place of the first.
    """

    def experts_of(x: Sequence[int]) -> list[int]:
        z = [2 * e - 1 for e in x] + [1] * learner.bias
        return z + [-e for e in z] if learner.balanced else z

    scores = [0] * learner.experts
    votes = [1] * learner.experts
    cache: list[list[int]] = []
    k, released = 0, [(0, tuple(votes))]
    scale = 1 / learner.threshold_epsilon
    noisy, mistakes = learner.threshold + coins.laplace(scale), 0
    for t, (x, y) in enumerate(stream, start=1):
        z = experts_of(x)
        value = sum(v * e for v, e in zip(votes, z, strict=True))
        if (1 if value >= 0 else -1) != 2 * y - 1:
            cache.append([(2 * y - 1) * e for e in z])
            mistakes += 1
        if k < learner.updates and coins.at_least(mistakes, scale, noisy):
            for step in cache[-learner.batch :] if last else cache[: learner.batch]:
                scores = [s + e for s, e in zip(scores, step, strict=True)]
            drawn = Counter(coins.pick(scores, learner.rate) for _ in range(learner.draws))
            votes = [drawn[j] for j in range(learner.experts)]
            k, cache, mistakes = k + 1, [], 0
            released.append((t, tuple(votes)))
            if k < learner.updates:
                noisy = learner.threshold + coins.laplace(scale)
    return tuple(released)


def released(learner: DPWinnow, stream: Sequence[Example], coins: Coins) -> Released:
    """Return the hypotheses of the production code, in the form of `transcribed`."""
    X, y = np.array([x for x, _ in stream], dtype=bool), np.array([y for _, y in stream])
    phases = learner.run(X, y, coins).phases
    return tuple((phase.start, tuple(phase.votes.array.tolist())) for phase in phases)


@recomputes(PRIVATE)
def private(updates: int) -> Iterator[Outcome]:
    """Check `DPWinnow` against a transcription of [BF25, Alg 4.2].

    The stream has two examples, on which the first hypothesis errs in different ways.
    """
    learner = DPWinnow(
        *(Literals(2), Fraction(1, 16), updates, 1, 1, Fraction(3, 2)), bias=False, balanced=False
    )
    stream: list[Example] = [((1, 0), 0), ((0, 1), 0)]
    tail = Fraction(1, 2**18)
    law = exact_distribution(partial(released, learner, stream), tail=tail)

    def distance(last: bool) -> arb:
        other = exact_distribution(partial(transcribed, learner, stream, last=last), tail=tail)
        gaps = (abs(law.get(o, arb(0)) - other.get(o, arb(0))) for o in {*law, *other})
        return sum(gaps, arb(0)) / 2

    with ctx.workprec(PRECISION):
        right, wrong = map(distance, (False, True))
    yield compare(
        PRIVATE,
        f"K={updates}, m=1, L=1, T=2, two experts",
        computed=right.upper(),
        stated=Fraction(1, 10**4),
        twin=wrong,
        privacy=learner.privacy,
    )


def checks(topic: str) -> list[ClaimCheck]:
    """Return the checks, under the name of a topic."""
    return [ClaimCheck(topic, confident, (2, 2)), ClaimCheck(topic, private, (2,))]
