"""The values of a database's records, compared with computed values."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from catalog.database.findings import (
    Agreement,
    ComparedClass,
    ComparedRecord,
    Incomparable,
    Record,
    condition,
    left_open,
    numbers_text,
    parameter,
    status_remarks,
)
from catalog.database.names import ClassMap, ParameterMap, family_numbers, names
from catalog.database.notation import INFINITE, RecordedValue, compare, formula, stated_value
from catalog.parameters import PARAMETERS
from catalog.refuting.statement import Statement
from lsclasses.dimensions import DIMENSIONS
from lsclasses.dimensions.expressions import Real
from lsclasses.dimensions.quantities import quantity_names
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.limits import Limit
from lsclasses.table import Table

PATIENCE = Limit(seconds=10)
"""Limit of the computation of one value."""
AGREEING = 3
"""Number of largest tested values of n at which a stated value must be right.

Otherwise, the stated value is not confirmed.

A remark states errors for smaller n.
"""
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
"""Formulas that are tried as corrections of a wrong value, by their orders of growth."""
FEWEST_VALUES = 4
"""Least number of values of n for which a correction must be right."""


WORDS = {"==": "", "<=": "at most ", ">=": "at least "}


@dataclass(frozen=True)
class _Instance:
    """The stated bounds and the computed value for some numbers of a family and of a class.

    If the record states a value, it is the only bound, with the sign "==".
    """

    at: dict[str, int]
    spec: str
    table: Table
    computed: Real
    bounds: tuple[tuple[str, Real], ...]
    whole: bool

    @property
    def agrees(self) -> bool:
        """Whether the bounds hold, after rounding if the parameter has whole values."""
        return all(self._meets(sign, stated) for sign, stated in self.bounds)

    def _meets(self, sign: str, stated: Real) -> bool:
        if sign == "==" and self.rounded:
            return self.computed in (math.floor(stated), math.ceil(stated))
        return compare(self.computed, sign, stated)

    @property
    def rounded(self) -> bool:
        """Whether the stated value must be rounded, because the parameter has whole values."""
        sign, stated = self.bounds[0]
        return self.whole and sign == "==" and not isinstance(stated, int)

    @property
    def stated(self) -> str:
        """The stated bounds, such as "at least 2 and at most 3"."""
        return " and ".join(f"{WORDS[sign]}{value}" for sign, value in self.bounds)


def compared_value(titles: Mapping[str, str], record: Record) -> ComparedRecord:
    """Return the result of comparing a value of the database with computed values.

    The first argument maps the short names of the parameters to their names.
    """
    name, concept_class = record.reference("parameter_id"), record.reference("class_id")
    text = record.text("value")
    stated = f"{name} of {concept_class} = {text.strip() or '(none)'}"
    remarks: list[str] = []
    try:
        if record.problem:
            raise Incomparable(record.problem)
        ours = parameter(titles, name)
        known = names().classes.get(concept_class)
        if known is None:
            raise Incomparable(f"no family here is the class '{concept_class}'")
        found = _instances(record, ours, known, remarks)
    except Incomparable as error:
        return ComparedRecord(
            *("value", record.file, stated, "", "not comparable"),
            why=str(error),
            remarks=tuple(remarks),
        )
    wrong = [each for each in found if not each.agrees]
    if any(each.rounded for each in found if each.agrees):
        remarks.append("Where the stated value is no integer, it is rounded down or up.")
    verdict: Agreement = "refuted" if wrong else "confirmed"
    if wrong and _agreeing(found) >= AGREEING:
        # A statement for every n is meant for large n.
        verdict = "confirmed"
        cases = ", ".join(f"{each.computed} for {numbers_text(each.at)}" for each in wrong)
        remarks.append(f"Not for the smallest n: it is {cases}.")
    case = correction = None
    if verdict == "refuted":
        first = wrong[0]
        case = ComparedClass(first.spec, first.table, str(first.computed), first.stated)
        listed = "; ".join(
            f"{numbers_text(each.at)}: {each.computed}, not {each.stated}".removeprefix(": ")
            for each in wrong
        )
        remarks.append(f"Computed: {listed}.")
        correction = _values_correction(found) if [*found[0].at] == ["n"] else None
    why = ""
    if verdict == "refuted" and ours.open:
        verdict, why, correction = "not comparable", left_open(ours.open), None
    return ComparedRecord(
        *("value", record.file, stated, f"{'; '.join(ours.formulas)} of {known.ours}", verdict),
        *(len(found), len(wrong), why),
        remarks=tuple(remarks),
        case=case,
        correction=correction,
    )


@dataclass(frozen=True)
class _Computed:
    """The value of a parameter on a class.

    Attributes
    ----------
    at : dict of str to int
        The number of a family of parameters, if any, and then the numbers of the class.
    spec : str
    table : Table
    value : Real
    infinite : Real
        The value by which this library represents infinity, or 0 if the parameter is finite.
    """

    at: dict[str, int]
    spec: str
    table: Table
    value: Real
    infinite: Real


def _computed(ours: ParameterMap, known: ClassMap) -> Iterator[_Computed]:
    """Yield the values of a parameter, or of the members of a family, on members of a class."""
    for numbers in family_numbers(ours):
        single = ours.at(numbers)
        statement = Statement(f"{single.ours} >= {ours.infinite or 0}{condition(single)}")
        for member in known.members():
            table = member.table
            try:
                found = statement.sides(statement.values(table, limit=PATIENCE))
            except (InvalidInput, TooLarge):
                continue
            if found is not None:
                at = {**numbers, **member.at}
                yield _Computed(at, member.spec, table, found.left, found.right)


def _instances(
    record: Record, ours: ParameterMap, known: ClassMap, remarks: list[str]
) -> list[_Instance]:
    """Return the computed values with the stated values, for each number with a stated value.

    The function adds its remarks to the list.
    """
    text = record.text("value")
    letters = [*known.letters, *([ours.letter] if ours.letter else [])]
    if len(set(letters)) < len(letters):
        raise Incomparable(f"the parameter and the class depend on different numbers {ours.letter}")
    computed = list(_computed(ours, known))
    if not computed:
        raise Incomparable(
            "the definition gives no number for the class, or the smallest class is too large"
        )
    remarks += [*filter(None, (ours.remark, known.remark)), *status_remarks(record)]
    try:
        right = stated_value(text)
        if not right.names <= {*letters, *([INFINITE] if ours.infinite else [])}:
            listed = f" in {' and '.join(letters)}" if letters else ""
            raise InvalidInput(f"its value {text:.80} is not a formula{listed}")
    except InvalidInput as error:
        listed = "; ".join(f"{numbers_text(each.at)}: {each.value}" for each in computed)
        remarks.append(f"Computed: {listed.removeprefix(': ')}.")
        raise Incomparable(str(error)) from None
    whole = all(map(_is_whole, ours.formulas))
    found = [each for one in computed if (each := _instance(right, one, whole)) is not None]
    if not found:
        raise Incomparable(f"its value {text:.80} is no number for any class that is computed")
    return found


def _instance(right: RecordedValue, computed: _Computed, whole: bool) -> _Instance | None:
    """Return the bounds that a record states for a class, or None if it states none."""
    numbers = {**computed.at}
    try:
        bounds = tuple(
            (sign, each({**numbers, INFINITE: computed.infinite}))  # type: ignore[dict-item]
            for sign, each in right.at(numbers)
        )
    except (InvalidInput, TooLarge):
        return None
    if not bounds:
        return None
    return _Instance(numbers, computed.spec, computed.table, computed.value, bounds, whole)


def _agreeing(found: list[_Instance]) -> float:
    """Return the number of largest last numbers for which the values agree.

    The result is the least number over the families in which some value does not agree.
    """
    counts: list[float] = []
    for _, group in itertools.groupby(found, key=lambda each: tuple(each.at.values())[:-1]):
        agrees = [each.agrees for each in group]
        wrong = [place for place, right in enumerate(agrees) if not right]
        counts.append(len(agrees) - 1 - wrong[-1] if wrong else math.inf)
    return min(counts)


def _values_correction(found: list[_Instance]) -> dict[str, str] | None:
    """Return the first simple value that agrees for all n from the second on, as record fields."""
    for order, values in SIMPLE.items():
        for text in values:
            right = formula(text)
            wrong = [each.at["n"] for each in found if each.computed != right(dict(each.at))]
            if len(found) - len(wrong) >= FEWEST_VALUES and wrong in ([], [found[0].at["n"]]):
                tried = [each.at["n"] for each in found]
                fitting = ", ".join(str(n) for n in tried if n not in wrong)
                return {
                    "value": text,
                    "value_class": order,
                    "details": f"Computed for n = {fitting}. Not proved.",
                }
    return None


def _is_whole(formula: str) -> bool:
    """Return whether a parameter has only whole values, so that stated values are rounded."""
    if formula in PARAMETERS:
        return PARAMETERS[formula].whole
    if formula in DIMENSIONS:
        return not isinstance(DIMENSIONS[formula].value_on_empty, Fraction)
    return formula in quantity_names()
