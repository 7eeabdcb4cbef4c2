"""The layered learner: what one example changes, exact laws, what is said of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import catalog
from learners.accounting import basic
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.layers.algorithm import Layer, LayeredSOA, MistakeSequence, SiblingPair
from learners.layers.evidence.instances import FixedCoinsLayers, published
from learners.layers.plan import STEADY, LayeredParameters
from learners.multiset import Multiset
from learners.playing.base.halving import Halving
from learners.playing.entries import ONLINE_LEARNERS
from lsclasses.soa import SOA, ConservativeSOA
from lsclasses.table import Table
from tests.learners.layers.cases import SINGLE, STAIRS, TINY, labels, small

# ---- invariants


streams = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), min_size=2, max_size=24)


@given(streams, st.data())
def test_one_example_changes_one_sequence_of_each_layer(examples: Any, data: Any) -> None:
    """Two runs with equal choices, over all Updates: one pair, one item, not replaced."""
    learner = FixedCoinsLayers(SOA(STAIRS), small(16, 2))
    at = data.draw(st.integers(0, len(examples) - 1))
    other = data.draw(st.tuples(st.integers(0, 2), st.integers(0, 1)))
    worlds = [list(examples), [*examples[:at], other, *examples[at + 1 :]]]
    rows: list[Any] = [learner._begin(SeededCoins(1)).pairs for _ in worlds]
    breaks = sorted(data.draw(st.lists(st.integers(0, len(examples)), max_size=2)))
    number = 0
    for t in range(len(examples) + 1):
        for _ in range(breaks.count(t)):
            rows = [learner._updated(number, row, SeededCoins(1)) for row in rows]
            number += 1
            counts = [Counter(learner._counts(row)) for row in rows]
            gained, lost = counts[0] - counts[1], counts[1] - counts[0]
            assert gained.total() + lost.total() <= 1
            for a, b in differing(*rows):
                if a is not None and b is not None:
                    assert (a.first == b.first) or (a.second == b.second)
        if t < len(examples):
            rows = [
                learner._with_example(row, *world[t], SeededCoins(1))
                for row, world in zip(rows, worlds, strict=True)
            ]
        assert len(differing(*rows)) <= 1


def differing(one: Any, other: Any) -> list[Any]:
    """The pairs of a layer that are not the same in two worlds."""
    return [(a, b) for a, b in zip(one.pairs, other.pairs, strict=True) if a != b]


def test_what_no_concept_fits_is_bottom_even_if_the_learner_goes_on() -> None:
    """[BLM20, Def. 8] predicts by a rule there, which has to be no hypothesis of a pair."""
    learner = LayeredSOA(SOA(SINGLE), small(8, 1))
    layer = learner._begin(SeededCoins(1))
    ((pair, _),) = layer.pairs.items()
    told = learner._extended(pair, 0, 1)
    assert isinstance(told, SiblingPair) and told.common is None
    right, wrong = (learner._guessed(told, guess) for guess in (1, 0))
    assert right is not None and labels(right.state.hypothesis) == (1, 0)
    assert wrong is None

    class Forgetful(SOA):
        """It does not notice that no concept fits."""

        @property
        def mistake_bound(self) -> int | None:
            return 1 if super().mistake_bound is None else super().mistake_bound

    careless = LayeredSOA(Forgetful(SINGLE), small(8, 1))
    told = careless._extended(
        SiblingPair(*(replace(pair.first, state=Forgetful(SINGLE)),) * 2), 0, 1
    )
    assert isinstance(told, SiblingPair)
    assert careless._guessed(told, 0) is None


def test_corner_cases() -> None:
    one = catalog.build("points:n=1")
    assert one.ldim() == 0
    trivial = LayeredSOA(SOA(one), LayeredParameters.from_theorem(Budget(1, TINY), 0, 50))
    assert trivial.parameters.histogram is None and basic(trivial.privacy) == (1, 0)
    # Contradicted for ever, it goes on with its last hypothesis.
    state, coins = trivial.start(SeededCoins(1)), SeededCoins(2)
    for _ in range(50):
        state = trivial.receive(state, (0, 0), coins)
    assert state.inner.run is None and state.hypothesis(0) == 1
    # The last list exhausted: the last hypothesis stays, and nothing is read any more.
    learner = LayeredSOA(SOA(STAIRS), small(8, 2, -50, 10))
    state = learner.start(coins)
    for _ in range(9):
        state = learner.receive(state, (0, 1), coins)
    kept = state.inner
    assert kept.run is None and kept.pairs.total == 0
    assert learner.receive(state, (0, 1), coins).inner == replace(kept, played=10)


# ---- what is refused and reported


def test_whether_it_is_proper_is_reported() -> None:
    proper = LayeredSOA(SOA(STAIRS), small(8, 2))
    assert proper.proper is True and "proper" in str(proper)
    improper = LayeredSOA(SOA(Table([[1, 0, 0], [0, 1, 0], [0, 0, 1]])), small(8, 1))
    assert improper.proper is False and "improper" in str(improper)
    assert LayeredSOA(Halving(SINGLE), small(8, 1)).proper is None
    named = ONLINE_LEARNERS["layered-soa"]
    large = named.learner("thresholds:n=2^16", 9, sequences=2**20)
    assert isinstance(large, LayeredSOA) and large.proper is True
    other = named.learner("parities:n=2", 9, sequences=64, base="proper-soa")
    assert isinstance(other, LayeredSOA) and other.proper is True


def test_what_a_state_says_of_its_pairs() -> None:
    learner = LayeredSOA(SOA(STAIRS), small(32, 2))
    empty = MistakeSequence(SOA(STAIRS))
    other = empty.after(0, 1, 2)
    assert other is not None
    kinds = {
        None: 5,
        SiblingPair(empty, empty): 1,
        SiblingPair(other, other): 1,
        SiblingPair(other, empty): 1,
    }
    shown, *waiting = [SOA(STAIRS).observe(x, 1).hypothesis for x in range(3)]
    state = learner.start(SeededCoins(1))
    _, run = state.inner.run.ask(1, SeededCoins(1))
    layer = Layer(1, Multiset(kinds), shown, tuple(waiting), run)
    assert layer.pairs.total == learner.parameters.pairs(1)
    assert learner.inspect(replace(state, inner=layer)) == {
        "layer": 1, "list": 3, "mistakes": 1, "kinds": 4, "agree": 2, "differ": 1, "dead": 5
    }  # fmt: skip
    last = replace(layer, pairs=Multiset(), waiting=(), run=None)
    assert set(learner.inspect(replace(state, inner=last)).values()) == {0, 1}


def test_bounds_for_more_mistakes_need_hypotheses_that_change() -> None:
    """They do after mistakes of an SOA, and of every consistent learner."""

    class Unsteady(Halving):
        consistent = False

    for base, unmet in ((SOA, ()), (ConservativeSOA, ()), (Halving, ()), (Unsteady, (STEADY,))):
        (bound,) = LayeredSOA(base(STAIRS), small(8, 2)).bounds
        assert STEADY in bound.hypotheses and bound.unmet[: len(unmet)] == unmet
        assert (STEADY in bound.unmet) == bool(unmet)


# ---- audits; more in tests/learners/test_audit_controls.py


def test_choices_at_random_make_the_learner() -> None:
    """`FixedCoinsLayers`, mixed over all choices, is `LayeredSOA`; of two places none matters."""
    parameters = replace(small(4, 1, 2), epsilon=Fraction(1), delta=Fraction(1, 4))
    examples = ((0, 1), (0, 1))

    @dataclass(frozen=True)
    class Given(FixedCoinsLayers):
        order: tuple[int, ...] = ()
        guesses: tuple[int, ...] = ()

        def _drawn(self, played: int, pairs: int) -> int:
            return self.order[played]

        def _guess(self, pair: int) -> int:
            return self.guesses[pair]

    cut: dict[str, Any] = {"tail": Fraction(1, 2**30)}
    mixed: Counter[Any] = Counter()
    choices = list(product(product((0, 1), repeat=2), product((0, 1), repeat=2)))
    for order, guesses in choices:
        learner = Given(SOA(SINGLE), parameters, order=order, guesses=guesses)
        law = published(learner).laws(**cut)(examples)
        for shown in law:
            mixed[shown] += float(law[shown]) / len(choices)
    drawn = published(LayeredSOA(SOA(SINGLE), parameters)).laws(**cut)(examples)
    assert set(drawn) == set(mixed) and len(drawn) > 1
    for shown in drawn:
        assert abs(float(drawn[shown]) - mixed[shown]) < 1e-8
