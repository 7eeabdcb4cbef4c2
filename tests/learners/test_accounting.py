"""The ledger: counts are never lost, and bounds are the textbook's."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq
from hypothesis import example, given, settings
from hypothesis import strategies as st

from learners.accounting import (
    ALL_OUTPUTS,
    HYPOTHESES,
    ZCDP,
    ApproximateDP,
    AtOnce,
    BoundedRange,
    Event,
    Grouped,
    OneAtATime,
    Parallel,
    PostProcessed,
    PureDP,
    Scope,
    SelfComposed,
    Sequential,
    StreamParallel,
    UnderChallenge,
    advanced,
    basic,
    geometric_sum,
    group,
    neighbours,
    pld,
    total,
    zcdp,
    zcdp_epsilon,
    zcdp_rho,
)
from learners.accounting.loss_distributions import _on_grid
from learners.balls import at_most, ball
from learners.coins import Coins
from learners.exact import exact_distribution
from learners.playing.entries import ONLINE_LEARNERS
from lsclasses.errors import InvalidInput
from tests.learners.privacy_checks import least_epsilon

DELTA, NO_FLOAT = Fraction(1, 10**6), Fraction(1, 10**4000)

positive = st.fractions(min_value=Fraction(1, 50), max_value=3, max_denominator=50)
small = st.fractions(min_value=0, max_value=Fraction(1, 10**9), max_denominator=10**12)
scopes = st.builds(
    lambda kind, observes: kind("replace_one", observes=observes),
    st.sampled_from([Scope.adaptive, Scope.fixed]),
    st.sampled_from([ALL_OUTPUTS, HYPOTHESES]),
)
pure = st.builds(PureDP, positive, scope=scopes)
approximate = st.builds(ApproximateDP, positive, small, scope=scopes)
ranged = st.builds(BoundedRange, positive, scope=scopes)
concentrated = st.builds(ZCDP, positive, scope=scopes)
DATA = Scope.adaptive("replace_one")
bounded = st.one_of(pure, approximate, ranged)
leaves = st.one_of(bounded, concentrated)


def trees(leaf: st.SearchStrategy[Event]) -> st.SearchStrategy[Event]:
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.builds(Sequential, st.lists(inner, max_size=3).map(tuple)),
            st.builds(Parallel, st.lists(inner, max_size=3).map(tuple)),
            st.builds(OneAtATime, st.lists(inner, max_size=3).map(tuple)),
            st.builds(AtOnce, inner),
            st.builds(SelfComposed, inner, st.integers(0, 4)),
            st.builds(StreamParallel, inner, st.integers(0, 4)),
            st.builds(PostProcessed, inner),
        ),
        max_leaves=5,
    )


# ---- counts


@settings(max_examples=10)
@given(trees(leaves), st.integers(0, 6))
def test_a_self_composition_is_a_list(event: Event, count: int) -> None:
    composed, listed = SelfComposed(event, count), Sequential((event,) * count)
    assert composed.profile() == listed.profile()
    if not composed.profile().rho:
        assert total(composed, DELTA).epsilon == total(listed, DELTA).epsilon


# ---- the textbook's formulas


@given(st.lists(positive, min_size=1, max_size=6), st.lists(positive, max_size=3))
def test_basic_adds_up(epsilons: list[Fraction], etas: list[Fraction]) -> None:
    event = Sequential(
        (
            *(PureDP(each, scope=DATA) for each in epsilons),
            *(BoundedRange(each, scope=DATA) for each in etas),
        )
    )
    assert basic(event) == (sum(epsilons) + sum(etas), 0)


@given(positive, st.integers(1, 1000), small)
def test_advanced_composition_is_the_papers(epsilon: Fraction, k: int, delta: Fraction) -> None:
    found, failing = advanced(SelfComposed(ApproximateDP(epsilon, delta, scope=DATA), k), DELTA)
    e = float(epsilon)
    expected = math.sqrt(2 * k * math.log(1 / DELTA)) * e + k * e * (math.exp(e) - 1)
    assert float(found) == pytest.approx(expected, rel=1e-12)
    assert failing == k * delta + DELTA


@settings(max_examples=10)
@given(
    st.lists(positive, max_size=2),
    st.lists(positive, max_size=1),
    st.fractions(min_value=0, max_value=1, max_denominator=20),
)
def test_zcdp_converts_what_is_worth_converting(
    epsilons: list[Fraction], etas: list[Fraction], rho: Fraction
) -> None:
    event = Sequential(
        (
            *(PureDP(each, scope=DATA) for each in epsilons),
            *(BoundedRange(each, scope=DATA) for each in etas),
            ZCDP(rho, scope=DATA),
        )
    )
    parts = [(float(e), float(e * e / 2)) for e in epsilons]
    parts += [(float(e), float(e * e / 8)) for e in etas]
    best = min(
        sum(part[0] for part, c in zip(parts, choice, strict=True) if not c)
        + least_epsilon(r, float(DELTA))
        for choice in itertools.product((0, 1), repeat=len(parts))
        for r in [float(rho) + sum(p[1] for p, c in zip(parts, choice, strict=True) if c)]
    )
    found = zcdp(event, DELTA)[0]
    assert float(found) == pytest.approx(best, rel=1e-6, abs=1e-12)


rhos = st.builds(
    lambda a, b: Fraction(a, 10) * Fraction(10) ** b, st.integers(1, 99), st.integers(-8, 3)
)
deltas = st.builds(lambda a, b: Fraction(a, 10 ** (b + 1)), st.integers(1, 9), st.integers(0, 30))


@given(rhos, deltas)
def test_zcdp_epsilon_is_the_least_over_all_orders(rho: Fraction, delta: Fraction) -> None:
    found = float(zcdp_epsilon(rho, delta))
    assert found == pytest.approx(least_epsilon(float(rho), float(delta)), rel=1e-6, abs=1e-9)
    simpler = float(rho) + 2 * math.sqrt(float(rho) * math.log(1 / delta))
    assert found < simpler


@given(rhos, deltas)
def test_zcdp_epsilon_is_enough_for_gaussian_noise(rho: Fraction, delta: Fraction) -> None:
    # Normal noise is rho-zCDP where the means are mu = sqrt(2 rho) standard deviations apart, and
    # delta(epsilon) = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu).
    with ctx.workprec(400):
        mu = (2 * arb(fmpq(rho.numerator, rho.denominator))).sqrt()
        epsilon = zcdp_epsilon(rho, delta)
        e = arb(fmpq(epsilon.numerator, epsilon.denominator))

        def phi(x: arb) -> arb:
            return (-x / arb(2).sqrt()).erfc() / 2

        exact = phi(mu / 2 - e / mu) - e.exp() * phi(-mu / 2 - e / mu)
        assert exact < arb(fmpq(delta.numerator, delta.denominator))


@example(Fraction(1, 10**300), DELTA)
@example(Fraction(1, 10**60), NO_FLOAT)
@example(Fraction(10**40), NO_FLOAT)
@given(rhos, deltas)
def test_zcdp_rho_is_the_inverse_of_zcdp_epsilon(epsilon: Fraction, delta: Fraction) -> None:
    rho = zcdp_rho(epsilon, delta)
    assert zcdp_epsilon(rho, delta) <= epsilon * (1 + Fraction(1, 10**12))
    assert zcdp_epsilon(rho * (1 + Fraction(1, 10**6)), delta) > epsilon


@pytest.mark.parametrize("rho", [Fraction(1, 2**3000), Fraction(10**40)])
@pytest.mark.parametrize("delta", [Fraction(1, 2**3000), 1 - Fraction(1, 10**30)])
def test_zcdp_epsilon_beyond_floats(rho: Fraction, delta: Fraction) -> None:
    assert 0 <= zcdp_epsilon(rho, delta) <= 2 * rho + 200 + 2**3001 * rho


def optimal_delta(epsilons: list[Fraction], epsilon: Fraction) -> arb:
    """Kairouz, Oh, Viswanath 2015: the hockey stick of independent randomized responses."""
    with ctx.workprec(256):
        bound, found = arb(fmpq(epsilon.numerator, epsilon.denominator)).exp(), arb(0)
        for signs in itertools.product((0, 1), repeat=len(epsilons)):
            p = q = arb(1)
            for sign, e in zip(signs, epsilons, strict=True):
                grown = arb(fmpq(e.numerator, e.denominator)).exp()
                high, low = grown / (1 + grown), 1 / (1 + grown)
                p, q = (p * high, q * low) if sign else (p * low, q * high)
            if p - bound * q > 0:
                found += p - bound * q
        return found


@example([Fraction(1, 50), Fraction(7, 50)], Fraction(1, 50))
@given(
    st.lists(positive, min_size=1, max_size=7),
    st.sampled_from([Fraction(1, 50), DELTA, Fraction(1, 10**9)]),
)
def test_pld_is_valid_and_optimal(epsilons: list[Fraction], delta: Fraction) -> None:
    event = Sequential(tuple(PureDP(each, scope=DATA) for each in epsilons))
    found = pld(event, delta)[0]
    allowed = fmpq(delta.numerator, delta.denominator)
    assert at_most(optimal_delta(epsilons, found), delta)
    if found > Fraction(1, 100):
        assert optimal_delta(epsilons, found * Fraction(99, 100)) > allowed


@pytest.mark.parametrize(
    ("k", "delta"), [(10, Fraction(1, 100)), (100, DELTA), (1000, Fraction(2, 10**12))]
)
def test_pld_of_many_stays_below_its_delta(k: int, delta: Fraction) -> None:
    found = pld(SelfComposed(PureDP(Fraction(1, 10), scope=DATA), k), delta)[0]
    with ctx.workprec(512):
        grown, bound = arb(fmpq(1, 10)).exp(), arb(fmpq(found.numerator, found.denominator)).exp()
        spent = arb(0)
        for low in range(k + 1):
            excess = grown ** (k - low) - bound * grown**low
            if not excess > 0:
                break
            spent += math.comb(k, low) * excess
        assert spent / (1 + grown) ** k < fmpq(delta.numerator, delta.denominator)


def test_losses_without_a_common_step_are_rounded_up_to_a_grid() -> None:
    """The sum of many different losses has too many values to add up one by one."""
    counts = {Fraction(1): 3, Fraction(1, 2) + Fraction(1, 10**9): 3, Fraction(1, 7): 4}
    epsilons = [each for each, count in counts.items() for _ in range(count)]
    event = Sequential(tuple(PureDP(each, scope=DATA) for each in epsilons))
    losses, delta = event.profile().losses, Fraction(1, 100)
    on_grid = _on_grid(losses, (), delta)
    assert on_grid is not None
    assert at_most(optimal_delta(epsilons, on_grid), delta)
    assert optimal_delta(epsilons, on_grid * Fraction(999, 1000)) > fmpq(1, 100)
    assert on_grid >= pld(event, delta)[0] >= on_grid * Fraction(999, 1000)


@pytest.mark.parametrize("epsilon", [Fraction(10**4), Fraction(10**10), Fraction(10**400)])
def test_losses_beyond_floating_point_are_added_up(epsilon: Fraction) -> None:
    event = Sequential(
        (
            PureDP(epsilon, scope=DATA),
            SelfComposed(PureDP(Fraction(1, 10), scope=DATA), 3),
        )
    )
    for method in (advanced, zcdp, pld):
        assert method(event, DELTA)[0] <= epsilon + Fraction(3, 10)
    assert total(event, DELTA).epsilon <= epsilon + Fraction(3, 10)


@pytest.mark.parametrize("logarithm", [200, 298, 299.5])
def test_orders_are_searched_up_to_e_to_the_300(logarithm: float) -> None:
    """Where the best order of the simpler bound is, the rho of that bound is reached."""
    loss = Fraction(4000 * math.log(10))
    epsilon = 2 * loss / Fraction(math.exp(logarithm))  # its best order is 2 ln(1/delta)/epsilon
    assert zcdp_rho(epsilon, NO_FLOAT) >= epsilon**2 / (4 * loss)


def test_a_budget_of_which_the_conversion_leaves_nothing_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With rho = 0 a mechanism would have to add infinitely much noise."""
    epsilon = Fraction(5, 64)
    monkeypatch.setattr(
        "learners.accounting.conversions._sure_conversion", lambda k, delta: ball(epsilon)
    )
    zcdp_rho.cache_clear()
    with pytest.raises(InvalidInput, match="No rho"):
        zcdp_rho(epsilon, DELTA)


@given(trees(bounded))
def test_the_total_is_the_smallest(event: Event) -> None:
    found = total(event, DELTA)
    assert found.epsilon == min(epsilon for _, epsilon in found.others)
    assert found.epsilon <= basic(event)[0]
    names = {"basic", "advanced", "zcdp", "gaussian", "pld"}
    assert {name for name, _ in found.others} - {"split"} == names


@pytest.mark.parametrize("inner", [Sequential, Parallel])
def test_a_mixture_of_losses_and_choices_is_also_split(inner: type[Event]) -> None:
    """The total of alternatives is the total of the costliest one, which may have one type."""
    parts = PureDP(Fraction(1, 50), scope=DATA), BoundedRange(Fraction(1, 50), scope=DATA)
    found = total(inner(parts), DELTA)  # type: ignore[call-arg]
    assert ("split" in dict(found.others)) == (inner is Sequential)


@given(
    st.lists(st.fractions(0, 2, max_denominator=40), min_size=2, max_size=5),
    st.lists(st.integers(1, 9), min_size=5, max_size=5),
    st.sampled_from([1.01, 1.5, 2.0, 5.0, 30.0]),
)
def test_bounded_range_is_concentrated(
    losses: list[Fraction], weights: list[int], order: float
) -> None:
    """P proportional to Q e^loss has losses in an interval of the width of `losses`."""
    q = [w / sum(weights[: len(losses)]) for w in weights[: len(losses)]]
    grown = [w * math.exp(loss) for w, loss in zip(q, losses, strict=True)]
    p = [g / sum(grown) for g in grown]
    divergence = math.log(sum(a**order * b ** (1 - order) for a, b in zip(p, q, strict=True)))
    rho = BoundedRange(max(losses) - min(losses), scope=DATA).eta ** 2 / 8
    assert divergence / (order - 1) <= float(rho) * order + 1e-12


# ---- nodes


@given(st.lists(trees(bounded), min_size=1, max_size=3))
def test_parallel_costs_at_least_each_part_and_at_most_all(parts: list[Event]) -> None:
    together = Parallel(tuple(parts))
    for method in (
        lambda event: basic(event)[0],
        lambda event: advanced(event, DELTA)[0],
        lambda event: zcdp(event, DELTA)[0],
    ):
        assert max(method(part) for part in parts) <= method(together)
        assert method(together) <= method(Sequential(tuple(parts)))


@given(trees(leaves), st.integers(1, 5))
def test_equal_parts_cost_one(event: Event, count: int) -> None:
    assert Parallel((event,) * count).profile() == event.profile()
    assert PostProcessed(event).profile() == event.profile()


def test_parallel_takes_the_worst_at_every_rank() -> None:
    event = Parallel(
        (
            PureDP(3, scope=DATA),
            SelfComposed(PureDP(1, scope=DATA), 2),
        )
    )
    assert event.profile().losses == ((3, 1), (1, 1))
    assert basic(Sequential((event,))) == (4, 0)


def test_parallel_as_a_whole_costs_what_the_dearest_part_does() -> None:
    parts = (
        SelfComposed(PureDP(Fraction(1, 10), scope=DATA), 900),
        PureDP(20, scope=DATA),
        PureDP(3, scope=DATA),
    )
    event = Parallel(parts)
    assert basic(event) == (90, 0)
    assert zcdp(event, DELTA) == max(zcdp(part, DELTA) for part in parts)
    assert total(event, DELTA).epsilon == max(total(part, DELTA).epsilon for part in parts)
    assert zcdp(event, DELTA) < zcdp(Sequential((event,)), DELTA)


def test_astronomical_counts() -> None:
    count = 2**166
    event = SelfComposed(
        Parallel(
            (
                PureDP(Fraction(1, count), scope=DATA),
                BoundedRange(Fraction(1, count), scope=DATA),
            )
        ),
        count,
    )
    assert basic(event) == (2, 0)
    assert float(zcdp(event, DELTA)[0]) < 1e-20
    assert total(event, DELTA).method == "zcdp"


def test_delta_of_streams_adds_up() -> None:
    """Each instance is (0, delta)-DP; the stream of them leaks with 1 - (1 - delta)^instances."""
    delta, instances = Fraction(1, 100), 3

    def stream(item: int) -> object:
        def run(coins: Coins) -> object:
            # An instance stops at once, or lives on until the item comes and reveals it. The last
            # one that starts before the item is the last chance.
            for started in range(instances):
                if coins.flip(delta):
                    return started, item
            return "safe"

        return exact_distribution(run)

    zero, one = stream(0), stream(1)
    leaked = 1 - one.rational("safe")
    assert zero.rational("safe") == 1 - leaked
    epsilon, allowed = basic(StreamParallel(ApproximateDP(0, delta, scope=DATA), instances))
    assert epsilon == 0 and delta < leaked <= allowed


@given(trees(leaves), st.integers(0, 4))
def test_a_stream_of_equal_releases_is_a_list_of_them(event: Event, count: int) -> None:
    stream, listed = StreamParallel(event, count), OneAtATime((event,) * count)
    assert stream.profile() == listed.profile()
    assert stream.on_every_history == event.on_every_history
    # Whatever is read at once costs as much as one of them.
    whole = AtOnce(event)
    assert StreamParallel(whole, count).profile() == (event if count else Sequential(())).profile()


@given(st.lists(trees(bounded), min_size=1, max_size=4).map(tuple))
def test_one_at_a_time_costs_the_largest_epsilon_and_deltas_that_are_not_known_to_be_paid_once(
    events: tuple[Event, ...],
) -> None:
    epsilon, delta = basic(OneAtATime(events))
    parts = [basic(event) for event in events]
    assert epsilon == max(each for each, _ in parts)
    known = [d for event, (_, d) in zip(events, parts, strict=True) if event.on_every_history]
    assert delta == max(known, default=0) + sum(d for _, d in parts) - sum(known)
    assert delta <= basic(Sequential(events))[1]


def test_a_loss_that_may_be_exceeded_holds_on_every_history_only_if_read_at_once() -> None:
    """Pure DP and a bounded range do; compositions do if all their parts do."""
    leak = ApproximateDP(1, DELTA, scope=DATA)
    assert not any(
        event.on_every_history for event in (leak, ZCDP(1, scope=DATA), StreamParallel(leak, 2))
    )
    assert (
        AtOnce(ZCDP(1, scope=DATA)).on_every_history
        and BoundedRange(1, scope=DATA).on_every_history
    )
    for together in (Sequential, Parallel, OneAtATime):
        assert together((PureDP(1, scope=DATA), AtOnce(leak))).on_every_history
        assert not together((PureDP(1, scope=DATA), AtOnce(leak), leak)).on_every_history
    # zCDP is paid once as well then, by every accountant.
    rho = AtOnce(ZCDP(Fraction(1, 10), scope=DATA))
    assert zcdp(OneAtATime((rho, rho)), DELTA) == zcdp(rho, DELTA)
    assert (
        OneAtATime((rho.event, rho.event)).profile() == ZCDP(Fraction(1, 5), scope=DATA).profile()
    )


def test_nothing_costs_nothing() -> None:
    empty = Sequential(())
    assert basic(empty) == (0, 0) and neighbours(empty) is None
    for method in (zcdp, pld, advanced):
        assert method(empty, DELTA) == (0, DELTA)


# ---- groups


@given(positive, st.fractions(Fraction(1, 10**6), Fraction(1, 100)), st.integers(1, 6))
def test_groups_are_within_the_papers_bound(epsilon: Fraction, delta: Fraction, size: int) -> None:
    found, failing = group(epsilon, delta, size)
    assert found == size * epsilon
    assert failing >= delta
    assert float(failing) <= size * math.exp(size * epsilon) * float(delta)
    steps = [Fraction(0)]
    for _ in range(size):
        steps.append(steps[-1] * Fraction(math.exp(epsilon)) + delta)
    assert float(failing) == pytest.approx(float(steps[-1]), rel=1e-9)


@given(st.fractions(0, 3, max_denominator=10**20), st.integers(1, 40), st.integers(0, 9))
def test_the_geometric_sum_is_that_of_its_summands(
    epsilon: Fraction, size: int, zeros: int
) -> None:
    epsilon /= 10**zeros
    with ctx.workprec(128):
        found = geometric_sum(epsilon, size)
        assert found.overlaps(sum(((i * ball(epsilon)).exp() for i in range(size)), arb(0)))
        assert found.rad() < found.mid() * arb(2) ** -50


def test_a_group_may_be_as_large_as_it_likes() -> None:
    size, delta = 10**12, Fraction(1, 10**18)
    assert size * delta <= group(Fraction(0), delta, size)[1] < size * delta * (1 + DELTA)
    # Between the bounds by its least and its largest summand: e^0 and e^1.
    epsilon, failing = group(Fraction(1, size), delta, size)
    assert epsilon == 1 and size * delta * Fraction(171, 100) < failing < size * delta * 2


@given(trees(bounded), st.integers(1, 4))
def test_a_grouped_event_is_the_group_of_its_total(event: Event, size: int) -> None:
    assert basic(Grouped(event, size)) == group(*basic(event), size)


def test_groups_of_concentrated_events() -> None:
    grouped = Grouped(
        Sequential(
            (
                ZCDP(Fraction(1, 10), scope=DATA),
                PureDP(1, scope=DATA),
            )
        ),
        3,
    )
    assert zcdp(grouped, DELTA) == zcdp(
        ZCDP(9 * (Fraction(1, 10) + Fraction(1, 2)), scope=DATA), DELTA
    )


# ---- challenge-DP; groups and compositions of games are recomputed by
# learners/general_checks/ledger.py


def test_the_others_view_is_a_part_of_the_transcript() -> None:
    counter, predictor = (
        PureDP(1, name="counter", scope=DATA),
        PureDP(2, scope=Scope.adaptive("challenge")),
    )
    event = Sequential((UnderChallenge(SelfComposed(counter, 2)), predictor))
    assert basic(event) == (4, 0)
    assert neighbours(event) == "challenge"
    assert [leaf.name for leaf in event.leaves()] == ["counter", ""]


# ---- the printed ledger


def test_a_ledger_is_printed_as_a_tree() -> None:
    """Equal events in a row are one line, and a long sequence ends with a count."""
    one = Scope.adaptive("replace_one")
    many = [PureDP(Fraction(1, k), name="part", scope=one) for k in range(1, 31)]
    lines = str(Sequential((SelfComposed(AtOnce(many[0]), 3), *many, many[-1]))).splitlines()
    assert lines[:4] == [
        "Sequential",
        "  SelfComposed, count 3",
        "    AtOnce",
        "      part: PureDP, epsilon 1",
    ]
    assert lines[-2:] == [
        "  12 more events are not shown.",
        "covered: one item replaced, against an adaptive adversary that observes every released "
        "value",
    ]
    fixed = PureDP(1, scope=Scope.fixed("replace_one"))
    assert str(Sequential((many[0], fixed, fixed))).count("one item replaced") == 2
    assert "2 times PureDP, epsilon 1" in str(Sequential((fixed, fixed)))
    learner = ONLINE_LEARNERS["sparse-experts"].learner("thresholds:n=7", 100)
    assert max(map(len, str(learner.privacy).splitlines())) < 100


@pytest.mark.parametrize("place", [0, 2, 4])
@pytest.mark.parametrize("slack", [Fraction(1, 100), Fraction(1, 1000)])
def test_the_split_covers_choices_around_a_pure_mechanism(place: int, slack: Fraction) -> None:
    """All views of four choices of fixed intervals and a pure mechanism at any place."""
    data, epsilon, eta = Scope.adaptive("replace_one"), Fraction(1, 2), Fraction(3, 10)
    choices = SelfComposed(BoundedRange(eta, scope=data), 4)
    event = Sequential((PureDP(epsilon, scope=data), choices))
    split = dict(total(event, slack).others)["split"]
    assert split == epsilon + total(choices, slack).epsilon

    def losses(width: float, shift: float) -> list[tuple[float, float]]:
        """The two losses of a worst mechanism, with their probabilities."""
        p = (math.exp(width) - math.exp(shift)) / math.expm1(width)
        return [(shift, p), (shift - width, 1 - p)]

    pure = losses(2 * float(epsilon), float(epsilon))
    for part in (0.2, 0.5, 0.8):
        steps = [losses(float(eta), part * float(eta))] * 4
        steps.insert(place, pure)
        delta = 0.0
        for view in itertools.product(*steps):
            loss = sum(each for each, _ in view)
            mass = math.prod(p for _, p in view)
            delta += mass * max(0.0, -math.expm1(float(split) - loss))
        assert delta <= float(slack) + 1e-12


def test_many_choices_and_few_counts_cost_less_than_their_split() -> None:
    data, delta = Scope.adaptive("replace_one"), Fraction(1, 10**6)
    choices = SelfComposed(BoundedRange(Fraction(1, 5000), scope=data), 10**6)
    for counts, method in ((1, "gaussian"), (15, "gaussian"), (16, "split")):
        count = SelfComposed(PureDP(Fraction(1, 3), scope=data), counts)
        best = total(Sequential((count, choices)), delta)
        assert best.method == method
        split = dict(best.others)["split"]
        assert split == counts * Fraction(1, 3) + total(choices, delta).epsilon
        assert best.epsilon <= split
