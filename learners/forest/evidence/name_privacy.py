"""Privacy of [GL21, Alg 1 and 2] at epsilon <= 2, by closed forms of the output distributions.

A name changes only after a histogram released another name. So an audit at a small epsilon needs
lists with tens of items. The enumeration of all noises of such runs takes minutes. The closed form
takes a fraction of a second: given the noise of the threshold, the answers of the test are
independent, and so are the counts of a histogram.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import Any

from flint import arb, ctx

import catalog
from learners.accounting import basic
from learners.audit import RESOLUTION, PairFinding, PrivacyLoss
from learners.audit.audit_registry import RESOLUTION as LEAST
from learners.audit.audit_registry import instance
from learners.audit.losses import Losses
from learners.audit.pairs import finding
from learners.balls import ball, log
from learners.claim_checks import Claim, ClaimCheck, Outcome, audit_outcome, compare, recomputes
from learners.coins import Coins, SeededCoins
from learners.exact import PRECISION, OutputDistribution, exact_distribution
from learners.forest.evidence.instances import FirstMistake, FixedCoinsRerun, fixed_rerun
from learners.forest.plan import ForestParameters
from learners.mechanisms.hist_sparse import HistSparse, HistSparseRun
from learners.mechanisms.noise import tail
from lsclasses.domain import FiniteDomain
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Hypothesis
from lsclasses.online import MistakeBounded

Counts = Mapping[Any, int]
Example = tuple[int, int]

PUBLISHED = Claim(
    "privacy of the published hypotheses, given the leaves and the guesses",
    "(epsilon, delta)",
    source="learners.forest.algorithm, for [GL21, Lemma A.1]",
    statements=("GL21 Lemma A.1", "GL21 Alg 1", "GL21 Thm 4.1"),
    falsified="(epsilon/2, delta)",
)
NAMED = Claim(
    "privacy of the names of lists that differ in one item each",
    "(epsilon, delta)",
    source="learners.mechanisms.hist_sparse, for [GL21, Lemma 5.3]",
    statements=("GL21 Lemma 5.3", "GL21 Alg 2"),
    falsified="(epsilon/2, delta)",
)
FRESH = Claim(
    "m fresh forests of (epsilon', delta'): least epsilon at m delta' for all adversaries who "
    "choose each example after the published names",
    "m epsilon'",
    source="learners.forest.rerun, for [GL21, Thm 4.2]",
    falsified="m epsilon'/2",
)
LISTED = Claim(
    "longest of the halved lists for which P[a name is rare, or a frequent name is replaced] "
    "exceeds 2 beta",
    "8 c (ln T + ln(2 c/beta))/(alpha epsilon), alpha = eta/32",
    source="[GL21, Lemma 5.3], (3) and (4)",
    statements=("GL21 Lemma 5.3", "GL21 Alg 2"),
    falsified="8 c (ln T + ln(2 c/beta))/epsilon",
    drops="1/alpha",
)
TESTED = Claim(
    "privacy of Above-threshold for opposite queries",
    "(epsilon, 0)",
    source="[GL21, Thm A.7]",
    statements=("GL21 Thm A.7", "GL21 Alg 3"),
    falsified="(epsilon/2, 0)",
)
CODE = Claim(
    "distance between the names by hist_sparse and by its transcription, c = 2",
    "10^-4",
    source="[GL21, Alg 2]",
    falsified="with half of the noise of the queries",
)

POINTS = catalog.build("points:n=2").to_table()
LEAVES = 8
"""Number of leaves k_1 of a tree with fixed choices."""
CUT = Fraction(1, 2**36)
"""Probability below which the distributions of tests are cut."""
REACH = 20
"""Number of scales beyond which noise is cut. The cut probability is about 10^-9."""


# ---- [GL21, Alg 2] with two histograms


@dataclass(frozen=True)
class NoisyCounts:
    """A stable histogram of at most two items, of which only the most frequent item is released.

    Attributes
    ----------
    scale : Fraction
        Scale of the noise of every count.
    listed : int
        Least noisy count that is released.
    """

    scale: Fraction
    listed: int

    def searched(self, counts: Counts, old: Hashable) -> dict[Hashable, arb]:
        """Return the distribution of the most frequent item, or `old` if no item is released."""
        items = [(name, count) for name, count in counts.items() if name is not None and count]
        if len(items) > 2:
            raise InvalidInput(f"The lists must have at most two different names. Got {counts!r}.")
        names = {name: self._largest(items, place) for place, (name, _) in enumerate(items)}
        names[old] = names.get(old, arb(0)) + 1 - sum(names.values(), arb(0))
        return names

    def _largest(self, items: Sequence[tuple[Hashable, int]], place: int) -> arb:
        """Return P[this noisy count is listed and the largest], where a coin decides ties."""
        scale, (_, count) = self.scale, items[place]
        others = [number for i, (_, number) in enumerate(items) if i != place]
        if not others:
            return tail(scale, self.listed - count)
        (other,) = others
        total = arb(0)
        last = max(self.listed, count, other) + int(REACH * scale)
        for noisy in range(self.listed, last):
            mine = tail(scale, noisy - count) - tail(scale, noisy + 1 - count)
            above = tail(scale, noisy - other), tail(scale, noisy + 1 - other)
            total += mine * (1 - (above[0] + above[1]) / 2)
        return total


@dataclass(frozen=True)
class TwoSearches:
    """[GL21, Alg 2] with c = 2: a histogram, a test, and a second histogram.

    Attributes
    ----------
    size : int
        Number k of items of a list.
    rare : int
        Least number of items without the name for which the name counts as rare.
    threshold_scale, query_scale : Fraction
        Scales of the noises of the test.
    histogram : NoisyCounts
        Both histograms.
    """

    size: int
    rare: int
    threshold_scale: Fraction
    query_scale: Fraction
    histogram: NoisyCounts

    @classmethod
    def of(cls, epsilon: Fraction, eta: Fraction, size: int, listed: int) -> TwoSearches:
        """Return the run with the noises of the paper, sigma = 2c/(k epsilon) for frequencies."""
        sigma = 4 / epsilon
        rare = ceil(size * (1 - 3 * eta / 32))
        # A histogram has epsilon/(2c). One changed person changes two of its counts.
        return cls(size, rare, sigma, 2 * sigma, NoisyCounts(8 / epsilon, listed))

    def names(self, lists: Sequence[Counts], before: Hashable) -> OutputDistribution[Hashable]:
        """Return the distribution of the published names.

        Parameters
        ----------
        lists : sequence of mapping
            Number of items with each name. The key None counts items without a name.
        before : hashable
            Name that is published until a histogram releases a name.
        """
        reach = int(REACH * self.threshold_scale)
        start = {
            noise: tail(self.threshold_scale, noise) - tail(self.threshold_scale, noise + 1)
            for noise in range(-reach, reach + 1)
        }
        found: dict[Hashable, arb] = {}

        def add(outcome: Hashable, weight: arb) -> None:
            found[outcome] = found.get(outcome, arb(0)) + weight

        for first, chance in self.histogram.searched(lists[0], None).items():
            alive = {noise: weight * chance for noise, weight in start.items()}
            published = before if first is None else first
            for time, counts in enumerate(lists[1:], 1):
                others = self.size - counts.get(first, 0) * (first is not None)
                ended = arb(0)
                for noise, weight in alive.items():
                    reached = weight * tail(self.query_scale, self.rare + noise - others)
                    ended += reached
                    alive[noise] = weight - reached
                for second, share in self.histogram.searched(counts, published).items():
                    changed = second != published
                    add((published, time, second) if changed else published, ended * share)
            add(published, sum(alive.values(), arb(0)))
        cut = 1 - sum(found.values(), arb(0))
        return OutputDistribution.of(found, tail=cut.nonnegative_part().upper())


def audited(
    run: TwoSearches,
    pair: tuple[Sequence[Counts], Sequence[Counts]],
    before: Hashable,
    claim: tuple[Fraction, Fraction],
) -> PairFinding:
    """Return the audit of a pair of sequences of lists for a claim."""
    with ctx.workprec(PRECISION):
        laws = [run.names(lists, before) for lists in pair]
        losses: Losses = [(pair, PrivacyLoss(*laws))]
        return finding(losses, *claim, sum(law.branches for law in laws), RESOLUTION)


def changed_items(one: Counts, other: Counts) -> int:
    """Return the number of items in which two lists of one length differ."""
    names = {*one, *other}
    return sum(max(0, one.get(name, 0) - other.get(name, 0)) for name in names)


def wrong(outcome: Hashable, lists: Sequence[Counts], size: int, eta: Fraction) -> bool:
    """Return whether a sequence of names violates [GL21, Lemma 5.3], by an outcome of `names`."""
    first, time, second = outcome if isinstance(outcome, tuple) else (outcome, len(lists), None)

    def share(name: Hashable, t: int) -> Fraction:
        return Fraction(lists[t].get(name, 0), size)

    if any(share(first, t) < eta / 16 for t in range(time)):
        return True
    return time < len(lists) and (share(first, time) > eta / 8 or share(second, time) < eta / 4)


@recomputes(LISTED)
def listed(epsilon: Fraction, delta: Fraction, beta: Fraction) -> Iterator[Outcome]:
    """Check the accuracy of the names of [GL21, Alg 2], on lists whose frequent name changes."""
    eta, rounds = Fraction(1, 2), 3

    def lists(size: int) -> list[Counts]:
        few = size // 8 + 1
        return [{"a": size}, {"a": few, "b": size - few}, {"b": size}]

    def fails(size: int) -> bool:
        mechanism = HistSparse(epsilon, delta, eta, 2, size, paper_constants=True)
        run = TwoSearches.of(epsilon, eta, size, mechanism.histogram.threshold)
        law = run.names(lists(size), None)
        bad = law.probability(lambda outcome: wrong(outcome, lists(size), size, eta))
        return bool(bad > ball(2 * beta))

    with ctx.workprec(PRECISION):
        noise = 16 * (log(rounds) + log(4 / beta)) / ball(epsilon)
        stated = noise * 32 / ball(eta)
        size = int(float(stated))
        longest = next(k for i in range(size.bit_length()) if fails(k := size >> i))
        yield compare(
            LISTED,
            f"epsilon={epsilon}, delta={delta}, eta={eta}, beta={beta}, c=2, T={rounds}",
            computed=longest,
            stated=stated,
            false=noise,
            privacy=(epsilon, delta),
            hypotheses={
                "some item of every list has frequency at least eta": all(
                    max(counts.values()) >= eta * size for counts in lists(size)
                ),
            },
        )


@recomputes(CODE)
def coded(epsilon: Fraction, delta: Fraction, size: int) -> Iterator[Outcome]:
    """Compare `hist_sparse` with a transcription of [GL21, Alg 2], on lists with one name each."""
    eta, few = Fraction(1, 2), size // 8
    mechanism = HistSparse(epsilon, delta, eta, 2, size, paper_constants=True)
    lists: list[Counts] = [{"a": size}, {"a": few, None: size - few}, {"b": size}, {"b": size}]
    laws: OutputDistribution[Any] = exact_distribution(lambda coins: (mechanism.start(coins), ()))
    for counts in lists:

        def step(
            state: tuple[HistSparseRun, tuple[Any, ...]], coins: Coins, seen: Counts = counts
        ) -> Any:
            name, run = state[0].ask(seen, coins)
            return run, (*state[1], name)

        laws = laws.then(step, tail=Fraction(1, 2**22))
    names = laws.map(lambda state: _changed(state[1]))
    run = TwoSearches.of(epsilon, eta, size, mechanism.histogram.threshold)
    quiet = replace(run, query_scale=run.query_scale / 2)
    apart = []
    for each in (run, quiet):
        law = each.names(lists, None)
        outcomes = {*law, *names}
        gaps = [abs(law.get(o, arb(0)) - names.get(o, arb(0))) for o in outcomes]
        apart.append(sum(gaps, arb(0)) / 2)
    yield compare(
        CODE,
        f"k={size}, epsilon={epsilon}, delta={delta}, T={len(lists)}",
        computed=apart[0].upper(),
        stated=Fraction(1, 10**4),
        twin=apart[1],
        changed=(run.query_scale, quiet.query_scale),
        privacy=(epsilon, delta),
    )


def _changed(names: Sequence[Hashable]) -> Hashable:
    """Return an outcome of `TwoSearches.names` from the names of all lists."""
    time = next((t for t, name in enumerate(names) if name != names[0]), None)
    return names[0] if time is None else (names[0], time, names[time])


@recomputes(TESTED)
def tested(epsilon: Fraction, queries: int) -> Iterator[Outcome]:
    """Check the privacy of Above-threshold [GL21, Alg 3], for queries that change oppositely."""
    built: Any = instance(f"sparse:epsilon={epsilon / 2},reports=2,queries={queries}")
    low = (*(0,) * (queries // 2 - 1), 1) * 2
    pair = low, tuple(1 - number for number in low)
    found = replace(built, pairs=(pair,)).audit(tail=CUT, resolution=LEAST)
    yield audit_outcome(
        TESTED,
        f"c=2, T={queries}",
        found,
        false=Fraction(1, 2),
        hypotheses={
            "queries have sensitivity 1/k": all(
                abs(one - other) <= 1 for one, other in zip(*pair, strict=True)
            ),
        },
    )


# ---- [GL21, Alg 1] with fixed choices


class FixedTree:
    """A tree of [GL21, Alg 1] whose leaves, guesses and choices of pairs are fixed.

    The vertices have the numbers of a heap: the root is 1, the children of v are 2v and 2v + 1.
    All guesses are 1.

    Parameters
    ----------
    base : MistakeBounded
        Starting state of the base learner.
    leaves : int
        Number of leaves, a power of two.
    choices : tuple of Fraction
        Numbers from 0 to 1 that choose among the colliding pairs after each merge.
    """

    def __init__(self, base: MistakeBounded, leaves: int, choices: tuple[Fraction, ...]) -> None:
        self.states = dict.fromkeys(range(leaves, 2 * leaves), base)
        self.choices, self.merges = choices, 0
        self.shown: Hypothesis | None = base.hypothesis.canonical()

    def receive(self, leaf: int, example: Example) -> None:
        """Give an example to the pertinent vertex above a leaf, and merge siblings that differ."""
        vertex = leaf
        while vertex and vertex not in self.states:
            vertex //= 2
        if not vertex:
            return
        self.states[vertex] = self.states[vertex].observe(*example)
        merges = self.merges
        while (sibling := vertex ^ 1) in self.states:
            one, other = self.states[vertex], self.states[sibling]
            x = one.hypothesis.disagreement(other.hypothesis)
            if x is None:
                break
            del self.states[vertex], self.states[sibling]
            vertex //= 2
            self.states[vertex] = (other if one.predict(x) else one).observe(x, 1)
            self.merges += 1
        if self.merges > merges:
            self._choose()

    def _choose(self) -> None:
        pairs = [v for v in sorted(self.states) if v % 2 == 0 and v + 1 in self.states]
        if not pairs:
            self.shown = None
            return
        choice = self.choices[self.merges - 1]
        vertex = pairs[min(int(choice * len(pairs)), len(pairs) - 1)]
        self.shown = self.states[vertex].hypothesis.canonical()


Placed = tuple[int, int, Example]
"""A tree, one of its leaves, and the example that the leaf receives."""


def shown_lists(stream: Sequence[Placed], trees: int, base: MistakeBounded) -> list[Counts]:
    """Return the hypotheses that the trees show before the first and after each example.

    The choices let a tree show the target after two mistakes, the first hypothesis after three, and
    the target after four.
    """
    choices = Fraction(0), Fraction(0), Fraction(1), Fraction(0)
    forest = [FixedTree(base, LEAVES, choices) for _ in range(trees)]
    lists = [Counter(tree.shown for tree in forest)]
    for tree, leaf, example in stream:
        forest[tree].receive(leaf, example)
        lists.append(Counter(each.shown for each in forest))
    return list(lists)


def neighbouring_streams(trees: int, moved: int, repeated: int) -> tuple[list[Placed], ...]:
    """Return two streams whose replaced example reverses the order of two names of one tree.

    The example is a mistake in one stream only. There, the tree of the example shows its first
    hypothesis again, until another mistake makes it show the target. In the other stream, the last
    mistake makes the tree show its first hypothesis.
    """
    mistake, right = (0, 1), (1, 0)
    before: list[Placed] = [(tree, 8, mistake) for tree in range(trees)]
    before += [(tree, 10, mistake) for tree in range(moved)]
    after = [(0, 8, right)] * (repeated - 1) + [(0, 14, mistake)]
    return tuple([*before, (0, 12, example), *after] for example in (right, mistake))


@recomputes(PUBLISHED)
def published(total: Fraction, delta: Fraction, trees: int, repeated: int) -> Iterator[Outcome]:
    """Check the privacy of published hypotheses, for an example that reverses the test's answers.

    The published hypothesis changes at most once, and no later step reads the examples. So adaptive
    adversaries are not stronger than fixed streams.
    """
    eta = Fraction(1, 2)
    # Two thirds of the claimed epsilon are for the test, and a third is for the second histogram.
    epsilon = total * Fraction(4, 3)
    parameters = ForestParameters(LEAVES, trees, eta, 2, epsilon, 2 * delta, paper_constants=True)
    run = TwoSearches.of(epsilon, eta, trees, parameters.names.histogram.threshold)
    base = FirstMistake(FiniteDomain(range(2)))
    streams = neighbouring_streams(trees, run.rare, repeated)
    pair = tuple(shown_lists(stream, trees, base) for stream in streams)
    examples = [[example for _, _, example in stream] for stream in streams]
    yield audit_outcome(
        PUBLISHED,
        f"points:n=2, k_1=8, k_2={trees}, c=2, T={len(streams[0])}",
        audited(run, (pair[0], pair[1]), base.hypothesis.canonical(), basic(parameters.privacy)),
        false=Fraction(1, 2),
        hypotheses={
            "the streams have the same length and differ in one example": len(examples[0])
            == len(examples[1])
            and sum(one != other for one, other in zip(*examples, strict=True)) == 1,
            "leaves": LEAVES & LEAVES - 1 == 0,
            "ldim": POINTS.ldim() == base.mistake_bound,
            "realizable": all(
                any(all(h(x) == y for x, y in each) for h in POINTS) for each in examples
            ),
        },
    )


@recomputes(NAMED)
def named(epsilon: Fraction, delta: Fraction, size: int, repeated: int) -> Iterator[Outcome]:
    """Check the privacy of the names, for lists whose tests change in opposite directions."""
    eta = Fraction(1, 2)
    mechanism = HistSparse(epsilon, delta, eta, 2, size, paper_constants=True)
    run = TwoSearches.of(epsilon, eta, size, mechanism.histogram.threshold)
    fewer, more = ({"a": size - others, "b": others} for others in (run.rare - 1, run.rare))
    half = size // 2
    firsts = [{"a": half + i, "b": size - half - i} for i in (0, 1)]
    pair = [firsts[1], *[fewer] * repeated, more], [firsts[0], *[more] * repeated, fewer]
    yield audit_outcome(
        NAMED,
        f"k={size}, c=2, T={repeated + 2}",
        audited(run, pair, None, basic(mechanism.privacy)),
        false=Fraction(1, 2),
        hypotheses={
            "lists": all(changed_items(*each) <= 1 for each in zip(*pair, strict=True)),
            "some item of every list has frequency at least eta": all(
                max(counts.values()) >= eta * size for lists in pair for counts in lists
            ),
        },
    )


# ---- fresh forests


@dataclass(frozen=True)
class FreshNames:
    """The game of fresh forests against adaptive adversaries, with fixed choices.

    The adversary chooses the mistake (0, 1), which makes another tree show the target, or the
    example (1, 0), which changes no tree. Once, the example differs in the two worlds. The
    adversary observes the published name after each example.

    Attributes
    ----------
    learner : FixedCoinsRerun
        The trees' choices. Every mistake makes another tree show the target.
    histogram : NoisyCounts
        Histogram of the names in every round.
    """

    learner: FixedCoinsRerun
    histogram: NoisyCounts

    @cached_property
    def laws(self) -> list[dict[Hashable, arb]]:
        """The distributions of the name by the number of mistakes."""
        first = self.learner.base.hypothesis.canonical()
        return [
            self.histogram.searched(self.learner._shown(((0, 1),) * moved, NO_COINS), first)
            for moved in range(self.learner.parameters.trees + 1)
        ]

    def delta(self, mistakes: int, rounds: int, epsilon: Fraction) -> arb:
        """Return the largest delta(epsilon) of all adversaries, after some mistakes."""
        start = self._worth(arb(1), arb(1), (mistakes, mistakes), rounds, ball(epsilon).exp())
        return start.nonnegative_part()

    def _worth(self, zero: arb, one: arb, moved: tuple[int, int], rounds: int, factor: arb) -> arb:
        if not rounds:
            return (zero - factor * one).nonnegative_part()
        steps = [(0, 0), (1, 1)] + [(0, 1), (1, 0)] * (moved[0] == moved[1])
        worst = arb(0)
        for step in steps:
            after = moved[0] + step[0], moved[1] + step[1]
            names = [self.laws[min(count, len(self.laws) - 1)] for count in after]
            total = arb(0)
            for name in {**names[0], **names[1]}:
                chances = [law.get(name, arb(0)) for law in names]
                total += self._worth(zero * chances[0], one * chances[1], after, rounds - 1, factor)
            worst = worst.max(total)
        return worst


NO_COINS = SeededCoins(0)
"""Coins that a learner with fixed choices does not use."""


@recomputes(FRESH)
def fresh(epsilon: Fraction, delta: Fraction, trees: int, rounds: int) -> Iterator[Outcome]:
    """Check the epsilon of fresh forests against all adversaries with adaptive last examples."""
    learner = fixed_rerun(epsilon, delta, trees, trees // 2 + rounds)
    game = FreshNames(learner, NoisyCounts(2 / epsilon, learner.parameters.histogram.threshold))
    total, lost = rounds * epsilon, ball(rounds * delta)
    with ctx.workprec(PRECISION):
        low, high = Fraction(0), 2 * total
        while high - low > Fraction(1, 1000):
            middle = (low + high) / 2
            if game.delta(trees // 2 - 1, rounds, middle) <= lost:
                high = middle
            else:
                low = middle
        yield compare(
            FRESH,
            f"points:n=2, k_1=4, k_2={trees}, epsilon'={epsilon}, delta'={delta}, m={rounds}",
            computed=ball(low).union(ball(high)),
            stated=total,
            false=total / 2,
            privacy=(total, rounds * delta),
            hypotheses={
                "ldim": POINTS.ldim() == learner.base.mistake_bound,
                "realizable": any(h(0) == 1 and h(1) == 0 for h in POINTS),
            },
        )


def checks(topic: str) -> list[ClaimCheck]:
    """Return the audits at epsilon = 2 as checks."""
    return [
        ClaimCheck(topic, published, (Fraction(2), Fraction(1, 10**4), 28, 8)),
        ClaimCheck(topic, named, (Fraction(2), Fraction(1, 10**5), 80, 12)),
        ClaimCheck(topic, listed, (Fraction(2), Fraction(1, 100), Fraction(1, 10))),
        ClaimCheck(topic, tested, (Fraction(2), 6)),
        ClaimCheck(topic, coded, (Fraction(2), Fraction(1, 100), 24)),
        ClaimCheck(topic, fresh, (Fraction(1), Fraction(1, 200), 22, 2)),
    ]
