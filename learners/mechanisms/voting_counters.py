"""A private vote count in a stream, which ends when one item reaches its noisy threshold.

Each example of the stream votes for one item of an unlimited universe, or for none. The mechanism
publishes the first item whose count reaches the item's noisy threshold. The noise of an item is
drawn at its first vote, so only items with votes cost time.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from flint import arb

from learners.accounting import ApproximateDP, Event, Scope
from learners.balls import ball, ceiling, certainly_le, log
from learners.checked import Delta, Epsilon, Failure, Rounds
from learners.coins import Coins
from learners.mechanisms.histograms import canonical_item
from learners.mechanisms.sparse_vector import raise_of_threshold
from learners.number_arguments import least_integer
from learners.states import State, require_rounds_left
from lsclasses.errors import InvalidInput
from lsclasses.options import check_arguments, check_fields


@dataclass(frozen=True)
class VotingCounters:
    r"""A private mechanism that publishes the first item with noisily enough votes.

    Every round casts one vote for an item, or no vote. Let r be the threshold, e = epsilon/2, x =
    exp(-e), and let T be the number of rounds. At the first vote for an item g, a secret raise G_g
    >= 0 of the threshold of g is drawn, with P[G_g = i] = (1 - x) x^i. After every round, each item
    g with n >= 1 votes *fires* with probability 1 if n >= r + G_g, and with probability x^(r + G_g
    - n) otherwise. The first item that fires is published, and the run halts. If several items fire
    in one round, one of them is chosen uniformly. The threshold is

        r = 1 + ceil(ln(2T/((1 + x) delta))/e).

    **Guarantee.** The run is (epsilon, delta)-DP if one vote is replaced, added or removed, against
    adaptive adversaries.

    **Proof.** Before the output, the adversary observes only that the run continues. So we may
    assume that the adversary fixes all votes in advance. After the output, the votes are not read.
    The output is a function of the firing times of all items and of one uniform choice. The firing
    times of different items are independent, and the firing time of an item depends only on its own
    votes. Compare the votes S with the votes S' that lack the vote of round s, which S casts for g.
    Let M be the run on S' in which g may fire from its first vote in S on, even if its count is
    still 0.

    1. *S against M.* In both runs, the firing time of g is the time of "reached" of a
       `OneSidedThreshold` with privacy parameter e. The two bit streams differ in round s only. So
       P_S(E) <= e^e P_M(E) and P_M(E) <= e^e P_S(E) for every set E of outputs.
    2. *M against S'.* The runs differ only if g fires at count 0. In one round, this has
       probability E[x^(r + G)] = x^r/(1 + x). So |P_M(E) - P_S'(E)| <= d for d = T x^r/(1 + x).
    3. So P_S <= e^e (P_S' + d) and P_S' <= e^e P_S + d.
    4. To replace a vote, remove a vote from S (which gives S') and add another vote (which gives
       S''). By step 3, P_S <= e^e (P_S' + d) and P_S' <= e^e P_S'' + d, so
       P_S <= e^(2e) P_S'' + 2 e^e d. The choice of r gives
       2 e^e d = 2T x^(r - 1)/(1 + x) <= delta. QED

    **Accuracy.** Let m >= r - 1. If all votes are for one item, the item has more than m votes
    before it fires with probability at most

        p(m) = (1 - x) x^(m - r + 1)/(1 - x^(m + 1)).

    The probability equals p(m) if each of the first m + 1 rounds casts a vote. *Proof.* Rounds
    without a vote give the item further opportunities to fire. So let each round cast a vote. Put
    c = m - r + 1 >= 0. For G < c the m-th vote fires at the latest. For G = c + s the item survives
    m votes with the probability prod_{j=s+1}^{s+m} (1 - x^j), because r + G - i runs from s + m
    down to s + 1. Let Q(s) = prod_{j=s+1}^{s+m+1} (1 - x^j). Then

        Q(s) - Q(s - 1) = prod_{j=s+1}^{s+m} (1 - x^j) ((1 - x^(s+m+1)) - (1 - x^s))
                        = x^s (1 - x^(m+1)) prod_{j=s+1}^{s+m} (1 - x^j).

    Q(-1) = 0, and Q(s) tends to 1. So the sum over s of x^s prod_{j=s+1}^{s+m} (1 - x^j) is
    1/(1 - x^(m+1)). The probability is (1 - x) x^c times this sum. QED

    In particular, p(m) <= x^(m - r + 1). So at most r + ceil(ln(1/failure)/e) - 1 votes are cast
    before the item fires, except with probability `failure`. `most_votes` returns the least m with
    p(m) <= failure.

    Parameters
    ----------
    epsilon, delta : Fraction or int
        Privacy cost of a run.
    rounds : int
        Largest number T of rounds.

    Raises
    ------
    InvalidInput
        If epsilon, delta or the number of rounds is out of range, or a float.

    References
    ----------
    The mechanism and the constants are of this project.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> mechanism = VotingCounters(1, Fraction(1, 10**6), rounds=1000)
    >>> mechanism.threshold, mechanism.most_votes(Fraction(1, 20))
    (43, 47)
    >>> votes = ["a", "b", None] * 30 + ["b"] * 30
    >>> answers = mechanism.answers(votes, SeededCoins(1))
    >>> len(answers), answers[-1]
    (100, 'b')
    """

    epsilon: Epsilon
    delta: Delta
    rounds: Rounds

    def __post_init__(self) -> None:
        check_fields(self)

    @cached_property
    def rate(self) -> Fraction:
        """The privacy cost e = epsilon/2 of one added or removed vote."""
        return self.epsilon / 2

    @cached_property
    def threshold(self) -> int:
        """The threshold r, to which the random raise of each item is added."""

        def steps() -> arb:
            x = (-ball(self.rate)).exp()
            return (log(2 * self.rounds / self.delta) - (1 + x).log()) / ball(self.rate)

        return 1 + ceiling(steps)

    @property
    def privacy(self) -> Event:
        """The privacy cost of a run, from its start to its last round."""
        return ApproximateDP(
            self.epsilon, self.delta, name="voting counters", scope=Scope.adaptive("replace_one")
        )

    @check_arguments
    def most_votes(self, failure: Failure) -> int:
        """Return the least m >= r - 1 with P[an item has over m votes before it fires] <= failure.

        Here r is the threshold. The bound requires that all votes are for one item. It holds for
        every number of rounds, and for any rounds without a vote between the votes.

        Examples
        --------
        >>> mechanism = VotingCounters(1, Fraction(1, 10**6), rounds=10**6)
        >>> mechanism.most_votes(Fraction(1, 20)), mechanism.most_votes(Fraction(1, 1000))
        (61, 68)
        """
        least = self.threshold - 1

        def suffices(votes: int) -> bool:
            def unpublished() -> arb:
                x = (-ball(self.rate)).exp()
                return (1 - x) * x ** (votes - least) / (1 - x ** (votes + 1))

            return certainly_le(unpublished, failure)

        # p(m) <= x^(m - r + 1), so these votes suffice.
        enough = least + ceiling(lambda: -log(failure) / ball(self.rate))
        return least_integer(suffices, least - 1, max(enough, least))

    def _raised(self, coins: Coins) -> int:
        """Return the raised threshold of an item."""
        return self.threshold + raise_of_threshold(self.rate, coins)

    def _wait(self, missing: int, left: int, coins: Coins) -> int:
        """Return the number of rounds before an item fires, or `left` if it fires in none."""
        return coins.failures(self.rate * max(missing, 0), left)

    def start(self, coins: Coins) -> VotingRun:
        """Return a new run. No randomness is drawn before the first vote."""
        return VotingRun(self)

    def answers(self, votes: Iterable[object], coins: Coins) -> tuple[Hashable, ...]:
        """Return the answers to a stream of votes, up to the published item.

        Parameters
        ----------
        votes : iterable
            Item of each round, or None for a round without a vote.
        coins : Coins
            Source of randomness, `SecureCoins` for a release.
        """
        run, given = self.start(coins), []
        for item in votes:
            answer, run = run.ask(item, coins)
            given.append(answer)
            if run.halted:
                break
        return tuple(given)

    def __str__(self) -> str:
        mean = 1 / math.expm1(float(self.rate))
        return (
            f"Voting counters with threshold {self.threshold}, at most {self.rounds} rounds\n"
            f"  raise of the threshold of an item: {mean:.3g} votes on average"
        )


BUCKETS = 256
"""Number of parts of a ballot. A vote copies one part."""


@dataclass(frozen=True)
class Ballot(Mapping[Hashable, int]):
    """An immutable mapping from each item to its missing votes, with cheap changed copies.

    Missing votes are the raised threshold of an item minus its count. Items are distributed over
    parts by their hashes. A changed ballot shares the other parts with the ballot before.

    Examples
    --------
    >>> ballot = Ballot().changed("a", 5)
    >>> dict(ballot), dict(ballot.changed("a", 4)), ballot.changed("a", 4) == Ballot.of({"a": 4})
    ({'a': 5}, {'a': 4}, True)
    """

    parts: tuple[dict[Hashable, int], ...] = ({},) * BUCKETS
    size: int = 0
    _sum: int = field(default=0, repr=False)
    """The sum of the hashes of all pairs, so that equal ballots have equal hashes."""

    @classmethod
    def of(cls, missing: Mapping[Hashable, int] | Iterable[tuple[Hashable, int]]) -> Ballot:
        """Return a ballot from the number of votes that each item lacks to its threshold."""
        ballot = cls()
        for item, votes in dict(missing).items():
            ballot = ballot.changed(item, votes)
        return ballot

    def changed(self, item: Hashable, missing: int) -> Ballot:
        """Return the ballot after a change of the number of votes that an item lacks."""
        at = hash(item) % BUCKETS
        before = self.parts[at]
        parts = (*self.parts[:at], {**before, item: missing}, *self.parts[at + 1 :])
        known = item in before
        total = self._sum + hash((item, missing)) - (hash((item, before[item])) if known else 0)
        return Ballot(parts, self.size + (not known), total)

    def __getitem__(self, item: Hashable) -> int:
        return self.parts[hash(item) % BUCKETS][item]

    def __iter__(self) -> Iterator[Hashable]:
        return (item for part in self.parts for item in part)

    def __len__(self) -> int:
        return self.size

    def __hash__(self) -> int:
        return hash(self._sum)


@dataclass(frozen=True)
class VotingRun(State[VotingCounters]):
    """A run of `VotingCounters`, which receives one vote after another.

    **Lazy noise.** An item tosses coins of equal probability until its next vote. So the time at
    which it fires, if it gets no further vote, is drawn in one step at its last vote
    (`Coins.failures`). A further vote discards this time and draws a new time. The distribution
    does not change, because the coins of later rounds are independent of the earlier coins.

    Attributes
    ----------
    missing : Ballot
        Missing votes of each item with a vote (secret).
    due : tuple of (int, item)
        Rounds in which items fire unless they get a further vote (secret). Rounds after the last
        round of the run are omitted.
    played : int
        Number of rounds so far.
    halted : bool
        Whether an item has been published.
    """

    missing: Ballot = Ballot()
    due: tuple[tuple[int, Hashable], ...] = ()
    played: int = 0
    halted: bool = False

    def ask(self, item: object, coins: Coins) -> tuple[Hashable, VotingRun]:
        """Return the item published after a round, or None, and the run after the round.

        Parameters
        ----------
        item : hashable or None
            Item that gets the vote of the round, as for `canonical_item`, or None for no vote.
        coins : Coins
            Source of randomness, `SecureCoins` for a release.

        Raises
        ------
        InvalidInput
            If the run has halted or has played all rounds, or the item has no canonical form.
        """
        if self.halted:
            raise InvalidInput(
                "The run has halted, because an item has been published. Start a new run, which "
                "costs epsilon and delta again."
            )
        require_rounds_left(self.played, self.mechanism.rounds, "mechanism", "threshold")
        run = replace(self, played=self.played + 1)
        if item is not None:
            run = run._with_vote(canonical_item(item), coins)
        firing = [each for time, each in run.due if time == run.played]
        if not firing:
            return None, run
        halted = replace(run, missing=Ballot(), due=(), halted=True)
        return run._chosen(firing, coins), halted

    def _chosen(self, firing: Sequence[Hashable], coins: Coins) -> Hashable:
        """Return one of the items that fire in a round."""
        # The order of the items depends on the votes, so it must not decide.
        return firing[coins.below(len(firing))]

    def _with_vote(self, item: Hashable, coins: Coins) -> VotingRun:
        """Return the run after a vote in the current round, which is number `played`."""
        mechanism, known = self.mechanism, self.missing.get(item)
        missing = (mechanism._raised(coins) if known is None else known) - 1
        due = tuple(entry for entry in self.due if entry[1] != item)
        left = mechanism.rounds - self.played + 1
        wait = mechanism._wait(missing, left, coins)
        if wait < left:
            due = (*due, (self.played + wait, item))
        return replace(self, missing=self.missing.changed(item, missing), due=due)

    def to_json(self, written: Any) -> dict[str, Any]:
        """Return the secret state as JSON values, where `written` converts an item."""
        return {
            "missing": [[written(item), votes] for item, votes in self.missing.items()],
            "due": [[time, written(item)] for time, item in self.due],
            "played": self.played,
            "halted": self.halted,
        }

    @classmethod
    def from_json(cls, mechanism: VotingCounters, data: Any, read: Any) -> VotingRun:
        """Return the run that `to_json` wrote, where `read` converts the JSON values of an item."""
        missing = Ballot.of((read(item), int(votes)) for item, votes in data["missing"])
        due = tuple((int(time), read(item)) for time, item in data["due"])
        return cls(mechanism, missing, due, int(data["played"]), bool(data["halted"]))
