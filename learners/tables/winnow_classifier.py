"""Private Winnow as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction
from typing import Self

import numpy as np

from learners.tables.binarizer import SourceBinarizer, budget_of
from learners.tables.decision_list_classifier import PrivateTableClassifier
from learners.tables.guarantees import Guarantee
from learners.tables.models import VoteModel
from learners.tables.task import TableTask
from learners.tables.winnow_training import private_winnow, released_weights, winnow_for
from learners.winnow.algorithm import DPWinnow
from learners.winnow.winnow_states import WinnowState


@dataclass(eq=False, repr=False)
class PrivateWinnowClassifier(PrivateTableClassifier):
    """A weighted vote of features learned with differential privacy, by `DPWinnow` [BF25, sec. 4].

    Rows are read one after the other, each once. The release is a sequence of hypotheses, averages
    of experts drawn by their weights. The model is the sum of the later half of the hypotheses.
    Neighbours replace one row. As in `PrivateDecisionListClassifier`, the budget covers all steps
    and the classes are public. The mistake bounds of [BF25] are about the sequence, for streams
    with a margin. They are vacuous at realistic sizes (`docs/winnow.md`).

    Parameters
    ----------
    epsilon, delta : float, Fraction, int or str
        Whole budget. A float is read as the decimal it prints.
    columns, classes, unknown, allow_weak_privacy, budget
        Parameters of `PrivateDecisionListClassifier`.
    rows : int, optional
        Planned number of rows of the stream, from which default updates and batch are computed. By
        default, the number of rows in the first call of `fit` or `partial_fit`. The stream may be
        longer, because privacy does not depend on this number.
    updates, draws, batch : int, optional
        Largest number of updates of the weights, number of drawn experts for a hypothesis, and
        number of mistakes in an update. By default,
        `learners.tables.winnow_training.winnow_for` chooses.
    shuffle : bool
        Whether `fit` reads the rows in random order. This is necessary if the rows are ordered by
        label.
    random_state : None, int, Coins or generator
        None draws from the operating system (a release). Every other value is a simulation.

    Attributes
    ----------
    learner_ : DPWinnow
        Mechanism with its parameters.
    state_ : WinnowState
        State of the stream, **secret** like the estimator itself. Publish `model_` instead.
    released_ : list of numpy.ndarray
        Public weights of all hypotheses so far, beginning with the initial hypothesis.
    model_ : VoteModel
        Model that may be published and saved.
    privacy_, spent_, classes_, n_features_in_, feature_names_in_
        Attributes of `PrivateDecisionListClassifier`. They are about one stream. A copy of the
        estimator (by pickle or ``copy``) that continues separately is a separate release, which
        these attributes do not cover.

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

    neighbours = "replace_one"
    model_: VoteModel = field(init=False)
    state_: WinnowState = field(init=False)
    _guarantee: Guarantee | None = field(init=False)

    epsilon: object = 1.0
    delta: object = 1e-6
    _: KW_ONLY
    rows: int | None = None
    updates: int | None = None
    draws: int | None = None
    batch: int | None = None
    shuffle: bool = True

    def fit(self, X: object, y: object) -> Self:
        """Learn from a table whose rows have two classes, from the start."""
        return self._begun(X, y, None, self.shuffle)

    def partial_fit(self, X: object, y: object, classes: object = None) -> Self:
        """Continue the stream: each row is read once, in order, within one budget.

        Parameters
        ----------
        X : table of shape (rows, columns)
            Rows of the batch.
        y : array of shape (rows,)
            Labels of the rows.
        classes : pair, optional
            The two classes, required in the first call if `y` may lack one class.
        """
        if not hasattr(self, "state_"):
            return self._begun(X, y, classes, False)
        if self.budget is not None:
            # The stream is paid for, but the step that made this part of it may be unpaid.
            budget_of(self.budget).require(self._paid_before(X))
        table, labels = self._examples(X, y, reset=False)
        maker, conditional = self._inputs(X)
        matrix = self.columns_.matrix(table, self.unknown)
        if conditional and self._guarantee is not None:
            self._guarantee = self._guarantee.made_conditional()
        return self._advanced(matrix, labels, maker if maker == self._maker else None)

    def _begun(self, X: object, y: object, classes: object, shuffled: bool) -> Self:
        # After a failure, the stream cannot continue, because its prices no longer hold.
        if hasattr(self, "state_"):
            del self.state_
        epsilon, delta = self._budget()
        data, coins, maker = self._prepared(
            X, y, (epsilon, delta), classes=classes, require=self._require_room, depth=3
        )
        self.learner_ = self._learner(data.columns.count, data.remaining, delta, len(data.labels))
        self._guarantee = data.guarantee(self.learner_.privacy, delta, coins)
        self.privacy_ = data.together(self.learner_.privacy)
        self.columns_, self._coins = data.columns, coins
        self.released_: list[np.ndarray] = []
        self.state_ = self.learner_.start(coins)
        matrix, labels = data.matrix, data.labels
        if shuffled:
            order = np.array(coins.shuffle(len(labels)))
            matrix, labels = matrix[order], labels[order]
        return self._advanced(matrix, labels, maker)

    def _learner(self, features: int, epsilon: Fraction, delta: Fraction, rows: int) -> DPWinnow:
        return winnow_for(
            features,
            epsilon,
            delta,
            rows if self.rows is None else self.rows,
            updates=self.updates,
            draws=self.draws,
            batch=self.batch,
        )

    def _require_room(self, task: TableTask) -> None:
        if columns := task.largest_columns:
            rows = len(task.labels)
            self._learner(columns.count, task.remaining, task.delta, rows).require_room()

    def _advanced(
        self, matrix: np.ndarray, labels: np.ndarray, maker: SourceBinarizer | None
    ) -> Self:
        run = self.learner_.run(matrix, labels, self._coins, state=self.state_)
        self.state_ = run.state
        # The first hypothesis of a run was the current hypothesis before the run.
        begun = len(self.released_) > 0
        if not begun or len(run.phases) > 1 or self.model_.guarantee != self._guarantee:
            self.released_ += released_weights(self.learner_, run)[begun:]
            model = private_winnow(
                self.released_, self.columns_, self._guarantee, classes=self._pair()
            )
            return self._finish(model, self.privacy_, maker)
        return self._finish(self.model_, self.privacy_, maker)
