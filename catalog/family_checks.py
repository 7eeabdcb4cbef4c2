"""Checks that every family must pass, also for authors of plug-ins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast, get_args

from catalog.fact_checks import FactCheck
from catalog.family import Fact, Family, Relation
from lsclasses.errors import InvalidInput, LsclassesError
from lsclasses.limits import Limit
from lsclasses.numbers import plural
from lsclasses.options import Value
from lsclasses.specifications import instantiate
from lsclasses.table import Table
from lsclasses.verdicts import Verdict

PATIENCE = Limit(seconds=20)
"""Default time limit of a search for one quantity of one instance."""


def check_family(family: Family | type[Family], *, limit: Limit | None = None) -> None:
    """Check a family before users, learners and the command line rely on it.

    The *instances* are the parameters that ``family.instances()`` yields. The function checks the
    following properties:

    - The family has a valid name, a title, a definition and a reference.
    - The parameters have distinct names and allowed defaults. SymPy can parse the formulas of all
      facts.
    - Each instance has allowed values. The string of the instance, such as ``thresholds:n=7``,
      parses to the same values.
    - The table of each instance has the predicted number of points, and at most the predicted
      number of concepts. The method `concept_class` returns the class in this table.
    - Every fact applies to some instance. A search confirms the fact on all instances to which it
      applies, except where ``fact.searched`` is false.

    Parameters
    ----------
    family : Family or subclass of Family
    limit : Limit, optional
        Time and memory of each search for a dimension of an instance. The default is 20 seconds.

    Raises
    ------
    InvalidInput
        If the family violates one of these properties. The message names the property.

    Examples
    --------
    >>> from catalog.points import Points
    >>> check_family(Points)
    """
    found = family if isinstance(family, Family) else cast("Family", instantiate(family))
    _check_parameters(found)
    for fact in found.facts:
        _check_fact(found, fact)
    members = list(found.instances())
    if not members:
        raise InvalidInput(f"{found.name!r} has no instances to verify its facts on.")
    for member in members:
        _check_member(found, member)
    _check_claims(found, members, PATIENCE if limit is None else limit)


def _check_parameters(family: Family) -> None:
    names = [parameter.name for parameter in family.parameters]
    for parameter in family.parameters:
        where = f"The parameter {parameter.name!r} of {family.name!r}"
        if not parameter.name.isidentifier() or names.count(parameter.name) > 1:
            raise InvalidInput(f"{where} must have a unique name, a single word.")
        if parameter.default is not None:
            value = parameter.read(family.name, parameter.default)
            if value != parameter.default:
                raise InvalidInput(
                    f"{where} has the default {parameter.default!r}, which reads as {value!r}."
                )


def _check_fact(family: Family, fact: Fact) -> None:
    from lsclasses.dimensions import DIMENSIONS

    where = f"The fact {fact.quantity!r}: {fact.expression!r} of {family.name!r}"
    known = {"size", "points", *DIMENSIONS}
    if fact.quantity not in known:
        raise InvalidInput(
            f"{where} must be about one of {', '.join(sorted(known))}. Got {fact.quantity!r}."
        )
    if fact.relation not in get_args(Relation):
        raise InvalidInput(
            f"{where} must have one of the relations {', '.join(get_args(Relation))}. "
            f"Got {fact.relation!r}."
        )
    if not fact.source.strip():
        raise InvalidInput(f"{where} needs a source: a reference, or a proof in a sentence.")
    if bool(fact.printed) != bool(fact.printed_in):
        raise InvalidInput(f"{where} must state both the printed value and its place.")
    for text in (fact.expression, fact.when, fact.searched, fact.printed):
        if text:
            family.expression(text)


def _check_member(family: Family, member: object) -> None:
    if not isinstance(member, Mapping):
        raise InvalidInput(
            f"The instances of {family.name!r} must be mappings of parameters to values. "
            f"Got {member!r}."
        )
    values = family.values(**member)
    spec = family.spec(**member)
    _, _, text = spec.partition(":")
    if family.values(**family.values_in(text)) != values:
        raise InvalidInput(f"{spec!r} does not read back as {values!r}.")
    concepts, points = family._shape(**values)
    table = family._table(**values)
    if not isinstance(table, Table):
        raise InvalidInput(f"The table of {spec!r} must be a Table. Got {table!r}.")
    if len(table) > concepts or len(table.domain) != points:
        raise InvalidInput(
            f"{spec!r} is announced with at most {plural(concepts, 'concept')} on "
            f"{plural(points, 'point')}. Its table has {len(table)} on {len(table.domain)}."
        )
    if table.is_empty:
        raise InvalidInput(f"{spec!r} is an empty class. A family has at least one concept.")
    if family._table(**values) != table:
        raise InvalidInput(f"{spec!r} is not the same class every time it is built.")
    concept_class = family.concept_class(**values)
    if concept_class.to_table() != table:
        raise InvalidInput(f"The concept class of {spec!r} is not the class in its table.")


def _check_claims(family: Family, members: list[Mapping[str, Value]], limit: Limit) -> None:
    from lsclasses.dimensions import DIMENSIONS

    reached = set()
    for member in members:
        try:
            rows = FactCheck(family, (member,), limit).rows()
        except LsclassesError as error:
            raise InvalidInput(
                f"The facts about {family.spec(**member)!r} cannot be verified: {error}"
            ) from error
        for row in rows:
            reached.add(row.fact)
            if row.verdict == Verdict.VIOLATED:
                raise InvalidInput(
                    f"The {row.quantity} of {row.parameters!r} is stated to be {row.stated}. "
                    f"The search finds {row.computed}."
                )
            if row.verdict == Verdict.UNDECIDED:
                raise InvalidInput(
                    f"The search for the {row.quantity} of {row.parameters!r}, stated to be "
                    f"{row.stated}, was stopped: {row.computed}. Increase the limit, or set the "
                    "attribute 'searched' of the fact to the instances on which it is feasible."
                )
        concept_class = family.concept_class(**member)
        # Where a search is too long for a fact, the closed form must at least agree with the fact.
        stated = {s.fact.quantity: s for s in family.stated(**member) if s.fact.relation == "=="}
        searched = {s.fact.quantity for s in family.to_verify(**member)}
        for name, dimension in DIMENSIONS.items():
            value = concept_class._closed_form(name)
            if value is None:
                continue
            claim = f"The closed form of {name} of {family.spec(**member)!r} is {value}."
            if name in stated and name not in searched:
                if not stated[name].holds(value):
                    raise InvalidInput(f"{claim} It is stated to be {stated[name]}.")
                continue
            found = dimension.search(family.table(**member), limit=limit)
            if found != value:
                raise InvalidInput(f"{claim} The search finds {found}.")
    stated_somewhere = {s.fact for member in members for s in family.stated(**member)}
    for fact in family.facts:
        if fact not in reached:
            named = f"{fact.quantity!r}: {fact.expression!r} when {fact.when!r}"
            why = (
                f"because its attribute 'searched', {fact.searched!r}, holds for none of them"
                if fact in stated_somewhere
                else "because its condition holds for no instance"
            )
            raise InvalidInput(f"No instance of {family.name!r} verifies the fact {named} {why}.")
