"""Training of a few rules or naive Bayes on the rows of a task, and the division of the budget.

All choices depend on public numbers only (`learners.tables.rule_plans`). The module also trains
decision lists.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated

import numpy as np

from learners.accounting import Event
from learners.bounds import Bound
from learners.coins import Coins, SeededCoins
from learners.mechanisms.subsampling import uniform_sample
from learners.rules.gibbs_tree import DEEPEST, GibbsTree
from learners.rules.greedy_cover import GreedyCover, greedy_list
from learners.rules.naive_bayes import NaiveBayes, cell_noise, cell_scores
from learners.rules.packed import PackedFeatures, require_conjunctions
from learners.tables.bayes import CellScores, cells_of
from learners.tables.columns import FixedColumns
from learners.tables.entries import (
    Delta,
    Neighbours,
    Person,
    RowsPerPerson,
    TableEntry,
    Trained,
    Training,
)
from learners.tables.guarantees import in_sequence
from learners.tables.models import ListModel, Model, pack
from learners.tables.rule_models import RuleListModel, leaves_of, rules_of, score_cuts
from learners.tables.rule_plans import (
    TOLERANCE,
    RulePlan,
    best_share,
    plan,
    public_rows,
    score_price,
)
from learners.tables.rule_supports import noisy_supports
from learners.tables.task import TableTask, TrainingData
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.numbers import plural
from lsclasses.options import Option

# ---- list training


def private_list(
    data: TrainingData, k: int, coins: Coins, *, accuracy: Fraction | None = None
) -> tuple[ListModel, PackedFeatures, Event]:
    """Learn a decision list by `GreedyCover`, with the rest of the budget.

    Parameters
    ----------
    data : TrainingData
        Rows and task of the training.
    k : int
        Largest number of literals of a rule.
    coins : Coins
        Source of the random draws.
    accuracy : Fraction, optional
        Error for which `learners.rules.sample_sizes.FewRows` warns if a theorem needs more rows.

    Returns
    -------
    model : ListModel
    packed : PackedFeatures
        Candidate conditions, from which another list can be learned.
    event : Event
        Privacy cost of the list.
    """
    task = data.task
    learner = GreedyCover(data.remaining, task.delta, neighbours=task.neighbours)
    packed = pack(data.columns, data.matrix, k)
    found = learner.fit(packed, data.labels, coins, accuracy=accuracy)
    guarantee = data.guarantee(learner.privacy, learner.delta, coins)
    model = ListModel.of(found, data.columns, task.pair, task.target, guarantee)
    return model, packed, learner.privacy


def exact_list(
    columns: FixedColumns,
    packed: PackedFeatures,
    labels: np.ndarray,
    *,
    classes: tuple[object, object],
    target: str = "",
) -> ListModel:
    """Learn a list by greedy covering without privacy."""
    return ListModel.of(greedy_list(packed, labels), columns, classes, target)


@dataclass(frozen=True, kw_only=True)
class ListTraining(Training):
    """Training of a decision list, by `private_list`."""

    delta: Delta = Fraction(1, 10**6)
    k: Annotated[int, Option("largest number of conditions in a rule", minimum=1)] = 1
    person: Person = None
    rows_per_person: RowsPerPerson = None
    neighbours: Neighbours = "replace_one"
    accuracy: Annotated[
        Fraction,
        Option(
            "print the number of rows with which a theorem guarantees this error. 0 prints no "
            "number"
        ),
    ] = Fraction(1, 10)

    def require(self, task: TableTask) -> None:
        """Refuse too many candidate conditions."""
        if columns := task.largest_columns:
            require_conjunctions(columns.count, self.k)

    def learn(self, data: TrainingData, coins: Coins) -> Trained:
        """Learn a decision list from the rows of a task, and return the model."""
        model, packed, _ = private_list(data, self.k, coins, accuracy=self.accuracy or None)
        return Trained(model, f"{packed.count} candidate conditions (k = {self.k})")


# ---- rule training


def private_bayes(
    data: TrainingData,
    epsilon: Fraction,
    delta: Fraction | None,
    coins: Coins,
) -> tuple[CellScores, Event]:
    """Learn naive Bayes for two classes privately, and return the model with its privacy cost.

    Parameters
    ----------
    data : TrainingData
        Rows and task of the training.
    epsilon : Fraction
        Privacy cost of the release.
    delta : Fraction, optional
        Delta. None for a pure guarantee.
    coins : Coins
        Source of the random draws.
    """
    columns, matrix, labels = data.columns, data.matrix, data.labels
    neighbours = data.task.neighbours
    cells = [cells_of(columns, j, lambda i: matrix[:, i]) for j in range(len(columns.names))]
    sizes = [column.count + 1 for column in columns.columns]
    mechanism = NaiveBayes(epsilon, len(columns.names), delta, neighbours)
    counts = mechanism.release(cells, sizes, labels, coins)
    scores = cell_scores(counts, mechanism.noise.deviation)
    return CellScores(*scores, noise=cell_noise(counts, mechanism.noise)), mechanism.privacy


@dataclass(frozen=True, kw_only=True)
class RuleOptions:
    """The public options of rules that `private_rules` learns.

    Parameters
    ----------
    score_share, support_share : Fraction
        Shares of epsilon for a score of naive Bayes that rules may use, and for noisy supports of
        the rules. 0 for no score or no supports.
    tolerance : Fraction
        Share of the rows. Rules with the score are chosen only if they are right on more additional
        rows than this share, plus a margin for chance (`score_price`), counted with the least
        weight. For add/remove it needs `rows`, because a share of a protected number is not public.
        Without `rows`, no rules are preferred.
    weights : tuple of int
        Public weight of a row of each label.
    depth : int, optional
        Depth of the tree, see `plan`.
    rows : int, optional
        Declared number of rows, for add/remove.

    Raises
    ------
    InvalidInput
        If a share or the tolerance is out of range, or the shares leave no budget for the rules.
    """

    score_share: Fraction = Fraction(0)
    support_share: Fraction = Fraction(0)
    tolerance: Fraction = TOLERANCE
    weights: tuple[int, ...] = (1, 1)
    depth: int | None = None
    rows: int | None = None

    def __post_init__(self) -> None:
        require_share(self.score_share, "score")
        require_share(self.support_share, "supports")
        _require_tolerance(self.tolerance)
        if self.score_share + self.support_share >= 1:
            raise InvalidInput(
                "The shares of epsilon for score and supports must leave a budget for the rules. "
                f"Got {self.score_share} and {self.support_share}."
            )

    def mechanism(
        self, task: TableTask, columns: FixedColumns, rows: int, epsilon: Fraction
    ) -> tuple[GibbsTree, RulePlan]:
        """Return the mechanism that chooses the tree, and the plan of its conditions.

        Parameters
        ----------
        task : TableTask
            Target, columns and neighbour relation.
        columns : FixedColumns
            Columns that the rules use, with fixed bins.
        rows : int
            Number of training rows, which is used only if it is public.
        epsilon : Fraction
            Epsilon that remains for the learner.
        """
        if self.score_share and len(task.classes) > 2:
            raise InvalidInput(
                f"A score needs two classes. With {len(task.classes)}, its share of epsilon must "
                f"be 0. Got {self.score_share}."
            )
        public, scored = public_rows(rows, self.rows, task.neighbours), bool(self.score_share)
        planned = plan(columns, public, score=scored, depth=self.depth)
        price = score_price(planned.sample or public, self.tolerance) * min(self.weights)
        mechanism = GibbsTree(
            epsilon * (1 - self.score_share - self.support_share),
            planned.depth,
            self.weights,
            task.neighbours,
            planned.rows,
            planned.sample,
            price if scored else 0,
        )
        return mechanism, planned

    def require(self, task: TableTask) -> None:
        """Refuse a task that is too large, or whose budget is too small, for the mechanism.

        Raises
        ------
        InvalidInput
        TooLarge
        """
        if columns := task.largest_columns:
            rows = len(task.labels)
            mechanism, planned = self.mechanism(task, columns, rows, task.remaining)
            mechanism.require_room(planned.conditions, rows)


def private_rules(
    data: TrainingData, coins: Coins, options: RuleOptions
) -> tuple[RuleListModel, Event, GibbsTree, RulePlan]:
    """Learn rules by `GibbsTree`, with the rest of the budget.

    Parameters
    ----------
    data : TrainingData
        Rows and task of the training.
    coins : Coins
        Source of the random draws.
    options : RuleOptions
        Options of the rules.

    Returns
    -------
    model : RuleListModel
    event : Event
        Privacy cost of all steps.
    mechanism : GibbsTree
    planned : Plan

    Raises
    ------
    InvalidInput
        If the budget is too small, or a score is requested for more than two classes.
    """
    task, columns, matrix, labels = data.task, data.columns, data.matrix, data.labels
    score_share, support_share = options.score_share, options.support_share
    mechanism, planned = options.mechanism(task, columns, len(matrix), data.remaining)
    events: list[Event] = []
    score: CellScores | None = None
    if score_share:
        score, cost = private_bayes(data, data.remaining * score_share, None, coins)
        events.append(cost)
        score = score.in_points()
        z = score.of(columns, lambda j: matrix[:, j], len(matrix))
        matrix = np.column_stack([matrix, *(z >= cut for cut in score_cuts(score.unit))])
    tree = mechanism.fit(planned.conditions, matrix, labels, coins)
    events.append(mechanism.privacy)
    rules, default = rules_of(tree, planned.conditions, columns)
    model = RuleListModel(
        columns, task.classes, task.target, None, tuple(rules), default, score, ()
    )
    if not _asks(model):
        model = replace(model, score=None)
    if support_share:
        leaves = leaves_of(tree, planned.conditions, columns)
        model = replace(model, score=score, leaves=leaves)
        supports, scale, cost = noisy_supports(
            model.places_of(data.matrix),
            labels,
            (len(leaves), len(task.classes)),
            data.remaining * support_share,
            coins,
            neighbours=task.neighbours,
        )
        events.append(cost)
        model = replace(
            model, supports=supports, noise=scale, score=score if _asks(model) else None
        )
    event = in_sequence(events)
    model = replace(model, guarantee=data.guarantee(event, None, coins))
    return model, event, mechanism, planned


def _asks(model: RuleListModel) -> bool:
    """Return whether a rule or a leaf uses the score."""
    asked = (j for rule in (*model.rules, *model.leaves) for j, _ in rule.cells)
    return len(model.columns.names) in asked


def require_share(share: Fraction, name: str) -> None:
    """Refuse a share of the budget that leaves no budget for the other steps."""
    if not 0 <= share < 1:
        raise InvalidInput(
            f"The share of epsilon for the {name} must be at least 0 and less than 1. Got {share}."
        )


def _require_tolerance(tolerance: Fraction) -> None:
    if not 0 <= tolerance <= 1:
        raise InvalidInput(
            f"A tolerance must be a share of the rows, from 0 to 1. Got {tolerance}."
        )


def plain_rules(
    columns: FixedColumns,
    matrix: np.ndarray,
    labels: np.ndarray,
    *,
    classes: tuple[object, ...],
    target: str = "",
) -> Model:
    """Return the most accurate of several rule learners without privacy, on these rows.

    The learners are greedy covering (`learners.rules.greedy_list`), and the tree that is right on
    the most rows among the trees that `private_rules` chooses from (on a sample, if there are too
    many rows). If both are equally accurate, the function returns the tree. With more than two
    classes, only the tree remains.
    """
    found: list[Model] = []
    # With too many features for a tree, only the other learner remains.
    with suppress(TooLarge):
        found.append(_plain_tree(columns, matrix, labels, classes, target))
    if len(classes) == 2:
        packed = pack(columns, matrix, 1)
        pair = classes[0], classes[1]
        found.append(exact_list(columns, packed, labels, classes=pair, target=target))
    if not found:
        raise TooLarge("There are too many features for a tree without privacy.")
    return max(found, key=lambda each: int((each.labels_of(matrix) == labels).sum()))


def _plain_tree(
    columns: FixedColumns,
    matrix: np.ndarray,
    labels: np.ndarray,
    classes: tuple[object, ...],
    target: str,
) -> RuleListModel:
    planned = plan(columns, len(labels))
    if planned.sample is not None:
        kept = uniform_sample(len(labels), planned.sample, SeededCoins(0))
        matrix, labels = matrix[kept], labels[kept]
        # At this rate, a tree that is right on one more row is e^100 times as likely.
    mechanism = GibbsTree(Fraction(200), planned.depth, (1,) * len(classes))
    tree = mechanism.fit(planned.conditions, matrix, labels, SeededCoins(0))
    rules, default = rules_of(tree, planned.conditions, columns)
    return RuleListModel(columns, classes, target, None, tuple(rules), default, None, ())


# ---- by name


@dataclass(frozen=True, kw_only=True)
class _TreeTraining(Training):
    """Rules by `private_rules`."""

    several_classes = True
    person: Person = None
    rows_per_person: RowsPerPerson = None
    neighbours: Neighbours = "replace_one"
    rows: Annotated[
        int | None,
        Option(
            "public guess of the number of rows. Only --neighbours add_remove needs the guess, "
            "because this relation protects the true number",
            minimum=1,
        ),
    ] = None
    weights: Annotated[
        str,
        Option(
            "public integer weights of rows, for unbalanced classes. A correctly predicted row "
            "of label 0 counts with the first weight. A correctly predicted row of label 1, the "
            "value of --positive, counts with the second weight"
        ),
    ] = "1,1"
    report_support: Annotated[
        Fraction,
        Option(
            "share of epsilon for the noisy number of rows at each rule. The class probabilities "
            "of each rule follow from these numbers"
        ),
    ] = Fraction(0)

    def __post_init__(self) -> None:
        super().__post_init__()
        public_rows(None, self.rows, self.neighbours)
        require_share(self.report_support, "supports")
        GibbsTree(Fraction(1), DEEPEST, _integers(self.weights))

    def learn(self, data: TrainingData, coins: Coins) -> Trained:
        """Learn at most as many rules as a tree has leaves."""
        public = public_rows(len(data.labels), self.rows, self.neighbours)
        options = self._options(public, data.remaining, len(data.task.classes))
        model, _, mechanism, planned = private_rules(data, coins, options)
        return Trained(model, _sizes(mechanism, planned, public))

    def _options(self, rows: int | None, epsilon: Fraction, classes: int) -> RuleOptions:
        weights = _integers(self.weights)
        if weights == (1, 1):
            weights = (1,) * classes
        if len(weights) != classes:
            raise InvalidInput(
                f"Each class needs one weight. Got {plural(len(weights), 'weight')} "
                f"{self.weights!r} for {classes} classes."
            )
        return RuleOptions(
            # A score needs two classes.
            score_share=self._score_share(rows if classes == 2 else None, epsilon),
            support_share=self.report_support,
            tolerance=self._tolerance,
            weights=weights,
            depth=self._depth,
            rows=self.rows,
        )

    def require(self, task: TableTask) -> None:
        """Refuse a task that is too large, or whose budget is too small."""
        public = public_rows(len(task.labels), self.rows, self.neighbours)
        self._options(public, task.remaining, len(task.classes)).require(task)

    def _score_share(self, rows: int | None, epsilon: Fraction) -> Fraction:
        return Fraction(0)

    @property
    def _tolerance(self) -> Fraction:
        return Fraction(0)

    @property
    def _depth(self) -> int | None:
        return None


@dataclass(frozen=True, kw_only=True)
class BestTraining(_TreeTraining):
    """Training of rules by `private_rules`, with a score if there are many rows (`best_share`)."""

    score_tolerance: Annotated[
        Fraction,
        Option(
            "least advantage in accuracy with which the command chooses rules with a score over "
            "rules without a score. A margin for random differences is added to this advantage. "
            "With 0, the command does not prefer rules without a score"
        ),
    ] = TOLERANCE

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_tolerance(self.score_tolerance)

    def _score_share(self, rows: int | None, epsilon: Fraction) -> Fraction:
        return best_share(rows, epsilon)

    @property
    def _tolerance(self) -> Fraction:
        return self.score_tolerance


@dataclass(frozen=True, kw_only=True)
class RulesTraining(_TreeTraining):
    """Training of rules by `private_rules`, without a score."""

    depth: Annotated[
        int | None,
        Option(
            "largest number of conditions in a rule. The default is 3, or 2 if "
            "there are very many conditions",
            minimum=1,
            maximum=DEEPEST,
        ),
    ] = None

    @property
    def _depth(self) -> int | None:
        return self.depth


def _integers(weights: str) -> tuple[int, ...]:
    try:
        first, second, *others = (int(part) for part in weights.split(","))
    except ValueError:
        raise InvalidInput(
            f"The weights of the classes must be written such as 1,3. Got {weights!r}."
        ) from None
    return first, second, *others


def _sizes(mechanism: GibbsTree, planned: RulePlan, rows: int | None) -> str:
    """Return the number of candidates and the proved bound: public numbers."""
    sample = f", of a secret sample of {planned.sample} rows" if planned.sample else ""
    conditions = plural(len(planned.conditions), "condition")
    return f"trees of depth {planned.depth} over {conditions}{sample}. " + _promised(
        mechanism.bounds(planned.conditions, rows), "weighted " * (max(mechanism.weights) > 1)
    )


def _promised(bounds: tuple[Bound, ...], weighted: str) -> str:
    """Return the bound on rows by which rules are worse than the best rule and tree, in words."""
    one, full = bounds[1], bounds[-1]
    given = "".join(f", if {each}" for each in one.hypotheses)
    worse = f"at most {one.value} fewer {weighted}rows correctly than the best single rule"
    fewer = f"The rules label {worse}"
    surely = "except with probability 1/20"
    if not full.vacuous:
        return f"{fewer}, and at most {full.value} fewer than the best tree, {surely}{given}"
    bound = f"the bound of {full.value} is vacuous for {full.trivial}"
    if not one.vacuous:
        return f"{fewer}, {surely}{given}. Compared with the best tree, {bound}"
    return (
        f"No bound on the correctly labelled {weighted}rows applies. Compared with the best single "
        f"rule, the bound of {one.value} is vacuous for {one.trivial}"
    )


LEARNERS = (
    TableEntry(
        "decision-list",
        "if / else-if rules, privately, by covering rows greedily",
        ListTraining,
    ),
    TableEntry(
        "best",
        "at most four rules, with a naive Bayes score on large tables",
        BestTraining,
        "If the number of rows times epsilon is at least 10,000, the command spends 3/10 of "
        "epsilon on the score. Otherwise, it learns the rules of 'learn rules' without a score. "
        "This choice depends only on public numbers. The command chooses rules with a score only "
        "if they are more accurate than rules without a score by at least --score-tolerance.",
    ),
    TableEntry(
        "rules",
        "at most four disjoint rules and a default, with pure differential privacy",
        RulesTraining,
        "The rules are the leaves of a decision tree. The command makes one private choice among "
        "all decision trees of at most the given depth on the declared conditions.",
    ),
)
