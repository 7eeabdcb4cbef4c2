"""Noisy numbers of rows by rule and label: the release, and the estimates from the release.

Each row is counted once, at one leaf of the tree and for its label. So a replaced row changes two
counts by 1, and an added or removed row changes one count. The release is `CountNoise` for this
number of changes. All estimates in this module are computed from the released counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from learners.accounting import Event
from learners.mechanisms.count_noise import CountNoise

if TYPE_CHECKING:
    from learners.coins import Coins

FURTHER = 4
"""Number of training rows for each further row in `further_error`."""

NORMAL = 1.96
"""Standard deviations that a normal variable exceeds in absolute value with probability 1/20."""

PART = Fraction(1, 40)
"""Failure probability of the stated noise radius of each of two sums."""


def noisy_supports(
    places: np.ndarray,
    labels: np.ndarray,
    shape: tuple[int, int],
    epsilon: Fraction,
    coins: Coins,
    *,
    neighbours: str,
) -> tuple[tuple[tuple[int, ...], ...], Fraction, Event]:
    """Return the number of rows of each label at each leaf, with discrete Laplace noise.

    Parameters
    ----------
    places : numpy.ndarray
        Leaf of each row, shape (rows,).
    labels : numpy.ndarray
        Labels of the rows, counted from 0, shape (rows,).
    shape : pair of int
        Number of leaves, and number of labels.
    epsilon : Fraction
        Privacy cost of the release.
    coins : Coins
        Source of the random draws.
    neighbours : str
        Neighbour relation of the guarantee.

    Returns
    -------
    supports : tuple of tuple of int
    scale : Fraction
    event : Event
    """
    leaves, kinds = shape
    counts = np.bincount(kinds * places + labels.astype(np.intp), minlength=leaves * kinds)
    changes = 2 if neighbours == "replace_one" else 1
    noise = CountNoise(epsilon, changes, None, neighbours, "supports of rules")
    # Python's integers, because noise for a small epsilon exceeds 64 bits.
    drawn = noise.draw(leaves * kinds, coins)
    noisy = [count + more for count, more in zip(counts.tolist(), drawn, strict=True)]
    supports = tuple(tuple(noisy[kinds * i : kinds * (i + 1)]) for i in range(leaves))
    return supports, noise.scale, noise.privacy


@dataclass(frozen=True)
class RuleEstimate:
    """The estimates of the noisy counts for one rule.

    Attributes
    ----------
    rows : int
        Approximate number of rows that the rule decides.
    share : float
        Approximate share of these rows that has the label.
    rows_noise : int or None
        Distance between `rows` and the true number that 95 % of the draws of noise do not exceed.
        None if the noise is not known.
    share_noise : float or None
        Corresponding distance for the share, which is computed with one more row of each label.
    """

    rows: int
    share: float
    rows_noise: int | None = None
    share_noise: float | None = None

    @classmethod
    def of(
        cls, counts: tuple[int, ...], label: int, leaves: int = 1, scale: Fraction | None = None
    ) -> RuleEstimate:
        """Return the estimates from the summed counts of some leaves, for noise of a given scale.

        The noise of the sum of all counts is a sum of as many noise terms as there are counts. Its
        exact distribution gives the radius. For the share, the number of rows with the label and
        the number of other rows are within the radii of their sums except with probability 1/40
        each, and the share is monotone in both.

        Examples
        --------
        >>> RuleEstimate.of((90, 10), 0, 1, Fraction(4))
        RuleEstimate(rows=100, share=0.8921568627450981, rows_noise=16, \
share_noise=0.1470588235294118)
        """
        kinds, right = len(counts), counts[label]
        wrong = sum(counts) - right

        def share(right: int, wrong: int) -> float:
            return (max(right, 0) + 1) / (max(right, 0) + max(wrong, 0) + kinds)

        rows, found = max(sum(counts), 0), share(right, wrong)
        if scale is None:
            return cls(rows, found)
        noise = CountNoise(1 / scale, 1)
        one, others = (noise.radius(each, PART) for each in (leaves, leaves * (kinds - 1)))
        ends = share(right + one, wrong - others), share(right - one, wrong + others)
        stray = max(abs(end - found) for end in ends)
        return cls(rows, found, noise.radius(leaves * kinds), stray)

    def __str__(self) -> str:
        if self.rows_noise is None or self.share_noise is None:
            return f"[about {self.rows} rows, {100 * self.share:.0f} % of them labelled correctly]"
        rows = f"about {self.rows} +- {self.rows_noise} rows"
        if self.rows <= self.rows_noise:
            return f"[no more rows than noise: {rows}; 95 % interval]"
        # Noise of less than half of a point must not be printed as 0.
        stray = max(round(100 * self.share_noise), 1)
        share = f"{100 * self.share:.0f} +- {stray} % of them labelled correctly"
        return f"[{rows}, {share}; 95 % intervals]"

    def to_json(self) -> dict[str, object]:
        """Return the estimates as JSON values, for programs."""
        return {
            "rows": self.rows,
            "rows +- (95 %)": self.rows_noise,
            "share": self.share,
            "share +- (95 %)": self.share_noise,
        }


def shares(supports: tuple[tuple[int, ...], ...], scale: Fraction | None) -> np.ndarray:
    """Return the noisy shares of labels at each leaf, shape (leaves, labels): probabilities.

    A leaf with no more rows than the noise carries little information. So the function adds rows to
    each leaf, as many as the deviation of the noise, with the label shares of all leaves together.

    Examples
    --------
    >>> shares(((900, 100), (2, -3)), Fraction(10)).round(2)
    array([[0.9 , 0.1 ],
           [0.91, 0.09]])
    """
    counts = np.maximum(np.array(supports, dtype=np.float64), 0)
    kinds = counts.shape[1]
    added, common = float(kinds), np.full(kinds, 1 / kinds)
    if scale is not None:
        added = max(added, CountNoise(1 / scale, 1).deviation)
        common = (counts.sum(axis=0) + 1) / (counts.sum() + kinds)
    found: np.ndarray = (counts + added * common) / (counts.sum(axis=1, keepdims=True) + added)
    return found


def shares_right(
    supports: tuple[tuple[int, ...], ...], said: Sequence[int], scale: Fraction | None
) -> tuple[tuple[float, float | None], tuple[float, float | None]]:
    """Return accuracy and balanced accuracy from noisy counts, each with a noise radius.

    Balanced accuracy is the mean over the classes of the share of right rows in the class. In 95 %
    of draws, both numbers are within the noise of the numbers from the true counts: each sum of
    counts is within its radius, with failure probabilities that add up to 1/20.

    Parameters
    ----------
    supports : tuple of tuple of int
        Noisy numbers of rows of each label, for each place.
    said : sequence of int
        Label of each place.
    scale : Fraction or None
        Scale of the noise. Without a scale, the function returns no noise.

    Examples
    --------
    >>> accuracy, balanced = shares_right(((900, 0), (100, 0)), (0, 1), Fraction(4))
    >>> [round(number, 2) for number in (*accuracy, *balanced)]
    [0.9, 0.02, 0.7, 0.23]
    """
    counts = np.array(supports, dtype=object)
    right = np.array(said)[:, None] == np.arange(counts.shape[1])
    classes = [np.broadcast_to(label, right.shape) for label in np.eye(counts.shape[1], dtype=bool)]
    one, mean = (
        [_share_right(counts, part, right, scale, len(parts)) for part in parts]
        for parts in ([np.ones_like(right)], classes)
    )
    known = None if scale is None else sum(noise for _, noise in mean) / len(mean)
    balanced = sum(share for share, _ in mean) / len(mean)
    return (one[0][0], None if scale is None else one[0][1]), (balanced, known)


def _share_right(
    counts: np.ndarray, part: np.ndarray, right: np.ndarray, scale: Fraction | None, parts: int
) -> tuple[float, float]:
    """Return the share of right rows of a part, and its noise; `parts` parts share a failure."""

    def share(right: int, wrong: int) -> float:
        return (max(right, 0) + 1) / (max(right, 0) + max(wrong, 0) + 2)

    both = part & right, part & ~right
    yes, no = (int(counts[each].sum()) for each in both)
    if scale is None:
        return share(yes, no), 0.0
    noise = CountNoise(1 / scale, 1)
    a, b = (noise.radius(max(int(each.sum()), 1), Fraction(1, 40 * parts)) for each in both)
    found = share(yes, no)
    return found, max(abs(share(yes + a, no - b) - found), abs(share(yes - a, no + b) - found))


def further_error(
    supports: tuple[tuple[int, ...], ...], share: float, noise: float | None
) -> float | None:
    """Return the distance between the noisy accuracy and the accuracy on further rows.

    The further rows are independent, from the distribution of the rows, and a quarter as many as
    the rows. The distance is the sum of the noise and of 1.96 standard deviations of the difference
    between the accuracies on both samples (with two more rows of each kind). The distance holds in
    95 % of simulations at epsilon 1 and 4. It has no proof, because the rules depend on the rows.
    At a large epsilon, rules for random labels fit the sample, so the true distance is larger.

    Parameters
    ----------
    supports : tuple of tuple of int
        Noisy numbers of rows.
    share : float
        Noisy accuracy.
    noise : float or None
        Noise of the accuracy. None if it is not known.

    Examples
    --------
    >>> round(further_error(((900, 0), (100, 0)), 0.9, 0.02), 3)
    0.062
    """
    if noise is None:
        return None
    rows = max(sum(map(sum, supports)), 1)
    smooth = (share * rows + 2) / (rows + 4)
    variance = smooth * (1 - smooth) * (1 + FURTHER) / (rows + 4)
    return noise + NORMAL * float(np.sqrt(variance))


Accuracies = Sequence[tuple[str, float, float | None]]
"""Names of measures, with their values and the noise of the values."""


def accuracies_json(
    accuracies: Accuracies, supports: tuple[tuple[int, ...], ...]
) -> dict[str, object]:
    """Return the accuracies from noisy counts as JSON values, for programs."""
    return {
        name: {
            "share": share,
            "share +- (95 %)": noise,
            **(
                {"share of further rows +- (95 %)": further_error(supports, share, noise)}
                if name == "accuracy"
                else {}
            ),
        }
        for name, share, noise in accuracies
    }


def accuracy_lines(accuracies: Accuracies, supports: tuple[tuple[int, ...], ...]) -> list[str]:
    """Return the accuracies from noisy counts in words, or no lines without accuracies."""
    if not accuracies:
        return []
    told = ", ".join(
        f"{name} {share:.3f}" + ("" if noise is None else f" +- {noise:.3f} (95 %)")
        for name, share, noise in accuracies
    )
    lines = [f"By the noisy numbers of rows: {told}."]
    _, share, noise = accuracies[0]
    further = further_error(supports, share, noise)
    if further is not None:
        lines.append(
            f"Estimated accuracy on new rows: {share:.3f} +- {further:.3f} (95 %, if the new rows "
            "are a quarter as many as the training rows)."
        )
    return lines
