"""What every class in closed form must satisfy, compared with the same class as a table.

The table comes from the family's definition and is searched; nothing that the closed form says
about itself or about a version space is compared with the closed form again.
"""

from __future__ import annotations

import itertools
import pickle
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from catalog.closed_forms.exceptions import GrowingSet
from lsclasses import ConceptClass, Domain, Hypothesis, PatchedHypothesis, Table
from lsclasses.certificates import ShatteredTree
from lsclasses.dimensions import DIMENSIONS
from lsclasses.point_names import Label, Point
from lsclasses.soa import SOA, ConservativeSOA
from lsclasses.stacks import HypothesisStack


def check_all(closed: ConceptClass, table: Table, *, max_states: int = 2000, seed: int = 0) -> None:
    """All checks of this module."""
    check_version_spaces(closed, table, max_states=max_states)
    check_streams(closed, table, seed=seed)
    check_hypotheses(closed, table, seed=seed)
    check_sampling(closed, table, seed=seed)
    left = closed.given(closed.sample_stream(2, seed))
    for made in (closed, left, left.soa()):
        assert pickle.loads(pickle.dumps(made)) == made


def version_spaces(
    closed: ConceptClass, table: Table, max_states: int
) -> Iterator[tuple[ConceptClass, Table]]:
    """Every version space that examples can lead to (or the nearest ones), in both forms.

    On the way it checks that equal version spaces are equal, with equal hashes and descriptions,
    whatever examples led to them, and different ones are not.
    """
    by_concepts = {frozenset(table.row_bits): closed}
    by_class = {closed: frozenset(table.row_bits)}
    descriptions = {repr(closed)}
    queue = [(closed, table)]
    for left, rows in queue:
        for x, y in itertools.product(rows.domain, (0, 1)):
            child, child_rows = left.restrict(x, y), rows.restrict(x, y)
            concepts = frozenset(child_rows.row_bits)
            if concepts in by_concepts:
                known = by_concepts[concepts]
                assert child == known, (child, known)
                assert hash(child) == hash(known), child
                assert repr(child) == repr(known)
                continue
            assert child not in by_class, (child, by_class.get(child), concepts)
            assert repr(child) not in descriptions
            if len(by_class) < max_states:
                by_concepts[concepts] = child
                by_class[child] = concepts
                descriptions.add(repr(child))
                queue.append((child, child_rows))
        yield left, rows


def check_version_spaces(closed: ConceptClass, table: Table, *, max_states: int = 2000) -> None:
    """Size, emptiness, dimensions, SOA labels, table and shattered tree of all version spaces."""
    assert closed.domain == table.domain
    assert table.domain == closed.domain
    assert hash(closed.domain) == hash(table.domain)
    for left, rows in version_spaces(closed, table, max_states):
        assert left.is_empty == rows.is_empty, left
        assert left.size == len(rows), left
        assert left.to_table() == rows, left
        assert left.ldim() == rows.ldim(), left
        _check_dimensions(left, rows)
        if rows.is_empty:
            continue
        rule, searched = left.soa(), rows.soa()
        for x in rows.domain:
            assert rule(x) == left._soa_label(x) == searched(x), (left, x)
        tree = left.shattered_tree()
        assert isinstance(tree, ShatteredTree)
        assert tree.depth == rows.ldim(), left
        tree.verify(left)
        if tree.depth:
            x = left.splitting_point()
            assert min(rows.restrict(x, y).ldim() for y in (0, 1)) == tree.depth - 1, (left, x)


def _check_dimensions(left: ConceptClass, rows: Table) -> None:
    for name, dimension in DIMENSIONS.items():
        value = left._closed_form(name)
        if value is not None:
            assert value == dimension(rows), (left, name)


def check_streams(
    closed: ConceptClass, table: Table, *, length: int = 12, streams: int = 4, seed: int = 0
) -> None:
    """Along random streams, realizable and not, the SOA does the same on both."""
    rng = np.random.default_rng(seed)
    for number in range(streams):
        if number % 2:
            stream = list(closed.sample_stream(length, rng))
            assert not closed.given(stream).is_empty
            assert not table.given(stream).is_empty
        else:
            points = [table.domain.sample(rng) for _ in range(length)]
            stream = [(x, int(rng.integers(2))) for x in points]
        for learner in (SOA, ConservativeSOA):
            _check_stream(learner(closed), learner(table), stream)


def _check_stream(ours: SOA, theirs: SOA, stream: Sequence[tuple[Point, Label]]) -> None:
    for x, y in stream:
        assert ours.predict(x) == theirs.predict(x), (ours, x)
        ours, theirs = ours.observe(x, y), theirs.observe(x, y)
        assert ours.realizable == theirs.realizable, (ours, x, y)
        assert ours.mistake_bound == theirs.mistake_bound, (ours, x, y)
        assert ours.version_space.size == theirs.version_space.size
        assert ours.hypothesis.disagreement(theirs.hypothesis) is None, (ours, x, y)
        assert theirs.hypothesis.disagreement(ours.hypothesis) is None, (ours, x, y)


def check_hypotheses(
    closed: ConceptClass, table: Table, *, max_states: int = 25, seed: int = 0
) -> None:
    """Hypotheses are equal, with equal hashes, iff they agree everywhere; where they do not is
    counted, and the first such point is found, whichever is asked.

    The SOA's rules are taken as they are and changed at random points, as they are after examples
    that no concept fits.
    """
    rng = np.random.default_rng(seed)
    rules = [
        left.soa() for left, rows in version_spaces(closed, table, max_states) if not rows.is_empty
    ]
    patched: list[Hypothesis] = []
    for rule in rules:
        patches = {
            table.domain.sample(rng): int(rng.integers(2)) for _ in range(int(rng.integers(1, 4)))
        }
        patched.append(PatchedHypothesis(rule, patches))
        assert all(patched[-1](x) == patches.get(x, rule(x)) for x in table.domain)
        # The same labelling as some other rule, but for one point or for none.
        other = rules[int(rng.integers(len(rules)))]
        differing = [x for x in table.domain if rule(x) != other(x)]
        patched.append(PatchedHypothesis(rule, {x: other(x) for x in differing}))
        patched.append(PatchedHypothesis(rule, {x: other(x) for x in differing[1:]}))
    concepts = [closed.sample(rng) for _ in range(10)]
    check_stack([*rules, *patched, *concepts, table[0]])
    _check_equality([*rules, *patched], same_kind=True)
    _check_equality(concepts, same_kind=True)
    _check_equality([*rules[:10], *concepts, table[0]], same_kind=False)


def check_stack(hypotheses: Sequence[Hypothesis]) -> None:
    """Stacked, in any order, hypotheses say what each of them says, also as the stack grows."""
    stack = HypothesisStack(hypotheses[0].domain)
    for first in range(0, len(hypotheses), 1 + len(hypotheses) // 3):
        for h in hypotheses[first : first + 1 + len(hypotheses) // 3]:
            stack.append(h)
        stacked = hypotheses[: len(stack)]
        for x in stack.domain:
            labels = stack.labels(x)
            assert labels.dtype == np.bool_
            assert labels.tolist() == [h(x) for h in stacked], x


def _check_equality(hypotheses: Sequence[Hypothesis], *, same_kind: bool) -> None:
    groups: dict[tuple[Label, ...], list[Hypothesis]] = {}
    for h in hypotheses:
        groups.setdefault(tuple(h(x) for x in h.domain), []).append(h)
    for labels, group in groups.items():
        canonical = [h.canonical() for h in group]
        assert all(tuple(h(x) for x in h.domain) == labels for h in canonical), group
        if same_kind:
            # Their kind, what they print, and all that they hold are the same.
            assert len({pickle.dumps(_content(h)) for h in canonical}) == 1, canonical
        for h in group[1:]:
            assert group[0].disagreement(h) is None, (group[0], h)
            assert h.disagreement(group[0]) is None, (group[0], h)
            assert not same_kind or group[0] == h, (group[0], h)
            assert group[0] != h or hash(group[0]) == hash(h), (group[0], h)
    several = [group[-1] for group in groups.values()]
    for g, h in itertools.combinations(several[:: 1 + len(several) // 30], 2):
        assert g != h, (g, h)
        differing = [x for x in g.domain if g(x) != h(x)]
        for one, other in ((g, h), (h, g)):
            assert one.disagreement(other) == differing[0], (one, other)
            assert one.distance(other) == len(differing), (one, other)


def _content(h: object) -> object:
    """All that an object holds, but for what it has computed and could compute again."""
    if isinstance(h, Hypothesis):
        held: dict[str, object] = {}
        for cls in type(h).__mro__:
            held.update({k: getattr(h, k) for k in getattr(cls, "__slots__", ()) if hasattr(h, k)})
        held.update(vars(h) if hasattr(h, "__dict__") else {})
        kept = {k: v for k, v in held.items() if not isinstance(v, Domain) and k != "_normal"}
        return type(h).__name__, [(k, _content(v)) for k, v in sorted(kept.items())]
    if isinstance(h, dict):
        return [(k, _content(v)) for k, v in h.items()]
    return repr(list(h)) if isinstance(h, GrowingSet) else repr(h)


def check_sampling(
    closed: ConceptClass, table: Table, *, max_concepts: int = 40, seed: int = 0
) -> None:
    """Sampled concepts are concepts of the class, uniformly; sampled points are points.

    It is tried on the class and on a few version spaces of at most `max_concepts` concepts.
    """
    rng = np.random.default_rng(seed)
    spaces = [pair for pair in version_spaces(closed, table, 60) if not pair[1].is_empty]
    small = [(left, rows) for left, rows in spaces if len(rows) <= max_concepts]
    for left, rows in [spaces[0], *(small[int(rng.integers(len(small)))] for _ in range(2))]:
        draws = 60 * len(rows) if len(rows) <= max_concepts else 100
        found: Counter[int | None] = Counter(
            rows.position(left.sample(rng).to_concept()) for _ in range(draws)
        )
        assert None not in found, left
        if len(rows) <= max_concepts:
            # Six standard deviations of a binomial count with mean 60.
            assert all(abs(found[i] - 60) < 6 * 60**0.5 for i in range(len(rows))), (left, found)
        target = left.sample(rng)
        stream = list(left.sample_stream(20, rng, target=target))
        assert all(x in table.domain and target(x) == y for x, y in stream)
