r"""All experts that could follow a concept, built from synthetic points [LWY25, App. E.2].

An expert runs a deterministic learner with a mistake bound, the *base*, on mistakes only. It is
given by indices j_1 <= i_1 < j_2 <= i_2 < ... <= i_k. The expert switches at the end of round i_r.
Number the synthetic points for the rounds i_(r-1) + 1, ..., i_r by these rounds (i_0 = 0). The base
gets the point with the number j_r, with the label that the base does not predict. Between switches
its rule stays the same. There is an expert for every choice of at most M switches.

**Number.** N = sum over k <= M of C(T + k, 2k) for T rounds. *Proof.* Add r - 1 to j_r and r to
i_r. Then the chains with k switches become all sets of 2k of the numbers 1, ..., T + k. QED

**Some expert follows each concept** [LWY25, Thm E.10]. Let F be a class of functions, and let a
sanitizer have the following property for all l <= r and every f in F. If f is 1 on at least K of
the points of rounds l, ..., r, then f is 1 on some of their synthetic points. Let the base make at
most M mistakes on streams that are consistent with a concept h, and let F hold [g(x) != h(x)] for
all rules g of the base. Then some expert differs from h on at most M K points of the stream.

*Proof.* Build the expert from the left. Let g be its current rule, used since round l. If g differs
from h on fewer than K points from l on, do not switch any more. Else let i be the first round by
which it differs on K of them. Then some synthetic point x' for the rounds l, ..., i has
g(x') != h(x'). Switch at i with this point. The base learns h(x') where it has predicted
1 - h(x'), which is a mistake on a stream that is consistent with h. So there are at most M
switches. After M switches the rule never differs from h at all (or a further example of h would be
a further mistake). With r < M switches at most r K + K - 1 points differ, with M of them M K. QED

The paper's experts make exactly M switches. This also suffices if T >= M. Switches that h does not
need, and a switch that comes too late, can wait for the last rounds, where they cost a point each.
With at most M there are hardly more experts, and T may be anything. Either way N is of order
T^(2M), where [LWY25, proof of Thm E.10] has O(T^M).

**Experts in groups.** Consider experts in one state, with the same loss so far, the same number k
of switches and the same last switch. From then on they are the same, up to their remaining choices.
They are kept as one group with the number of index prefixes that lead to it. Each prefix has as
many experts as there are choices left (`continuations`). Once k = M, or the base can err no more, a
rule is final, and only the state and the loss count. Losses of final rules are kept relative to the
loss of the rule itself since the start. So a round costs a final rule one addition for any number
of groups.

**Impossible switches.** An example may contradict every remaining concept, and a place may hold no
synthetic point. In both cases the expert keeps its state. The experts of the proof avoid both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners import checked
from learners.checked import Rounds
from learners.coins import Coins
from learners.playing.expert_sources import ExpertSource, Tally
from learners.sanitizers.interval_sanitizer import SyntheticPoints
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.frozen import set_frozen_fields
from lsclasses.hypothesis import Hypothesis
from lsclasses.numbers import format_number
from lsclasses.online import MistakeBounded
from lsclasses.options import check_fields
from lsclasses.point_names import Label, Point, check_label

__all__ = [
    "GROUPS_LIMIT",
    "ConstructedExpert",
    "ConstructedExperts",
    "ConstructedTally",
    "SanitizedExample",
    "TruePoints",
    "continuations",
    "number_of_experts",
]

GROUPS_LIMIT = 1 << 22
"""The largest number of groups of the experts."""

LARGEST = 1 << 62
"""Number of experts below which 64-bit integers count the experts."""


def number_of_experts(rounds: int, switches: int) -> int:
    """Return the number N of experts with at most M switches in T rounds.

    An expert with k switches has k end rounds and k indices of synthetic points, so N is the sum of
    C(T + k, 2k) over k <= M.

    Parameters
    ----------
    rounds, switches : int
        Number T of rounds, and largest number M of switches of an expert.

    Examples
    --------
    >>> [number_of_experts(100, switches) for switches in range(3)]
    [1, 5051, 4254626]
    """
    # At most T switches fit into T rounds.
    return sum(comb(rounds + k, 2 * k) for k in range(min(switches, rounds) + 1))


def continuations(switches: int, waited: int, rounds: int) -> int:
    """Return the number of ways in which an expert can continue.

    Let the expert make r further switches. If the synthetic point of the first switch is from one
    of the n future rounds, there are C(n + r, 2r) ways, as in `number_of_experts`. If this point is
    from one of the w rounds since the last switch, a chain of 2r - 1 indices remains, with
    C(n + r - 1, 2r - 1) ways for each of the w rounds.

    Parameters
    ----------
    switches : int
        Number of switches that the expert may still make.
    waited : int
        Number w of rounds since the last switch of the expert, or since the beginning.
    rounds : int
        Number n of future rounds.

    Examples
    --------
    >>> continuations(1, 0, 100), continuations(1, 3, 100)  # 3 * 100 more
    (5051, 5351)
    """
    future, past = _chains(min(switches, rounds), rounds)
    return future + waited * past


@lru_cache(maxsize=1 << 14)
def _chains(switches: int, rounds: int) -> tuple[int, int]:
    """Return the sums over r of C(n + r, 2r), and of C(n + r - 1, 2r - 1) for r >= 1.

    All groups of a round share the number n of future rounds, so they share few sums.
    """
    further = range(1, switches + 1)
    return (
        1 + sum(comb(rounds + r, 2 * r) for r in further),
        sum(comb(rounds + r - 1, 2 * r - 1) for r in further),
    )


@dataclass(frozen=True)
class TruePoints(SyntheticPoints):
    """A replacement of the sanitizer that returns the true points. **Not private**, only for tests.

    Parameters
    ----------
    points : tuple
        One point for each round.

    Examples
    --------
    >>> TruePoints(("a", "b", "c")).between(2, 3)
    ('b', 'c')
    """

    points: tuple[Point, ...]

    @property
    def time(self) -> int:
        """The number of rounds so far, one for each point."""
        return len(self.points)

    def between(self, first: int, last: int) -> tuple[Point, ...]:
        """Return the points of the rounds from `first` to `last`."""
        return self.points[first - 1 : last]


@dataclass(frozen=True)
class SanitizedExample:
    """The information that a round reveals: an example, and then the synthetic points.

    Attributes
    ----------
    point, label
        The example, which is secret.
    synthetic : SyntheticPoints
        Synthetic points for the intervals of all rounds up to this round, which are public.
    """

    point: Point
    label: Label
    synthetic: SyntheticPoints


class ConstructedExpert(NamedTuple):
    """The state of an expert, which determines its later predictions, given its later switches.

    Attributes
    ----------
    state : MistakeBounded
        State of the base.
    switches : int or None
        Number of switches so far, or None once the expert's rule is final. At a *switch*, the base
        learner learns a synthetic example, which may change the rule. A rule is *final* if the
        expert can make no further switch, or if the base learner can make no further mistake.
    last : int
        Round of the last switch. It is 0 before the first switch, and also once the rule is final.
    """

    state: MistakeBounded
    switches: int | None
    last: int

    @property
    def hypothesis(self) -> Hypothesis:
        """The rule by which the expert predicts."""
        return self.state.hypothesis


_Losses = dict[int, int]
"""Numbers of prefixes, or of experts of final rules, by their loss beyond the cell's shift."""
_Cells = dict[ConstructedExpert, tuple[int, _Losses]]
"""A shift, and numbers by the loss beyond the shift, for each state of experts."""


@dataclass(frozen=True, eq=False)
class ConstructedTally(Tally):
    """The losses of all constructed experts up to the current round.

    Attributes
    ----------
    experts : ConstructedExperts
        The experts whose losses are added up.
    time : int
        Number of rounds that the experts have received.
    """

    experts: ConstructedExperts
    time: int
    _cells: _Cells

    @cached_property
    def groups(self) -> Mapping[tuple[ConstructedExpert, int], int]:
        """The number of experts in each group of experts with equal state and equal loss."""
        return {
            (key, shift + lost): number * self._each(key)
            for key, (shift, losses) in self._cells.items()
            for lost, number in losses.items()
        }

    def _each(self, key: ConstructedExpert) -> int:
        """Return the number of experts that begin with a prefix."""
        return self.experts._continuations(key, self.time)

    def after(self, item: SanitizedExample, weight: int = 1) -> ConstructedTally:
        """Return the tally of the losses of the experts after one more round.

        Raises
        ------
        InvalidInput
            If all rounds were played, or the synthetic points belong to another round.
        TooLarge
            If the experts may form more than `GROUPS_LIMIT` groups of equal state and equal loss.
        """
        source, time = self.experts, self.time + 1
        if time > source.rounds:
            raise InvalidInput(f"The experts are for {source.rounds} rounds.")
        if item.synthetic.time != time:
            raise InvalidInput(
                f"Round {time} needs the synthetic points of all rounds so far, {time}. "
                f"Got synthetic points of {item.synthetic.time}."
            )
        cells = {
            key: (shift + weight * int(key.state._predict(item.point) != item.label), losses)
            for key, (shift, losses) in self._cells.items()
        }
        # [LWY25, Alg 6 line 3] came first: the loss of the round is the old rule's.
        # [LWY25, Alg 6 line 4], [LWY25, Alg 7 line 8]: then experts switch.
        switching = [key for key in cells if key.switches is not None]
        own: set[ConstructedExpert] = set()
        for key in switching:
            shift, losses = cells[key]
            for x, places in item.synthetic.since(key.last + 1).items():
                after, ways = source._switched(key, x, time)  # [LWY25, Alg 7 line 9]
                if after not in own:
                    own.add(after)
                    begun = cells.get(after)
                    cells[after] = (shift, {}) if begun is None else (begun[0], dict(begun[1]))
                offset, gathered = cells[after]
                for lost, number in losses.items():
                    relative = shift + lost - offset
                    gathered[relative] = gathered.get(relative, 0) + places * ways * number
        source._require_few(cells, time)
        return ConstructedTally(source, time, cells)

    def cleared(self) -> ConstructedTally:
        """Return the tally of the same experts with all losses set to 0."""
        cells = {key: (0, {0: sum(losses.values())}) for key, (_, losses) in self._cells.items()}
        return ConstructedTally(self.experts, self.time, cells)

    @cached_property
    def least(self) -> int:
        """The loss of the best expert."""
        return min(shift + min(losses) for shift, losses in self._cells.values())

    @property
    def best(self) -> ConstructedExpert:
        """An expert with the least loss."""
        least = self.least
        return next(key for key, (shift, losses) in self._cells.items() if least - shift in losses)

    def draw(self, rate: Fraction, coins: Coins) -> ConstructedExpert:
        """Return an expert drawn with probability proportional to exp(-rate loss)."""
        keys = list(self._cells)
        lost, sizes = self._listed
        if self.experts.size < LARGEST:
            drawn = coins.pick_from(np.concatenate(lost), -rate, np.concatenate(sizes))
        else:
            drawn = coins.pick(
                [entry for each in lost for entry in each.tolist()],
                -rate,
                [entry for each in sizes for entry in each.tolist()],
            )
        ends = np.cumsum([len(each) for each in lost])
        return keys[int(ends.searchsorted(drawn, side="right"))]

    @cached_property
    def _listed(self) -> tuple[list[NDArray[np.int64]], list[NDArray[Any]]]:
        """Return each cell's losses of its groups and their numbers of experts."""
        whole = np.int64 if self.experts.size < LARGEST else object
        lost, sizes = [], []
        for key, (shift, losses) in self._cells.items():
            numbers = np.fromiter(losses.values(), whole, len(losses))
            lost.append(np.fromiter(losses, np.int64, len(losses)) + shift)
            sizes.append(numbers * self._each(key))
        return lost, sizes

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConstructedTally):
            return NotImplemented
        return (self.time, self.groups, self.experts) == (other.time, other.groups, other.experts)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.time, frozenset(self.groups.items())))

    def __repr__(self) -> str:
        return f"<Losses of constructed experts in {len(self.groups)} groups>"


@dataclass(frozen=True)
class ConstructedExperts(ExpertSource):
    """All experts with at most M switches over a base learner [LWY25, Algs 6 and 7].

    A round is a `SanitizedExample`. The module describes the construction and its proofs.

    Parameters
    ----------
    base : MistakeBounded
        The starting state of a deterministic learner, such as `proper_soa(C)` or
        ``SparseMajority(C)``.
    rounds : int
        Largest number T of rounds.
    switches : int, optional
        Largest number M of switches of an expert. The default is the mistake bound of the base.
        With fewer switches, some concepts may have no expert close to them.

    Raises
    ------
    InvalidInput
        If the base is not such a state, has no mistake bound, or a number is out of range.

    Examples
    --------
    >>> import catalog
    >>> from learners.playing.base.proper_soa import proper_soa
    >>> experts = ConstructedExperts(proper_soa(catalog.build("at-most:n=4,k=1")), rounds=100)
    >>> experts.switches, experts.size
    (1, 5051)
    >>> tally, seen = experts.begin(), ()
    >>> for x, y in [(2, 1), (0, 0), (2, 1), (2, 1)]:
    ...     seen += (x,)
    ...     tally = tally.after(SanitizedExample(x, y, TruePoints(seen)))
    >>> tally.least, [tally.best.hypothesis(x) for x in range(4)], len(tally.groups)
    (1, [0, 0, 1, 0], 5)
    >>> sum(tally.groups.values())
    5051
    """

    base: MistakeBounded
    rounds: Rounds
    switches: int = -1
    _known: dict[tuple[MistakeBounded, Point | None], MistakeBounded] = field(
        default_factory=dict, compare=False, repr=False
    )

    def __post_init__(self) -> None:
        check_fields(self)
        if not isinstance(self.base, MistakeBounded) or self.base.mistake_bound is None:
            raise InvalidInput(
                "The base is a state of a deterministic learner with a mistake bound, such as "
                f"proper_soa(C). Got {self.base!r}."
            )
        switches = self.base.mistake_bound if self.switches == -1 else self.switches
        set_frozen_fields(self, switches=checked.nonnegative(switches, "number of switches"))

    @cached_property
    def size(self) -> int:
        """The number N of experts."""
        return number_of_experts(self.rounds, self.switches)

    @property
    def domain(self) -> Domain:
        """The points that the base learner labels."""
        return self.base.domain

    def begin(self) -> ConstructedTally:
        """The tally at the start, with all experts in the starting state of the base learner."""
        key, ways = self._key(self.base, 0, 0)
        return ConstructedTally(self, 0, {key: (0, {0: ways})})

    def require(self, item: object) -> SanitizedExample:
        """Check the type of the information that a round reveals.

        Raises
        ------
        InvalidInput
            If the item is not a `SanitizedExample`, its point is outside the domain, or its label
            is neither 0 nor 1.
        """
        if not isinstance(item, SanitizedExample):
            raise InvalidInput(
                "The revealed item is a SanitizedExample: a point, a label, and the synthetic "
                f"points so far. Got {item!r}."
            )
        point, label = self.domain.require(item.point), check_label(item.label)
        return SanitizedExample(point, label, item.synthetic)

    def loss(self, expert: ConstructedExpert, item: SanitizedExample) -> int:
        """Return the loss of an expert: 1 if its rule mislabels the point, else 0."""
        return int(expert.state._predict(item.point) != item.label)

    def followed(
        self, expert: ConstructedExpert, item: SanitizedExample, coins: Coins
    ) -> ConstructedExpert:
        """Return the state of an expert after a round, at whose end the expert may switch.

        Experts with equal states and losses form a group. `ConstructedTally.draw` draws a group,
        and each expert of the group is equally likely. So the probability of a switch is the share
        of the group's experts that switch at the end of this round. At a switch, the base learns
        the synthetic point of a round since the last switch. Each of these rounds is equally
        likely.
        """
        if expert.switches is None:
            return expert
        time = item.synthetic.time
        staying = self._continuations(expert, time)
        leaving = (time - expert.last) * continuations(
            self.switches - expert.switches - 1, 0, self.rounds - time
        )
        if coins.flip(Fraction(staying, staying + leaving)):
            return expert
        places = item.synthetic.since(expert.last + 1)
        left = coins.below(time - expert.last)
        ends = accumulate(places.values())
        x = next(x for x, end in zip(places, ends, strict=True) if left < end)
        return self._switched(expert, x, time)[0]

    # ---- keys

    def _continuations(self, key: ConstructedExpert, time: int) -> int:
        """Return the number of experts per prefix of a group, which is 1 once the rule is final."""
        if key.switches is None:
            return 1
        return continuations(self.switches - key.switches, time - key.last, self.rounds - time)

    def _key(
        self, state: MistakeBounded, switches: int, time: int
    ) -> tuple[ConstructedExpert, int]:
        """The key of a prefix that has just switched, and the number of its experts."""
        if switches == self.switches or not state.mistake_bound:
            ways = continuations(self.switches - switches, 0, self.rounds - time)
            return ConstructedExpert(state, None, 0), ways
        return ConstructedExpert(state, switches, time), 1

    def _switched(
        self, key: ConstructedExpert, x: Point | None, time: int
    ) -> tuple[ConstructedExpert, int]:
        """Return the key of a prefix after a switch at a point, and its number of experts."""
        assert key.switches is not None
        state = self._known.get((key.state, x))  # [LWY25, Alg 6 line 5]
        if state is None:
            state = self._known[key.state, x] = _corrected(key.state, x)
        return self._key(state, key.switches + 1, time)

    def _require_few(self, cells: _Cells, time: int) -> None:
        """Refuse too many groups, by a count that depends on public information only.

        Experts of one key that have switched at most once have equal losses. All other experts can
        have any loss up to the number of rounds.
        """
        groups = sum(1 if key.switches in (0, 1) else time + 1 for key in cells)
        if groups > GROUPS_LIMIT:
            raise TooLarge(
                f"The {format_number(self.size)} experts with at most {self.switches} switches in "
                f"{self.rounds} rounds may form {groups:,} groups after round {time} "
                "(docs/agnostic-online.md, Constructed experts). The limit is "
                f"{GROUPS_LIMIT:,} groups. Use fewer rounds (--rounds {time - 1}) or fewer "
                "switches of an expert (--switches 1). With fewer switches, concepts that need "
                "more switches are not followed.",
                estimate=groups,
                limit=GROUPS_LIMIT,
            )

    def __str__(self) -> str:
        return f"{self.size} constructed experts"


def _corrected(state: MistakeBounded, x: Point | None) -> MistakeBounded:
    """Return the state after the label it does not predict, or `state` if that is inconsistent."""
    if x is None:
        return state
    after = state._observe(x, 1 - state._predict(x))
    return state if after.mistake_bound is None else after
