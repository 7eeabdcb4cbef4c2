"""Values of the database held against computation on small instances of their classes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from catalog.database.findings import (
    Agreement,
    ComparedClass,
    ComparedRecord,
    Incomparable,
    condition,
    left_open,
    parameter,
)
from catalog.database.latex import formula
from catalog.database.names import ClassMap, ParameterMap, names
from catalog.database.records import Database, Record
from catalog.parameters import PARAMETERS
from catalog.refuting.statement import Statement
from lsclasses.dimensions import DIMENSIONS
from lsclasses.dimensions.expressions import Expression, Real
from lsclasses.dimensions.quantities import quantity_names
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.limits import Limit
from lsclasses.table import Table

PATIENCE = Limit(seconds=20)
AGREEING = 3
"""The number of the largest n that confirm a value; that it is wrong for smaller ones is said."""
SIMPLE = {
    "omega_1": ("$0$", "$1$", "$2$", "$3$"),
    "omega_log_n": (
        r"$\log n$",
        r"$\log(n+1)$",
        r"$\lfloor\log n\rfloor$",
        r"$\lceil\log n\rceil$",
        r"$\lfloor\log n\rfloor+1$",
        r"$\lceil\log(n+1)\rceil$",
    ),
    "omega_n": (
        "$n$",
        "$n-1$",
        "$n+1$",
        "$n-2$",
        "$n+2$",
        "$2n$",
        "$2n-1$",
        "$2n+1$",
        r"$\frac{n}{2}$",
        r"$\lfloor\frac{n}{2}\rfloor$",
        r"$\lceil\frac{n}{2}\rceil$",
        r"$\frac{n-1}{n}$",
        r"$\frac{2(n-1)}{n}$",
    ),
    "omega_n_squared": (r"$\frac{n(n-1)}{2}$", r"$\frac{n(n+1)}{2}$", "$n^2$"),
}
"""The values that are tried in place of a wrong one, by the order of growth that goes with them."""
FEWEST = 4
"""The number of n that such a value has to fit, at least."""


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


def compared_value(database: Database, record: Record) -> ComparedRecord:
    """The finding about a value."""
    name, concept_class = record.reference("parameter_id"), record.reference("class_id")
    text = record.text("value")
    stated = f"{name} of {concept_class} = {text.strip() or '(none)'}"
    remarks: list[str] = []
    try:
        if record.problem:
            raise Incomparable(record.problem)
        ours = parameter(database, name)
        known = names().classes.get(concept_class)
        if known is None:
            raise Incomparable(f"no family here is the class '{concept_class}'")
        computed = list(_computed(ours, known))
        if not computed:
            raise Incomparable("the definition gives no number for the class")
        remarks += [each for each in (ours.remark, known.remark) if each]
        try:
            right = formula(text)
            if not right.names <= {"n"}:
                raise InvalidInput(f"its value {text} is not a formula in n")
        except InvalidInput as error:
            listed = "; ".join(f"n = {n}: {value}" for n, _, _, value in computed)
            remarks.append(f"Computed: {listed}.")
            raise Incomparable(str(error)) from None
        found = _instances(computed, right, whole=_is_whole(ours.ours))
        if not found:
            raise Incomparable(f"its value {text} is no number for any n that is computed")
    except Incomparable as error:
        return ComparedRecord(
            *("value", record.file, stated, "", "not comparable"),
            why=str(error),
            remarks=tuple(remarks),
        )
    wrong = [each for each in found if not each.agrees]
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
    case = correction = None
    if verdict == "refuted":
        first = wrong[0]
        case = ComparedClass(first.spec, first.table, str(first.computed), str(first.stated))
        listed = "; ".join(f"n = {each.n}: {each.computed}, not {each.stated}" for each in wrong)
        remarks.append(f"Computed: {listed}.")
        correction = _correction(found)
    why = ""
    if verdict == "refuted" and ours.open:
        verdict, why, correction = "not comparable", left_open(ours.open), None
    return ComparedRecord(
        *("value", record.file, stated, f"{ours.ours} of {known.ours}", verdict),
        *(len(found), len(wrong), why),
        remarks=tuple(remarks),
        case=case,
        correction=correction,
    )


Computed = tuple[int, str, Table, Real]
"""One n, the specification of the class, the class, and the parameter's value on it."""


def _computed(ours: ParameterMap, known: ClassMap) -> Iterator[Computed]:
    statement = Statement(f"{ours.ours} >= 0{condition(ours)}")
    for member in known.members():
        table = member.table
        try:
            found = statement.sides(statement.values(table, limit=PATIENCE))
        except (InvalidInput, TooLarge):
            continue
        if found is not None:
            yield member.n, member.spec, table, found.left


def _instances(computed: list[Computed], stated: Expression, *, whole: bool) -> list[_Instance]:
    """What is computed beside what is stated, where that is a number."""
    found = []
    for n, spec, table, value in computed:
        try:
            found.append(_Instance(n, spec, table, value, stated({"n": n}), whole))
        except (InvalidInput, TooLarge):
            continue
    return found


def _correction(found: list[_Instance]) -> dict[str, str] | None:
    """The first of the simple values that fits every n from the second on, and what it is worth."""
    for order, values in SIMPLE.items():
        for text in values:
            right = formula(text)
            wrong = [each.n for each in found if each.computed != right({"n": each.n})]
            if len(found) - len(wrong) >= FEWEST and wrong in ([], [found[0].n]):
                fitting = ", ".join(str(each.n) for each in found if each.n not in wrong)
                return {
                    "value": text,
                    "value_class": order,
                    "details": f"Computed for n = {fitting}; not proved.",
                }
    return None


def _is_whole(formula: str) -> bool:
    """Whether a parameter has whole values only: what is stated of it is then rounded."""
    if formula in PARAMETERS:
        return PARAMETERS[formula].whole
    if formula in DIMENSIONS:
        return not isinstance(DIMENSIONS[formula].value_on_empty, Fraction)
    return formula in quantity_names()
