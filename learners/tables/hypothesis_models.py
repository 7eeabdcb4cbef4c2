"""Models in files: hypotheses learned from a sample of points of a class.

The file contains the class, the learner with its parameters, and the number of rows (which is
public if a row is replaced). When a program reads the file, it recomputes ledger and bounds with
this learner and refuses a file that states different values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import catalog
from catalog.hypotheses import hypothesis_from_json, hypothesis_to_json
from learners.accounting import neighbours
from learners.pac.base import BatchLearner
from learners.pac.entries import BATCH_LEARNERS
from learners.tables.guarantees import Guarantee
from learners.tables.records import as_records
from learners.tables.saved import Entries, SavedModel, checked_text
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.frozen import set_frozen_fields
from lsclasses.hypothesis import Hypothesis
from lsclasses.point_names import Label, from_text
from lsclasses.table import Table

POINT_HEADS = ("point", "x")
"""Possible names of the column of points in a table."""

EARLIER_NAMES = {"accept_weak": "allow_weak_privacy"}
"""Names of parameters of learners in files of earlier versions, if the names have changed."""
LATER_PARAMETERS = {"generic": {"choice": "exponential"}}
"""Values of parameters that files of earlier versions lack, by learner."""
ENTRIES = 1 << 22
"""Largest number of labels in the table of a class that a file stores with a hypothesis."""


@dataclass(frozen=True)
class HypothesisModel(SavedModel):
    """The hypothesis of a named learner from samples, as a model.

    Attributes
    ----------
    source : str or Table
        Class, as a specification or a table.
    learner : str
        Name in `learners.pac.entries.BATCH_LEARNERS`.
    parameters : mapping of str to str
        All parameters of the learner, as strings.
    rows : int or None
        Number of rows of the sample, or None if this number is protected.
    hypothesis : Hypothesis
        Hypothesis in its canonical form.
    guarantee : Guarantee or None
        Guarantee of the hypothesis, or None if the learner is not private.

    Raises
    ------
    InvalidInput
        If the learner does not exist, or the ledger or the domain does not match it.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> from learners.pac.samples import Sample
    >>> C = catalog.build("points:n=2^64")
    >>> learner = BATCH_LEARNERS["private-littlestone"].learner(C)
    >>> guarantee = Guarantee.of(learner.privacy, simulated=True, conditional=False)
    >>> model = HypothesisModel(
    ...     "points:n=2^64", "private-littlestone", {}, 6, C.restrict(77, 1).soa(), guarantee
    ... )
    >>> from learners.tables.records import as_records
    >>> model.text(), model.predict(as_records([{"point": "77"}, {"point": "78"}]))
    ('<Always 0 but at 77>', [1, 0])
    >>> model.bounds[0].partition(", does not apply")[0]
    "population error <= alpha = 1/10 [BLM20, Thm 1], constants of the rule 'sharp', except with \
probability 1/20"
    """

    kind = "hypothesis"
    classes = (0, 1)
    target = "label"

    source: str | Table
    learner: str
    parameters: Mapping[str, str]
    rows: int | None
    hypothesis: Hypothesis
    guarantee: Guarantee | None
    concept_class: ConceptClass = field(init=False, repr=False, compare=False)
    bounds: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        entry = BATCH_LEARNERS[self.learner]
        given = {name: str(value) for name, value in entry.values(**self.parameters).items()}
        C = catalog.build(self.source) if isinstance(self.source, str) else self.source
        built = entry.learner(C, self.rows, **given)
        self._require_ledger(built)
        if self.hypothesis.domain != built.domain:
            raise InvalidInput(
                f"the hypothesis must label the points of the class, {built.domain.describe()}."
            )
        counted = built.privacy is None or neighbours(built.privacy) == "replace_one"
        if counted != (self.rows is not None):
            raise InvalidInput(
                "the number of rows must be given if a row is replaced, and only in this case."
            )
        bounds = built.bounds(self.rows) if counted else ()
        recorded = tuple(each.recorded for each in bounds)
        set_frozen_fields(self, parameters=given, concept_class=C, bounds=recorded)
        set_frozen_fields(self, hypothesis=self.hypothesis.canonical())

    def _require_ledger(self, built: BatchLearner) -> None:
        guarantee, event = self.guarantee, built.privacy
        expected = None
        if event is not None:
            expected = Guarantee.of(
                event,
                simulated=guarantee is not None and guarantee.simulated,
                conditional=False,
            )
        earlier = None if expected is None else expected.in_earlier_files()
        if guarantee not in (expected, earlier) or (guarantee is None and expected is not None):
            raise InvalidInput(f"its ledger does not belong to the learner {self.learner!r}.")

    def predict(self, table: object, unknown: str = "warn") -> list[Label]:
        """Return the labels of the points in the column ``point`` (or ``x``) of a table.

        Parameters
        ----------
        table : Records, data frame, sequence of dicts, or array of shape (rows, columns)
            See `learners.tables.records.as_records`.
        unknown : str
            Not used, because all points of the domain are known.

        Raises
        ------
        InvalidInput
            If there is no such column, or an entry is not a point of the domain.
        """
        table = as_records(table)
        heads = [name for name in POINT_HEADS if name in table.names]
        known: dict[str, Label] = {}
        labels = []
        for row, text in enumerate(
            table.cells(heads[0] if heads else POINT_HEADS[0]).texts().tolist()
        ):
            if text not in known:
                try:
                    known[text] = self.hypothesis(from_text(text))
                except InvalidInput as problem:
                    raise InvalidInput(f"In {table.place(row)}: {problem}") from None
            labels.append(known[text])
        return labels

    def text(self) -> str:
        """Return the hypothesis in its canonical form."""
        return str(self.hypothesis)

    def _entries(self) -> dict[str, object]:
        if isinstance(self.source, Table):
            entries = len(self.source) * len(self.source.points)
            if entries > ENTRIES:
                raise TooLarge(
                    f"The file would contain the class as a table with {entries} labels. "
                    f"The limit is {ENTRIES}.",
                    estimate=entries,
                    limit=ENTRIES,
                )
        return {
            "class": self.source.to_json() if isinstance(self.source, Table) else self.source,
            "learner": self.learner,
            "parameters": dict(self.parameters),
            "rows": self.rows,
            "hypothesis": hypothesis_to_json(self.hypothesis),
            "bounds": list(self.bounds),
        }

    @classmethod
    def _with_names_of_today(cls, data: Entries) -> Entries:
        given = {EARLIER_NAMES.get(k, k): value for k, value in data["parameters"].items()}
        later = LATER_PARAMETERS.get(str(data["learner"]), {})
        return {**data, "parameters": {**later, **given}}

    @classmethod
    def _of_entries(cls, data: Entries, guarantee: Guarantee | None) -> HypothesisModel:
        source = data["class"]
        if not isinstance(source, str):
            source = Table.from_json(source)
        C = catalog.build(source) if isinstance(source, str) else source
        parameters = data["parameters"]
        if not all(isinstance(value, str) for value in parameters.values()):
            raise InvalidInput("the parameters of a learner must be strings.")
        return cls(
            source,
            checked_text(data["learner"], "learner"),
            cls._with_names_of_today(data)["parameters"],
            data["rows"],
            hypothesis_from_json(data["hypothesis"], C.domain),
            guarantee,
        )
