"""One example at a time: online learners behind the two verbs ``predict_one`` and ``learn_one``.

These are the verbs of the package river, which is not needed here.
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
    """An estimator around any online learner of this library, one example at a time.

    Two kinds of learner are taken: deterministic states such as `lsclasses.soa.SOA`, `Halving` or
    `Winnow`, and learners that draw (`OnlineLearner`), such as the private ones.

    What is proved of a learner that draws is proved for one prediction an example. So
    `predict_one` asked again about the same point repeats its answer, asked about another point
    before the last one was learned it is refused, and `learn_one` without a prediction makes one
    and keeps it. There is no ``predict_proba_one``: a learner predicts labels, and the share of
    its copies or weights behind a label is secret. A copy of this object that goes on by itself is
    a release of its own.

    Parameters
    ----------
    learner : OnlineState or OnlineLearner
    coins : Coins, optional
        What the learner draws from; `SecureCoins` unless given.
    columns : FixedColumns or fitted Binarizer, optional
        Makes points of rows (dicts): their features, as 0 and 1 or, if the learner's points are
        vectors of signs, as -1 and 1.
    names : sequence of str, optional
        Makes points of dicts: their entries in this order.
    allow_weak_privacy : bool
        Whether the budget may be one that protects nobody (`learners.budget.Budget`).

    Attributes
    ----------
    guarantee : Guarantee or None
        The ledger of the learner and of what its `Binarizer` chose: what all predictions together
        cost, whether they were made yet or not. It is conditional where points come as they are,
        without columns or names. None if nothing is private: the learner is not, or the features
        were taken from data without privacy.
    state : object
        The learner's state, **secret** for a private learner; None once it has halted.
    rounds, mistakes : int
        How many examples were learned, and how many of them were predicted wrongly. The mistakes
        depend on all labels and are covered by no guarantee.

    Raises
    ------
    InvalidInput
        If the learner is neither kind, both columns and names are given, the budget is weak, or the
        ledgers of learner and columns are about different neighbour relations.

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

    Rows become points by public features:

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
            raise InvalidInput("Rows become points by columns or by names. Got both.")
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
        # A fitted Binarizer has a ledger of its own; FixedColumns and names are public.
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
            If x is no point, the learner has halted, or it draws and was asked about another
            point whose label it has not learned.
        """
        return self._predicted(self._point(x))

    def learn_one(self, x: object, y: object) -> None:
        """Learn from the true label y of a point or row.

        Raises
        ------
        InvalidInput
            As for `predict_one`, and if y is not 0 or 1.
        """
        label, point = check_label(y), self._point(x)
        predicted = self._predicted(point)
        if self.state is not None:  # it may have halted with its prediction
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
                    "A learner that draws predicts once an example: tell the label of "
                    f"{self._asked[0]!r} by learn_one before asking about {point!r}."
                )
            return self._asked[1]
        if self.state is None:
            raise InvalidInput(
                f"The learner has halted after {self.rounds} examples; start a new one, whose "
                "privacy is paid for anew."
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
                    "A dict becomes a point by columns (a fitted Binarizer) or names, the order "
                    f"of its entries; neither was given. Got {x!r}."
                )
            missing = [name for name in self._names if name not in x]
            if missing:
                raise InvalidInput(f"A row needs an entry {missing[0]!r}. Got {x!r}.")
            return tuple(x[name] for name in self._names)
        return x

    def _vector(self, bits: np.ndarray) -> tuple[int, ...]:
        """Return the features as the learner's kind of vector."""
        signed = self._domain is not None and (-1,) * len(bits) in self._domain
        return tuple((2 * bits.astype(int) - 1 if signed else bits.astype(int)).tolist())
