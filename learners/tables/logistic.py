"""Logistic regression on the cells of declared columns: features and training.

Every cell of a column has a public code, a few integers in units of 1/256 whose sizes add up to at
most 256. The codes of a column of cut points run from -1 to 1 in equal steps. A flag has the codes
-1 and 1. A column of categories has one coordinate for each category (two categories: -1 and 1),
and 0 everywhere for all other entries. A missing value of a column with cut points or of a flag has
a separate coordinate, and the code 0 in the other coordinate.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners.accounting import Event
from learners.coins import Coins
from learners.concentration import FAILURE as DEFAULT_FAILURE
from learners.rules.logistic_accuracy import DEFAULT_NORM, NORM, ExcessLogLoss
from learners.rules.logistic_gaussian import GaussianPerturbation, least_noise
from learners.rules.logistic_objective import FEATURE_UNIT
from learners.rules.logistic_regression import CLASS_WEIGHT, ObjectivePerturbation
from learners.rules.logistic_sharpening import sharpening
from learners.rules.naive_bayes import SCORE_UNIT
from learners.tables.bayes import CellScores, cells_of
from learners.tables.columns import FixedColumn, FixedColumns, WithMissing
from learners.tables.entries import Neighbours, Person, RowsPerPerson, TableEntry, Trained, Training
from learners.tables.guarantees import Guarantee
from learners.tables.logistic_models import ClassLogisticModel, LogisticModel
from learners.tables.rule_plans import public_rows
from learners.tables.task import TableTask, TrainingData
from lsclasses.errors import InvalidInput
from lsclasses.files.comma_separated import split_declaration
from lsclasses.numbers import as_printed, format_number, plural
from lsclasses.options import Option

TINY_WEIGHT = Fraction(1, 64)
"""Below this largest class weight, the rounding of l2 to multiples of 1/256 matters."""
LARGEST_SCORE = 1 << 30
"""Scores of cells are limited to this size, 1024 in logarithms of odds."""

Codes = NDArray[np.int16]
"""Codes of the cells of a column, shape (cells, coordinates), in units of 1/256."""


def cell_codes(column: FixedColumn) -> Codes:
    """Return the codes of the cells of a column.

    Examples
    --------
    >>> from learners.tables.columns import Categories, Cuts
    >>> cell_codes(Cuts([20, 40, 60])).ravel().tolist()
    [-256, -85, 85, 256]
    >>> cell_codes(Categories(["red", "green", "blue"])).tolist()
    [[256, 0, 0], [0, 256, 0], [0, 0, 256], [0, 0, 0]]
    >>> cell_codes(WithMissing(Cuts([20]))).tolist()
    [[-256, 0], [256, 0], [0, 256]]
    """
    if isinstance(column, WithMissing):
        inner = cell_codes(column.column)
        width = inner.shape[1]
        found = np.zeros((len(inner) + 1, width + 1), dtype=np.int16)
        found[:-1, :width], found[-1, width] = inner, FEATURE_UNIT
        return found
    count = column.count
    if column.rising == count or count == 1:
        steps = [round(Fraction(FEATURE_UNIT * (2 * k - count), count)) for k in range(count + 1)]
        return np.array(steps, dtype=np.int16)[:, None]
    if count == 2:
        return np.array([[-FEATURE_UNIT], [FEATURE_UNIT], [0]], dtype=np.int16)
    return FEATURE_UNIT * np.eye(count + 1, count, dtype=np.int16)


@dataclass(frozen=True)
class LogisticOptions:
    """The public options of a logistic regression.

    Parameters
    ----------
    l2 : Fraction, optional
        Regularisation. The default is the public rule of the mechanism.
    weights : tuple of Fraction
        Weight of the loss of a row of each class.
    rows : int, optional
        Declared number of rows, for add/remove.
    """

    l2: Fraction | None = None
    weights: tuple[Fraction, ...] = (Fraction(1), Fraction(1))
    rows: int | None = None

    def mechanism(
        self, columns: FixedColumns, epsilon: Fraction, delta: Fraction, neighbours: str
    ) -> ObjectivePerturbation:
        """Return the mechanism for the blocks of the columns, after the block of the intercept.

        With a positive delta, it is the mechanism with the smaller noise: pure or Gaussian.
        """
        blocks = (1, *(cell_codes(column).shape[1] for column in columns.columns))
        pure = ObjectivePerturbation(
            epsilon, blocks, neighbours, self.l2, class_weights=self.weights
        )
        if not delta:
            return pure
        gaussian = GaussianPerturbation(
            epsilon, blocks, neighbours, self.l2, class_weights=self.weights, delta=delta
        )
        return least_noise(pure, gaussian)

    def require(self, task: TableTask) -> None:
        """Refuse too many coordinates, a regularisation below the budget, or unused rows."""
        public_rows(None, self.rows, task.neighbours)
        if columns := task.largest_columns:
            self.mechanism(columns, task.remaining, task.delta, task.neighbours)


def class_weights(given: object, classes: Sequence[object]) -> tuple[Fraction, ...]:
    """Return the declared weights of the classes, in the order of the labels.

    Parameters
    ----------
    given : mapping of class to number, or None
        Declared weights. Classes without a declared weight have the weight 1.
    classes : sequence
        All classes, in the order of the labels.

    Raises
    ------
    InvalidInput
        If the weights are not declared numbers, or a class does not exist.

    Examples
    --------
    >>> class_weights({"high": 3}, ["low", "high"]), class_weights({1: 0.5}, [0, 1])
    ((Fraction(1, 1), Fraction(3, 1)), (Fraction(1, 1), Fraction(1, 2)))
    """
    declared = {} if given is None else given
    if not isinstance(declared, Mapping):
        raise InvalidInput(
            "Class weights must be public numbers by class, such as "
            f"{{{classes[0]!r}: 1, {classes[-1]!r}: 3}}. Got {given!r:.200}. {FROM_ROWS}"
        )
    if unknown := [each for each in declared if each not in classes]:
        raise InvalidInput(
            f"Weights need classes of the target: {', '.join(map(repr, classes))}. Got the class "
            f"{unknown[0]!r:.200}."
        )
    return tuple(
        CLASS_WEIGHT.fraction(as_printed(declared.get(each, 1), CLASS_WEIGHT.name))
        for each in classes
    )


FROM_ROWS = (
    "Weights computed from the rows ('balanced') would disclose the number of rows of a class. "
    "Declare public weights, such as the ratio of the costs of the two errors, or choose a "
    "threshold on the released probabilities, which is free."
)
"""Advice about weights that depend on the rows."""


PART = re.compile(r'(?:"(?:[^"]|"")*"|[^,])+')
"""A part between commas. Double quotes protect commas."""


def read_class_weights(text: str) -> dict[str, Fraction]:
    """Return the weights by class that an option declares, such as ``high=3,low=1/2``.

    Raises
    ------
    InvalidInput
        If a part is not a class and a positive number.

    Examples
    --------
    >>> read_class_weights('high=3,"not high"=1/2')
    {'high': Fraction(3, 1), 'not high': Fraction(1, 2)}
    """
    found: dict[str, Fraction] = {}
    parts = PART.findall(text)
    if not parts or ",".join(parts) != text:
        raise InvalidInput(
            "Each part of --class-weight must declare the weight of a class, as in high=3,low=1. "
            f"Got an empty part in {text!r}."
        )
    for part in parts:
        name, number = split_declaration(part)
        if number is None:
            raise InvalidInput(
                "Class weights must be declared by class, such as --class-weight high=3,low=1. "
                f"Got {part!r}. {FROM_ROWS}"
            )
        if name in found:
            raise InvalidInput(f"Each class has one weight. Got two weights of {name!r}.")
        weight = as_printed(number.strip(), f"weight of the class {name!r}")
        found[name] = CLASS_WEIGHT.fraction(weight, f"weight of the class {name!r}")
    return found


class ReleasedScores(NamedTuple):
    """The released scores, and the factor between scores and log-odds.

    Attributes
    ----------
    scores : tuple of CellScores
        Score of label 1, or one score for each of several classes.
    factor : Fraction
        Factor of `learners.rules.logistic_sharpening`.
    """

    scores: tuple[CellScores, ...]
    factor: Fraction = Fraction(1)


def private_logistic(
    data: TrainingData, coins: Coins, options: LogisticOptions
) -> tuple[ReleasedScores, Event, ObjectivePerturbation]:
    """Learn the scores of cells privately, with the remaining epsilon and the delta of the task.

    Parameters
    ----------
    data : TrainingData
    coins : Coins
    options : LogisticOptions

    Returns
    -------
    released : ReleasedScores
    event : Event
        Privacy cost of all scores.
    mechanism : ObjectivePerturbation
    """
    columns, matrix = data.columns, data.matrix
    task = data.task
    mechanism = options.mechanism(columns, data.remaining, task.delta, task.neighbours)
    codes = [cell_codes(column) for column in columns.columns]
    rows = np.full((len(data.labels), mechanism.dimension), FEATURE_UNIT, dtype=np.int16)
    place = 1
    for j, code in enumerate(codes):
        rows[:, place : place + code.shape[1]] = code[cells_of(columns, j, lambda i: matrix[:, i])]
        place += code.shape[1]
    weights, size = mechanism.fit(rows, data.labels, coins), mechanism.dimension
    scores = tuple(
        scores_of(weights[start : start + size], mechanism.weight_bits, codes)
        for start in range(0, mechanism.coordinates, size)
    )
    public = public_rows(len(data.labels), options.rows, task.neighbours)
    factor = sharpening(mechanism, weights, codes, public) if public else Fraction(1)
    return ReleasedScores(scores, factor), mechanism.privacy, mechanism


def scores_of(weights: Sequence[int], bits: int, codes: Sequence[Codes]) -> CellScores:
    """Return the bias and the score of each cell of each column, from released weights.

    The weights are in units of 2^-bits: first the bias, then one weight for each coordinate of the
    codes of the columns. The function reads no rows, so it costs no privacy.
    """

    def rounded(sized: int, unit: int) -> int:
        score = round(Fraction(sized * SCORE_UNIT, unit << bits))
        return max(-LARGEST_SCORE, min(score, LARGEST_SCORE))

    found, place = [], 1
    for code in codes:
        own = weights[place : place + code.shape[1]]
        sums = (sum(a * b for a, b in zip(cell, own, strict=True)) for cell in code.tolist())
        found.append(tuple(rounded(each, FEATURE_UNIT) for each in sums))
        place += code.shape[1]
    return CellScores(rounded(weights[0], 1), tuple(found))


def model_of(
    released: ReleasedScores,
    data: TrainingData,
    guarantee: Guarantee | None,
    *,
    classes: tuple[object, ...] | None = None,
) -> LogisticModel | ClassLogisticModel:
    """Return the model of released scores, for two or several classes."""
    task = data.task
    common = data.columns, task.classes if classes is None else classes, task.target, guarantee
    if len(released.scores) == 1:
        return LogisticModel(*common, released.scores[0], factor=released.factor)
    return ClassLogisticModel(*common, released.scores, factor=released.factor)


@dataclass(frozen=True, kw_only=True)
class LogisticTraining(Training):
    """Training of a score by `private_logistic`, or of a score for each of several classes."""

    several_classes = True
    delta: Annotated[
        Fraction,
        Option(
            "delta of the guarantee, 0 for pure differential privacy. A positive delta allows "
            "Gaussian noise, which is smaller for many columns or many categories. The learner "
            "chooses the smaller noise. This choice depends only on public numbers",
            minimum=0,
            below=1,
            noun="delta",
        ),
    ] = Fraction(0)
    person: Person = None
    rows_per_person: RowsPerPerson = None
    neighbours: Neighbours = "replace_one"
    rows: Annotated[
        int | None,
        Option(
            "public guess of the number of rows, from which the learner computes the factor "
            "between scores and log-odds. Only --neighbours add_remove needs the guess, because "
            "it protects the true number. Without the guess, the factor is 1",
            minimum=1,
        ),
    ] = None
    l2: Annotated[
        Fraction | None,
        Option(
            "strength of the L2 regularisation, a public number. Choose it without looking at "
            "the rows. The default depends only on epsilon, the class weights, and the numbers of "
            "columns and classes",
            above=0,
        ),
    ] = None
    class_weight: Annotated[
        str | None,
        Option(
            "public weights of classes, such as high=3,low=1/2. The loss of a row is multiplied by "
            "the weight of its class. Classes without a weight have the weight 1. The noise grows "
            "with the largest weight. Weights must not depend on the rows",
            metavar="CLASS=WEIGHT",
        ),
    ] = None
    comparison_norm: Annotated[
        Fraction,
        NORM.with_doc(
            "the printed accuracy bound compares the model with the best weights of Euclidean norm "
            "at most this number. The number does not change the model"
        ),
    ] = DEFAULT_NORM

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.class_weight is not None:
            read_class_weights(self.class_weight)
        if self.delta and self.person is not None:
            raise InvalidInput(
                "With --person, logistic regression needs a pure guarantee: --delta 0."
            )

    def require(self, task: TableTask) -> None:
        """Refuse unknown classes, too many coordinates, or a regularisation that is too small."""
        self._options(task).require(task)

    def _options(self, task: TableTask) -> LogisticOptions:
        given = None if self.class_weight is None else read_class_weights(self.class_weight)
        weights = class_weights(given, list(map(str, task.classes)))
        return LogisticOptions(self.l2, weights, self.rows)

    def learn(self, data: TrainingData, coins: Coins) -> Trained:
        """Perturb the objective, and compute scores of cells from the released weights."""
        task = data.task
        released, event, mechanism = private_logistic(data, coins, self._options(task))
        guarantee = data.guarantee(event, stated_delta(mechanism), coins)
        model = model_of(released, data, guarantee)
        rows = public_count(data)
        bound = promised(mechanism, released.scores, rows, self.comparison_norm)
        return Trained(model, f"{described(mechanism, rows)}. {bound}")


def stated_delta(mechanism: ObjectivePerturbation) -> Fraction | None:
    """Return the delta at which the total of the mechanism is stated. None for a pure guarantee."""
    return mechanism.delta if isinstance(mechanism, GaussianPerturbation) else None


def public_count(data: TrainingData) -> int | None:
    """Return the number of rows if it is public, because rows are replaced."""
    return len(data.labels) if data.task.neighbours == "replace_one" else None


def described(mechanism: ObjectivePerturbation, rows: int | None) -> str:
    """Return the public numbers of the mechanism in words."""
    noise = mechanism.noise_deviation / float(mechanism.heaviest)
    heavy = " of the heaviest class" if len(set(mechanism.class_weights)) > 1 else ""
    text = (
        f"{plural(mechanism.coordinates, 'coordinate')}, l2 = {float(mechanism.l2 or 0):.4g}. The "
        f"noise of the gradient has the size of about {noise:.3g} rows{heavy} in a column of cut "
        "points"
    )
    if rows is not None and noise >= rows:
        text += f", which exceeds the signal of all {plural(rows, 'row')}"
    if mechanism.heaviest < TINY_WEIGHT:
        text += (
            f". The largest class weight is {format_number(mechanism.heaviest)}, so rounding "
            "increases l2 and the noise. Multiply all weights by a number, so that the largest "
            "weight is 1"
        )
    return text


def excess_log_loss(
    mechanism: ObjectivePerturbation,
    scores: Sequence[CellScores],
    norm: Fraction = DEFAULT_NORM,
    failure: Fraction = DEFAULT_FAILURE,
) -> ExcessLogLoss | None:
    """Return the accuracy bound for released scores. None if a score has the largest size.

    `scores_of` rounds the bias and the score of one cell of each column to multiples of
    1/`SCORE_UNIT`, and limits each of them to `LARGEST_SCORE`.
    """
    cells = [cell for each in scores for cell in ((each.bias,), *each.cells)]
    if max(abs(score) for cell in cells for score in cell) >= LARGEST_SCORE:
        return None
    rounding = Fraction(len(mechanism.blocks), 2 * SCORE_UNIT)
    return ExcessLogLoss.of(mechanism, norm, failure, rounding)


def promised(
    mechanism: ObjectivePerturbation,
    scores: Sequence[CellScores],
    rows: int | None,
    norm: Fraction,
) -> str:
    """Return the accuracy bound in words, for a public or a protected number of rows."""
    found = excess_log_loss(mechanism, scores, norm)
    if found is None:
        return (
            "No bound on the log loss applies, because a score of the model has the largest size "
            f"{LARGEST_SCORE // SCORE_UNIT}"
        )
    what = f"{found.loss} over the best weights of norm at most {format_number(norm)}"
    surely = f"except with probability {found.failure}"
    zero = (
        f"because weights of 0 have a {found.loss} of at most {float(found.zero_loss):.3f} per row"
    )
    least = found.least_rows
    enough = (
        f"A bound that is not vacuous needs {format_number(least, 3, exact=2, up=True)} rows"
        if least is not None
        else "No number of rows gives a bound that is not vacuous"
    )
    if rows is None:
        return (
            f"Excess {what}: at most {_up(found.fixed)} in all plus {_up(found.per_row)} per "
            f"training row, {surely}. {enough}, {zero}"
        )
    bound = found.bound(rows)
    each = _up(Fraction(bound.value or 0) / rows)
    if bound.vacuous:
        return (
            f"No bound on the excess {what} applies. The bound of {each} per training row is "
            f"vacuous, {zero}. {enough}"
        )
    return f"Excess {what}: at most {each} per training row, {surely}"


def _up(number: Fraction) -> str:
    """Return a positive number, rounded up to three digits."""
    return format_number(number, 3, up=True)


LEARNERS = (
    TableEntry(
        "logistic",
        "a score with one summand for each column, by logistic regression with a perturbed "
        "objective",
        LogisticTraining,
        "A column with cut points counts as a number from -1 to 1. Each category of a column "
        "has a separate weight. With several classes, each class has a regression against the "
        "remaining classes.",
    ),
)
