"""The database held against computation: each relation and each value, or why it cannot be."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Literal

from catalog.database.definitions import DEFINITIONS
from catalog.database.latex import formula
from catalog.database.names import ClassMap, ParameterMap, names
from catalog.database.records import Database, Record
from catalog.refuting.candidates import members
from catalog.refuting.hunt import trial
from catalog.refuting.statement import Statement
from catalog.refuting.surveying import survey
from lsclasses.dimensions import DIMENSIONS
from lsclasses.dimensions.expressions import Expression, Real
from lsclasses.dimensions.inequalities import quantity_names
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.limits import Limit
from lsclasses.table import Table

Agreement = Literal["confirmed", "refuted", "not comparable"]

SIGNS = {"larger": ">=", "equivalence": "=="}
"""The relations that say something about each class."""
OPEN = ("larger_c", "log", "sqrt", "inv_log")
"""Those that leave a constant open."""
DISPLAYED = {"larger": ">=", "equivalence": "="}
MEMBER_CONCEPTS, MEMBER_POINTS = 24, 7
"""Members of the catalog on which relations are checked beside the atlas."""
PATIENCE = Limit(seconds=20)
AGREEING = 3
"""The number of the largest n that confirm a value; that it is wrong for smaller ones is said."""


@dataclass(frozen=True)
class Case:
    """A class with the two sides of a statement: the parameters' values on that class.

    Attributes
    ----------
    name : str
        Its specification; empty for a class of the atlas.
    table : Table
    left, right : str
        For a value: what is computed, and what is stated.
    """

    name: str
    table: Table
    left: str
    right: str


@dataclass(frozen=True)
class ComparedRecord:
    """The finding about one record.

    Attributes
    ----------
    kind : "relation" or "value"
    file : str
        The record's file.
    stated : str
        The record as it stands there.
    ours : str
        The same in the names of this library; empty if it is not comparable.
    verdict : str
    instances : int
        On how many classes both sides were compared.
    failing : int
        On how many of them they are not as stated.
    why : str
        Why it is not comparable.
    remarks : tuple of str
        What differs between the definitions, where n was rounded, and what else there is to know.
    case : Case or None
        The smallest class for which it is false.
    """

    kind: Literal["relation", "value"]
    file: str
    stated: str
    ours: str
    verdict: Agreement
    instances: int = 0
    failing: int = 0
    why: str = ""
    remarks: tuple[str, ...] = ()
    case: Case | None = field(default=None, compare=False)


def compared(
    database: Database, show: Callable[[str], None] = lambda text: None
) -> Iterator[ComparedRecord]:
    """One finding for each relation, then one for each value, in the order of the files."""
    for record in database.relationships:
        show(f"{record.file} ...")
        yield _relation(database, record)
    for record in database.values:
        show(f"{record.file} ...")
        yield _value(database, record)


# ---- parameters


class _Incomparable(Exception):
    """The reason why a record cannot be compared."""


def _parameter(database: Database, name: str) -> ParameterMap:
    found = names().parameters.get(name)
    if found is None:
        known = database.named("parameters").get(name)
        title = known.text("name") if known else name
        raise _Incomparable(f"nothing here computes the parameter '{title}'")
    if found.why:
        raise _Incomparable(f"'{name}': {found.why}")
    computed = {*quantity_names(), *DEFINITIONS}
    missing = [each for each in Expression(found.ours).names if each not in computed]
    assert not missing, f"{name}: {missing}"
    return found


def _condition(*parameters: ParameterMap) -> str:
    """The condition that both definitions give numbers, as the end of a statement."""
    conditions = sorted({each.defined for each in parameters if each.defined})
    if len(conditions) > 1:
        raise _Incomparable("both definitions have conditions")
    return f" when {conditions[0]}" if conditions else ""


# ---- relations


def _relation(database: Database, record: Record) -> ComparedRecord:
    one, other = record.reference("parameter_1_id"), record.reference("parameter_2_id")
    kind = record.text("relationship_type")
    details = record.text("details")
    stated = f"{one} {DISPLAYED.get(kind, kind)} {other}" + (f" ({details})" if details else "")
    try:
        if record.problem:
            raise _Incomparable(record.problem)
        if kind in OPEN:
            raise _Incomparable("it leaves a constant open")
        if kind not in SIGNS:
            raise _Incomparable(f"what the relation {kind!r} means is not known here")
        left, right = _parameter(database, one), _parameter(database, other)
        text = f"{left.ours} {SIGNS[kind]} {right.ours}{_condition(left, right)}"
    except _Incomparable as error:
        return ComparedRecord("relation", record.file, stated, "", "not comparable", why=str(error))
    remarks = tuple(dict.fromkeys(each.remark for each in (left, right) if each.remark))
    if left.ours == right.ours:
        why = "both parameters are the same here, by their names or by a theorem"
        return ComparedRecord(
            "relation", record.file, stated, text, "not comparable", why=why, remarks=remarks
        )
    statement = Statement(text, DEFINITIONS)
    surveys = list(survey(statement))
    instances = sum(each.count("holds", "fails") for each in surveys)
    failing = sum(each.count("fails") for each in surveys)
    first = next((found for each in surveys for found in each.failures()), None)
    example = trial(statement, first.table) if first else None
    for name, table in _small_members():
        found = trial(statement, table, name)
        if found is not None and found.sides is not None:
            instances += 1
            failing += found.fails
            example = found if example is None and found.fails else example
    assert (example is None) == (failing == 0)
    verdict: Agreement = "refuted" if failing else "confirmed"
    why = ""
    if failing and (conventions := left.open or right.open):
        verdict, why = "not comparable", _left_open(conventions)
    case = None
    if example is not None and example.sides is not None:
        sides = example.sides
        case = Case(example.name, example.table, str(sides.left), str(sides.right))
    return ComparedRecord(
        *("relation", record.file, stated, text, verdict, instances, failing, why),
        remarks=remarks,
        case=case,
    )


def _left_open(conventions: str) -> str:
    return f"false as it is taken here, but the record leaves open {conventions}"


@cache
def _small_members() -> tuple[tuple[str, Table], ...]:
    return tuple(
        (name, table)
        for name, table in members()
        if len(table) <= MEMBER_CONCEPTS and len(table.points) <= MEMBER_POINTS
    )


# ---- values


@dataclass(frozen=True)
class _Instance:
    """The stated and the computed values for one n."""

    n: int
    spec: str
    table: Table
    computed: Real
    stated: Real
    whole: bool

    @property
    def agrees(self) -> bool:
        """Whether they are the same; of a parameter with whole values, after rounding."""
        if self.whole and not isinstance(self.stated, int):
            return self.computed in (math.floor(self.stated), math.ceil(self.stated))
        return self.computed == self.stated


def _value(database: Database, record: Record) -> ComparedRecord:
    parameter, concept_class = record.reference("parameter_id"), record.reference("class_id")
    text = record.text("value")
    stated = f"{parameter} of {concept_class} = {text.strip() or '(none)'}"
    try:
        if record.problem:
            raise _Incomparable(record.problem)
        ours = _parameter(database, parameter)
        known = names().classes.get(concept_class)
        if known is None:
            raise _Incomparable(f"no family here is the class '{concept_class}'")
        try:
            right = formula(text)
        except InvalidInput as error:
            raise _Incomparable(str(error)) from None
        if not right.names <= {"n"}:
            raise _Incomparable(f"its value {text} is not a formula in n")
        found = list(_instances(ours, known, right))
        if not found:
            raise _Incomparable("the definition gives no number for the class")
    except _Incomparable as error:
        return ComparedRecord("value", record.file, stated, "", "not comparable", why=str(error))
    wrong = [each for each in found if not each.agrees]
    remarks = [each for each in (ours.remark, known.remark) if each]
    if any(each.whole and not isinstance(each.stated, int) for each in found if each.agrees):
        remarks.append("Where the stated value is no integer, it is rounded down or up.")
    verdict: Agreement = "refuted" if wrong else "confirmed"
    last_wrong = max((place for place, each in enumerate(found) if not each.agrees), default=-1)
    agreeing = len(found) - 1 - last_wrong
    if wrong and agreeing >= AGREEING:
        # What is stated for every n is meant for large ones.
        verdict = "confirmed"
        cases = ", ".join(f"{each.computed} for n = {each.n}" for each in wrong)
        remarks.append(f"Not for the smallest n: it is {cases}.")
    case = None
    if verdict == "refuted":
        first = wrong[0]
        case = Case(first.spec, first.table, str(first.computed), str(first.stated))
        listed = "; ".join(f"n = {each.n}: {each.computed}, not {each.stated}" for each in wrong)
        remarks.append(f"Computed: {listed}.")
    why = ""
    if verdict == "refuted" and ours.open:
        verdict, why = "not comparable", _left_open(ours.open)
    return ComparedRecord(
        *("value", record.file, stated, f"{ours.ours} of {known.ours}", verdict),
        *(len(found), len(wrong), why),
        remarks=tuple(remarks),
        case=case,
    )


def _instances(ours: ParameterMap, known: ClassMap, right: Expression) -> Iterator[_Instance]:
    condition = f" when {ours.defined}" if ours.defined else ""
    statement = Statement(f"{ours.ours} >= 0{condition}", DEFINITIONS)
    whole = _is_whole(ours.ours)
    for member in known.members():
        table = member.table
        try:
            stated = right({"n": member.n})
            found = statement.sides(statement.values(table, limit=PATIENCE))
        except (InvalidInput, TooLarge):
            continue
        if found is not None:
            yield _Instance(member.n, member.spec, table, found.left, stated, whole)


def _is_whole(formula: str) -> bool:
    """Whether a parameter has whole values only: what is stated of it is then rounded."""
    if formula in DEFINITIONS:
        return DEFINITIONS[formula].whole
    if formula in DIMENSIONS:
        return not isinstance(DIMENSIONS[formula].value_on_empty, Fraction)
    return formula in quantity_names()
