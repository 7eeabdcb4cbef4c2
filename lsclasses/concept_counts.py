"""Methods by which concept classes count and list their concepts without a table."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from lsclasses.error_histograms import ErrorHistogram, Weights, cells_by_restriction
from lsclasses.hypothesis import Hypothesis
from lsclasses.point_names import Point


class ConceptCounts:
    """Base of concept classes: methods that count concepts, for learners that weight concepts."""

    @abstractmethod
    def to_table(self) -> Any:
        """Return the class as a table."""

    def _contains_zero(self) -> bool | None:
        """Return whether the constant 0 is a concept, or None if no formula decides."""
        return None

    def _counts_version_spaces(self, rows: int | None = None) -> bool:
        """Return whether `size` is known after all examples (certainly after `rows` of them)."""
        return True

    def _hardness_of_weights(self) -> str:
        """Return the proved reason why draws by weights of the errors are hard, or ''."""
        return ""

    def _hardness_of_counts(self) -> str:
        """Return the proved reason why majorities of version spaces are hard, or ''."""
        return ""

    def _hardness_of_dimensions(self) -> str:
        """Return the proved reason why dimensions of version spaces are hard, or ''."""
        return ""

    def _lists_concepts(self) -> bool:
        """Return whether `_concept_at` and `_labels_of_concepts` need no table."""
        return False

    def _concept_at(self, place: int) -> Hypothesis:
        """Return the concept at a position in the order of `_labels_of_concepts`."""
        concept: Hypothesis = self.to_table()[place]
        return concept

    def _labels_of_concepts(self, x: Point) -> np.ndarray:
        """Return the labels of all concepts at a point, shape (concepts,), dtype bool."""
        labels: np.ndarray = self.to_table().column(x).astype(bool)
        return labels

    def _majority_vote(self) -> Hypothesis | None:
        """Return the label of more than half of the concepts, or None without a formula."""
        return None

    def _lists_labellings(self) -> bool:
        """Return whether `_best_of_labellings` is implemented for this class."""
        return False

    def _best_of_labellings(
        self, points: Sequence[Point], weights: Weights
    ) -> Iterator[tuple[Hypothesis, int]]:
        """Yield one of the concepts with the fewest errors for each labelling of some points.

        Each concept is yielded with its number of errors.
        """
        raise NotImplementedError

    def _error_histogram(self, weights: Weights, rows: int) -> ErrorHistogram:
        """Return the number of concepts with each number of errors on a part of a sample.

        Limits depend only on `rows`, the public number of rows of the whole sample.
        """
        this: Any = self
        return cells_by_restriction(this, weights, rows)
