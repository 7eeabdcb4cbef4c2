"""The private Winnow: its law, its privacy on small streams, its bounds, and what is audited.

What a draw costs and how often samples err, `learners.winnow.evidence.claims` recomputes.
"""

from __future__ import annotations

import itertools
from dataclasses import fields, replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.accounting import basic, neighbours, total, zcdp_epsilon
from learners.audit import audit, audit_game
from learners.audit.audit_registry import instance
from learners.bounds import OBLIVIOUS
from learners.budget import Budget
from learners.coins import Coins, SeededCoins
from learners.exact import exact_distribution
from learners.games import AdaptiveStream, Ask, Challenge, Oblivious, draw_view
from learners.playing.base.state import IntegerVector
from learners.playing.features import Literals, ShortConjunctions
from learners.winnow import votes as module
from learners.winnow.algorithm import DPWinnow, EndedPhase
from learners.winnow.evidence.instances import UPDATE, _Hypotheses
from learners.winnow.evidence.transcriptions import transcribed
from learners.winnow.plan import WinnowParameters
from learners.winnow.votes import Phase, SampledVote
from lsclasses.errors import InvalidInput
from lsclasses.verdicts import Verdict
from tests.learners.privacy_checks import CUT, assert_same

TINY = Fraction(1, 10**6)


def tiny(**changes) -> DPWinnow:
    """One update after about one mistake, one draw, two experts."""
    chosen = {
        "features": Literals(2),
        "rate": Fraction(1, 2),
        "updates": 1,
        "draws": 1,
        "threshold": 1,
        "threshold_epsilon": Fraction(2),
        "bias": False,
        "balanced": False,
    } | changes
    return DPWinnow(**chosen)


def arrays(stream):
    return np.array([x for x, _ in stream], dtype=bool), np.array([y for _, y in stream])


# ---- the law


@st.composite
def learners_and_streams(draw):
    n = draw(st.integers(1, 4))
    learner = DPWinnow(
        Literals(n),
        draw(st.fractions(Fraction(1, 10), 2, max_denominator=10)),
        updates=draw(st.integers(1, 4)),
        draws=draw(st.integers(1, 5)),
        threshold=draw(st.integers(-1, 4)),
        threshold_epsilon=draw(st.fractions(Fraction(1, 2), 4, max_denominator=4)),
        batch=draw(st.integers(1, 3)),
        bias=draw(st.booleans()),
        balanced=draw(st.booleans()),
    )
    point = st.tuples(*[st.integers(0, 1)] * n)
    stream = draw(st.lists(st.tuples(point, st.integers(0, 1)), min_size=1, max_size=150))
    return learner, stream


@given(learners_and_streams(), st.integers(0, 10**6), st.integers(0, 150))
def test_blocks_and_rounds_are_the_same_run(drawn, seed, cut):
    learner, stream = drawn
    X, y = arrays(stream)
    run = learner.run(X, y, SeededCoins(seed))
    coins = SeededCoins(seed)
    state = learner.start(coins)
    predictions, phases = [], [Phase(0, state.votes)]
    for number, (x, label) in enumerate(stream, start=1):
        state, predicted = learner.predict(state, x, coins)
        assert predicted == learner.hypothesis(state)(x)
        predictions.append(predicted)
        before = state.updates
        state = learner.learn(state, x, label, coins)
        if state.updates > before:
            phases.append(Phase(number, state.votes))
    assert run.predictions.tolist() == [bool(p) for p in predictions]
    assert (run.state, run.phases, run.updates) == (state, tuple(phases), state.updates)
    assert run.mistakes == sum(p != y for p, (_, y) in zip(predictions, stream, strict=True))
    assert run.hypothesis == learner.hypothesis(state)
    # The stream can come in parts, and features in any type of 0 and 1.
    coins = SeededCoins(seed)
    first = learner.run(X[:cut].astype(np.int8), y[:cut], coins)
    rest = learner.run(X[cut:].astype(np.uint64), y[cut:].astype(bool), coins, state=first.state)
    assert rest.state == state
    assert np.concatenate([first.predictions, rest.predictions]).tolist() == (
        run.predictions.tolist()
    )


def released(learner: DPWinnow):
    def run(stream, coins):
        phases = learner.run(*arrays(stream), coins).phases
        return tuple((phase.start, phase.votes) for phase in phases)

    return run


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"balanced": True},
        {"bias": True, "threshold": 0, "draws": 2},
        {"batch": 2, "threshold": 2},
    ],
)
def test_the_law_is_that_of_the_algorithm_written_down_expert_by_expert(changes):
    learner = tiny(**changes)
    tail = Fraction(1, 2**40)
    for stream in ([((1, 0), 0), ((0, 0), 1)], [((0, 1), 0), ((1, 0), 0)]):
        fast = exact_distribution(lambda coins, s=stream: released(learner)(s, coins), tail=tail)
        fast = fast.map(lambda out: tuple((start, tuple(v.array.tolist())) for start, v in out))
        slow = exact_distribution(lambda coins, s=stream: transcribed(learner, s, coins), tail=tail)
        assert_same(fast, slow, 1e-25)


# ---- privacy


@pytest.mark.parametrize(
    ("updates", "rounds"), [(1, 2), pytest.param(2, 3, marks=pytest.mark.slow)]
)
def test_adversaries_that_see_every_hypothesis_learn_no_more(updates, rounds):
    learner = tiny(updates=updates, threshold_epsilon=Fraction(4))
    items = ((1, 0), 0), ((0, 1), 0)
    moves = [*map(Ask, items), Challenge(*items)]
    cut = {"tail": Fraction(1, 2**30), "resolution": TINY}
    found = audit_game(AdaptiveStream(learner, rounds), moves, learner.privacy, **cut)
    assert found.verdict == Verdict.HOLDS


def test_the_ledger():
    learner = tiny(updates=2, draws=3, rate=Fraction(1, 100))
    assert basic(learner.privacy) == (2 + 6 * Fraction(4, 100), 0)
    assert neighbours(learner.privacy) == "replace_one"
    profile = learner.privacy.profile()
    assert profile.ranges == ((Fraction(1, 25), 6),) and profile.losses == ((Fraction(2), 1),)
    assert learner.spent(TINY) == (total(learner.privacy, TINY).epsilon, TINY)
    assert learner.spent() == learner.spent(Fraction(0)) == basic(learner.privacy)


# ---- parameters


def test_parameters_of_ones_own_lose_the_bound_and_keep_their_price():
    learner = DPWinnow.from_theorem(Budget(Fraction(2), TINY), Literals(5), Fraction(1, 3), 10**6)
    assert learner.parameters == WinnowParameters.from_theorem(
        Budget(Fraction(2), TINY), learner.experts, Fraction(1, 3), 10**6
    )
    assert [bound.applies for bound in learner.bounds] == [True, True]
    for change in (
        {"updates": learner.parameters.needed - 1},
        {"draws": learner.draws // 2},
        {"threshold": learner.batch},
    ):
        changed = replace(learner, **change)
        assert [bound.applies for bound in changed.bounds] == [False, False]
        assert changed.bounds[0].check([0]) == Verdict.DOES_NOT_APPLY
    # More than is needed does no harm.
    assert replace(learner, updates=learner.updates + 5).bounds[0].applies
    assert tiny().bounds == ()


def test_an_adversary_that_sees_the_hypotheses_breaks_the_bound():
    """Why the bound is for oblivious adversaries only; the guarantee of privacy is not touched.

    All experts that were drawn err on the next example, and no other one does: the weights are sure
    and right, so that an update gains next to nothing. The first expert is right always.
    """
    n, rounds = 5000, 30_000
    learner = DPWinnow.from_theorem(
        Budget(Fraction(4), TINY), Literals(n), Fraction(1), rounds, bias=False, balanced=False
    )
    bound = learner.bounds[0]
    assert not bound.vacuous
    assert all(OBLIVIOUS in each.hypotheses for each in learner.bounds)
    coins, played, mistakes = SeededCoins(4), 0, 0
    state = learner.start(coins)
    while mistakes <= 2 * bound.value:
        x = learner.hypothesis(state).weights == 0
        x[0] = True
        stretch = np.repeat(x[None, :], 100, axis=0)
        run = learner.run(stretch, np.ones(100, dtype=bool), coins, state=state)
        state, played, mistakes = run.state, played + 100, mistakes + run.mistakes
        assert played <= rounds
    assert state.updates == learner.updates


# ---- details


@given(st.data())
def test_rows_and_points_get_the_same_labels(data):
    n = data.draw(st.integers(1, 9))
    bias, balanced = data.draw(st.booleans()), data.draw(st.booleans())
    size = (n + bias) * (1 + balanced)
    largest = data.draw(st.sampled_from([1, 5, 2**26]))
    votes = data.draw(st.lists(st.integers(0, largest), min_size=size, max_size=size))
    vote = SampledVote(Literals(n), IntegerVector.of(np.array(votes)), bias, balanced)
    X = np.array(list(itertools.product((0, 1), repeat=n)))
    chosen = X[data.draw(st.lists(st.integers(0, len(X) - 1), min_size=1, max_size=20))]
    z = [2 * chosen.T - 1, np.ones((int(bias), len(chosen)))]
    z = np.concatenate([*z, *(-part for part in z)] if balanced else z)
    expected = np.array(votes) @ z >= 0
    assert vote.labels(chosen).tolist() == expected.tolist()
    assert [vote(tuple(x)) for x in chosen.tolist()] == expected.astype(int).tolist()


def test_after_the_last_update_nothing_is_drawn():
    learner = tiny(updates=1, threshold=-50)
    coins = SeededCoins(5)
    state = learner.learn(learner.start(coins), (1, 0), 0, coins)
    assert state.updates == 1 and state.waiting is None
    assert learner.inspect(state)["mistakes in this phase"] == 0

    class Silent(Coins):
        def _refuse(self, *_):
            raise AssertionError("nothing may be drawn any more")

        _below = _flip = _decays = _pick = _laplace = _at_least = _refuse

    wrong = np.zeros((50, 2), dtype=bool), np.ones(50, dtype=int)
    later = learner.run(*wrong, Silent(), state=state)
    assert later.state == state and later.updates == 0 and later.mistakes == 50
    nothing = learner.run(np.zeros((0, 2), dtype=int), [], SeededCoins(5))
    assert nothing.mistakes == nothing.updates == 0


def test_a_phase_without_mistakes_draws_from_the_same_weights():
    learner = tiny(threshold=-50, draws=3)
    coins = SeededCoins(5)
    state = learner.learn(learner.start(coins), (1, 1), 1, coins)
    assert state.updates == 1 and not state.scores.array.any()
    assert state.votes.array.sum() == 3


def test_only_the_mistakes_of_the_phase_move_the_scores():
    learner = tiny(threshold=2, threshold_epsilon=60, updates=2, batch=1)
    stream = [((1, 0), 0), ((0, 1), 0), ((1, 0), 0), ((0, 1), 1), ((0, 1), 0)] * 4
    run = learner.run(*arrays(stream), SeededCoins(2))
    scores = np.zeros(2, dtype=int)
    for start, end in itertools.pairwise(phase.start for phase in run.phases):
        (first, *_) = np.flatnonzero(run.wrong[start:end])
        x, y = stream[start + first]
        scores = scores + (2 * y - 1) * (2 * np.array(x) - 1)
    assert len(run.phases) == 3 and run.state.scores.array.tolist() == scores.tolist()


def test_the_hypotheses_are_what_is_published():
    learner = tiny(updates=2, threshold=0)
    stream = [((1, 0), 0), ((0, 1), 0), ((1, 0), 0)]
    view = draw_view(AdaptiveStream(learner, 4), Oblivious.of(stream, stream), 0, SeededCoins(3))
    coins = SeededCoins(3)
    state = learner.start(coins)
    shown = [learner.hypothesis(state)]
    for x, y in stream:
        after = learner.learn(state, x, y, coins)
        shown.append(learner.hypothesis(after))
        # Only at a switch the hypothesis may change.
        assert learner.switched(state, after) or shown[-1] == shown[-2]
        state = after
    assert shown[-1] != shown[0]
    assert [view.opening, *view.answers] == shown
    assert learner.inspect(state)["updates"] == state.updates


def test_phases_that_end_alike_are_explored_once():
    zero = IntegerVector.of(np.zeros(2))
    assert len({EndedPhase(1, zero, zero, held) for held in (0, 0, 1)}) == 2


def test_averages():
    learner = tiny(updates=3, threshold=0, draws=4)
    run = learner.run(np.zeros((40, 2), dtype=bool), np.ones(40, dtype=int), SeededCoins(1))
    average = learner.averaged(run.phases)
    assert average.votes.array.sum() == 2 + 4 * run.updates


def test_features_that_are_no_literals():
    features = ShortConjunctions(3, 2)
    learner, coins = tiny(features=features, threshold=-50), SeededCoins(1)
    start = learner.start(coins)
    y = 1 - learner.hypothesis(start)((1, 1, 0))
    state = learner.learn(start, (1, 1, 0), y, coins)
    raised = features.values((1, 1, 0)) == bool(y)
    assert state.scores.array.tolist() == [1 if up else -1 for up in raised]


@pytest.mark.parametrize(
    ("epsilon", "delta", "updates", "draws", "share"),
    [
        (Fraction(1, 20), TINY, 10, 2000, Fraction(1, 3)),
        (Fraction(1), Fraction(1, 10**12), 30, 10**4, Fraction(1, 10)),
        (Fraction(4), Fraction(1, 10), 10**5, 10**5, Fraction(9, 10)),
        (Fraction(2), TINY, 3, 4, Fraction(1, 2)),
    ],
)
def test_a_budget_is_kept_and_used(epsilon, delta, updates, draws, share):
    learner = DPWinnow.within(
        Budget(epsilon, delta, allow_weak_privacy=True),
        Literals(3),
        updates=updates,
        draws=draws,
        batch=10,
        share=share,
    )
    spent = total(learner.privacy, delta).epsilon
    assert 0.97 * epsilon <= spent <= epsilon
    # Concentrated privacy alone would allow a smaller rate.
    rho = 2 * updates * draws * learner.rate**2
    assert float(share * epsilon + zcdp_epsilon(rho, delta)) > 1.02 * float(epsilon)


@pytest.mark.parametrize("block", [1, 3])
def test_no_size_of_blocks_changes_a_run(monkeypatch, block):
    """Even if one row is more than a block."""
    learner = tiny(features=Literals(3), updates=2)
    X = np.random.default_rng(1).random((40, 3)) < 0.5
    run = learner.run(X, X[:, 0], SeededCoins(1))
    monkeypatch.setattr(module, "BLOCK", block)
    again = learner.run(X, X[:, 0], SeededCoins(1))
    assert again.predictions.tolist() == run.predictions.tolist()
    assert (again.phases, again.state) == (run.phases, run.state)
    assert again.hypothesis.labels(X).tolist() == run.hypothesis.labels(X).tolist()


# ---- audited instances


@pytest.mark.parametrize("name", ["learn", "receive", "_learn"])
def test_an_audit_refuses_who_learns_in_another_way(name):
    relearning = type("Relearning", (DPWinnow,), {name: lambda self, state, *seen: state})
    with pytest.raises(InvalidInput, match="Relearning learns in another way"):
        _Hypotheses(
            relearning(**{each.name: getattr(tiny(), each.name) for each in fields(tiny())})
        )


def test_an_audit_sees_each_hypothesis_and_how_many_there_were():
    """After every example, learned with its own label, as the learner makes them."""
    built = instance("dp_winnow:features=2,rounds=2,draws=2")
    learner = built.mechanism
    right, wrong, other = (1, 1, 1), (0, 0, 1), (0, 1, 0)
    for seed, stream in enumerate([(wrong, right), (other, wrong)]):
        coins, shown = SeededCoins(seed), []
        state = learner.start(coins)
        for *x, y in stream:
            state = learner.learn(state, tuple(x), y, coins)
            shown.append((state.updates, tuple(state.votes.array.tolist())))
        items = [item for example in stream for item in (example, UPDATE)]
        assert list(built.run(items, SeededCoins(seed)))[1::2] == shown


@pytest.mark.slow
def test_a_threshold_may_be_out_of_reach_or_always_reached():
    """Then nothing is told of anybody, or a hypothesis is drawn after every example."""
    never, always = (
        instance(f"dp_winnow:threshold={threshold}") for threshold in (10**6, -(10**6))
    )
    found = audit(never.run, never.pairs, never.privacy, **CUT)
    assert found.verdict == Verdict.HOLDS and found.least_epsilon == 0
    found = audit(always.run, always.pairs, always.privacy, **CUT)
    # Two draws of which each loses at most 4 rates; the count itself says nothing.
    assert found.verdict == Verdict.HOLDS and 6 < found.least_epsilon < 8
