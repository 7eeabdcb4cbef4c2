"""Exact checks of the lemmas on trees, matchings and coins of `docs/merging.md`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, factorial

from flint import arb

from learners.balls import ball
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.merging.evidence.small_classes import AllClasses
from learners.merging.version_spaces import TableNodes
from lsclasses.table import Table

PAGE = "docs/merging.md, "

LEAVES = Claim(
    "leaves of Ldim >= t of a tree of depth b over a class of Ldim D",
    "the sum of C(b, j) over j <= D - t",
    source=f"{PAGE}Lemma L2",
    falsified="the sum over j < D - t",
    drops="the last binomial coefficient",
)
ANCHOR = Claim(
    "f(W, t - 1) of a class with f(W, t) <= b and without an m-irreducible subclass of Ldim t",
    "b + m",
    source=f"{PAGE}Lemma L3",
    falsified="b + m - 1",
    drops="the last query",
)
CAPTURE = Claim(
    "trees of depth <= m - 1 without a t-leaf whose SOA is the SOA of an m-irreducible subclass",
    "0",
    relation="==",
    source=f"{PAGE}Lemma L4",
    falsified="trees of depth <= m",
)
MERGE = Claim(
    "f(W, t - 1) of a merged class whose lists share no function that W does not refute",
    "2b + 1",
    source=f"{PAGE}Lemma L5",
    falsified="2b",
    drops="the 1",
)
PRODUCTION = Claim(
    "merged pairs that are not ready and share no unpublished function",
    "0",
    relation="==",
    source=f"{PAGE}Lemma L5",
    falsified="if merged nodes need no mistake of the published function",
    incorrect_object=True,
)
PLAIN = Claim(
    "pairs of mistakes with different SOAs and |W| >= 3, for Ldim 2",
    "0",
    relation="==",
    source=f"{PAGE}Dimension 2",
    falsified="|W| >= 2",
)
MATCHING = Claim(
    "P[at least mu + t pairs share a function of FF], largest share of the bound",
    "exp(-t^2/(4 mu + 2 t))",
    source=f"{PAGE}Lemma L6",
    falsified="exp(-t^2/(4 mu))",
    drops="the term 2 t",
)
COINS = Claim(
    "P[the (t2+1)-st tail comes before the (t1+1)-st head]",
    "P[Bin(t1 + t2 + 1, 1/2) <= t1]",
    relation="==",
    source=f"{PAGE}Lemma L9",
    falsified="P[Bin(t1 + t2 + 1, 1/2) <= t1 - 1]",
    drops="the last term of the sum",
)
SHIFT = Claim(
    "largest p(t1 - 1, t2 - 1)/p(t1, t2) for t1 <= t2",
    "1",
    source=f"{PAGE}Lemma L9",
    falsified="p(t1 - 1, t2 - 1)/p(t1, t2 + 1)",
    drops="the equal shift",
)


# ---- trees


@recomputes(LEAVES)
def leaves(points: int, depth: int) -> Iterator[Outcome]:
    """Check the bound on the number of leaves of large dimension of a tree (Lemma L2).

    The check covers all trees over all classes, and counts the leaves of each dimension.
    """
    classes = AllClasses(points)
    for t in range(2):
        most: dict[int, int] = {}
        for V in range(1, classes.whole + 1):
            # A tree over V has the subclasses of V at its leaves.
            found = max(
                sum(classes.ldim(leaf) >= t for leaf in tree) for tree in classes.trees(V, depth)
            )
            most[classes.ldim(V)] = max(found, most.get(classes.ldim(V), 0))
        # The whole sum is 2^b from D = t + b on, which every tree satisfies.
        largest = t + depth - 1
        yield compare(
            LEAVES,
            f"all classes on {points} points, b={depth}, t={t}, D={largest}",
            computed=most[largest],
            stated=sum(comb(depth, j) for j in range(largest - t + 1)),
            false=sum(comb(depth, j) for j in range(largest - t)),
        )


@recomputes(ANCHOR)
def anchor(points: int) -> Iterator[Outcome]:
    """Check the bound b + m on f(W, t - 1) for classes W without an anchor (Lemma L3).

    An *anchor* is an m-irreducible subclass of Littlestone dimension t. The check covers all
    classes W, and all b, t and m for which no anchor exists.
    """
    classes, excess = AllClasses(points), -points
    for W in range(1, classes.whole + 1):
        for t in range(classes.ldim(W) + 1):
            b = classes.depth(W, t)
            for m in range(1, points + 1):
                if not any(
                    classes.ldim(V) == t and classes.irreducible(V, m)
                    for V in classes.subclasses(W)
                ):
                    found = classes.depth(W, t - 1) if t else points + 1
                    excess = max(excess, found - b - m)
    yield compare(
        ANCHOR,
        f"all classes on {points} points, largest excess over b + m",
        computed=excess,
        stated=0,
        false=-1,
    )


@recomputes(CAPTURE)
def capture(points: int, m: int) -> Iterator[Outcome]:
    """Check that shallow trees have a leaf with the SOA of an irreducible subclass (Lemma L4).

    Check all m-irreducible subclasses of all classes, with all trees of depth m - 1 and m.
    """
    classes = AllClasses(points)

    def missing(depth: int) -> int:
        lists = {
            (U, t): classes.lists(U, t, depth)
            for U in range(1, classes.whole + 1)
            for t in range(3)
        }
        return sum(
            classes.soa(V) not in rules
            for U in range(1, classes.whole + 1)
            for V in classes.subclasses(U)
            if classes.irreducible(V, m)
            for rules in lists[U, classes.ldim(V)]
        )

    yield compare(
        CAPTURE,
        f"all classes on {points} points, m={m}",
        computed=missing(m - 1),
        stated=0,
        twin=missing(m),
        changed=(m, m + 1),
    )


@recomputes(MERGE)
def merge(points: int, depth: int) -> Iterator[Outcome]:
    """Check the tree depth 2b + 1 of merged classes without a shared function (Lemma L5).

    Check all pairs of classes with all their trees, and all subclasses W of both.
    """
    classes = AllClasses(points)
    largest = 0
    for t in range(1, points):
        above: dict[int, set[frozenset[int]]] = {}
        for V in range(1, classes.whole + 1):
            for rules in classes.lists(V, t, depth):
                for W in classes.subclasses(V):
                    above.setdefault(W, set()).add(rules)
        for W, several in above.items():
            found = classes.depth(W, t - 1)
            if found > largest:
                known = classes.refuted(W)
                pairs = combinations_with_replacement(several, 2)
                if any(one & other <= known for one, other in pairs):
                    largest = found
    yield compare(
        MERGE,
        f"all pairs of classes on {points} points, b={depth}",
        computed=largest,
        stated=2 * depth + 1,
        false=2 * depth,
    )


@recomputes(PRODUCTION)
def production(points: int, dimension: int, classes: int) -> Iterator[Outcome]:
    """Check that merged pairs are ready or share an unpublished function (Lemma L5).

    Check pairs of nodes of random classes, with the learner's lists and published functions.

    The learner's code computes readiness and lists. The comparison takes the mistakes of the
    published functions from all points.
    """
    rng = random.Random(dimension)

    def wrong(with_mistake: bool) -> int:
        found = 0
        for _ in range(classes):
            rows = rng.sample(range(1 << points), rng.randint(1 << dimension, 3 << dimension))
            table = Table([[row >> x & 1 for x in range(points)] for row in rows])
            nodes = TableNodes(table, dimension)
            level = rng.randint(1, dimension - 1)
            for _ in range(4):
                found += _unexplained(nodes, rng, level, with_mistake)
        return found

    yield compare(
        PRODUCTION,
        f"{classes} random classes on {points} points, d={dimension}",
        computed=wrong(True),
        stated=0,
        twin=wrong(False),
    )


def _unexplained(nodes: TableNodes, rng: random.Random, level: int, with_mistake: bool) -> bool:
    """Return whether a random merge is not ready without a common unpublished function."""
    points = nodes.concept_class.domain.size or 0

    def sample(count: int) -> list[tuple[int, int]]:
        return [(rng.randrange(points), rng.randrange(2)) for _ in range(count)]

    pair = [nodes.node(sample(level)) for _ in range(2)]
    lists = [nodes.list_of(node, level) for node in pair]
    if lists[0] is None or lists[1] is None:
        return False
    common = set(lists[0]) & set(lists[1])
    published = {rule for rule in common if rng.randrange(2)}
    mistakes = []
    for rule in published if with_mistake else ():
        x = rng.randrange(points)
        mistakes.append((x, 1 - (rule >> x & 1)))
    merged = nodes.meet([*pair, nodes.node(mistakes)])
    unpublished = common - published
    empty = merged == 0
    return not empty and not unpublished and nodes.list_of(merged, level + 1) is None


@recomputes(PLAIN)
def plain_words(points: int) -> Iterator[Outcome]:
    """Check that two mistakes with different SOAs leave at most two concepts, for Ldim 2.

    Check all classes of Ldim at most 2 on a few points, and all pairs of their SOAs' mistakes.
    """
    classes = AllClasses(points)

    def different(least: int) -> int:
        found = 0
        for H in range(1, classes.whole + 1):
            if classes.ldim(H) != 2:
                continue
            rule = classes.soa(H)
            left = {classes.side(H, x, 1 - (rule >> x & 1)) for x in classes.points} - {0}
            found += sum(
                (V & U).bit_count() >= least and classes.soa(V) != classes.soa(U)
                for V in left
                for U in left
            )
        return found

    yield compare(
        PLAIN,
        f"all classes of Ldim 2 on {points} points",
        computed=different(3),
        stated=0,
        twin=different(2),
        changed=(3, 2),
    )


# ---- matchings


def matchings(nodes: tuple[int, ...]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield all perfect matchings of an even number of nodes."""
    if not nodes:
        yield ()
        return
    first, *rest = nodes
    for i, partner in enumerate(rest):
        for others in matchings((*rest[:i], *rest[i + 1 :])):
            yield ((first, partner), *others)


@recomputes(MATCHING)
def matching(size: int) -> Iterator[Outcome]:
    """Check the tail bound on the number of pairs that share a function (Lemma L6).

    Check all colourings of the nodes. Each node has a list of one function or no list.
    """
    # No colouring of few nodes refutes the false variant, but one function at many nodes does.
    yield from one_function(30, 2)
    worst: tuple[Fraction, arb, str] | None = None
    every = list(matchings(tuple(range(size))))
    g = size // 2
    for colours in _colourings(size):
        shared = [sum(colours[i] == colours[j] > 0 for i, j in pairs) for pairs in every]
        mu = Fraction(sum(g * colours.count(p) ** 2 for p in set(colours) if p), size**2)
        for least in range(1, g + 1):
            t = least - mu
            if t <= 0:
                continue
            chance = Fraction(sum(number >= least for number in shared), len(every))
            bound = (-ball(t * t / (4 * mu + 2 * t))).exp()
            if worst is None or ball(chance) / bound > ball(worst[0]) / worst[1]:
                worst = chance, bound, f"{colours}, mu={mu}, t={t}"
    assert worst is not None
    chance, bound, where = worst
    yield compare(
        MATCHING,
        f"{size} nodes, all colourings, the largest share at {where}",
        computed=chance,
        stated=bound,
    )


@recomputes(MATCHING)
def one_function(g: int, holders: int) -> Iterator[Outcome]:
    """Check the tail bound of Lemma L6 for lists of one function.

    Count the pairs of nodes with one function, if some of 2g nodes hold the function.
    """
    others = 2 * g - holders

    def chance(pairs: int) -> Fraction:
        """Return the share of matchings with a number of pairs of holders."""
        single = holders - 2 * pairs
        if not 0 <= single <= others:
            return Fraction(0)
        inside = factorial(holders) // (2**pairs * factorial(pairs) * factorial(single))
        mixed = factorial(others) // factorial(others - single)
        rest = _matchings(others - single)
        return Fraction(inside * mixed * rest, _matchings(2 * g))

    mu = Fraction(g * holders**2, 4 * g * g)
    for least in range(1, holders // 2 + 1):
        t = least - mu
        if t <= 0:
            continue
        tail = sum((chance(pairs) for pairs in range(least, holders // 2 + 1)), Fraction(0))
        yield compare(
            MATCHING,
            f"{2 * g} nodes, {holders} with one function, mu={mu}, t={t}",
            computed=tail,
            stated=(-ball(t * t / (4 * mu + 2 * t))).exp(),
            false=(-ball(t * t / (4 * mu))).exp(),
        )


def _matchings(nodes: int) -> int:
    """Return the number of perfect matchings of an even number of nodes."""
    pairs = nodes // 2
    return factorial(nodes) // (factorial(pairs) << pairs)


def _colourings(size: int) -> Iterator[tuple[int, ...]]:
    """Yield the colourings of nodes up to the order of nodes and colours, 0 for no function."""

    def parts(left: int, most: int) -> Iterator[tuple[int, ...]]:
        yield ()
        for first in range(min(left, most), 0, -1):
            for rest in parts(left - first, first):
                yield (first, *rest)

    for counts in parts(size, size):
        colours = tuple(c for c, count in enumerate(counts, start=1) for _ in range(count))
        yield colours + (0,) * (size - len(colours))


# ---- coins


def tail_first(t1: int, t2: int) -> Fraction:
    """Return the probability that the (t2+1)-st tail comes before the (t1+1)-st head."""
    # The last toss is the tail number t2 + 1, after j <= t1 heads and t2 tails.
    return sum((Fraction(comb(t2 + j, j), 1 << (t2 + j + 1)) for j in range(t1 + 1)), Fraction(0))


@recomputes(COINS, SHIFT)
def coins(most: int) -> Iterator[Outcome]:
    """Check the probability that tails win against heads, and its shift (Lemma L9).

    Check all pairs t1 <= t2 below a bound, by the number of heads before the tail.
    """
    t1, t2 = most // 3, most - 1
    tosses = t1 + t2 + 1
    exact = Fraction(sum(comb(tosses, i) for i in range(t1 + 1)), 1 << tosses)
    yield compare(
        COINS,
        f"t1={t1}, t2={t2}",
        computed=tail_first(t1, t2),
        stated=exact,
        false=exact - Fraction(comb(tosses, t1), 1 << tosses),
    )
    pairs = [(one, two) for two in range(1, most) for one in range(1, two + 1)]

    def largest(more: int) -> Fraction:
        return max(tail_first(a - 1, b - 1) / tail_first(a, b + more) for a, b in pairs)

    yield compare(SHIFT, f"all t1 <= t2 < {most}", computed=largest(0), stated=1, twin=largest(1))


def checks(topic: str) -> list[ClaimCheck]:
    """Return the checks of the lemmas, small instances first."""
    return [
        ClaimCheck(topic, leaves, (3, 2)),
        ClaimCheck(topic, anchor, (2,)),
        ClaimCheck(topic, anchor, (3,)),
        ClaimCheck(topic, capture, (2, 1)),
        ClaimCheck(topic, capture, (3, 2)),
        ClaimCheck(topic, merge, (3, 0)),
        ClaimCheck(topic, merge, (3, 1)),
        ClaimCheck(topic, production, (4, 2, 60)),
        ClaimCheck(topic, production, (5, 3, 40)),
        ClaimCheck(topic, plain_words, (3,)),
        ClaimCheck(topic, matching, (6,)),
        ClaimCheck(topic, coins, (16,)),
        ClaimCheck(topic, one_function, (200, 10), slow=True),
        ClaimCheck(topic, matching, (8,), slow=True),
        ClaimCheck(topic, matching, (10,), slow=True),
        ClaimCheck(topic, coins, (40,), slow=True),
        ClaimCheck(topic, plain_words, (4,), slow=True),
        ClaimCheck(topic, production, (4, 2, 4000), slow=True),
        ClaimCheck(topic, production, (6, 3, 1000), slow=True),
        ClaimCheck(topic, production, (6, 4, 200), slow=True),
    ]
