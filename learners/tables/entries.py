"""Learners from tables by name, each declared next to its code.

A module with such a learner ends with ``LEARNERS``, a tuple of `TableEntry`: a name, a title, and
a `Training`, whose fields are the options of ``lsclasses learn NAME``. `TRAININGS` finds the
learners by their lines under ``[table_learners]`` in ``names.toml``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

from learners.accounting import checked_neighbours
from learners.checked import DELTA
from learners.coins import Coins
from learners.tables.models import Model
from lsclasses.options import Option, check_fields
from lsclasses.registry import Registry, instance_of
from lsclasses.specifications import Entry

if TYPE_CHECKING:
    from learners.tables.task import TableTask, TrainingData

Delta = Annotated[Fraction, DELTA.with_doc("delta of the whole command")]
Person = Annotated[
    str | None,
    Option("column that names the person of a row. The guarantee then covers all rows of a person"),
]
RowsPerPerson = Annotated[
    int | None,
    Option(
        "largest number of rows of a person that count, with --person. This number must be "
        "public. Only the first rows of each person count",
        minimum=1,
    ),
]
Neighbours = Annotated[
    str,
    Option(
        "neighbour relation of the guarantee: replace_one (one row is replaced) or "
        "add_remove (one row is added or removed)"
    ),
]
"""Option for the neighbour relation, which all trainings have."""


class Trained(NamedTuple):
    """A learned model, and a public description of its training."""

    model: Model
    sizes: str


class Training(ABC):
    """Base class of trainings: a learner with its options, which learns from the rows of a task.

    A training is a dataclass whose fields are given by name. Each field is annotated with an
    `lsclasses.options.Option`. The constructor refuses wrong fields, before any budget is charged.

    Attributes
    ----------
    delta : Fraction
        Delta of the whole training, 0 for a pure guarantee.
    neighbours : str
        Neighbour relation of the guarantee.
    person : str or None
        Column that identifies the person of each row, if the guarantee is about persons.
    rows_per_person : int or None
        Largest number of used rows of a person, if declared.
    several_classes : bool
        Whether the learner learns more than two classes.
    """

    delta: Fraction = Fraction(0)
    neighbours: str = "replace_one"
    person: str | None = None
    rows_per_person: int | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        checked_neighbours(self.neighbours)

    several_classes: ClassVar[bool] = False

    def require(self, task: TableTask) -> None:  # noqa: B027, most learners refuse no task
        """Refuse a task that `learn` would refuse after the charge, by public numbers only.

        A subclass overrides the method. It must not look at the entries of rows.

        Raises
        ------
        InvalidInput
            If the budget is too small for the learner.
        TooLarge
            If the task is too large for the learner.
        """

    @abstractmethod
    def learn(self, data: TrainingData, coins: Coins) -> Trained:
        """Learn from the rows of a task, after the budget was charged."""


@dataclass(frozen=True)
class TableEntry(Entry):
    """A named learner from tables, declared next to the learner, in a tuple ``LEARNERS``.

    Attributes
    ----------
    name, title : str
        Name in specifications, and heading in lists.
    build : callable
        ``build(**values)`` returns the `Training`.
    details : str
        Further text of its help.
    parameters : tuple of Parameter
        Parameters of `build`. ``lsclasses learn NAME --help`` lists them as options.
    """

    build: Callable[..., Training]
    details: str = ""

    def training(self, /, **given: object) -> Training:
        """Return the training with the given options, which are values or strings.

        Raises
        ------
        InvalidInput
            If the training has no such option, or refuses a value.
        """
        training: Training = self.built(**given)
        return training


TRAININGS = Registry(
    "table_learners",
    "learner from tables",
    instance_of(
        TableEntry, "A learner from tables is declared by a learners.tables.entries.TableEntry."
    ),
)
"""Every learner from tables that has a name."""
