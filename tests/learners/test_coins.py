"""Coins: every reading means the same law, and the boundaries where statistics see nothing."""

from __future__ import annotations

import copy
import os
import pickle
from collections import Counter
from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import cache
from itertools import permutations

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from learners.coins import Coins, SecureCoins, SeededCoins, WordCoins
from learners.coins.seeded import _AliasTable, _laplace_tables
from learners.coins.words import SPAN
from learners.exact import PRECISION, OutputDistribution, exact_distribution

ERROR = 1e-6
FEW, MANY = 1_500, pytest.param(25_000, marks=pytest.mark.slow)
"""How often is drawn."""

RUNS: dict[str, Callable[[Coins], Hashable]] = {
    "below 6": lambda coins: coins.below(6),
    "flip": lambda coins: coins.flip(Fraction(3, 10)),
    "sure flips": lambda coins: (coins.flip(0), coins.flip(1), coins.below(1), coins.decays(0)),
    "decays 1/3": lambda coins: coins.decays(Fraction(1, 3)),
    "decays 1": lambda coins: coins.decays(1),
    "decays 7/3": lambda coins: coins.decays(Fraction(7, 3)),
    "failures": lambda coins: coins.failures(Fraction(4, 3), 6),
    "few failures": lambda coins: coins.failures(Fraction(1, 9), 100),
    "rare success": lambda coins: coins.failures(5, 40),
    "sure success": lambda coins: (coins.failures(0, 9), coins.failures(3, 0)),
    "pick": lambda coins: coins.pick([0, Fraction(-1, 2), 2, Fraction(1, 3)]),
    "pick in units": lambda coins: coins.pick([3, 0, -1, 2], unit=Fraction(-2, 3)),
    "pick of many": lambda coins: coins.pick([-k for k in range(20)], unit=Fraction(1, 3)),
    "pick of groups": lambda coins: coins.pick([4, 0, -90], Fraction(3, 4), counts=[1, 30, 10**9]),
    "pick of a heavy tail": lambda coins: coins.pick([0, -65, -66], counts=[1, 10**28, 3 * 10**28]),
    "picks": lambda coins: tuple(coins.picks([2, -3, 0], 2, Fraction(1, 2), counts=(1, 9, 3))),
    "picks by fractions": lambda coins: coins.picks([0, Fraction(-1, 2), Fraction(1, 3)], 1)[0],
    "pick from": lambda coins: coins.pick_from(np.array([3, 0, -1, 2, 0]), Fraction(-2, 3)),
    "pick from many": lambda coins: coins.pick_from(np.arange(20) // 2, Fraction(1, 3)),
    "pick from far ones": lambda coins: coins.pick_from(np.array([0, -90, -1]), Fraction(3, 4)),
    "pick from beyond 64 bits": lambda coins: coins.pick_from(
        np.array([2**40, 0, 2**40 - 1]), Fraction(2**30 + 1, 2**30)
    ),
    "pick from groups": lambda coins: coins.pick_from(
        np.array([4, 0, -9, 3]), Fraction(3, 4), np.array([1, 30, 1000, 2])
    ),
    "pick from one level": lambda coins: coins.pick_from(
        np.array([7, 7, 6]), Fraction(1, 100), np.array([5, 1, 10])
    ),
    "pick from groups beyond 64 bits": lambda coins: coins.pick_from(
        np.array([2**40, 0, 2**40 - 1, 2**40]), Fraction(2**30 + 1, 2**30), np.array([3, 1, 9, 2])
    ),
    "pick from bytes": lambda coins: coins.pick_from(
        np.array([-100, 100], dtype=np.int8), Fraction(1, 100)
    ),
    "pick from equals": lambda coins: coins.pick_from(np.array([7, 7, 7], dtype=np.uint8), 5),
    "pick counted": lambda coins: coins.pick_counted(
        np.array([4, 0, -90]), np.array([1, 30, 10**9], dtype=np.uint64), Fraction(3, 4)
    ),
    "pick counted by losses": lambda coins: coins.pick_counted(
        np.arange(40) // 2, np.array([1, 10**9] * 20, dtype=np.uint64), Fraction(-2, 3)
    ),
    "noisy maximum": lambda coins: coins.noisy_maximum([2, 0, 1], Fraction(3, 2), [1, 9, 4]),
    "noisy maximum of many": lambda coins: coins.noisy_maximum([0, 6], 1, [300, 1]),
    "noisy maximum with ties": lambda coins: coins.noisy_maximum([0, 0], Fraction(1, 9), [1, 3]),
    "laplace 1": lambda coins: coins.laplace(1),
    "laplace 5/2": lambda coins: coins.laplace(Fraction(5, 2)),
    "laplace 1/3": lambda coins: coins.laplace(Fraction(1, 3)),
    "laplace 40": lambda coins: coins.laplace(40),
    "together": lambda coins: coins.laplaces(Fraction(3, 4), 2)[1],
    "together, 100": lambda coins: coins.laplaces(100, 1)[0],
    "gaussian 1/3": lambda coins: coins.gaussians(Fraction(1, 3), 1)[0],
    "gaussian 5": lambda coins: coins.gaussians(5, 1)[0],
    "censored gaussian": lambda coins: coins._gaussian(7, 2, 2),
    "at least, above": lambda coins: coins.at_least(3, 2, 5),
    "at least, equal": lambda coins: coins.at_least(-4, Fraction(3, 2), -4),
    "at least, below": lambda coins: coins.at_least(7, 3, 2),
    "shuffle": lambda coins: coins.shuffle(4),
    "places": lambda coins: coins.places(2, 5),
}


def test_copies_of_one_candidate_are_one_branch():
    for pick in (lambda coins: coins.pick, lambda coins: coins.pick_from):
        law = exact_distribution(lambda coins, pick=pick: pick(coins)([0, 1], counts=[1, 10**9]))
        assert law.branches == 2


def p_value(law: OutputDistribution, counts: Counter) -> float:
    """Of Pearson's chi-square; outcomes expected fewer than 10 times are thrown together."""
    total = sum(counts.values())
    expected = {outcome: float(law[outcome]) * total for outcome in law}
    common = {outcome: size for outcome, size in expected.items() if size >= 10}
    cells = [(counts[outcome], size) for outcome, size in common.items()]
    rest = total - sum(size for _, size in cells)
    if rest > 1e-9 * total:
        cells.append((total - sum(seen for seen, _ in cells), rest))
    statistic = sum((seen - size) ** 2 / size for seen, size in cells)
    if len(cells) == 1:
        return 1.0 if statistic < 1e-9 else 0.0
    freedom = arb(len(cells) - 1)
    return float(arb.gamma_upper(arb(statistic) / 2, freedom / 2, regularized=1))


@pytest.mark.parametrize("samples", [FEW, MANY])
@pytest.mark.parametrize(
    ("coins", "run"),
    [*((SeededCoins(20260101), run) for run in RUNS), (SecureCoins(), "laplace 5/2")],
)
def test_all_readings_mean_the_same_law(coins, run, samples):
    law = exact_distribution(RUNS[run])
    counts = Counter(RUNS[run](coins) for _ in range(samples))
    assert not set(counts) - set(law)
    assert p_value(law, counts) > ERROR


def test_the_chi_square_notices_a_wrong_law():
    law = exact_distribution(lambda coins: coins.laplace(Fraction(5, 2)))
    coins = SeededCoins(3)
    wrong = Counter(coins.laplace(2) for _ in range(FEW))
    assert p_value(law, wrong) < ERROR


class Enumerated(WordCoins):
    """The samplers of `WordCoins`, with their uniform numbers taken from other coins."""

    def __init__(self, uniform: Coins) -> None:
        super().__init__()
        self.uniform = uniform

    def _read(self) -> list[int]:
        return [self.uniform.below(2)]  # only the parity of a word is used

    def _below(self, n: int) -> int:
        return self.uniform.below(n)


@pytest.mark.parametrize(
    "run",
    [
        lambda coins: coins.laplace(2),
        lambda coins: coins.at_least(0, Fraction(1, 2), 1),
        lambda coins: coins.decays(Fraction(2, 3)),
        lambda coins: coins.decays(Fraction(5, 2)),
        lambda coins: coins.pick([0, Fraction(-1, 2), -1]),
        lambda coins: coins.pick([0, Fraction(-3, 2)], counts=[1, 2]),
    ],
)
def test_the_integer_samplers_have_exactly_their_law(run):
    # Every branch of the sampler itself is followed until it has probability 2^-16.
    sampler = exact_distribution(
        lambda coins: run(Enumerated(coins)), tail=Fraction(1, 2**16), depth=0
    )
    stated = exact_distribution(run)
    assert sampler.tail < 0.1
    with ctx.workprec(PRECISION):
        for outcome in set(stated) | set(sampler):
            enclosures = [
                law.probability(lambda x, of=outcome: x == of) for law in (sampler, stated)
            ]
            assert enclosures[0].overlaps(enclosures[1])


def test_the_coin_of_the_levels_has_exactly_its_law():
    sampler = exact_distribution(
        lambda coins: Enumerated(coins)._eight_to_three_e(), tail=Fraction(1, 2**60), depth=0
    )
    with ctx.workprec(PRECISION):
        found = sampler.probability(lambda accepted: accepted)
        assert found.overlaps(8 / (3 * arb(1).exp()))
        assert found.rad() < 1e-15


@given(st.data())
def test_draws_made_together_follow_the_cumulated_weights(data):
    weights = data.draw(st.lists(st.integers(-40, 40), min_size=1, max_size=6))
    counts = [data.draw(st.integers(1, 10**6)) for _ in weights]
    unit = data.draw(st.fractions(Fraction(1, 50), 3, max_denominator=60))
    order = sorted(range(len(weights)), key=lambda i: -weights[i])
    with ctx.workprec(512):
        sizes = [
            counts[i] * (arb(weights[i]) * unit.numerator / unit.denominator).exp() for i in order
        ]
        total = sum(sizes, arb(0))
        ends = [sum(sizes[: i + 1], arb(0)) / total for i in range(len(sizes))]
        words = [data.draw(st.integers(0, 2**64 - 1)) for _ in range(2)]
        if data.draw(st.booleans()):
            # The number agrees with an end of a part for so long that one word does not decide.
            end = ends[data.draw(st.integers(0, len(ends) - 1))]
            digits = int((end * arb(2) ** 128).mid().floor().unique_fmpz())
            digits = min(max(digits + data.draw(st.sampled_from((-1, 1))), 0), 2**128 - 1)
            words = list(divmod(digits, 2**64))
        number = arb(words[0]) / arb(2) ** 64 + arb(words[1]) / arb(2) ** 128
        # Ends of equal weights are rational, and a number that is an end belongs to the next part.
        near = arb(2) ** -300
        expected = next(i for i, end in zip(order, ends, strict=True) if number < end - near)
    coins = Script(words=[*words, *[0] * 9])
    assert coins.picks(weights, 1, unit, counts=counts) == [expected]


@given(st.fractions(Fraction(1, 50), 60, max_denominator=60), st.data())
def test_failures_are_counted_by_the_digits_of_one_uniform_number(exponent, data):
    words = [data.draw(st.integers(0, 2**64 - 1)) for _ in range(2)]
    limit = data.draw(st.sampled_from((1, 7, 10**12)))
    with ctx.workprec(512):
        log_failure = (-(arb(fmpq(-exponent.numerator, exponent.denominator)).exp())).log1p()
        if data.draw(st.booleans()):
            # One word does not decide whether there are k failures.
            end = (log_failure * data.draw(st.integers(1, 40))).exp()
            digits = int((end * arb(2) ** 128).mid().floor().unique_fmpz())
            words = list(
                divmod(min(digits + data.draw(st.sampled_from((-1, 1))), 2**128 - 1), 2**64)
            )
        number = arb(words[0]) / arb(2) ** 64 + (arb(words[1]) + arb(1) / 2) / arb(2) ** 128
        expected = min(int((number.log() / log_failure).floor().unique_fmpz()), limit)
    coins = Script(words=[*words, 2**63, *[0] * 9])
    assert coins.failures(exponent, limit) == expected


def test_rare_successes_and_large_limits_take_no_longer():
    coins = SeededCoins(1)
    assert coins.failures(10**9, 10**30) == 10**30
    assert 0 < coins.failures(60, 10**40) < 10**30


def transcript(coins: Coins) -> list:
    return [
        [coins.below(10) for _ in range(8)],
        coins.below(10**30),
        [coins.flip(Fraction(1, 3)) for _ in range(6)],
        [coins.decays(Fraction(4, 3)) for _ in range(6)],
        [coins.pick([0, 1, Fraction(-1, 2)]) for _ in range(8)],
        [coins.laplace(Fraction(7, 2)) for _ in range(10)],
        [coins.at_least(2, 4, 4) for _ in range(6)],
        list(coins.shuffle(7)),
        coins.laplaces(12, 6),
        coins.laplaces(10**6, 4),
        coins.laplace(3),
        coins.picks([0, 1, -2], 8, Fraction(1, 2), counts=[2, 1, 5]),
    ]


STORED = [
    [6, 3, 4, 0, 9, 7, 1, 9],
    825000002319129591651883965459,
    [True, True, False, True, False, True],
    [False, False, False, False, True, False],
    [1, 1, 1, 0, 2, 1, 0, 0],
    [-2, -1, -6, 2, 1, -5, -2, -5, -1, -2],
    [False, False, False, False, False, False],
    [4, 5, 1, 3, 6, 0, 2],
    [-8, -12, -28, -19, -3, -3],
    [16748, 257649, 834857, 843236],
    -1,
    [1, 0, 0, 0, 0, 1, 2, 1],
]


def test_a_seed_gives_one_transcript():
    assert transcript(SeededCoins(42)) == STORED


def test_seeds_may_be_generators_which_are_read_once():
    generator = np.random.default_rng(42)
    coins = SeededCoins(generator)
    after = generator.random()
    assert transcript(coins) == STORED
    other = np.random.default_rng(42)
    SeededCoins(other).laplaces(3, 5000)
    assert other.random() == after
    assert SeededCoins(generator).below(2**60) != SeededCoins(generator).below(2**60)


def test_words_are_used_in_the_order_of_the_source():
    # The numbers drawn do not depend on how many words are read at a time.
    coins = SeededCoins(1)
    words = coins._source.random_raw(1500).tolist()
    again = SeededCoins(1)
    assert [again._word() for _ in range(1500)] == words


@given(st.integers(-(10**40), 10**40), st.integers(1, 10**30), st.integers(0, 2**32))
def test_values_and_scales_may_be_large(value, scale, seed):
    coins = SeededCoins(seed)
    assert coins.at_least(value, scale, value - 200 * scale)
    assert not coins.at_least(value, scale, value + 200 * scale)
    assert abs(coins.laplace(scale)) < 200 * scale


def test_secure_words_are_used_once():
    coins = SecureCoins()
    coins.below(2)
    assert coins._words
    assert not copy.copy(coins)._words
    assert not copy.deepcopy(coins)._words
    assert not pickle.loads(pickle.dumps(coins))._words


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
def test_a_forked_child_draws_its_own_words():
    coins = SecureCoins()
    coins.below(2)
    kept = list(coins._words)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, str(len(coins._words)).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reader, 100) == b"0"
    assert coins._words == kept
    os.close(reader)
    os.close(writer)


def test_noise_beyond_64_bits_is_drawn_one_by_one():
    scale = 2**81
    coins = SeededCoins(4)
    assert SeededCoins(4).laplaces(scale, 3) == [coins.laplace(scale) for _ in range(3)]
    assert len(SeededCoins(0).laplaces(2**54 - 1, 10)) == 10


@given(st.integers(0, 30), st.data())
def test_places_are_those_of_a_shuffle(n, data):
    count = data.draw(st.integers(0, n))
    seed = data.draw(st.integers(0, 2**32))
    assert SeededCoins(seed).places(count, n) == SeededCoins(seed).shuffle(n)[::-1][:count]


@given(st.integers(1, 2**200), st.integers(0, 40), st.integers(0, 2**32))
def test_places_are_different_however_many_there_are(n, count, seed):
    drawn = SeededCoins(seed).places(min(count, n), n)
    assert len(set(drawn)) == len(drawn) == min(count, n)
    assert all(0 <= place < n for place in drawn)


def test_all_places_are_equally_likely():
    law = exact_distribution(lambda coins: coins.places(3, 6))
    assert set(law) == set(permutations(range(6), 3))
    assert {law.rational(places) for places in law} == {Fraction(1, 120)}


def test_counts_and_weights_of_an_array_may_be_as_large_as_64_bits_allow() -> None:
    coins, large = SeededCoins(1), np.array([2**61, 2**61 - 1])
    assert {coins.pick_from(np.array([5, 5]), 1, large) for _ in range(100)} == {0, 1}
    assert coins.pick_from(np.array([0, 2**61]), Fraction(1, 10**15)) == 1
    far = {coins.pick_from(np.array([0, 5]), Fraction(-1, 10**40)) for _ in range(100)}
    assert far == {0, 1}


# ---- at the boundaries, where statistics see nothing


class Script(WordCoins):
    """Coins whose uniform numbers, or whose words, are given; nothing else may be drawn."""

    def __init__(self, *, below: list[tuple[int, int]] | None = None, words: list[int]) -> None:
        super().__init__()
        self.numbers, self.given = below, list(words)

    def _read(self) -> list[int]:
        return [self.given.pop(0)]

    def _below(self, n: int) -> int:
        if self.numbers is None:
            return super()._below(n)
        expected, drawn = self.numbers.pop(0)
        assert n == expected
        return drawn

    @property
    def left(self) -> int:
        """How many words were not used."""
        return len(self.given) + len(self._words)


@given(st.integers(1, SPAN) | st.integers(1, 70) | st.integers(SPAN - 70, SPAN))
def test_exactly_the_words_of_the_incomplete_block_are_rejected(n: int) -> None:
    """So every number below n comes of as many words as every other."""
    complete = SPAN // n * n
    kept = [0, n - 1, complete - n, complete - 1, complete // 2]
    for word in kept:
        coins = Script(words=[word, 0])
        assert (coins._below(n), coins.left) == (word % n, 1)
    rejected = {complete, SPAN - 1, (complete + SPAN) // 2} - {SPAN} if complete < SPAN else set()
    for word in rejected:
        coins = Script(words=[word, complete - 1, 0])
        assert (coins._below(n), coins.left) == (n - 1, 1)


@given(st.integers(SPAN + 1, 2**70) | st.integers(2, 200).map(lambda bits: (SPAN << bits) + 1))
def test_numbers_beyond_a_word_use_their_leading_bits_and_reject_the_rest(n: int) -> None:
    bits = (n - 1).bit_length()
    several = -(-bits // 64)
    spare = 64 * several - bits

    def words(number: int, rest: int) -> list[int]:
        digits = number << spare | rest
        return [digits >> 64 * i & SPAN - 1 for i in reversed(range(several))]

    for number in (0, 1, n // 2, n - 1):
        for rest in {0, (1 << spare) - 1}:
            coins = Script(words=[*words(number, rest), 0])
            assert (coins.below(n), coins.left) == (number, 1)
    for number in {n, 2**bits - 1} if n < 2**bits else ():
        coins = Script(words=[*words(number, 0), *words(n - 1, 0), 0])
        assert (coins.below(n), coins.left) == (n - 1, 1)


@pytest.mark.parametrize("several", [1, 2, 5])
def test_as_many_digits_are_read_as_decide(several: int) -> None:
    """A number that agrees with the end of a part, digit by digit, is put on its own side."""
    last = SPAN - 1
    for words, part in (
        ([2**63 - 1, *[last] * several, 0], 0),
        ([2**63, *[0] * several, 1 << 63], 1),
    ):
        # Two equal weights: their common end is 1/2.
        coins = Script(words=[*words, 7])
        assert (coins.picks([0, 0], 1), coins.left) == ([part], 1)
    with ctx.workprec(2000):
        share = 1 / (1 + arb(-1).exp())  # of the heavier of the weights 0 and -1
        digits = int((share * arb(2) ** (64 * several)).mid().floor().unique_fmpz())
        for side in (0, 1):
            # One unit of the last word to the left and to the right of the end.
            number = digits - 1 + 2 * side
            words = [number >> 64 * i & last for i in reversed(range(several))]
            coins = Script(words=[*words, 0, 0, 0])
            assert (coins.picks([0, -1], 1), coins.left) == ([side], 3)


@pytest.mark.parametrize("scale", [Fraction(3), Fraction(3, 2), Fraction(5, 4)])
@pytest.mark.parametrize("quotient", [0, 1, 3])
@pytest.mark.parametrize("remainder", [0, 1, 2])
def test_noise_is_its_remainder_and_quotient(
    scale: Fraction, quotient: int, remainder: int
) -> None:
    """Every random choice is given, and the number that comes of them is the one of the law."""
    numerator, denominator = scale.numerator, scale.denominator
    if remainder >= numerator:
        return
    draws = [(numerator, remainder)]
    if remainder:  # kept with probability exp(-remainder/numerator): at once, here
        draws.append((numerator, numerator - 1))
    # exp(-1) as 1/2 - 1/6 + ...: two steps are a success, one is the end.
    draws += [(2, 0), (3, 1)] * quotient + [(2, 1)]
    magnitude = (remainder + numerator * quotient) // denominator
    for word, sign in ((1, 1), (2**64 - 1, 1), (0, -1), (2**64 - 2, -1)):
        if magnitude or sign > 0:
            coins = Script(below=list(draws), words=[word])
            assert coins.laplace(scale) == sign * magnitude
            assert (coins.numbers, coins.left) == ([], 0)
        else:
            # A negative zero begins anew; the second one is positive.
            coins = Script(below=draws * 2, words=[word, 1])
            assert (coins.laplace(scale), coins.numbers, coins.left) == (0, [], 0)


# ---- ends of parts, and tables


COUNTS = ((1, 1, *(2,) * 20), (1, 1, *(2,) * 20, 26))
"""Of the weights 1, y, y^2, ...: the first two are half of all for a root y of a polynomial."""


def excess(counts: tuple[int, ...], x: Fraction) -> arb:
    """By how much the others exceed the first two, for y = exp(-x)."""
    y, found = (-arb(fmpq(x.numerator, x.denominator))).exp(), arb(0)
    for count in reversed(counts[2:]):
        found = found * y + count
    return found * y**2 - 1 - y


@cache
def root(counts: tuple[int, ...]) -> Fraction:
    """An x, right to 2^-250, such that the first two are half of all."""
    low, high = Fraction(0), Fraction(2)
    for _ in range(250):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(counts, middle) > 0 else (low, middle)
    return low


@pytest.mark.parametrize("close", [170, 190, 194, 210])
@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("counts", COUNTS)
def test_the_end_of_a_part_is_never_taken_for_a_number_near_it(
    counts: tuple[int, ...], side: int, close: int
) -> None:
    """The first two parts end 2^-close before or after 1/2, and the number is nearer to 1/2.

    One word shows no difference between them. The ends are first computed to 192 bits, of which
    the last few are wrong.
    """
    with ctx.workprec(1000):
        # A larger x makes later weights lighter, so that the first parts end after 1/2.
        unit = root(counts) + Fraction(side, 2**close)
        assert (excess(counts, unit) < 0) == (side > 0)
    # At 1/2 or just below, until it is clear that the end is on the other side.
    words = [2**63, 0, 0, 0, 0, 0] if side > 0 else [2**63 - 1, *[SPAN - 1] * 5]
    coins = Script(words=words)
    drawn = coins.picks([-i for i in range(len(counts))], 1, unit, counts=counts)
    assert drawn == [1 if side > 0 else 2]


def law_of_words(table: _AliasTable) -> Counter[int]:
    """How many of all 2^64 words stand for each value: each bucket has one or two."""
    buckets = len(table._keep)
    width = SPAN // buckets
    begin = np.arange(buckets, dtype=np.uint64) * np.uint64(width)
    low, high = begin.copy(), begin + np.uint64(width - 1)
    first, last = table.look_up(low), table.look_up(high)
    for _ in range(64):
        middle = low + (high - low) // np.uint64(2)
        same = table.look_up(middle) == first
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    found = Counter[int]()
    for one, other, end in zip(first.tolist(), last.tolist(), (high - begin).tolist(), strict=True):
        found[one] += width if one == other else end
        found[other] += 0 if one == other else width - end
    return +found


@pytest.mark.parametrize("size", [2, 5, 13])
def test_a_table_has_exactly_the_law_of_its_weights(size: int) -> None:
    rng = np.random.default_rng(size)
    for place in (1, 256):
        parts = [int(part) for part in rng.integers(0, SPAN // size, size - 1, dtype=np.uint64)]
        parts.append(SPAN - sum(parts))
        expected = {place * i: part for i, part in enumerate(parts) if part}
        assert law_of_words(_AliasTable(parts, place)) == expected


@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(5, 2), Fraction(10**5)])
def test_tables_of_noise_are_right_to_64_bits(scale: Fraction) -> None:
    zero, digits = _laplace_tables(scale.numerator, scale.denominator)
    with ctx.workprec(400):
        rate = arb(fmpq(scale.denominator, scale.numerator))
        q = (-rate).exp()
        assert abs(zero - SPAN * (1 - q) / (1 + q)) <= 1
        for number, table in enumerate(digits):
            law = law_of_words(table)
            place = 256**number
            assert set(law) <= set(range(0, place * len(table._keep), place))
            # Digits in base 256; the highest is not bounded, but for what has no 64 bits left.
            size = 256 if number < len(digits) - 1 else None
            all_of_them = 1 - (-rate * place * size).exp() if size else arb(1)
            for value in (0, 1, 2, 7, 200):
                share = (-rate * place * value).exp() * (1 - (-rate * place).exp()) / all_of_them
                assert abs(law[place * value] - SPAN * share) <= 2


@pytest.mark.parametrize(
    "p", [0, Fraction(1, 5), SPAN - 1, Fraction(3, SPAN - 1), Fraction(1, SPAN + 1), 1]
)
def test_draws_of_many_flips_are_those_of_one_after_the_other(p: Fraction | int) -> None:
    """Also where words are rejected, which half of them are for three quarters of the span."""
    p = Fraction(1, p) if p > 1 else Fraction(p)
    for denominator in (p.denominator, 3 * SPAN // 4):
        share = Fraction(p.numerator % (denominator + 1), denominator)
        one, other = SeededCoins(5), SeededCoins(5)
        assert one.flips(share, 1200) == [other.flip(share) for _ in range(1200)]
        assert one.below(SPAN) == other.below(SPAN)
