"""Learning a weighted vote of features from a prepared table.

Private Winnow as a scikit-learn classifier.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Self

import numpy as np

from learners import checked
from learners.budget import LARGEST_EPSILON, Budget
from learners.coins import Coins
from learners.pac.base import FewRows
from learners.playing.features import Literals
from learners.tables.binarizer import BudgetSource, Randomness, SourceBinarizer, budget_of
from learners.tables.columns import FixedColumns
from learners.tables.decision_list_classifier import PrivateTableClassifier
from learners.tables.entries import Delta, TableEntry, Trained, Training
from learners.tables.guarantees import Guarantee
from learners.tables.models import VoteModel
from learners.tables.training import Task
from learners.winnow.algorithm import DPWinnow
from learners.winnow.plan import WinnowParameters
from learners.winnow.votes import SampledVote, WinnowRun
from learners.winnow.winnow_states import WinnowState
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import plural
from lsclasses.specifications import Option

# ---- winnow


class PrivateWinnowClassifier(PrivateTableClassifier):
    """A weighted vote of features learned with differential privacy, by `DPWinnow` [BF25, sec. 4].

    Rows are read one after the other, each once. What is released is a sequence of hypotheses,
    averages of experts drawn by their weights; the model is the sum of the later half of them.
    Neighbours replace one row. As in `PrivateDecisionListClassifier`, the budget covers everything
    and the classes are public. The bounds on mistakes of [BF25] are about the sequence, for streams
    with a margin, and say nothing at realistic sizes (`docs/winnow.md`).

    Parameters
    ----------
    epsilon, delta : float, Fraction, int or text
        The whole budget; a float is read as the decimal it prints.
    columns, classes, unknown, allow_weak_privacy, budget
        As in `PrivateDecisionListClassifier`.
    rows : int, optional
        How many rows the stream is planned for, where updates or batch are chosen; those of the
        first call of `fit` or `partial_fit` unless given. It may be exceeded: privacy does not
        depend on it.
    updates, draws, batch : int, optional
        How often weights are updated at most, how many experts are drawn for a hypothesis, and how
        many mistakes go into an update; by default `learners.tables.winnow_training.winnow_for`
        chooses.
    shuffle : bool
        Whether `fit` reads the rows in random order. It should, unless their order is no order of
        labels.
    random_state : None, int, Coins or generator
        None draws from the operating system (a release); anything else is a simulation.

    Attributes
    ----------
    learner_ : DPWinnow
        The mechanism with its parameters.
    state_ : WinnowState
        Where the stream stands: **secret**, like the estimator itself. Publish `model_`.
    released_ : list of numpy.ndarray
        The weights of all hypotheses so far, the initial one first; public.
    model_ : VoteModel
        What may be published and saved.
    privacy_, spent_, classes_, n_features_in_, feature_names_in_
        As in `PrivateDecisionListClassifier`. They are about one stream: a copy of the estimator
        (by pickle or ``copy``) that goes on by itself is a release of its own, and not in them.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> X = rng.random((15_000, 20)) < 0.5
    >>> y = X[:, 3] | X[:, 7]
    >>> model = PrivateWinnowClassifier(epsilon=1, random_state=2).fit(X[:12_000], y[:12_000])
    >>> model.score(X[12_000:], y[12_000:]) > 0.9
    True
    >>> float(model.spent_.epsilon) <= 1
    True
    """

    model_: VoteModel
    neighbours = "replace_one"
    state_: WinnowState
    _guarantee: Guarantee | None

    def __init__(
        self,
        epsilon: object = 1.0,
        delta: object = 1e-6,
        *,
        columns: object = None,
        classes: object = None,
        unknown: str = "warn",
        rows: int | None = None,
        updates: int | None = None,
        draws: int | None = None,
        batch: int | None = None,
        shuffle: bool = True,
        allow_weak_privacy: bool = False,
        budget: BudgetSource | None = None,
        random_state: Randomness | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.columns = columns
        self.classes = classes
        self.unknown = unknown
        self.rows = rows
        self.updates = updates
        self.draws = draws
        self.batch = batch
        self.shuffle = shuffle
        self.allow_weak_privacy = allow_weak_privacy
        self.budget = budget
        self.random_state = random_state

    def fit(self, X: object, y: object) -> Self:
        """Learn from a table whose rows have two classes, from the start."""
        return self._begun(X, y, None, self.shuffle)

    def partial_fit(self, X: object, y: object, classes: object = None) -> Self:
        """Continue the stream: each row is read once, in order, within one budget.

        Parameters
        ----------
        X : table of shape (rows, columns)
        y : array of shape (rows,)
        classes : pair, optional
            The two classes, needed in the first call if `y` may lack one.
        """
        if not hasattr(self, "state_"):
            return self._begun(X, y, classes, False)
        if self.budget is not None:
            # The stream is paid for; what made this part of it is not yet.
            budget_of(self.budget).require(self._paid_before(X))
        table, labels = self._examples(X, y, reset=False)
        maker, conditional = self._inputs(X)
        matrix = self.columns_.matrix(table, self.unknown)
        if conditional and self._guarantee is not None:
            self._guarantee = self._guarantee.made_conditional()
        return self._advanced(matrix, labels, maker if maker == self._maker else None)

    def _begun(self, X: object, y: object, classes: object, shuffled: bool) -> Self:
        # If this fails, there is no stream to go on with: not the one before, at these prices.
        if hasattr(self, "state_"):
            del self.state_
        epsilon, delta = self._budget()
        prepared, labels, coins, maker = self._prepared(
            X, y, (epsilon, delta), classes=classes, depth=3
        )
        self.learner_ = winnow_for(
            prepared.columns.count,
            prepared.remaining,
            delta,
            len(labels) if self.rows is None else self.rows,
            updates=self.updates,
            draws=self.draws,
            batch=self.batch,
        )
        self._guarantee = prepared.guarantee(self.learner_.privacy, delta, coins)
        self.privacy_ = prepared.together(self.learner_.privacy)
        self.columns_, self._coins = prepared.columns, coins
        self.released_: list[np.ndarray] = []
        self.state_ = self.learner_.start(coins)
        matrix = prepared.matrix
        if shuffled:
            order = np.array(coins.shuffle(len(labels)))
            matrix, labels = matrix[order], labels[order]
        return self._advanced(matrix, labels, maker)

    def _advanced(
        self, matrix: np.ndarray, labels: np.ndarray, maker: SourceBinarizer | None
    ) -> Self:
        run = self.learner_.run(matrix, labels, self._coins, state=self.state_)
        self.state_ = run.state
        # The first hypothesis of a run was in force before.
        begun = len(self.released_) > 0
        if not begun or len(run.phases) > 1 or self.model_.guarantee != self._guarantee:
            self.released_ += released_weights(self.learner_, run)[begun:]
            model = private_winnow(
                self.released_, self.columns_, self._guarantee, classes=self._pair()
            )
            return self._finish(model, self.privacy_, maker)
        return self._finish(self.model_, self.privacy_, maker)


# ---- winnow training


STEP = 1
"""How much a full update should change the logarithm of a weight, where there is a choice."""
FAIR_MARGIN = Fraction(1, 2)
"""A margin that few labels have: that of a vote which never wins by less than three to one."""
UPDATES = (5, 60)
"""The least and the largest number of updates that are chosen."""


def winnow_for(
    features: int,
    epsilon: Fraction,
    delta: Fraction,
    rows: int,
    *,
    updates: int | None = None,
    draws: int | None = None,
    batch: int | None = None,
) -> DPWinnow:
    """The learner for a stream of about `rows` rows, with defaults for omitted numbers.

    Privacy holds for all of them. The rule expects a mistake on a quarter of the rows, so each of
    K updates gets rows/(8 K) of them, leaving half as a reserve; it draws 10 K experts an update;
    and K is the largest number from 5 to 60 for which a full update still changes logarithms of
    weights by 1. It looks at public numbers only.

    Parameters
    ----------
    features : int
    epsilon, delta : Fraction
    rows : int
    updates, draws, batch : int, optional

    Examples
    --------
    >>> learner = winnow_for(40, 1, Fraction(1, 10**6), 100_000)
    >>> learner.updates, learner.draws, learner.batch
    (17, 170, 735)
    """
    rows = checked.positive(rows, "number of rows")

    def learner(count: int) -> DPWinnow:
        return DPWinnow.within(
            # Whether so weak a budget is meant was asked where it came from.
            Budget(epsilon, delta, allow_weak_privacy=True),
            Literals(features),
            updates=count,
            draws=10 * count if draws is None else draws,
            batch=max(1, rows // (8 * count)) if batch is None else batch,
        )

    if updates is not None:
        return learner(checked.positive(updates, "number of updates"))
    low, high = UPDATES
    while low < high:
        middle = (low + high + 1) // 2
        tried = learner(middle)
        if tried.rate * tried.batch >= STEP:
            low = middle
        else:
            high = middle - 1
    return learner(low)


def warn_of_short_stream(learner: DPWinnow, rows: int, epsilon: Fraction, delta: Fraction) -> None:
    """Warn (`FewRows`) if the theorem is vacuous for `rows` rows, even with margin 1/2.

    Its bound on mistakes then is no less than the number of rows, whatever the parameters.

    Parameters
    ----------
    learner : DPWinnow
    rows : int
    epsilon, delta : Fraction
        The budget of the learner.

    References
    ----------
    [BF25, Thm 4.5], with the constants of `learners.winnow.plan`
    """
    if epsilon > LARGEST_EPSILON:
        return  # a budget without a promise of privacy, for which the theorem was not made
    budget = Budget(epsilon, delta, allow_weak_privacy=True)
    best = WinnowParameters.from_theorem(budget, learner.experts, FAIR_MARGIN, rows)
    if best.vacuous:
        warnings.warn(
            f"Even for labels with a margin of {FAIR_MARGIN}, the theorem about private Winnow "
            f"allows {best.mistakes} mistakes with {learner.experts} experts at this budget; there "
            f"are {rows} rows. The vote is private, but need not be accurate.",
            FewRows,
            stacklevel=2,
        )


def private_winnow(
    released: Sequence[np.ndarray],
    columns: FixedColumns,
    guarantee: Guarantee | None,
    *,
    classes: tuple[object, object],
    target: str = "",
) -> VoteModel:
    """The model that averages the later half of the hypotheses that a `DPWinnow` released.

    All of them are released and paid for, so that their sum costs nothing more; it errs less than
    the last one alone, which is a small sample of the weights.

    Parameters
    ----------
    released : sequence of numpy.ndarray
        The weights of each hypothesis in order, shape (features + 1,), see `released_weights`.
    columns : FixedColumns
    guarantee : Guarantee or None
    classes : pair
    target : str
    """
    weights = np.sum(released[len(released) // 2 :], axis=0).tolist()
    return VoteModel(
        columns, classes, target, guarantee, tuple(weights[: columns.count]), weights[columns.count]
    )


def released_weights(learner: DPWinnow, run: WinnowRun[WinnowState]) -> list[np.ndarray]:
    """The weights of all hypotheses in force during a run, the initial one included."""
    return [
        SampledVote(learner.features, phase.votes, learner.bias, learner.balanced).weights
        for phase in run.phases
    ]


@dataclass(frozen=True, kw_only=True)
class WinnowTraining(Training):
    """A weighted vote by `DPWinnow`, which reads each row once, in random order."""

    delta: Delta = Fraction(1, 10**6)
    updates: Annotated[int | None, Option("the most updates of the weights", minimum=1)] = None
    draws: Annotated[int | None, Option("features drawn for a hypothesis", minimum=1)] = None
    batch: Annotated[int | None, Option("the most mistakes in an update", minimum=1)] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        set_frozen_fields(self, delta=checked.delta(self.delta))

    def learn(self, task: Task, coins: Coins) -> Trained:
        """Average the later half of the released hypotheses."""
        prepared, rows = task.prepared, len(task.labels)
        learner = winnow_for(
            prepared.columns.count,
            prepared.remaining,
            task.delta,
            rows,
            updates=self.updates,
            draws=self.draws,
            batch=self.batch,
        )
        warn_of_short_stream(learner, rows, prepared.remaining, task.delta)
        order = np.array(coins.shuffle(rows))
        run = learner.run(prepared.matrix[order], task.labels[order], coins)
        model = private_winnow(
            released_weights(learner, run),
            prepared.columns,
            prepared.guarantee(learner.privacy, task.delta, coins),
            classes=task.classes,
            target=task.target,
        )
        sizes = (
            f"at most {plural(learner.updates, 'update')} of {plural(learner.batch, 'mistake')}, "
            f"{plural(learner.draws, 'draw')} each"
        )
        return Trained(model, sizes)


LEARNERS = (
    TableEntry(
        "winnow",
        "a weighted vote of features, privately, reading the rows once in random order",
        WinnowTraining,
    ),
)
