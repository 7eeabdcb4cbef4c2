"""Quality of predicted probabilities on held-out rows: AUC, Brier score, log loss, reliability.

`ScoreQuality` is for two classes, and `ClassScoreQuality` is for several classes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

BINS = 10
"""Number of bins of equal width in a reliability table."""
SMALLEST = 1e-12
"""Least distance of probabilities from 0 and 1 in the log loss, which makes it finite."""


@dataclass(frozen=True)
class ReliabilityBin:
    """The rows whose predicted probability of label 1 is in one bin.

    Attributes
    ----------
    low, high : float
        Ends of the bin.
    rows : int
        Number of rows in the bin.
    predicted : float
        Mean predicted probability.
    share : float
        Share of rows of label 1.
    """

    low: float
    high: float
    rows: int
    predicted: float
    share: float


@dataclass(frozen=True)
class ScoreQuality:
    """Quality of predicted probabilities of label 1, computed from true labels without privacy.

    Attributes
    ----------
    auc : float or None
        Probability that a random row of label 1 has a larger score than a random row of label 0,
        where equal scores count as 1/2. None if a label has no row.
    brier : float
        Mean square of the difference between label and probability.
    log_loss : float or None
        Mean negative logarithm of the probability of the label. None for labels without
        probabilities, because one wrong label makes the mean infinite.
    calibration_error : float
        Mean over all rows of the distance, in the row's bin, between the mean probability and the
        share of label 1.
    reliability : tuple of ReliabilityBin
        Bins with at least one row.

    Examples
    --------
    >>> found = ScoreQuality.of(np.array([0, 0, 1, 1]), np.array([0.1, 0.4, 0.4, 0.9]))
    >>> found.auc, round(found.brier, 3), round(found.calibration_error, 3)
    (0.875, 0.135, 0.1)
    """

    auc: float | None
    brier: float
    log_loss: float | None
    calibration_error: float
    reliability: tuple[ReliabilityBin, ...]

    @classmethod
    def of_labels(cls, truth: NDArray[np.generic], labels: NDArray[np.generic]) -> ScoreQuality:
        """Return the quality of predicted labels, which count as probabilities 0 and 1.

        The AUC is then the balanced accuracy, and the Brier score is the share of wrong labels.

        Examples
        --------
        >>> found = ScoreQuality.of_labels(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]))
        >>> found.auc, found.brier, found.log_loss
        (0.75, 0.25, None)
        """
        return replace(cls.of(truth, np.asarray(labels, dtype=np.float64)), log_loss=None)

    @classmethod
    def of(cls, labels: NDArray[np.generic], probabilities: NDArray[np.float64]) -> ScoreQuality:
        """Return the quality of predicted probabilities on some rows, at least one."""
        truth = np.asarray(labels, dtype=np.float64)
        places = np.minimum((probabilities * BINS).astype(int), BINS - 1)
        bins = []
        for k in range(BINS):
            own = places == k
            if own.any():
                predicted, share = float(probabilities[own].mean()), float(truth[own].mean())
                bins.append(
                    ReliabilityBin(k / BINS, (k + 1) / BINS, int(own.sum()), predicted, share)
                )
        inside = np.clip(probabilities, SMALLEST, 1 - SMALLEST)
        loss = -(truth * np.log(inside) + (1 - truth) * np.log1p(-inside))
        return cls(
            area_under_curve(truth, probabilities),
            float(((probabilities - truth) ** 2).mean()),
            float(loss.mean()),
            sum(each.rows * abs(each.predicted - each.share) for each in bins) / len(truth),
            tuple(bins),
        )

    def to_json(self) -> dict[str, object]:
        """Return all numbers as JSON."""
        return {
            "AUC": self.auc,
            "Brier score": self.brier,
            "log loss": self.log_loss,
            "calibration error": self.calibration_error,
            "reliability": [vars(each) for each in self.reliability],
        }

    def lines(self, classes: Sequence[object]) -> Iterator[str]:
        """Yield lines of text with the measured numbers, and the reliability table.

        Parameters
        ----------
        classes : sequence
            The two classes. The second class has the label 1.
        """
        positive, auc = classes[1], _digits(self.auc)
        what, loss = "score", f"log loss {self.log_loss or 0:.3f}, "
        if self.log_loss is None:
            what, loss = "labels as probabilities 0 and 1", ""
        yield (
            f"{what} on the test rows: AUC {auc}, Brier score {self.brier:.3f}, {loss}calibration "
            f"error {self.calibration_error:.3f}"
        )
        yield f"  probability of {positive}   rows   mean probability   share of {positive}"
        width = len(f"probability of {positive}")
        last = len(f"share of {positive}")
        for each in self.reliability:
            yield (
                f"  {f'{each.low:.1f} to {each.high:.1f}':>{width}}  {each.rows:>5}   "
                f"{each.predicted:>16.3f}   {each.share:>{last}.3f}"
            )


@dataclass(frozen=True)
class ClassScoreQuality:
    """Quality of predicted probabilities of several classes, from true labels without privacy.

    Attributes
    ----------
    aucs : tuple of float or None
        AUC of each class against the rest. None if all rows or no row have the class.
    brier : float
        Half of the mean sum of squares of the differences between the probabilities of the classes
        and the indicator of the class. For two classes, this is the usual Brier score.
    log_loss : float or None
        Mean negative logarithm of the probability of the label. None for labels without
        probabilities.

    Examples
    --------
    >>> chances = np.array([[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.1, 0.6, 0.3], [0.3, 0.3, 0.4]])
    >>> found = ClassScoreQuality.of(np.array([0, 1, 2, 2]), chances)
    >>> found.aucs, round(found.auc, 3), round(found.brier, 3)
    ((1.0, 0.6666666666666666, 0.875), 0.847, 0.24)
    """

    aucs: tuple[float | None, ...]
    brier: float
    log_loss: float | None

    @classmethod
    def of(
        cls, labels: NDArray[np.generic], probabilities: NDArray[np.float64]
    ) -> ClassScoreQuality:
        """Return the quality on some rows, at least one.

        Parameters
        ----------
        labels : array of int, shape (rows,)
        probabilities : array of float, shape (rows, classes)
        """
        truth = np.asarray(labels).astype(np.intp)
        kinds = probabilities.shape[1]
        right = probabilities[np.arange(len(truth)), truth]
        return cls(
            tuple(area_under_curve(truth == k, probabilities[:, k]) for k in range(kinds)),
            float(((probabilities - np.eye(kinds)[truth]) ** 2).sum(axis=1).mean() / 2),
            float(-np.log(np.maximum(right, SMALLEST)).mean()),
        )

    @classmethod
    def of_labels(
        cls, truth: NDArray[np.generic], labels: NDArray[np.generic], kinds: int
    ) -> ClassScoreQuality:
        """Return the quality of predicted labels, which count as probabilities 0 and 1."""
        chances = np.eye(kinds)[np.asarray(labels).astype(np.intp)]
        return replace(cls.of(truth, chances), log_loss=None)

    @property
    def auc(self) -> float | None:
        """The mean of the AUC of the classes. None if a class has no AUC."""
        found = [each for each in self.aucs if each is not None]
        return sum(found) / len(found) if len(found) == len(self.aucs) else None

    def to_json(self) -> dict[str, object]:
        """Return all numbers as JSON."""
        return {
            "AUC": self.auc,
            "AUC of each class": list(self.aucs),
            "Brier score": self.brier,
            "log loss": self.log_loss,
        }

    def lines(self, classes: Sequence[object]) -> Iterator[str]:
        """Yield lines of text with the measured numbers.

        Parameters
        ----------
        classes : sequence
            The classes, in the order of the columns of probabilities.
        """
        what, loss = "probabilities", f", log loss {self.log_loss or 0:.3f}"
        if self.log_loss is None:
            what, loss = "labels as probabilities 0 and 1", ""
        yield (
            f"{what} on the test rows: mean AUC of a class against the rest {_digits(self.auc)}, "
            f"Brier score {self.brier:.3f}{loss}"
        )
        each = ", ".join(f"{a} {_digits(b)}" for a, b in zip(classes, self.aucs, strict=True))
        yield f"  AUC of each class against the rest: {each}"


def _digits(number: float | None) -> str:
    return "-" if number is None else f"{number:.3f}"


def area_under_curve(labels: NDArray[np.generic], scores: NDArray[np.generic]) -> float | None:
    """Return the AUC: the share of pairs of rows of both labels that scores rank correctly."""
    truth = np.asarray(labels) == 1
    ones = int(truth.sum())
    zeros = len(truth) - ones
    if not ones or not zeros:
        return None
    _, place, counts = np.unique(scores, return_inverse=True, return_counts=True)
    # The mean rank of equal scores, counted from 1.
    ranks = np.cumsum(counts) - (counts - 1) / 2
    return float((ranks[place][truth].sum() - ones * (ones + 1) / 2) / (ones * zeros))


def sampling_error(right: int, rows: int, failure: Fraction = Fraction(1, 20)) -> float:
    """Return the sampling error of an accuracy on held-out rows: the distance to the true accuracy.

    The true accuracy is the probability that the model labels a further row correctly. The held-out
    rows are independent of the model and of each other, and have the distribution of further rows.
    Then the true accuracy is within this distance of the accuracy on the rows, except with the
    given probability, by the exact bounds of Clopper and Pearson 1934.

    Parameters
    ----------
    right, rows : int
        Number of correctly labelled rows, and of all held-out rows, at least one.
    failure : Fraction
        Largest failure probability of the interval.

    Examples
    --------
    >>> round(sampling_error(150, 200), 3)
    0.066
    """
    from learners.audit import clopper_pearson

    lower, upper = clopper_pearson(right, rows, failure / 2)
    share = Fraction(right, rows)
    return float(max(share - lower, upper - share))
