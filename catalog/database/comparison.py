"""The relations and the values of a database's records, compared with computed values."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from catalog.database.findings import (
    Agreement,
    ComparedClass,
    ComparedRecord,
    Database,
    Incomparable,
    Record,
    condition,
    left_open,
    parameter,
)
from catalog.database.names import ClassMap, Member, ParameterMap, family_numbers, formula, names
from catalog.parameters import PARAMETERS
from catalog.refuting.candidates import members
from catalog.refuting.hunt import trial
from catalog.refuting.statement import Sides, Statement
from catalog.refuting.surveying import survey, table_rows
from lsclasses.dimensions import DIMENSIONS
from lsclasses.dimensions.expressions import Real
from lsclasses.dimensions.quantities import quantity_names
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.limits import Limit
from lsclasses.table import Table

# ---- relations


SIGNS = {"larger": ">=", "equivalence": "=="}
"""Signs of the types of relations that make a statement about each class."""
DISPLAYED = {"larger": ">=", "equivalence": "="}
MEMBER_CONCEPTS, MEMBER_POINTS = 24, 7
"""Largest numbers of concepts and points of catalog members that are checked with the atlas."""
PATIENCE = Limit(seconds=20)
FEWEST = 3
"""Least number of increases between members of a class from which a parameter counts as growing."""


@dataclass(frozen=True)
class Growth:
    """A relation ``P >= c * g(Q)`` with an open constant c > 0.

    Attributes
    ----------
    text : str
        The function g(Q), with {} in the place of Q.
    condition : str
        Condition, with {} in the place of Q, under which g(Q) is defined and above 0.
    value : callable
        ``value(Q, points)`` returns g(Q). The comparison uses it to find the least ratio P / g(Q).
    """

    text: str
    condition: str
    value: Callable[[float, int], float]


OPEN = {
    "larger_c": Growth("{}", "{} > 0", lambda q, n: q),
    "log": Growth("log2({})", "{} > 1", lambda q, n: math.log2(q)),
    "sqrt": Growth("sqrt({})", "{} > 0", lambda q, n: math.sqrt(q)),
    "inv_log": Growth("{}/log2(points)", "{} > 0 and points > 1", lambda q, n: q / math.log2(n)),
}
"""Relations with an open constant, by their names in the database.

A class refutes such a relation only if P is 0 on the class.
"""


def compared_relation(database: Database, record: Record) -> ComparedRecord:
    """Return the result of comparing a relation of the database with computed values."""
    one, other = record.reference("parameter_1_id"), record.reference("parameter_2_id")
    kind, details = record.text("relationship_type"), record.text("details")
    stated = f"{one} {DISPLAYED.get(kind, kind)} {other}" + (f" ({details})" if details else "")
    try:
        if record.problem:
            raise Incomparable(record.problem)
        if kind not in (*SIGNS, *OPEN, "incomparable", "separated"):
            raise Incomparable(f"what the relation {kind!r} means is not known here")
        pair = parameter(database, one), parameter(database, other)
        found = _merged(_compared_members(pair, kind, record))
    except Incomparable as error:
        return ComparedRecord("relation", record.file, stated, "", "not comparable", why=str(error))
    remarks = (
        *dict.fromkeys(each.remark for each in pair if each.remark),
        *_status(record),
        *found.remarks,
    )
    verdict: Agreement = "refuted" if found.failing else "confirmed"
    why = ""
    if found.failing and (conventions := pair[0].open or pair[1].open):
        verdict, why = "not comparable", left_open(conventions)
    correction = None
    if verdict == "refuted" and found.case is not None and family_numbers(*pair) == [{}]:
        correction = _relations_correction(record, pair, found.case)
    return ComparedRecord(
        *("relation", record.file, stated, found.text, verdict),
        *(found.instances, found.failing, why),
        remarks=remarks,
        case=found.case,
        correction=correction,
    )


Pair = tuple[ParameterMap, ParameterMap]


@dataclass(frozen=True)
class _Found:
    """Numbers of classes on which a relation is true and false, and its smallest counterexample."""

    text: str
    instances: int
    failing: int
    case: ComparedClass | None = None
    remarks: tuple[str, ...] = ()


def _compared_members(pair: Pair, kind: str, record: Record) -> list[tuple[dict[str, int], _Found]]:
    """Compare a relation for all numbers for which both families have different members."""
    members = [
        (numbers, (pair[0].at(numbers), pair[1].at(numbers))) for numbers in family_numbers(*pair)
    ]
    if not members:
        raise Incomparable("no number has members of both families here")
    different = [(numbers, each) for numbers, each in members if each[0].ours != each[1].ours]
    if not different:
        raise Incomparable("both parameters are the same here, by their names or by a theorem")
    return [(numbers, _found_for(each, kind, record)) for numbers, each in different]


def _found_for(pair: Pair, kind: str, record: Record) -> _Found:
    """Compare a relation of two single parameters with computed values."""
    if kind in SIGNS:
        return _decided(pair, SIGNS[kind])
    if kind in OPEN:
        return _with_constant(pair, OPEN[kind])
    if kind == "incomparable":
        return _incomparable(pair)
    return _separated(pair, record.reference("witness"))


def _merged(parts: list[tuple[dict[str, int], _Found]]) -> _Found:
    """Return one result for the members of families, with the first counterexample."""
    if len(parts) == 1:
        return parts[0][1]
    first = next((found for _, found in parts if found.failing), parts[0][1])
    return _Found(
        "; ".join(found.text for _, found in parts),
        sum(found.instances for _, found in parts),
        sum(found.failing for _, found in parts),
        first.case,
        tuple(
            f"{_numbers_text(numbers)}: {remark}"
            for numbers, found in parts
            for remark in found.remarks
        ),
    )


def _numbers_text(numbers: dict[str, int]) -> str:
    return ", ".join(f"{letter} = {number}" for letter, number in numbers.items())


def _status(record: Record) -> tuple[str, ...]:
    """Return a remark about a record whose status is not "established"."""
    status = record.text("status")
    return (
        (f"The status of the record is {status!r}.",) if status not in ("", "established") else ()
    )


class _LookedAt:
    """A comparison on all examined classes.

    Parameters
    ----------
    text : str
        Comparison, perhaps with a condition.
    """

    def __init__(self, text: str) -> None:
        statement = Statement(text)
        self._surveys = list(survey(statement))
        tried = (trial(statement, table, name) for name, table in _small_members())
        self._members = [each for each in tried if each is not None and each.sides is not None]

    def number(self, wanted: Callable[[Sides], bool] = lambda sides: True) -> int:
        """Return the number of classes with such sides."""
        return sum(each.number(wanted) for each in self._surveys) + sum(
            wanted(each.sides) for each in self._members if each.sides is not None
        )

    def first(self, wanted: Callable[[Sides], bool]) -> ComparedClass | None:
        """Return the smallest such class of the atlas, or else a member of the catalog."""
        for each in self._surveys:
            for found in each.where(wanted):
                return ComparedClass("", found.table, str(found.sides.left), str(found.sides.right))
        for member in self._members:
            sides = member.sides
            if sides is not None and wanted(sides):
                return ComparedClass(member.name, member.table, str(sides.left), str(sides.right))
        return None

    def combinations(self) -> Iterator[tuple[Sides, int]]:
        """Yield the combinations of sides that occur, with the number of points of the class."""
        for each in self._surveys:
            yield from ((sides, each.points) for sides in each.sides if sides is not None)
        for member in self._members:
            if member.sides is not None:
                yield member.sides, len(member.table.points)


_looked_at = cache(_LookedAt)


@cache
def _small_members() -> tuple[tuple[str, Table], ...]:
    return tuple(
        (name, table)
        for name, table in members()
        if len(table) <= MEMBER_CONCEPTS and len(table.points) <= MEMBER_POINTS
    )


def _fails(sides: Sides) -> bool:
    return not sides.holds


def _decided(pair: Pair, sign: str) -> _Found:
    """Check a relation that is true or false on each class."""
    text = f"{pair[0].ours} {sign} {pair[1].ours}{condition(*pair)}"
    looked = _looked_at(text)
    return _Found(text, looked.number(), looked.number(_fails), looked.first(_fails))


def _with_constant(pair: Pair, growth: Growth) -> _Found:
    """Find the largest constant c > 0 of a relation that no examined class refutes."""
    left, right = pair[0].ours, pair[1].ours
    text = f"{left} >= c*{growth.text.format(right)}{condition(*pair)}"
    met = condition(*pair, more=growth.condition.format(right))
    looked = _looked_at(f"{left} >= {right}{met}")

    def ratio(sides: Sides, points: int) -> float:
        return float(sides.left) / growth.value(float(sides.right), points)

    def zero(sides: Sides) -> bool:
        return sides.left == 0

    failing = looked.number(zero)
    if failing:
        return _Found(text, looked.number(), failing, looked.first(zero))
    least = min(looked.combinations(), key=lambda each: ratio(*each), default=None)
    if least is None:
        raise Incomparable("no tried class restricts the constant")
    case = looked.first(lambda sides: (sides.left, sides.right) == (least[0].left, least[0].right))
    assert case is not None
    rows = case.name or " ".join(table_rows(case.table))
    said = (
        f"With a c of at most {ratio(*least):.4g}: on the class {rows} the sides are {case.left} "
        f"and c*{growth.text.format(case.right).replace('points', str(least[1]))}."
    )
    return _Found(text, looked.number(), 0, remarks=(said,))


def _incomparable(pair: Pair) -> _Found:
    """Find two classes that show that neither parameter is at most the other on all classes."""
    left, right = pair[0].ours, pair[1].ours
    looked = _looked_at(f"{left} > {right}{condition(*pair)}")
    above = looked.first(lambda sides: sides.holds)
    below = looked.first(lambda sides: not sides.holds and not sides.equal)
    if above is None or below is None:
        sign = ">" if above is None else "<"
        raise Incomparable(f"no tried class has {left} {sign} {right}")
    said = [
        f"On the class {each.name or ' '.join(table_rows(each.table))} they are {each.left} and "
        f"{each.right}."
        for each in (above, below)
    ]
    return _Found(f"{left} and {right} are incomparable", looked.number(), 0, remarks=tuple(said))


def _separated(pair: Pair, witness: str) -> _Found:
    """Check that one parameter is bounded on a sequence of classes on which the other grows."""
    known = names().classes.get(witness)
    if known is None:
        missing = f"no family here is the class '{witness}'" if witness else "it names no class"
        raise Incomparable(f"{missing} on which one parameter is bounded and the other one grows")
    statement = Statement(f"{pair[0].ours} >= {pair[1].ours}{condition(*pair)}")
    found: list[tuple[Member, Sides]] = []
    for member in known.members():
        try:
            sides = statement.sides(statement.values(member.table, limit=PATIENCE))
        except (InvalidInput, TooLarge):
            continue
        if sides is not None:
            found.append((member, sides))
    columns = [each.left for _, each in found], [each.right for _, each in found]
    said = "; ".join(f"{member.spec}: {each.left} and {each.right}" for member, each in found)
    for bounded, growing in (columns, columns[::-1]):
        rising = [a < b for a, b in itertools.pairwise(growing)]
        if len(set(bounded[1:])) == 1 and len(rising) >= FEWEST and all(rising[1:]):
            text = f"{pair[0].ours} and {pair[1].ours} on {known.ours}"
            return _Found(text, len(found), 0, remarks=(f"Computed: {said}.",))
    raise Incomparable(f"the members of '{witness}' that are computed do not show it ({said})")


def _relations_correction(record: Record, pair: Pair, case: ComparedClass) -> dict[str, str] | None:
    """Return the strongest relation of the same parameters that no examined class refutes."""
    left, right = pair[0].ours, pair[1].ours
    looked = _looked_at(f"{left} >= {right}{condition(*pair)}")
    below = looked.number(_fails)
    above = looked.number(lambda sides: sides.holds and not sides.equal)
    shown = f"{case.name or ' '.join(table_rows(case.table))}: {case.left} against {case.right}"
    if not below:
        return {"relationship_type": "larger", "details": f"Not equal on {shown}. Not proved."}
    if not above:
        one, other = record.text("parameter_1_id"), record.text("parameter_2_id")
        return {
            "relationship_type": "larger",
            "parameter_1_id": other,
            "parameter_2_id": one,
            "short_name": f"{other.rpartition('/')[2]}_{one.rpartition('/')[2]}",
            "name": " / ".join(reversed(record.text("name").split(" / "))),
            "details": f"The other way round than stated, since on {shown}. Not proved.",
        }
    try:
        found = _with_constant(pair, OPEN["larger_c"])
    except Incomparable:
        return None
    if found.failing:
        return None
    details = f"Not without a constant, since on {shown}. {found.remarks[-1]} Not proved."
    return {"relationship_type": "larger_c", "details": details}


# ---- values


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


@dataclass(frozen=True)
class _Instance:
    """The stated and the computed values for one n, and for one number of a family."""

    at: dict[str, int]
    spec: str
    table: Table
    computed: Real
    stated: Real
    whole: bool

    @property
    def n(self) -> int:
        """The number of the class."""
        return list(self.at.values())[-1]

    @property
    def agrees(self) -> bool:
        """Whether the values are equal, after rounding if the parameter has whole values."""
        if self.whole and not isinstance(self.stated, int):
            return self.computed in (math.floor(self.stated), math.ceil(self.stated))
        return self.computed == self.stated


def compared_value(database: Database, record: Record) -> ComparedRecord:
    """Return the result of comparing a value of the database with computed values."""
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
        found = _instances(record, ours, known, remarks)
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
    if wrong and _agreeing(found) >= AGREEING:
        # A statement for every n is meant for large n.
        verdict = "confirmed"
        cases = ", ".join(f"{each.computed} for {_numbers_text(each.at)}" for each in wrong)
        remarks.append(f"Not for the smallest n: it is {cases}.")
    case = correction = None
    if verdict == "refuted":
        first = wrong[0]
        case = ComparedClass(first.spec, first.table, str(first.computed), str(first.stated))
        listed = "; ".join(
            f"{_numbers_text(each.at)}: {each.computed}, not {each.stated}" for each in wrong
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


Computed = tuple[dict[str, int], str, Table, Real]
"""A tuple: the numbers, the specification of a class, the class, and the value of a parameter.

The numbers are the number of a family of parameters, if any, and then the number of the class.
"""


def _computed(ours: ParameterMap, known: ClassMap) -> Iterator[Computed]:
    """Yield the values of a parameter, or of the members of a family, on members of a class."""
    for numbers in family_numbers(ours):
        single = ours.at(numbers)
        statement = Statement(f"{single.ours} >= 0{condition(single)}")
        for member in known.members():
            table = member.table
            try:
                found = statement.sides(statement.values(table, limit=PATIENCE))
            except (InvalidInput, TooLarge):
                continue
            if found is not None:
                yield {**numbers, known.letter: member.n}, member.spec, table, found.left


def _instances(
    record: Record, ours: ParameterMap, known: ClassMap, remarks: list[str]
) -> list[_Instance]:
    """Return the computed values with the stated values, for each number with a stated value.

    The function adds its remarks to the list.
    """
    text, letters = record.text("value"), [known.letter, *([ours.letter] if ours.letter else [])]
    if len(set(letters)) < len(letters):
        raise Incomparable(f"the parameter and the class depend on different numbers {ours.letter}")
    computed = list(_computed(ours, known))
    if not computed:
        raise Incomparable("the definition gives no number for the class")
    remarks += [*filter(None, (ours.remark, known.remark)), *_status(record)]
    try:
        right = formula(text)
        if not right.names <= set(letters):
            raise InvalidInput(f"its value {text:.80} is not a formula in {' and '.join(letters)}")
    except InvalidInput as error:
        listed = "; ".join(f"{_numbers_text(at)}: {value}" for at, _, _, value in computed)
        remarks.append(f"Computed: {listed}.")
        raise Incomparable(str(error)) from None
    whole, found = all(map(_is_whole, ours.formulas)), []
    for at, spec, table, value in computed:
        try:
            found.append(_Instance(at, spec, table, value, right(dict(at)), whole))
        except (InvalidInput, TooLarge):
            continue
    if not found:
        raise Incomparable(
            f"its value {text:.80} is no number for any {known.letter} that is computed"
        )
    return found


def _agreeing(found: list[_Instance]) -> int:
    """Return the number of largest n for which the values agree, for every member of a family."""
    counts = []
    for _, group in itertools.groupby(found, key=lambda each: tuple(each.at.values())[:-1]):
        agrees = [each.agrees for each in group]
        wrong = (place for place, right in enumerate(agrees) if not right)
        counts.append(len(agrees) - 1 - max(wrong, default=-1))
    return min(counts)


def _values_correction(found: list[_Instance]) -> dict[str, str] | None:
    """Return the first simple value that agrees for all n from the second on, as record fields."""
    for order, values in SIMPLE.items():
        for text in values:
            right = formula(text)
            wrong = [each.n for each in found if each.computed != right(dict(each.at))]
            if len(found) - len(wrong) >= FEWEST_VALUES and wrong in ([], [found[0].at["n"]]):
                fitting = ", ".join(str(each.n) for each in found if each.n not in wrong)
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


# ---- compare


def compared(
    database: Database, show: Callable[[str], None] = lambda text: None
) -> Iterator[ComparedRecord]:
    """Yield the results of all comparisons: first the relations, then the values.

    The order is the order of the files.
    """
    for record in database.relationships:
        show(f"{record.file} ...")
        yield compared_relation(database, record)
    for record in database.values:
        show(f"{record.file} ...")
        yield compared_value(database, record)
