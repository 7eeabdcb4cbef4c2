"""The voting learner: bounds, streams that no concept agrees with, base learners, refusals."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

import catalog
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.mechanisms.voting_counters import VotingCounters
from learners.playing.adversaries import Repeating, Seeking
from learners.playing.base.halving import Halving
from learners.playing.entries import ONLINE_LEARNERS
from learners.playing.play import play
from learners.voting.algorithm import VotingLearner, vote
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Hypothesis
from lsclasses.online import MistakeBounded
from lsclasses.soa import SOA, ConservativeSOA
from lsclasses.table import Table
from lsclasses.verdicts import Verdict

BUDGET = Budget(1, Fraction(1, 10**6))
POINTS = "points:n=2^64"


def named(source: Any, rounds: int = 1000, **given: Any) -> VotingLearner:
    learner = ONLINE_LEARNERS["voting"].learner(source, rounds, **given)
    assert isinstance(learner, VotingLearner)
    return learner


@pytest.mark.parametrize(("power", "bound"), [(4, 52), (5, 57), (6, 61), (7, 66), (8, 70), (9, 75)])
def test_the_bound_grows_with_the_logarithm_of_the_rounds(power: int, bound: int) -> None:
    assert named(POINTS, 10**power).bounds[0].value == bound


@pytest.mark.parametrize("make", [SOA, ConservativeSOA, Halving])
@pytest.mark.parametrize("adversary", [Repeating, Seeking])
def test_games_end_with_the_target(make: Any, adversary: Any) -> None:
    C = Table([[0, 0], [1, 0], [0, 1]]) if make is Halving else catalog.build(POINTS)
    learner = VotingLearner.within(BUDGET, make(C), 1000)
    (bound,) = learner.bounds
    for seed in range(5):
        game = play(learner, adversary(C), 200, SeededCoins(seed))
        assert game.mistakes <= bound.value and game.switches <= 1
        assert bound.check([game.mistakes]) == Verdict.CONSISTENT
        # No mistakes occur after the first half.
        assert game.mistakes == sum(map(int.__ne__, game.predictions[:99], game.labels[:99]))


def test_a_class_of_one_concept_needs_no_votes() -> None:
    learner = named(Table([[0, 1]]))
    assert (learner.bounds[0].value, learner.bounds[0].failure) == (0, 0)
    assert play(learner, [(0, 0), (1, 1)] * 9, 18, SeededCoins(1)).mistakes == 0


def test_the_learner_continues_on_streams_that_no_concept_agrees_with() -> None:
    learner = named(POINTS, 500)
    stream = [(x % 3, 1) for x in range(250)] + [(7, 0)] * 250
    game = play(learner, stream, 500, SeededCoins(1))
    assert game.played == 500 and game.mistakes > learner.bounds[0].value
    assert game.switches == 1


def test_many_candidates_cost_little_time() -> None:
    learner = named(POINTS, 3000)
    game = play(learner, [(x, 1) for x in range(3000)], 3000, SeededCoins(1))
    assert game.played == game.mistakes == 3000


@dataclass(frozen=True)
class Claiming(MistakeBounded):
    """A learner that claims to err at most once, and whose rule is the last example's point."""

    rule: Any
    last: Any = None

    @property
    def hypothesis(self) -> Hypothesis:
        C = self.rule
        return C.soa() if self.last is None else C.restrict(self.last, 1).soa()

    @property
    def mistake_bound(self) -> int:
        return 1

    def _observe(self, x: Any, y: Any) -> Any:
        return type(self)(self.rule, x)


def test_a_base_learner_may_err_twice_in_spite_of_its_bound() -> None:
    learner = VotingLearner.within(BUDGET, Claiming(catalog.build("points:n=9")), 400)
    stream = [(x % 9, 1) for x in range(400)]
    game = play(learner, stream, 400, SeededCoins(1))
    assert game.played == 400 and game.mistakes > learner.bounds[0].value


@pytest.mark.parametrize("spec", ["thresholds:n=3", "cube:n=2"])
def test_a_base_learner_that_may_err_twice_is_refused(spec: str) -> None:
    with pytest.raises(InvalidInput, match=r"errs at most once.*Got ConservativeSOA"):
        named(spec)


@dataclass(frozen=True)
class Unlisted(Hypothesis):
    """A hypothesis on a large domain without a canonical form."""

    of: Any

    @property
    def domain(self) -> Any:
        return self.of

    def _label(self, x: Any) -> int:
        return 0

    def _extension(self) -> Any:
        return "unlisted"


@dataclass(frozen=True)
class Opaque(MistakeBounded):
    """A learner whose hypotheses have no canonical form."""

    of: Any

    @property
    def hypothesis(self) -> Hypothesis:
        return Unlisted(self.of)

    @property
    def mistake_bound(self) -> int:
        return 1

    def _observe(self, x: Any, y: Any) -> Any:
        return self


def test_hypotheses_without_a_canonical_form_are_refused() -> None:
    with pytest.raises(InvalidInput, match="need a canonical form"):
        VotingLearner.within(BUDGET, Opaque(catalog.build(POINTS).domain), 10)


def test_bad_numbers_are_refused_and_few_rounds_make_the_bound_vacuous() -> None:
    with pytest.raises(InvalidInput, match="number of rounds"):
        named(POINTS, 0)
    few = named(POINTS, 10)
    assert (
        few.bounds[0].vacuous
        and play(few, Repeating(few.base.version_space), 10, SeededCoins(1)).played == 10
    )
    assert named(POINTS, 10**6, epsilon="1/100000").bounds[0].vacuous


def test_votes_are_cast_by_mistakes_that_a_concept_agrees_with() -> None:
    base = SOA(catalog.build("points:n=4"))
    target = vote(base, 2, 1)
    assert target is not None and [target(x) for x in range(4)] == [0, 0, 1, 0]
    assert vote(base, 2, 0) is None
    once = SOA(Table([[0, 0], [0, 1]]))
    assert vote(once, 0, 1) is None


def test_the_state_reveals_its_candidates_to_simulations_only() -> None:
    learner, coins = named(POINTS, 100), SeededCoins(1)
    state = learner.start(coins)
    for x in (5, 5, 6):
        state = learner.learn(state, x, 1, coins)
    assert learner.inspect(state)["candidates"] == 2
    assert isinstance(learner.parameters, VotingCounters)
