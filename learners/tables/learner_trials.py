"""Trials of all table learners on public or synthetic rows: the quality on held-out rows.

The results are computed from the rows without privacy, so no guarantee covers them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from learners.accounting import checked_neighbours
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.tables.entries import TRAININGS, TableEntry, Training
from learners.tables.score_quality import ClassScoreQuality, area_under_curve, sampling_error
from lsclasses.errors import InvalidInput, TooLarge

if TYPE_CHECKING:
    from learners.tables.records import Records
    from learners.tables.task import TableTask, TaskOptions, TrainingData

MAJORITY = "majority"
"""Name of the baseline that predicts the most frequent label of the training rows, without
privacy."""


@dataclass(frozen=True)
class RunQuality:
    """The quality of one model on held-out rows.

    Attributes
    ----------
    right, rows : int
        Number of correctly labelled held-out rows, and of all held-out rows.
    auc : float or None
        See `ScoreQuality`. For several classes, the mean over the classes of the AUC against the
        rest. None if a label has no held-out row.
    brier : float
        Half of the mean sum of squares of the differences between the probabilities of the classes
        and the indicator of the class. For two classes, this is the usual Brier score.
    probabilities : bool
        Whether the model has probabilities. Otherwise, its labels count as probabilities 0 and 1.
    """

    right: int
    rows: int
    auc: float | None
    brier: float
    probabilities: bool

    @classmethod
    def of(
        cls,
        truth: np.ndarray,
        labels: np.ndarray,
        probabilities: np.ndarray | None,
        kinds: int = 2,
    ) -> RunQuality:
        """Return the quality of labels and of probabilities of shape (rows, kinds).

        Examples
        --------
        >>> RunQuality.of(np.array([0, 1, 1]), np.array([0, 1, 0]), None)
        RunQuality(right=2, rows=3, auc=0.75, brier=0.3333333333333333, probabilities=False)
        """
        truth, labels = truth.astype(np.intp), labels.astype(np.intp)
        chances = np.eye(kinds)[labels] if probabilities is None else probabilities
        found = ClassScoreQuality.of(truth, chances)
        # With two classes, both AUC values are equal up to rounding.
        auc = area_under_curve(truth, chances[:, 1]) if kinds == 2 else found.auc
        right = int((truth == labels).sum())
        return cls(right, len(truth), auc, found.brier, probabilities is not None)


@dataclass(frozen=True)
class LearnerResult:
    """The results of one learner on several random divisions of a table.

    Attributes
    ----------
    learner : str
        Name of the learner.
    epsilon, delta : Fraction or None
        Budget of each run. None without privacy.
    runs : tuple of RunQuality
        Empty if the learner was refused.
    refused : str
        Reason of the refusal, or an empty string.
    """

    learner: str
    epsilon: Fraction | None
    delta: Fraction | None
    runs: tuple[RunQuality, ...] = ()
    refused: str = ""

    @property
    def probabilities(self) -> bool:
        """Whether the models have probabilities."""
        return any(each.probabilities for each in self.runs)

    @property
    def accuracy(self) -> float | None:
        """Mean accuracy on the held-out rows."""
        return _mean([each.right / each.rows for each in self.runs])

    @property
    def accuracy_error(self) -> float | None:
        """Sampling error of the mean accuracy, see `sampling_error`.

        If r runs have held-out rows, each run has an interval with failure probability 1/(20 r). If
        all intervals are correct, the mean of their half-widths bounds the error of the mean. So
        the mean accuracy on further rows is within this distance except with probability 1/20.
        """
        failure = Fraction(1, 20 * max(len(self.runs), 1))
        return _mean([sampling_error(each.right, each.rows, failure) for each in self.runs])

    @property
    def auc(self) -> float | None:
        """Mean AUC of the runs in which both labels have held-out rows."""
        return _mean([each.auc for each in self.runs if each.auc is not None])

    @property
    def brier(self) -> float | None:
        """Mean Brier score on the held-out rows."""
        return _mean([each.brier for each in self.runs])

    def to_json(self) -> dict[str, object]:
        """Return the results as JSON."""
        if self.refused:
            return {"learner": self.learner, "refused": self.refused}
        return {
            "learner": self.learner,
            "epsilon": None if self.epsilon is None else str(self.epsilon),
            "delta": None if self.delta is None else str(self.delta),
            "accuracy": self.accuracy,
            "accuracy +- (95 %)": self.accuracy_error,
            "AUC": self.auc,
            "Brier score": self.brier,
            "probabilities": self.probabilities,
        }


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


@dataclass(frozen=True, kw_only=True)
class TrialSetting:
    """The budget of the learners in a trial, and the number of random divisions.

    Parameters
    ----------
    epsilon : Fraction
        Stated budget.
    delta : Fraction, optional
        Stated delta, for learners that use a delta. Each learner has a default.
    share : Fraction
        Share of the privacy budget that each learner receives. With 1, each learner gets the whole
        budget, as in a later release of this learner.
    support_share : Fraction
        Share of a learner's epsilon for the supports of rules, which give probabilities.
    neighbours : str
        Neighbour relation of the guarantee.
    runs : int
        Number of random divisions into training rows and held-out rows.
    seed : int
        Seed of the random draws.
    allow_weak_privacy : bool
        Whether a budget with weak privacy is allowed.

    Raises
    ------
    InvalidInput
        If a number is out of range.
    """

    epsilon: Fraction
    delta: Fraction | None = None
    share: Fraction = Fraction(1)
    support_share: Fraction = Fraction(1, 5)
    neighbours: str = "replace_one"
    runs: int = 5
    seed: int = 0
    allow_weak_privacy: bool = False

    def __post_init__(self) -> None:
        checked_neighbours(self.neighbours)
        Budget(self.epsilon, self.delta or Fraction(0), allow_weak_privacy=self.allow_weak_privacy)
        if not 0 < self.share <= 1:
            raise InvalidInput(
                f"The share of each learner must be above 0 and at most 1. Got {self.share}."
            )
        if self.runs < 1:
            raise InvalidInput(f"The number of runs must be at least 1. Got {self.runs}.")

    def training(self, entry: TableEntry) -> Training:
        """Return the training of a learner with the options of the trial that the learner accepts.

        Raises
        ------
        InvalidInput
            If the learner has no guarantee for the neighbour relation, or refuses an option.
        """
        known = {parameter.name for parameter in entry.parameters}
        given: dict[str, object] = {}
        if self.neighbours != "replace_one":
            if "neighbours" not in known:
                raise InvalidInput(
                    f"Its guarantee is only for a replaced row (replace_one). "
                    f"Got {self.neighbours!r}."
                )
            given["neighbours"] = self.neighbours
        if self.delta is not None and "delta" in known:
            given["delta"] = self.delta
        if "report_support" in known:
            given["report_support"] = self.support_share
        return entry.training(**given)

    def budget(self, training: Training) -> Budget:
        """Return the share of the stated budget that a learner receives."""
        whole = Budget(self.epsilon, training.delta, allow_weak_privacy=self.allow_weak_privacy)
        return Budget(whole.epsilon * self.share, whole.delta * self.share, allow_weak_privacy=True)


def try_learners(
    options: TaskOptions,
    table: Records,
    setting: TrialSetting,
    *,
    progress: Callable[[str], None] = lambda text: None,
) -> list[LearnerResult]:
    """Train every table learner on public or synthetic rows and measure it on held-out rows.

    All learners have equal held-out rows in each run. The randomness comes from a seed, and the
    results depend on the rows without noise. So neither models nor results are private. Notices of
    the learners about their theorems are omitted, because ``learn`` prints them.

    Parameters
    ----------
    options : TaskOptions
        Options of the task, with a positive share of held-out rows.
    table : Records
        Rows of the table.
    setting : TrialSetting
        Budget and divisions of the rows.
    progress : callable
        Function that receives the current step in words.

    Returns
    -------
    results : list of LearnerResult
        One result for each learner, and the result of the majority. A learner that refuses the task
        has the reason of the refusal in place of the numbers.

    Raises
    ------
    InvalidInput
        If the task is invalid, or a run has no held-out rows.

    Examples
    --------
    >>> from learners.tables.records import as_records
    >>> from learners.tables.task import TaskOptions
    >>> table = as_records([{"age": i % 90, "ill": int(i % 90 > 40)} for i in range(900)])
    >>> options = TaskOptions(target="ill", cuts=["age=20,40,60"])
    >>> found = try_learners(options, table, TrialSetting(epsilon=Fraction(4), runs=2))
    >>> best = found[0]
    >>> best.learner, best.epsilon, best.accuracy > 0.9
    ('best', Fraction(4, 1), True)

    Notes
    -----
    The sampling error of the accuracy follows from the interval of Clopper and Pearson 1934.
    """
    if not options.test_split:
        raise InvalidInput("A trial needs held-out rows: a positive share --test-split. Got 0.")
    task = options.task(table, setting.epsilon * setting.share, neighbours=setting.neighbours)
    results = []
    for name in TRAININGS.names():
        progress(f"{name} ...")
        results.append(_result(TRAININGS[name], task, setting))
    runs = tuple(_majority(task.draw(coins)) for coins in _coins(setting))
    return [*results, LearnerResult(MAJORITY, None, None, runs)]


def _coins(setting: TrialSetting) -> Iterator[SeededCoins]:
    """Yield the coins of each run. A task first draws the held-out rows from the coins."""
    for run in range(setting.runs):
        yield SeededCoins(np.random.SeedSequence([setting.seed, run]))


def _result(entry: TableEntry, task: TableTask, setting: TrialSetting) -> LearnerResult:
    """Return the results of one learner, or the reason for which it refuses the task."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            training = setting.training(entry)
            epsilon, delta = setting.budget(training)
            paid = replace(task, delta=delta)
            paid.require_classes(several=training.several_classes)
            training.require(paid)
            runs = tuple(_run(training, paid, coins) for coins in _coins(setting))
        except (InvalidInput, TooLarge) as problem:
            return LearnerResult(entry.name, None, None, refused=str(problem))
    return LearnerResult(entry.name, epsilon, delta, runs)


def _run(training: Training, task: TableTask, coins: SeededCoins) -> RunQuality:
    data = _divided(task.draw(coins))
    model, _ = training.learn(data, coins)
    labels, chances = model.labels_of(data.test), model.chances_of(data.test)
    return RunQuality.of(data.test_labels, labels, chances, len(task.classes))


def _majority(data: TrainingData) -> RunQuality:
    kinds = len(data.task.classes)
    common = np.full(len(_divided(data).test_labels), data.common_label)
    return RunQuality.of(data.test_labels, common, None, kinds)


def _divided(data: TrainingData) -> TrainingData:
    """Return the data, if some rows are held out."""
    if not len(data.test_labels):
        raise InvalidInput(
            f"A run has no held-out rows, because the table has {len(data.labels)} rows. Use more "
            "rows or a larger share --test-split."
        )
    return data
