"""Training of naive Bayes on the rows of a task, for two or several classes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from learners.accounting import Event
from learners.coins import Coins
from learners.rules.naive_bayes import NaiveBayes, class_scores
from learners.tables.bayes import BayesModel, CellScores, cells_of
from learners.tables.class_bayes import ClassBayesModel
from learners.tables.entries import Neighbours, Person, RowsPerPerson, TableEntry, Trained, Training
from learners.tables.rule_training import private_bayes
from learners.tables.task import TrainingData
from lsclasses.errors import InvalidInput
from lsclasses.options import Option


def private_class_bayes(
    data: TrainingData, epsilon: Fraction, delta: Fraction | None, coins: Coins
) -> tuple[tuple[CellScores, ...], Event]:
    """Learn naive Bayes for several classes, and return the model with its privacy cost.

    One joint histogram of cells and classes per column is released. Its privacy cost does not
    depend on the number of classes (`learners.rules.naive_bayes`).

    Parameters
    ----------
    data : TrainingData
        Rows and task of the training.
    epsilon : Fraction
        Privacy cost of the release.
    delta : Fraction, optional
        Delta of the guarantee, or None for a pure guarantee.
    coins : Coins
        Source of the random draws.
    """
    columns, task = data.columns, data.task
    cells = [cells_of(columns, j, lambda i: data.matrix[:, i]) for j in range(len(columns.names))]
    sizes = [column.count + 1 for column in columns.columns]
    mechanism = NaiveBayes(
        epsilon, len(columns.names), delta, task.neighbours, classes=len(task.classes)
    )
    counts = mechanism.release(cells, sizes, data.labels, coins)
    scores = class_scores(counts, mechanism.noise.deviation)
    return tuple(CellScores(*each) for each in scores), mechanism.privacy


@dataclass(frozen=True, kw_only=True)
class BayesTraining(Training):
    """Training of naive Bayes by `private_bayes`, or `private_class_bayes` for several classes."""

    several_classes = True
    delta: Annotated[
        Fraction,
        Option(
            "delta of the guarantee, 0 for pure differential privacy. With a positive "
            "delta, the noise is Gaussian if Gaussian noise is smaller, as for many columns",
            minimum=0,
            below=1,
            noun="delta",
        ),
    ] = Fraction(0)
    person: Person = None
    rows_per_person: RowsPerPerson = None
    neighbours: Neighbours = "replace_one"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.delta and self.person is not None:
            raise InvalidInput("With --person, naive Bayes needs a pure guarantee: --delta 0.")

    def learn(self, data: TrainingData, coins: Coins) -> Trained:
        """Release a histogram of every column, and compute scores from it."""
        task, delta = data.task, data.task.delta or None
        sizes = "one histogram a column"
        if len(task.classes) > 2:
            several, event = private_class_bayes(data, data.remaining, delta, coins)
            guarantee = data.guarantee(event, delta, coins)
            common = data.columns, task.classes, task.target, guarantee
            return Trained(ClassBayesModel(*common, several), sizes)
        scores, event = private_bayes(data, data.remaining, delta, coins)
        guarantee = data.guarantee(event, delta, coins)
        model = BayesModel(data.columns, task.classes, task.target, guarantee, scores)
        return Trained(model, sizes)


LEARNERS = (
    TableEntry(
        "naive-bayes",
        "a score with one summand for each column, from noisy counts of rows by class and by range "
        "or category of the column",
        BayesTraining,
    ),
)
