"""A private learner against adaptive adversaries that merges version spaces by random matchings.

The learner keeps secret version spaces in levels and publishes a few hypotheses for each level. It
publishes a hypothesis until the hypothesis has made as many mistakes as the next level needs. The
next level contains the intersections of random pairs of version spaces, restricted to concepts that
agree with some of these mistakes. A noisy histogram then releases functions that represent many
version spaces of this level. The algorithm and its proofs are of this project (`docs/merging.md`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from catalog.hypotheses import hypothesis_from_json, hypothesis_to_json
from learners.accounting import Event, Sequential
from learners.bounds import REALIZABLE, Bound
from learners.coins import Coins
from learners.mechanisms.sparse_vector import OneSidedRun, OneSidedThreshold
from learners.merging.draws import drawn, remaining
from learners.merging.parameters import MergingParameters
from learners.merging.plan import MergingPlan
from learners.merging.version_spaces import Example, Node, Nodes, nodes_of
from learners.playing.learner import PublishedState, PublishingLearner
from learners.states import require_own, require_rounds_left
from lsclasses.concept_class import ConceptClass, require_class
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.point_names import Label, Point, from_json, to_json

__all__ = ["LARGE_ENOUGH", "MergingSOA", "Mistakes"]

LARGE_ENOUGH = "the dimension of the parameters is at least the Littlestone dimension"
"""Hypothesis of the mistake bound about the dimension of the parameters."""

Mistakes = frozenset[tuple[Example, int]]
"""A secret multiset of mistakes, with the number of copies of each example."""

NO_MISTAKES: Mistakes = frozenset()


@dataclass(frozen=True)
class MergingPhase:
    """The state of `MergingSOA`, secret except for the level and the hypotheses.

    Attributes
    ----------
    level : int
        Level of the published hypothesis: 0 for the SOA of the class, and r for a function that the
        histogram of level r released.
    hypothesis : Hypothesis
        Published hypothesis.
    waiting : tuple of Hypothesis
        Released functions that are published next.
    run : OneSidedRun or None
        Threshold for the mistakes of the hypothesis, or None if the hypothesis stays for ever.
    mistakes : frozenset
        Mistakes of the hypothesis. The set is empty at the last level.
    ready : frozenset
        Ready nodes of the level, with their numbers of copies.
    sets : tuple of frozenset
        Mistakes of each function of this level that was published before.
    played : int
        Number of examples received in all.
    """

    level: int
    hypothesis: Hypothesis
    waiting: tuple[Hypothesis, ...] = ()
    run: OneSidedRun | None = None
    mistakes: Mistakes = NO_MISTAKES
    ready: frozenset[tuple[Node, int]] = frozenset()
    sets: tuple[Mistakes, ...] = ()
    played: int = 0


@dataclass(frozen=True)
class MergingSOA(PublishingLearner):
    """A private online learner that merges version spaces, for a small Littlestone dimension d.

    A *node* is the version space of a few mistakes. The nodes of level r, for r = 1, ..., d, are
    secret, and there are at most k_r of them. A node is *ready* if it has a list of at most l_r
    functions that represent it (`learners.merging.version_spaces.Nodes.list_of`).

    1. Publish the SOA of the class until its mistakes noisily reach a `OneSidedThreshold`. The
       secret set M_0 contains these mistakes.
    2. Each element of a uniformly random subset of M_0, with at most k_1 elements, gives a node of
       level 1: the concepts that agree with the element.
    3. For each level r = 1, ..., d - 1:

       - A `ListHistogram` of the lists of the ready nodes releases functions. Publish the first j_r
         functions, each until its mistakes noisily reach a fresh threshold. The secret set M_phi
         contains the mistakes of the function phi.
       - Draw a uniformly random matching of the ready nodes. Let n be the least of the number of
         pairs and of the sizes of all sets M_phi. Keep a uniformly random set of n pairs. For each
         phi, draw an independent, uniformly random injection of the kept pairs into M_phi.
       - Each kept pair gives a node of level r + 1. This node contains the concepts of both nodes
         of the pair that agree with the mistakes that the injections assign to the pair.

    4. A `ListHistogram` of the ready nodes of level d, whose lists contain all their concepts,
       releases concepts. Publish the released concepts in order, each until its mistakes noisily
       reach a threshold. The last concept stays. If no concept is released, publish the SOA of the
       class for ever.

    At some levels, groups of q >= 3 nodes instead of pairs merge. Then the learner draws groups,
    kept groups and injections up to w times. It uses the first draw in which the number of ready
    merged nodes noisily passes an `AboveThreshold`, or the last draw if no draw passes.

    **Guarantee.** For all parameters, classes and streams, `privacy` is the cost of all published
    hypotheses together, against adaptive adversaries that replace one example [LWY25, Def. 2.4].

    **Proof.** A *period* is the time in which one function is published. Fix the secret state
    before the period of the example that differs. Equal transcripts give equal bits at the
    thresholds of all other periods, so one threshold reads one changed bit. At the end of this
    period, one element of M_0 or of one M_phi is replaced, added or removed. *The ready nodes of
    the two worlds have a coupling in which one node is replaced, added or removed.* For each random
    step, couple the world with an additional element, node or pair and the world without it.
    *Subset:* if the subset contains the additional element, a uniformly random unused element
    replaces this element. *Matching:* if the additional node is matched with w, match w with the
    unmatched node, or leave w unmatched if all nodes are matched. *Additional pair:* let it be
    kept. If fewer pairs are kept than exist, a uniformly random dropped pair replaces it and takes
    **all** its elements. If all pairs are kept, drop the additional pair and restrict the
    injections. *Additional element of M_phi:* let an injection use it. If the numbers of kept pairs
    are equal in both worlds, a uniformly random unused element replaces it. Otherwise drop the pair
    that uses it. All functions of a level share one set of kept pairs, so one pair changes.
    *Groups:* each draw has its own coupling, and the number of ready groups changes by at most 1 in
    each draw. If the worlds accept the same draw, one node changes. So at each level, the two
    worlds differ in the list of one node, and each histogram has its stated cost. Average over the
    coupling. This is possible because mixtures of close pairs of distributions are close. The
    guarantees hold on every history (`learners.accounting.Event.on_every_history`). QED

    **Mistakes.** With the parameters of a `MergingPlan`, Theorem M2 of `docs/merging.md` bounds the
    mistakes on realizable streams, against adaptive adversaries.

    Parameters
    ----------
    concept_class : ConceptClass
        Class with at least one concept. A class given by a formula is allowed for d = 2. For larger
        d, the class must be a table.
    parameters : MergingParameters or None
        Parameters of the levels. None for a class with one concept, which the learner then
        publishes.
    plan : MergingPlan, optional
        Plan of these parameters, which proves the mistake bound.
    stated_delta : Fraction, optional
        Delta of the stated total privacy, if no plan is given and the noise is Gaussian.

    Raises
    ------
    InvalidInput
        If the class is empty, the plan is for other parameters, or the library cannot decide
        whether two hypotheses of the class are equal.
    TooLarge
        If the class cannot be enumerated, or the computation of the lists might take too long.

    References
    ----------
    [GhaziGKM21] and Lyu 2025 for the idea of irreducible version spaces. The algorithm and its
    proofs are of this project.

    Examples
    --------
    >>> import catalog
    >>> from learners.budget import Budget
    >>> from learners.coins import SeededCoins
    >>> from learners.merging.planner import plan_for
    >>> from learners.playing.adversaries import Repeating
    >>> from learners.playing.play import play
    >>> C = catalog.build("at-most:n=2^32,k=2")
    >>> plan = plan_for(2, 10**6, Budget(1, Fraction(1, 10**6)))
    >>> game = play(MergingSOA.of_plan(C, plan), Repeating(C), 10**4, SeededCoins(1))
    >>> game.mistakes <= plan.bound
    True
    """

    concept_class: ConceptClass
    parameters: MergingParameters | None
    plan: MergingPlan | None = None
    stated_delta: Fraction | None = None

    def __post_init__(self) -> None:
        require_class(self.concept_class, "MergingSOA")
        if self.concept_class.is_empty:
            raise InvalidInput("MergingSOA needs a class with at least one concept. Got none.")
        if self.plan is not None and self.plan.parameters != self.parameters:
            raise InvalidInput("The plan must be a plan of the parameters of the learner.")
        if self.parameters is not None:
            # The class is refused here, because an error during a game depends on examples.
            _ = self._nodes

    @classmethod
    def of_plan(cls, concept_class: ConceptClass, plan: MergingPlan) -> MergingSOA:
        """Return the learner with the parameters and the mistake bound of a `MergingPlan`."""
        return cls(concept_class, plan.parameters, plan)

    # ---- guarantees

    @property
    def domain(self) -> Domain:
        """The points that the learner labels."""
        return self.concept_class.domain

    @property
    def rounds(self) -> int | None:
        """The largest number of rounds of a game, or None if there is no limit."""
        return None if self.parameters is None else self.parameters.rounds

    @property
    def privacy(self) -> Event:
        """The privacy cost of a whole game."""
        return Sequential(()) if self.parameters is None else self.parameters.privacy

    @property
    def delta(self) -> Fraction | None:
        """The delta at which the total privacy is stated, or None for basic composition."""
        if self.parameters is None or not self.parameters.privacy.profile().rho:
            return None
        return self.stated_delta if self.plan is None else self.plan.delta

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """The bound of Theorem M2, if the parameters come from a plan."""
        if self.parameters is None:
            return (Bound("one concept", "mistakes", "0", 0, None, 0, (REALIZABLE,)),)
        if self.plan is None:
            return ()
        return (
            Bound(
                "learners.merging.algorithm, Theorem M2",
                "mistakes",
                bound_formula(self.parameters.dimension),
                self.plan.bound,
                self.parameters.rounds,
                self.plan.failure,
                (REALIZABLE, LARGE_ENOUGH),
                self.unmet,
            ),
        )

    @property
    def unmet(self) -> tuple[str, ...]:
        """The hypotheses of the mistake bound that the class is known to violate, possibly none.

        The only possible entry is `LARGE_ENOUGH`: the dimension d of the parameters is at least the
        Littlestone dimension of the class.
        """
        dimension = _known_dimension(self.concept_class)
        small = dimension is not None and dimension > self._last
        return (LARGE_ENOUGH,) if small else ()

    @cached_property
    def first(self) -> Hypothesis:
        """The SOA of the class, in its canonical form."""
        return self.concept_class.soa().canonical()

    @cached_property
    def _nodes(self) -> Nodes:
        assert self.parameters is not None
        return nodes_of(self.concept_class, self.parameters.dimension)

    @cached_property
    def _counters(self) -> tuple[OneSidedThreshold, ...]:
        """The thresholds for the mistakes of a function, by its level."""
        assert self.parameters is not None
        return tuple(map(self.parameters.counter, range(self.parameters.dimension + 1)))

    # ---- rounds

    def _begin(self, coins: Coins) -> MergingPhase:
        if self.parameters is None:
            return MergingPhase(0, self.first)
        return MergingPhase(0, self.first, run=self._counters[0].start(coins))  # step 1

    def _publish(self, phase: MergingPhase, coins: Coins) -> tuple[MergingPhase, Hypothesis]:
        return phase, phase.hypothesis

    def _receive(
        self, phase: MergingPhase, point: Point, label: Label, coins: Coins
    ) -> MergingPhase:
        require_rounds_left(phase.played, self.rounds, "learner", "bounds")
        run, mistakes, played = phase.run, phase.mistakes, phase.played + 1
        if run is None:
            return replace(phase, played=played)
        wrong = phase.hypothesis._label(point) != label
        if wrong and phase.level < self._last:
            mistakes = _with(mistakes, (point, label))
        # The threshold reads the bit of every round.
        reached, run = run._ask(int(wrong), coins)
        after = MergingPhase(
            phase.level,
            phase.hypothesis,
            phase.waiting,
            run,
            mistakes,
            phase.ready,
            phase.sets,
            played,
        )
        return self._next(after, coins) if reached else after

    @property
    def _last(self) -> int:
        return 0 if self.parameters is None else self.parameters.dimension

    def _next(self, phase: MergingPhase, coins: Coins) -> MergingPhase:
        """Return the state after the period of the current hypothesis."""
        level, sets = phase.level, (*phase.sets, phase.mistakes)
        if phase.waiting:
            return self._started(replace(phase, sets=sets), phase.waiting, coins)
        if level == self._last:  # the last function stays
            return replace(phase, run=None)
        assert self.parameters is not None
        ready = dict(phase.ready)
        if level == 0:
            ready = self._first_nodes(phase.mistakes, coins)  # step 2
        while True:
            if level:
                ready = self._merged(level, ready, sets, coins)  # step 3, merging
            level += 1
            functions = self._released(level, ready, coins)
            after = MergingPhase(level, self.first, ready=_frozen(ready), played=phase.played)
            if functions:
                return self._started(after, functions, coins)
            if level == self._last:  # step 4 without a function
                return MergingPhase(level, self.first, played=phase.played)
            sets = ()

    def _started(
        self, phase: MergingPhase, functions: tuple[Hypothesis, ...], coins: Coins
    ) -> MergingPhase:
        """Return the state at the start of the period of the first of some functions."""
        first, *rest = functions
        last = phase.level == self._last and not rest
        return replace(
            phase,
            hypothesis=first,
            waiting=tuple(rest),
            run=None if last else self._counters[phase.level].start(coins),
            mistakes=NO_MISTAKES,
        )

    # ---- nodes

    def _first_nodes(self, mistakes: Mistakes, coins: Coins) -> Counter[Node]:
        """Return the ready nodes of level 1, one for each element of a random subset of M_0."""
        assert self.parameters is not None
        counts = dict(mistakes)
        most = min(self.parameters.nodes_at(1), sum(counts.values()))
        chosen = remaining(counts, most, coins)
        nodes = Counter[Node]()
        for example, count in chosen.items():
            nodes[self._nodes.node([example])] += count
        return self._kept_ready(nodes, 1)

    def _kept_ready(self, nodes: Counter[Node], level: int) -> Counter[Node]:
        ready = {v: n for v, n in nodes.items() if self._nodes.list_of(v, level) is not None}
        return Counter(ready)

    def _released(
        self, level: int, ready: Mapping[Any, int], coins: Coins
    ) -> tuple[Hypothesis, ...]:
        """Return the functions that the histogram of a level releases and the learner publishes."""
        assert self.parameters is not None
        lists: Counter[tuple[Any, ...]] = Counter()
        for node, count in ready.items():
            lists[self._nodes.list_of(node, level) or ()] += count
        histogram = self.parameters.histograms[level - 1]
        # An order of the lists that depends on their content makes seeded games repeatable.
        ordered = dict(sorted(lists.items(), key=lambda each: list(map(self._nodes.key, each[0]))))
        released = histogram.release(ordered, coins, key=self._nodes.key)
        if level < self._last:
            released = released[: self.parameters.level(level).functions]
        return tuple(self._nodes.hypothesis(item) for item, _ in released)

    def _merged(
        self, level: int, ready: Mapping[Any, int], sets: Iterable[Mistakes], coins: Coins
    ) -> Counter[Node]:
        """Return the ready nodes of the next level."""
        assert self.parameters is not None
        several = tuple(map(dict, sets))
        if level not in self.parameters.grouped:
            return self._groups(level, ready, several, coins)
        test = self.parameters.group_test(level).start(coins)
        # The accepted draw and the number of ready groups stay secret.
        for _ in range(self.parameters.draws):
            found = self._groups(level, ready, several, coins)
            reached, test = test.ask(found.total(), coins)
            if reached:
                break
        return found

    def _groups(
        self,
        level: int,
        ready: Mapping[Any, int],
        sets: tuple[dict[Example, int], ...],
        coins: Coins,
    ) -> Counter[Node]:
        """Return the ready nodes of one random partition, kept set and injections."""
        size = self._group_size(level)
        groups = sum(ready.values()) // size
        # Consecutive nodes of a uniformly random order form a uniformly random partition. The
        # first n groups are a uniformly random set of n groups, because they are exchangeable.
        kept = min([groups, *(sum(each.values()) for each in sets)])
        order = drawn(ready, kept * size, coins, _node_key)
        elements = [drawn(each, kept, coins) for each in sets]
        merged: Counter[tuple[tuple[Node, ...], tuple[Example, ...]]] = Counter()
        for i in range(kept):
            group = tuple(order[i * size : (i + 1) * size])
            merged[group, tuple(each[i] for each in elements)] += 1
        nodes = Counter[Node]()
        for (group, examples), count in merged.items():
            nodes[self._nodes.meet([*group, self._nodes.node(examples)])] += count
        return self._kept_ready(nodes, level + 1)

    def _group_size(self, level: int) -> int:
        """Return q, the number of nodes of a group."""
        assert self.parameters is not None
        return self.parameters.level(level).group

    # ---- diagnostics and files

    def switched(self, before: PublishedState, after: PublishedState) -> bool:
        """Return whether the published hypothesis changed."""
        return bool(before.hypothesis is not after.hypothesis and before.inner != after.inner)

    def published(self, state: PublishedState) -> Hypothesis:
        """Return the published hypothesis, which predicts in the next round."""
        found: Hypothesis = require_own(self, state).hypothesis
        return found

    def inspect(self, state: PublishedState) -> Mapping[str, float]:
        """Return secret diagnostics of a state, for simulations only and never for a release.

        Returns
        -------
        mapping
            ``level`` is the level of the published hypothesis. ``waiting`` is the number of
            released functions that are not yet published. ``mistakes`` is the number of mistakes of
            the published hypothesis. ``ready`` is the number of ready nodes, that is, of version
            spaces of the level that the histogram read.

        Raises
        ------
        InvalidInput
            If another learner started the state.
        """
        phase: MergingPhase = require_own(self, state).inner
        return {
            "level": float(phase.level),
            "waiting": float(len(phase.waiting)),
            "mistakes": float(0 if phase.run is None else phase.run.total),
            "ready": float(sum(count for _, count in phase.ready)),
        }

    def state_to_json(self, state: PublishedState) -> Any:
        """Return a state as JSON values, which are as secret as the examples."""
        phase: MergingPhase = require_own(self, state).inner
        return {
            "level": phase.level,
            "hypothesis": hypothesis_to_json(phase.hypothesis),
            "waiting": list(map(hypothesis_to_json, phase.waiting)),
            "run": None if phase.run is None else phase.run.to_json(),
            "mistakes": _mistakes_to_json(phase.mistakes),
            "ready": [[self._nodes.to_json(v), n] for v, n in sorted(phase.ready, key=repr)],
            "sets": list(map(_mistakes_to_json, phase.sets)),
            "played": phase.played,
        }

    def state_from_json(self, data: Any) -> PublishedState:
        """Return the state that `state_to_json` wrote."""
        level, run = data["level"], data["run"]
        hypothesis, *waiting = (
            hypothesis_from_json(each, self.domain)
            for each in (data["hypothesis"], *data["waiting"])
        )
        if run is not None:
            run = OneSidedRun.from_json(self._counters[level], run)
        ready = ((self._nodes.from_json(v), n) for v, n in data["ready"])
        phase = MergingPhase(
            level,
            hypothesis,
            tuple(waiting),
            run,
            self._mistakes_from_json(data["mistakes"]),
            frozenset(ready),
            tuple(map(self._mistakes_from_json, data["sets"])),
            data["played"],
        )
        return PublishedState(self, phase, hypothesis)

    def _mistakes_from_json(self, data: Any) -> Mistakes:
        return frozenset(((self.domain.require(from_json(x)), y), n) for x, y, n in data)

    def __str__(self) -> str:
        if self.parameters is None:
            return "MergingSOA of one concept"
        d, found = self.parameters.dimension, _known_dimension(self.concept_class)
        nodes = self.parameters.nodes_at(1)
        title = f"MergingSOA for dimension {d}, {nodes} version spaces at level 1"
        if found is not None and found < d:
            title += f" (the Littlestone dimension is {found})"
        return title


def bound_formula(dimension: int) -> str:
    """Return the mistake bound of Theorem M2 for a dimension d, in the symbols of the theorem.

    Examples
    --------
    >>> bound_formula(3)
    'k_1 + a - 1 + j_1*(k_2 + a - 1) + j_2*(k_3 + a - 1) + (j_3 - 1)*a + late'
    """
    middle = [f"j_{r}*(k_{r + 1} + a - 1)" for r in range(1, dimension)]
    return " + ".join(["k_1 + a - 1", *middle, f"(j_{dimension} - 1)*a", "late"])


def _with(mistakes: Mistakes, example: Example) -> Mistakes:
    """Return the multiset with one more example."""
    counts = dict(mistakes)
    counts[example] = counts.get(example, 0) + 1
    return frozenset(counts.items())


def _frozen(counts: Mapping[Node, int]) -> frozenset[tuple[Node, int]]:
    return frozenset(counts.items())


def _node_key(node: Any) -> Any:
    """Return a key that orders nodes, which are integers or sets of examples."""
    return node if isinstance(node, int) else sorted(map(repr, node))


def _mistakes_to_json(mistakes: Mistakes) -> list[list[Any]]:
    return [[to_json(x), y, n] for (x, y), n in sorted(mistakes, key=repr)]


def _known_dimension(C: ConceptClass) -> int | None:
    """Return the Littlestone dimension, or None if it is not computed."""
    try:
        return C.ldim()
    except TooLarge:
        return None
