"""The relations and the values of a database's records, compared with computed values."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import NamedTuple

from catalog.database.findings import (
    Agreement,
    ComparedClass,
    ComparedRecord,
    Database,
    Incomparable,
    Record,
    condition,
    left_open,
    numbers_text,
    parameter,
    status_remarks,
)
from catalog.database.names import Member, ParameterMap, family_numbers, names
from catalog.database.notation import formula
from catalog.database.value_comparison import PATIENCE, compared_value
from catalog.parameters import value
from catalog.refuting.candidates import members
from catalog.refuting.statement import Sides, Statement
from catalog.refuting.surveying import survey, table_rows
from lsclasses.dimensions.expressions import Quantity
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.limits import Limit
from lsclasses.parallel import in_order
from lsclasses.table import Table

# ---- relations


SIGNS = {"larger": ">=", "equivalence": "=="}
"""Signs of the types of relations that make a statement about each class."""
DISPLAYED = {"larger": ">=", "equivalence": "="}
MEMBER_CONCEPTS, MEMBER_POINTS = 24, 7
"""Largest numbers of concepts and points of catalog members that are checked with the atlas."""
MEMBER_PATIENCE = Limit(seconds=3)
"""Limit of the computation of one parameter of such a member."""
FEWEST = 3
"""Least number of increases between members of a class from which a parameter counts as growing."""


@dataclass(frozen=True)
class Growth:
    """A relation ``P >= c * g(Q)`` with a constant c > 0, or ``P <= c * g(Q)``.

    Attributes
    ----------
    text : str
        The function g(Q), with {} in the place of Q, or empty if formulas do not contain g.
    condition : str
        Condition, with {} in the place of Q, under which g(Q) is defined and above 0.
    value : callable
        ``value(Q, points)`` returns g(Q). The comparison uses it to find the least ratio P / g(Q).
    upper : bool
        Whether the relation is an upper bound on P.
    written : str
        The function g(Q) as the report writes it, if `text` is empty.
    """

    text: str
    condition: str
    value: Callable[[float, int], float]
    upper: bool = False
    written: str = ""

    @property
    def shown(self) -> str:
        """The function g(Q) in the report, with {} in the place of Q."""
        return self.text or self.written

    @property
    def sign(self) -> str:
        """The sign between P and c * g(Q)."""
        return "<=" if self.upper else ">="


GROWTHS = {
    "larger_c": Growth("{}", "{} > 0", lambda q, n: q),
    "log": Growth("log2({})", "{} > 1", lambda q, n: math.log2(q)),
    "sqrt": Growth("", "{} > 0", lambda q, n: math.sqrt(q), written="sqrt({})"),
    "inv_log": Growth("{}/log2(points)", "{} > 0 and points > 1", lambda q, n: q / math.log2(n)),
    "sqrt_upper": Growth("", "{} > 0", lambda q, n: math.sqrt(q), True, "sqrt({})"),
    "log_upper": Growth("log2({} + 2)", "{} >= 0", lambda q, n: math.log2(q + 2), True),
}
"""Relations with a constant, by their names in the database.

If the constant is open, a class refutes a lower bound only if P is 0 on the class, and no class
refutes an upper bound.
"""
EXISTENCE = {
    "functional_upper": "every finite number of classes satisfies P <= f(Q) for some function f",
}
"""Types of relations that no finite number of classes refutes or confirms, with the reason."""
REFUTED = "The record states that the relation is false."


def compared_relation(titles: Mapping[str, str], record: Record) -> ComparedRecord:
    """Return the result of comparing a relation of the database with computed values.

    The first argument maps the short names of the parameters to their names. If the status of the
    record is "refuted", the record states that the relation is false. Then a counterexample
    confirms the record.
    """
    one, other = record.reference("parameter_1_id"), record.reference("parameter_2_id")
    kind, details = record.text("relationship_type"), record.text("details")
    stated = f"{one} {DISPLAYED.get(kind, kind)} {other}" + (f" ({details})" if details else "")
    denied = record.text("status") == "refuted"
    try:
        if record.problem:
            raise Incomparable(record.problem)
        if kind in EXISTENCE:
            raise Incomparable(EXISTENCE[kind])
        if kind not in (*SIGNS, *GROWTHS, "incomparable", "separated"):
            raise Incomparable(f"what the relation {kind!r} means is not known here")
        pair = parameter(titles, one), parameter(titles, other)
        found = _merged(_compared_members(pair, kind, record))
        if denied and not found.failing:
            raise Incomparable("no tried class refutes the relation that the record calls false")
    except Incomparable as error:
        return ComparedRecord("relation", record.file, stated, "", "not comparable", why=str(error))
    remarks = (
        *dict.fromkeys(each.remark for each in pair if each.remark),
        *([REFUTED] if denied else status_remarks(record)),
        *found.remarks,
    )
    verdict: Agreement = "refuted" if found.failing and not denied else "confirmed"
    why = ""
    if verdict == "refuted" and (conventions := pair[0].open or pair[1].open):
        verdict, why = "not comparable", left_open(conventions)
    correction = None
    single = family_numbers(*pair) == [{}] and not record.text("multiplicative_constant")
    if verdict == "refuted" and found.case is not None and single:
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
    one, other = record.reference("parameter_1_id"), record.reference("parameter_2_id")
    scope = names().scope(f"{one} {kind} {other}", record.text("details"))
    members = [
        (numbers, (_within(pair[0].at(numbers), scope.when), pair[1].at(numbers)))
        for numbers in family_numbers(*pair)
        if numbers.items() >= scope.numbers.items()
    ]
    if not members:
        raise Incomparable("no number has members of both families here")
    different = [(numbers, each) for numbers, each in members if each[0].ours != each[1].ours]
    if not different:
        raise Incomparable("both parameters are the same here, by their names or by a theorem")
    return [(numbers, _found_for(each, kind, record, numbers)) for numbers, each in different]


def _within(parameter: ParameterMap, when: str) -> ParameterMap:
    """Return a parameter that is compared only under one more condition, which may be empty."""
    conditions = " and ".join(each for each in (parameter.defined, when) if each)
    return replace(parameter, defined=conditions)


def _found_for(pair: Pair, kind: str, record: Record, numbers: dict[str, int]) -> _Found:
    """Compare a relation of two single parameters with computed values.

    The numbers are the numbers of the families of the parameters.
    """
    if kind in SIGNS:
        return _decided(pair, SIGNS[kind])
    if kind in GROWTHS:
        return _with_constant(pair, GROWTHS[kind], _constants(record, numbers))
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
            f"{numbers_text(numbers)}: {remark}"
            for numbers, found in parts
            for remark in found.remarks
        ),
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
        tried = (_evaluated(statement, name, table) for name, table in _small_members())
        self._members = [each for each in tried if each is not None]

    def number(self, wanted: Callable[[Sides], bool] = lambda sides: True) -> int:
        """Return the number of classes with such sides."""
        return sum(each.number(wanted) for each in self._surveys) + sum(
            wanted(each.sides) for each in self._members
        )

    def first(self, wanted: Callable[[Sides], bool]) -> ComparedClass | None:
        """Return the smallest such class of the atlas, or else a member of the catalog."""
        for each in self._surveys:
            for found in each.where(wanted):
                return ComparedClass("", found.table, str(found.sides.left), str(found.sides.right))
        for member in self._members:
            sides = member.sides
            if wanted(sides):
                return ComparedClass(member.name, member.table, str(sides.left), str(sides.right))
        return None

    def combinations(self) -> Iterator[tuple[Sides, int]]:
        """Yield the combinations of sides that occur, with the number of points of the class."""
        for each in self._surveys:
            yield from ((sides, each.points) for sides in each.sides if sides is not None)
        for member in self._members:
            yield member.sides, len(member.table.points)


_looked_at = cache(_LookedAt)


class _Member(NamedTuple):
    """A member of the catalog with both sides of a statement."""

    name: str
    table: Table
    sides: Sides


def _evaluated(statement: Statement, name: str, table: Table) -> _Member | None:
    """Return both sides of a statement on a member, or None if they are not compared."""
    values = {each: _value_of_member(name, table, each) for each in statement.names}
    known = {each: value for each, value in values.items() if value is not None}
    if len(known) < len(values):
        return None
    try:
        sides = statement.sides(known)
    except (InvalidInput, TooLarge):
        return None
    return None if sides is None else _Member(name, table, sides)


_VALUES: dict[tuple[str, str], Quantity | None] = {}
"""Values that were computed on members, by the names of the member and of the parameter."""


def _value_of_member(name: str, table: Table, parameter: str) -> Quantity | None:
    """Return the value of a parameter on a member, or None if it is not computed in time."""
    if (name, parameter) not in _VALUES:
        try:
            _VALUES[name, parameter] = value(table, parameter, limit=MEMBER_PATIENCE)
        except (InvalidInput, TooLarge):
            _VALUES[name, parameter] = None
    return _VALUES[name, parameter]


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
    return _decided_text(f"{pair[0].ours} {sign} {pair[1].ours}{condition(*pair)}")


def _decided_text(text: str) -> _Found:
    """Check a statement on each class."""
    looked = _looked_at(text)
    return _Found(text, looked.number(), looked.number(_fails), looked.first(_fails))


def _constants(record: Record, numbers: dict[str, int]) -> tuple[str, str] | None:
    """Return the constants c and d of a relation P >= c*g(Q) - d, or None if c is open.

    The constants may depend on the numbers of families of parameters.

    Raises
    ------
    Incomparable
        If a constant is no number.
    """
    stated = [record.text(f"{kind}_constant") for kind in ("multiplicative", "additive")]
    if not stated[0] or stated[0].strip("$ ").isalpha():
        return None
    found = []
    for text in stated:
        try:
            value = formula(text or "0")({**numbers})
        except (InvalidInput, TooLarge):
            raise Incomparable(f"the constant {text:.80} is no number") from None
        found.append(str(value))
    return found[0], found[1]


def _with_constant(pair: Pair, growth: Growth, constants: tuple[str, str] | None = None) -> _Found:
    """Compare a relation with constants, or find the best open constant.

    The best constant is the largest c > 0 of a lower bound, or the least c of an upper bound, that
    no examined class refutes.
    """
    left, right = pair[0].ours, pair[1].ours
    met = condition(*pair, more=growth.condition.format(right))
    if constants is not None and growth.text:
        factor, less = constants
        bound = f"({factor})*{growth.text.format(f'({right})')} - ({less})"
        every = condition(*pair) if growth.text == "{}" else met
        return _decided_text(f"{left} {growth.sign} {bound}{every}")
    text = f"{left} {growth.sign} c*{growth.shown.format(right)}{condition(*pair)}"
    looked = _looked_at(f"{left} >= {right}{met}")

    def ratio(sides: Sides, points: int) -> float:
        return float(sides.left) / growth.value(float(sides.right), points)

    def zero(sides: Sides) -> bool:
        return sides.left == 0

    if not growth.upper and (failing := looked.number(zero)):
        return _Found(text, looked.number(), failing, looked.first(zero))
    chosen = max if growth.upper else min
    best = chosen(looked.combinations(), key=lambda each: ratio(*each), default=None)
    if best is None:
        raise Incomparable("no tried class restricts the constant")
    case = looked.first(lambda sides: (sides.left, sides.right) == (best[0].left, best[0].right))
    assert case is not None
    rows = case.name or " ".join(table_rows(case.table))
    said = (
        f"With a c of at {'least' if growth.upper else 'most'} {ratio(*best):.4g}: on the class "
        f"{rows} the sides are {case.left} and "
        f"c*{growth.shown.format(case.right).replace('points', str(best[1]))}."
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
        found = _with_constant(pair, GROWTHS["larger_c"])
    except Incomparable:
        return None
    if found.failing:
        return None
    details = f"Not without a constant, since on {shown}. {found.remarks[-1]} Not proved."
    return {"relationship_type": "larger_c", "details": details}


# ---- compare


def compared(
    database: Database,
    show: Callable[[str], None] = lambda text: None,
    *,
    executor: Executor | None = None,
) -> Iterator[ComparedRecord]:
    """Yield the results of all comparisons: first the relations, then the values.

    The order is the order of the files. An executor shares the records among its processes.
    """
    records = (*database.relationships, *database.values)
    relations = len(database.relationships)
    parts = [(number < relations, record) for number, record in enumerate(records)]
    found = in_order(partial(_compared_record, database.titles), parts, executor)
    for number, each in enumerate(found, 1):
        show(f"{number} of {len(records)} records ...")
        yield each


def _compared_record(titles: Mapping[str, str], part: tuple[bool, Record]) -> ComparedRecord:
    """Return the result of comparing a relation, if the first entry is true, or a value."""
    is_relation, record = part
    return (compared_relation if is_relation else compared_value)(titles, record)
