"""Online learners as estimators with the methods ``predict_one`` and ``learn_one``.

The package river uses these names of methods, but the module does not need river.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from learners.accounting import CHALLENGE, Event, Privacy, Sequential, UnderChallenge, neighbours
from learners.budget import Budget
from learners.coins import Coins, SecureCoins
from learners.playing.learner import Deterministic, Playable, as_learner
from learners.tables.columns import FixedColumns
from learners.tables.guarantees import Guarantee, in_sequence, is_simulation
from learners.tables.records import as_records
from lsclasses.errors import InvalidInput
from lsclasses.point_names import Label, check_label


class OnlineClassifier:
    """An estimator that runs an online learner of this library, one example at a time.

    The estimator accepts two types of learners: deterministic states such as `lsclasses.soa.SOA`,
    `Halving` or `Winnow`, and learners that draw (`OnlineLearner`), such as the private learners.

    The theorems about a learner that draws hold for one prediction per example. So `predict_one`
    repeats its answer for the same point. It refuses a different point before the label of the last
    point was learned. `learn_one` without a prediction makes a prediction and keeps it. The method
    ``predict_proba_one`` does not exist: a learner predicts labels, and the share of its copies or
    weights behind a label is secret. A copy of this object that continues separately is a separate
    release.

    Parameters
    ----------
    learner : OnlineState or OnlineLearner
        Learner that predicts the labels.
    coins : Coins, optional
        Source of randomness of the learner. The default is `SecureCoins`.
    columns : FixedColumns or fitted Binarizer, optional
        Converter of rows (dicts) to points. The coordinates of a point are the features, as 0 and
        1, or as -1 and 1 if the learner's points are vectors of signs.
    names : sequence of str, optional
        Names of the entries of a dict that form a point, in this order.
    allow_weak_privacy : bool
        Whether a budget that gives almost no protection is allowed (`learners.budget.Budget`).

    Attributes
    ----------
    guarantee : Guarantee or None
        Ledger of the learner and of the choices of its `Binarizer`: the privacy cost of all past
        and future predictions together. The guarantee is conditional if points are given directly,
        without columns or names. None if the learner is not private, or if the features were taken
        from data without privacy.
    state : object
        State of the learner, **secret** for a private learner. None after the learner halted.
    rounds, mistakes : int
        Number of learned examples, and number of wrong predictions among them. The mistakes depend
        on all labels, and no guarantee covers them.

    Raises
    ------
    InvalidInput
        If the learner has neither type, both columns and names are given, the budget is weak, or
        the ledgers of learner and columns are about different neighbour relations.

    Examples
    --------
    >>> import catalog
    >>> from lsclasses.soa import SOA
    >>> model = OnlineClassifier(SOA(catalog.build("thresholds:n=7")))
    >>> for x, y in [(3, 1), (1, 1), (0, 0), (1, 1)]:
    ...     _ = model.predict_one(x)
    ...     model.learn_one(x, y)
    >>> model.mistakes, model.predict_one(5)
    (2, 1)

    In the next example, public features convert rows to points:

    >>> from learners.tables.columns import Cuts, Flag, FixedColumns
    >>> from learners.playing.features import Literals
    >>> from learners.playing.base.halving import Halving
    >>> columns = FixedColumns(("age", "smoker"), (Cuts([40, 60]), Flag()))
    >>> model = OnlineClassifier(Halving(catalog.build("conjunctions:n=3")), columns=columns)
    >>> model.learn_one({"age": 45, "smoker": 1}, 1)
    >>> model.predict_one({"age": 20, "smoker": 0})
    0
    """

    def __init__(
        self,
        learner: Playable,
        coins: Coins | None = None,
        *,
        columns: object = None,
        names: Sequence[str] | None = None,
        allow_weak_privacy: bool = False,
    ) -> None:
        if columns is not None and names is not None:
            raise InvalidInput("Give either columns or names to convert rows to points. Got both.")
        fixed = getattr(columns, "columns_", columns)
        if fixed is not None and not isinstance(fixed, FixedColumns):
            raise InvalidInput(
                f"The columns must be FixedColumns or a fitted Binarizer. Got {columns!r}."
            )
        self._columns: FixedColumns | None = fixed
        self._names = None if names is None else tuple(names)
        self._coins = SecureCoins() if coins is None else coins
        self._played = as_learner(learner)
        self._draws = not isinstance(self._played, Deterministic)
        self.learner = learner
        self.guarantee = self._guarantee(columns)
        if self.guarantee is not None:
            Budget(
                self.guarantee.epsilon, self.guarantee.delta, allow_weak_privacy=allow_weak_privacy
            )
        self.state: Any = self._played.start(self._coins)
        self._domain = self._played.domain
        self._asked: tuple[object, Label] | None = None
        self.rounds = self.mistakes = 0

    def _guarantee(self, columns: object) -> Guarantee | None:
        event = self._played.privacy
        # A fitted Binarizer has a separate ledger. FixedColumns and names are public.
        spent: Privacy | None = getattr(columns, "spent_", Privacy.of(Sequential(())))
        features: Event = getattr(columns, "privacy_", None) or Sequential(())
        drawn = getattr(getattr(columns, "_made", None), "simulated", False)
        if event is None or spent is None:
            return None
        if neighbours(event) == CHALLENGE and any(spent):
            features = UnderChallenge(features)
        return Guarantee.of(
            in_sequence([features, event]),
            simulated=is_simulation(self._coins) or drawn,
            conditional=spent.conditional or (columns is None and self._names is None),
            delta=self._played.delta,
        )

    def predict_one(self, x: object) -> Label:
        """Return the label predicted for a point or row: 0 or 1.

        Raises
        ------
        InvalidInput
            If x is not a point, or the learner has halted. Also if the learner draws its
            predictions, and the label of an earlier, different point is still missing.
        """
        return self._predicted(self._point(x))

    def learn_one(self, x: object, y: object) -> None:
        """Learn from the true label y of a point or row.

        Raises
        ------
        InvalidInput
            If `predict_one` rejects the point, or y is neither 0 nor 1.
        """
        label, point = check_label(y), self._point(x)
        predicted = self._predicted(point)
        if self.state is not None:  # the prediction may have halted the learner
            self.state = self._played.learn(self.state, point, label, self._coins)
        self._asked = None
        self.rounds += 1
        self.mistakes += predicted != label

    def _predicted(self, point: object) -> Label:
        if not self._draws:
            return int(self.state.predict(point))
        if self._asked is not None:
            if self._asked[0] != point:
                raise InvalidInput(
                    "A learner that draws predicts once per example. Give the label of "
                    f"{self._asked[0]!r} to learn_one before predicting {point!r}."
                )
            return self._asked[1]
        if self.state is None:
            raise InvalidInput(
                f"The learner has halted after {self.rounds} examples. Start a new learner, which "
                "has a new privacy cost."
            )
        self.state, answer = self._played.predict(self.state, point, self._coins)
        self._asked = point, int(answer)
        return self._asked[1]

    def _point(self, x: object) -> object:
        if isinstance(x, Mapping):
            if self._columns is not None:
                bits = self._columns.matrix(as_records([x], self._columns.names))[0]
                return self._vector(bits)
            if self._names is None:
                raise InvalidInput(
                    "A dict needs columns (a fitted Binarizer) or names (the order of its entries) "
                    f"to become a point, but neither was given. Got {x!r}."
                )
            missing = [name for name in self._names if name not in x]
            if missing:
                raise InvalidInput(f"A row needs an entry {missing[0]!r}. Got {x!r}.")
            return tuple(x[name] for name in self._names)
        return x

    def _vector(self, bits: np.ndarray) -> tuple[int, ...]:
        """Return the features as a vector of the learner's type."""
        signed = self._domain is not None and (-1,) * len(bits) in self._domain
        return tuple((2 * bits.astype(int) - 1 if signed else bits.astype(int)).tolist())
