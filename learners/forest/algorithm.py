"""Publishing a hypothesis that many trees agree on: the forest DP-SOA [GL21, Alg 1]."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any

from catalog.hypotheses import hypothesis_from_json, hypothesis_to_json
from learners.bounds import Bound
from learners.checked import Failure, Histograms
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.forest.plan import FREQUENCY, HISTOGRAMS, ForestParameters, Frequency, Trees
from learners.forest.tree import Tree, trees_from_json, trees_to_json
from learners.mechanisms.hist_sparse import HistSparseRun
from learners.mechanisms.sparse_vector import AboveThresholdRun
from learners.multiset import Multiset
from learners.playing.entries import OnlineEntry, Source, bounded_state
from learners.playing.learner import PublishedState, PublishingLearner
from learners.playing.private_options import Base, Beta, Spending
from learners.playing.reduction import Reduction
from learners.states import require_own, require_rounds_left
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Hypothesis
from lsclasses.online import MistakeBounded
from lsclasses.options import Option, check_fields
from lsclasses.point_names import Label, Point

__all__ = ["LEARNERS", "Forest", "ForestSOA"]


@dataclass(frozen=True)
class Forest:
    """The state of `ForestSOA` between two examples, which is entirely secret.

    Attributes
    ----------
    trees : Multiset of Tree
        The k_2 trees, counted by their state.
    shown : Multiset of Hypothesis or None
        Number of trees that show each hypothesis, which follows from the trees.
    run : HistSparseRun or None
        The current name and the running test, or None before the learner has read the first list of
        hypotheses.
    played : int
        Number of examples that were received.
    """

    trees: Multiset[Tree]
    shown: Multiset[Hypothesis | None] = field(compare=False)
    run: HistSparseRun | None = None
    played: int = 0

    @classmethod
    def of(cls, base: MistakeBounded, leaves: int, trees: int) -> Forest:
        """Return the forest of `trees` trees with all leaves in the same state."""
        tree = Tree.of(base, leaves)
        return cls(Multiset({tree: trees}), Multiset({tree.shown: trees}))

    def after(self, x: Point, y: Label, coins: Coins) -> Forest:
        """Return the forest after a uniformly random leaf has received an example."""
        before = self.trees.draw(coins)
        tree = before.after(x, y, coins)
        shown = self.shown
        if tree.shown is not before.shown:
            shown = shown.exchanged(before.shown, tree.shown)
        return replace(
            self, trees=self.trees.exchanged(before, tree), shown=shown, played=self.played + 1
        )


@dataclass(frozen=True)
class ForestSOA(Reduction, PublishingLearner):
    r"""A private online learner that publishes a hypothesis that many random trees show.

    The learner has k_2 binary trees with k_1 leaves. A tree (`learners.forest.tree.Tree`) is a
    tournament of k_1 copies of the base learner. Each example goes to a random leaf of a random
    tree. The path from this leaf to the root contains one copy, and this copy learns the example.
    Two sibling copies with equal hypotheses wait for further examples. If their hypotheses differ,
    the tree guesses a label at a point of difference. This is a *merge*: the copy that errs on the
    guess learns the guess and moves to the parent node of the two copies, and the other copy is
    removed. Each tree shows the hypothesis of a random pair of siblings with equal hypotheses.

    In every round, the mechanism `HistSparse` reads how many trees show each hypothesis, and names
    a frequent hypothesis. A noisy test keeps the name while the hypothesis is frequent. Otherwise a
    noisy histogram finds a new name. There are at most c histograms. The learner publishes the
    named hypothesis in a form that reveals only the hypothesis (`Hypothesis.canonical`). Before the
    first name, it publishes the base learner's first hypothesis.

    The learner stores only the number of trees in each state. A uniformly random tree is a uniform
    element of this multiset, so the published hypotheses have the same distribution as for a list
    of trees. Time and memory depend on the number of rounds, not on the number of trees.

    **Guarantee.** For all parameters and base learners: `privacy` is the cost of all published
    hypotheses, under replace-one, even if each example is chosen after observing all earlier
    hypotheses [LWY25, Def. 2.4].

    **Proof.** Let the adversary play two games whose examples differ in round s, and let it observe
    equal hypotheses in both games. Draw the following in advance, for both games: the leaf that
    gets the example of each round, and for every tree and each of its merges, the guess and a
    uniform number by which the tree chooses the pair that it shows. These draws are independent of
    the examples. As long as the published hypotheses are equal, the adversary gives equal examples
    in both games, except in round s. So only the tree that gets the example of round s differs.
    Every other tree receives the same examples at the same leaves with the same draws, and is in
    the same state in every round. So in every round, the two lists of the hypotheses that the trees
    show differ in at most one item. `HistSparse` is private for adaptive lists that differ in one
    item, because its tests and histograms are private. Average over the draws. The list of round 1
    does not depend on the examples, and after the last histogram the name stays. So only c - 1
    tests and c - 1 histograms read values that depend on examples. The remaining steps are
    post-processing. Each test has delta = 0, and each histogram reads all its items at once. So the
    guarantees of tests and histograms also hold conditionally on every sequence of earlier answers.
    Hence so does the whole guarantee (`learners.accounting.Event.on_every_history`). [GL21, Lemma
    A.1] states privacy for streams that were fixed in advance.

    **Mistakes.** `bounds` hold for realizable streams **that were fixed in advance** (oblivious
    adversaries), because the target must not depend on the assignment of examples to trees. The
    bounds require the parameters of `ForestParameters.from_theorem`. With these parameters, the
    bounds are vacuous for every number of rounds that can be played. With the parameters of
    `ForestParameters.within`, no bound on mistakes is proved. In the example below, the published
    hypothesis changes after about 1.9 k_1 k_2 mistakes, when nearly all trees show a hypothesis
    other than the first. `learners.forest.rerun.RerunForest` has a bound against adaptive
    adversaries.

    Parameters
    ----------
    base : MistakeBounded
        Starting state of a deterministic learner with a mistake bound M, such as ``SOA(C)`` or
        ``ConservativeSOA(C)``, which has fewer states and is faster. The base learner must accept
        examples that contradict every concept, because guesses may be wrong and a raised error is
        not private. Both named learners accept contradictory examples. The bounds require that the
        property ``corrects`` of the base learner is true: after a mistake at a point, the base
        learner predicts this point correctly.
    parameters : ForestParameters
        Numbers of trees, leaves and rounds, and the parameters of `HistSparse`.
    failure : Fraction
        Largest probability beta that `bounds` fail.

    Raises
    ------
    InvalidInput
        If the base learner is not a `MistakeBounded` state, or the failure is out of range.
    TooLarge
        If the canonical form of the base learner's hypotheses is too large.

    References
    ----------
    [GL21, Alg 1 and 2, Theorem 4.1], with the noise that HistSparse needs. The pair whose
    hypothesis a tree shows is drawn uniformly among all pairs of siblings with equal hypotheses. A
    tree without such a pair shows no hypothesis.

    Examples
    --------
    >>> from learners.budget import Budget
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.adversaries import RandomConcept
    >>> from learners.playing.play import play
    >>> from lsclasses.soa import ConservativeSOA
    >>> C = catalog.build("points:n=2^64")
    >>> parameters = ForestParameters.within(
    ...     Budget(20, Fraction(1, 10**6)), 1, 8_000, frequency=Fraction(1, 2), histograms=2
    ... )
    >>> learner = ForestSOA(ConservativeSOA(C), parameters)
    >>> game = play(learner, RandomConcept(C, points="balanced"), 8_000, SeededCoins(1))
    >>> parameters.trees, game.switches, game.curve("mistakes")[[3_999, 5_999, 7_999]].tolist()
    (384, 1, [2059, 2903, 2903])
    """

    base: MistakeBounded
    parameters: ForestParameters
    failure: Failure = FAILURE

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.first  # refuses hypotheses that cannot be written
        check_fields(self)

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """The proved mistake bounds of this learner."""
        return self.parameters.bounds(self.base_bound, self.base.corrects, self.failure)

    def _begin(self, coins: Coins) -> Forest:
        # [GL21, Alg 1 line 3], [GL21, Alg 1 line 5], [GL21, Alg 1 line 6], [GL21, Alg 1 line 7]
        return Forest.of(self.base, self.parameters.leaves, self.parameters.trees)

    def _publish(self, forest: Forest, coins: Coins) -> tuple[Forest, Hypothesis]:
        # [GL21, Alg 1 line 9]: HistSparse reads the list. After its last histogram the name stays.
        run = self.parameters.names.start(coins) if forest.run is None else forest.run
        if run.remaining:
            _, run = run.ask(forest.shown, coins)
        after = replace(forest, run=run)
        return after, self._in_force(after)

    def _receive(self, forest: Forest, point: Point, label: Label, coins: Coins) -> Forest:
        require_rounds_left(forest.played, self.rounds, "forest", "bounds")
        return forest.after(point, label, coins)

    def _kept_to_json(self, forest: Forest) -> dict[str, Any]:
        run = forest.run
        assert run is not None, "the first list was read when the game began"
        return {
            **trees_to_json(forest.trees, self.base),
            "name": None if run.name is None else hypothesis_to_json(self._in_force(forest)),
            "test": None if run.test is None else run.test.to_json(),
            "remaining": run.remaining,
            "halted": run.halted,
            "played": forest.played,
        }

    def _kept_from_json(self, data: Any) -> Forest:
        trees, names, test = trees_from_json(data, self.base), self.parameters.names, data["test"]
        shown: Counter[Hypothesis | None] = Counter()
        for tree, count in trees.items():
            shown[tree.shown] += count
        run = HistSparseRun(
            names,
            None if data["name"] is None else hypothesis_from_json(data["name"], self.domain),
            None if test is None else AboveThresholdRun.from_json(names.test, test),
            data["remaining"],
            data["halted"],
        )
        return Forest(trees, Multiset(shown), run, data["played"])

    def _in_force(self, forest: Forest) -> Hypothesis:
        assert forest.run is not None
        name = self.first if forest.run.name is None else forest.run.name
        assert isinstance(name, Hypothesis)
        return name

    def inspect(self, state: PublishedState) -> Mapping[str, float]:
        """Return secret diagnostics of a state, for simulations only and never for a release.

        Returns
        -------
        mapping
            The learner's trees each show a hypothesis or none. ``states`` is the number of
            different states of trees. ``moved`` is the share of trees that no longer show the first
            hypothesis. ``ended`` is the share of trees that show no hypothesis. ``agreeing`` is the
            share of trees that show the published hypothesis.

        Raises
        ------
        InvalidInput
            If another learner started the state.
        """
        require_own(self, state)
        shown, all_trees = state.inner.shown, self.parameters.trees
        shares = {
            "moved": all_trees - shown.get(self.first, 0),
            "ended": shown.get(None, 0),
            "agreeing": shown.get(state.hypothesis, 0),
        }
        return {
            "states": float(len(state.inner.trees)),
            **{name: float(Fraction(count, all_trees)) for name, count in shares.items()},
        }

    def __str__(self) -> str:
        return f"ForestSOA of {type(self.base).__name__}"


# ---- by name


Leaves = Annotated[
    int | None,
    Option(
        "number of leaves of every tree, a power of two. If the base learner has a mistake bound "
        "M of at most 5, the default is 2^(M + 1). If M is larger, the default is 64, and the "
        "learner has no mistake bound",
        minimum=2,
    ),
]
Theorem = Annotated[
    bool,
    Option(
        "choose the numbers of trees and histograms and the frequency such that a mistake bound "
        "is proved. This option cannot be combined with --trees, --histograms or --frequency"
    ),
]


def _forest(
    source: Source,
    rounds: int,
    *,
    budget: Spending,
    trees: Annotated[
        Trees | None,
        "The default is the least number for which the noisy histogram finds frequent hypotheses "
        "reliably",
    ] = None,
    leaves: Leaves = None,
    frequency: Annotated[Frequency | None, "The default is 1/4"] = None,
    histograms: Annotated[Histograms | None, "The default is 16"] = None,
    base: Base,
    theorem: Theorem,
    printed: Annotated[
        bool,
        Option("use the constants that the paper prints. This option needs --theorem"),
    ] = False,
    beta: Beta = None,
) -> ForestSOA:
    state, bound = bounded_state(base, source)
    if theorem:
        if any(given is not None for given in (trees, frequency, histograms)):
            raise InvalidInput(
                "With --theorem, the numbers of trees and histograms and the frequency follow from "
                "the other parameters. Drop --trees, --frequency and --histograms, or --theorem."
            )
        failure = FAILURE if beta is None else beta
        parameters = ForestParameters.from_theorem(
            budget,
            bound,
            rounds,
            failure,
            leaves=leaves,
            printed=printed,
        )
        return ForestSOA(state, parameters, failure)
    if beta is not None or printed:
        raise InvalidInput("The options --beta and --printed are about the theorem. Add --theorem.")
    parameters = ForestParameters.within(
        budget,
        bound,
        rounds,
        frequency=FREQUENCY if frequency is None else frequency,
        histograms=HISTOGRAMS if histograms is None else histograms,
        leaves=leaves,
    )
    return ForestSOA(state, parameters if trees is None else replace(parameters, trees=trees))


LEARNERS = (
    OnlineEntry(
        "forest-soa",
        "a private learner that publishes a hypothesis on which many trees agree [GL21, Alg 1]",
        _forest,
        details=(
            "Each tree is a tournament whose leaves are copies of the base learner. A random leaf "
            "of a random tree receives each example. If the hypotheses of two siblings differ, "
            "the tree guesses a label at a point of difference. The sibling that errs on this "
            "example learns the example and moves up to the parent. The tree shows a hypothesis "
            "on which two siblings agree. The learner publishes a hypothesis that many trees "
            "show, which a noisy histogram finds."
        ),
    ),
)
