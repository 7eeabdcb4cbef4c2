"""Inequalities between dimensions, on all classes on four points and on members of the catalog."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Set
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from catalog import families, family, parse
from catalog.atlas import POINTS, AtlasTable, classes
from catalog.atlas.building import complete_table
from catalog.atlas.columns import column_names
from catalog.atlas.margins import margin
from catalog.check_rows import UNIT
from catalog.readable import readable
from learners.claim_checks import Claim, ClaimCheck, Outcome, recomputes
from learners.row_conditions import hypothesis_names, met
from lsclasses.dimensions.expressions import Quantity, Real
from lsclasses.dimensions.inequalities import INEQUALITIES, Inequality
from lsclasses.dimensions.quantities import quantity, quantity_names
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.limits import Limit
from lsclasses.table import Table
from lsclasses.verdicts import Verdict

SMALL, LARGER = (20, 10), (40, 12)
"""Pairs of limits on the size of family members. Checks use members up to the first pair, and on
demand up to the second pair."""

PATIENCE = Limit(seconds=5)
"""The time limit of each search on a class that a user names."""
MEMBER_PATIENCE = Limit(seconds=20)
"""The limit of each search on a member of a family, twenty times the need of small members."""


def claim_of(inequality: Inequality) -> Claim:
    """Return the claim of an inequality, whose false variant has a right side smaller by 1."""
    conditions = [f"when {readable(inequality.when)}"] if inequality.when else []
    conditions += [f"for every {inequality.every}"] if inequality.every else []
    right = readable(inequality.right)
    return Claim(
        readable(inequality.left),
        " ".join([right, *conditions]),
        source=inequality.source,
        statements=inequality.statements,
        falsified=f"{right}, less {inequality.slack + 1}",
    )


CLAIMS = tuple(map(claim_of, INEQUALITIES))


@dataclass(frozen=True)
class Closest:
    """The least difference of an inequality's sides: the slack, its frequency, an example."""

    least: Real
    attained: int
    cases: int
    example: str


DIMENSIONS = {"ldim": "ldim", "vcdim": "vc"}
"""Names of hypotheses about dimensions, by dimension."""


@cache
def evaluated(name: str) -> bool:
    """Return whether a search confirms a dimension for each class on at most four points."""
    return all(
        quantity(each.table, name) == each[name]
        for points in POINTS
        for each in classes(points, flips=False)
    )


def evaluated_hypotheses(names: Set[str], listed: Set[str]) -> dict[str, bool]:
    """Return the hypotheses about dimensions of an inequality among the listed hypotheses."""
    return {
        word: evaluated(name)
        for name, word in DIMENSIONS.items()
        if name in names and word in listed
    }


NOT_EMPTY = "the class is finite and not empty"
"""The hypothesis of statements of [BLM20] about classes, in words."""


def outcome(
    inequality: Inequality,
    instance: str,
    found: Closest,
    *,
    everything: bool,
    not_empty: bool | None = None,
) -> Outcome:
    """Return the outcome of an inequality on many classes, which compares the least slack."""
    claim = claim_of(inequality)
    verdict = Verdict.HOLDS
    computed = f"right - left = {found.least}"
    if found.cases > 1:
        computed = (
            f"right - left >= {found.least}, attained in {found.attained} of {found.cases} cases"
        )
    if found.least < 0 or (everything and found.least != inequality.slack):
        verdict = Verdict.VIOLATED
        computed = f"right - left = {found.least}, first for {found.example}"
    refutes = ""
    listed = {name for each in claim.statements for name in hypothesis_names(each)}
    given = {} if not_empty is None or NOT_EMPTY not in listed else {NOT_EMPTY: not_empty}
    if everything:
        given |= evaluated_hypotheses(inequality.names, listed)
    if found.least < inequality.slack + 1:
        refutes = f"<= {claim.falsified}, for {found.example}"
    return Outcome(
        claim,
        instance,
        f"<= {claim.formula}",
        computed,
        verdict,
        refutes=refutes,
        ratio=UNIT if inequality.slack == 0 else f"{inequality.slack + 1} units",
        hypotheses=met(claim, instance, given),
    )


def on_atlas(inequality: Inequality) -> Outcome:
    """Check an inequality on every class on at most four points, with the stated slack."""
    found = margin(inequality)
    example = f"the class of mask {found.example.mask}, points: {found.example.points}"
    all_classes = [C for points in POINTS for C in classes(points, flips=False)]
    return outcome(
        inequality,
        f"all {len(all_classes)} classes on 1 to 4 points",
        Closest(found.least, found.attained, found.cases, example),
        everything=True,
        # The mask of a class has a bit for each concept.
        not_empty=all(C.mask for C in all_classes),
    )


def on_table(inequality: Inequality, T: AtlasTable) -> Outcome | None:
    """Check an inequality on every class of a table of the atlas, or return None without columns.

    This check has no stated slack, because the sides may come closer than on fewer points.
    """
    if not inequality.names <= set(T.names):
        return None
    found = margin(inequality, [T])
    example = f"the class of mask {found.example.mask}, points: {T.points}"
    return outcome(
        inequality,
        f"all {len(T)} classes on {T.points} points up to flips",
        Closest(found.least, found.attained, found.cases, example),
        everything=False,
    )


ON_FIVE_POINTS = tuple(
    each for each in INEQUALITIES if each.names <= {"points", *column_names(5, flips=True)}
)
"""The inequalities whose quantities are in the table of all classes on five points."""


@recomputes(*map(claim_of, ON_FIVE_POINTS))
def on_five_points() -> Iterator[Outcome]:
    """Check every inequality that flips leave unchanged, on all classes on five points."""
    T = complete_table()
    for inequality in ON_FIVE_POINTS:
        found = on_table(inequality, T)
        if found is not None:
            yield found


def on_members(
    inequality: Inequality, name: str, members: list[tuple[str, dict[str, Quantity]]]
) -> Outcome | None:
    """Check an inequality on members of a family whose quantities are known.

    The result is None if no member meets the condition of the inequality.
    """
    known = [(spec, values) for spec, values in members if inequality.names <= values.keys()]
    found = [(least, spec) for spec, values in known for least in inequality.margins(values)]
    if not found:
        return None
    least, example = min(found)
    attained = sum(other == least for other, _ in found)
    return outcome(
        inequality,
        f"{len(known)} small {'members' if len(known) > 1 else 'member'} of {name}",
        Closest(least, attained, len(found), example),
        everything=False,
    )


def small_members(
    name: str, size: tuple[int, int] = SMALL, fewest: int = 1
) -> list[tuple[str, dict[str, Quantity]]]:
    """Return the family's instances of at most this size, with their dimensions, by search.

    The result omits instances on fewer points than `fewest`.
    """
    chosen, (concepts, points) = family(name), size
    found = []
    for member in chosen.instances():
        table = chosen.table(**member)
        if len(table) <= concepts and fewest <= len(table.points) <= points:
            found.append((chosen.spec(**member), soon_found(table, MEMBER_PATIENCE)))
    return found


def soon_found(table: Table, patience: Limit) -> dict[str, Quantity]:
    """Return all quantities of a class that searches find within the time limit."""
    values: dict[str, Quantity] = {}
    for each in quantity_names():
        with suppress(TooLarge):
            values[each] = quantity(table, each, limit=patience)
    return values


@recomputes(*CLAIMS)
def everywhere(where: str, size: tuple[int, int] = SMALL) -> Iterator[Outcome]:
    """Check every inequality on the atlas, or on the small members of a family.

    Members on at most four points are among the classes of the atlas.
    """
    members = [] if where == "atlas" else small_members(where, size, max(POINTS) + 1)
    for inequality in INEQUALITIES:
        found = on_atlas(inequality) if where == "atlas" else on_members(inequality, where, members)
        if found is not None:
            yield found


@recomputes(*CLAIMS)
def on_class(spec: str) -> Iterator[Outcome]:
    """Check every inequality on one class of the catalog."""
    found, given = parse(spec)
    yield from on_one(spec, found.table(**given))


@recomputes(*CLAIMS)
def on_file(path: str, digest: str) -> Iterator[Outcome]:
    """Check every inequality on the class in a file, if the file has not changed."""
    if digest != file_digest(path):
        raise InvalidInput(f"{path!r} was written over while its class was looked at.")
    yield from on_one(path, Table.load(path))


def file_digest(path: str) -> str:
    """Return a digest of the content of a file."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]


def on_one(name: str, table: Table) -> Iterator[Outcome]:
    """Check every inequality on one class. Inequalities with unknown quantities are undecided."""
    values = soon_found(table, PATIENCE)
    for inequality in INEQUALITIES:
        unknown = [each for each in quantity_names() if each in inequality.names - values.keys()]
        if unknown:
            claim, seconds = claim_of(inequality), PATIENCE.seconds
            computed = f"no {' and no '.join(unknown)} within {seconds} seconds"
            yield Outcome(claim, name, f"<= {claim.formula}", computed, Verdict.UNDECIDED)
        elif margins := inequality.margins(values):
            least = min(margins)
            found = Closest(least, margins.count(least), len(margins), name)
            yield outcome(inequality, name, found, everything=False)


def class_check(spec: str) -> ClaimCheck:
    """Return all inequalities on one class of the catalog."""
    return ClaimCheck("inequalities", on_class, (spec,))


def file_check(path: str) -> ClaimCheck:
    """Return the check of all inequalities on the class in a file.

    Raises
    ------
    InvalidInput
        If the file does not exist, or does not contain a class.
    """
    Table.load(path)
    return ClaimCheck("inequalities", on_file, (path, file_digest(path)))


def checks() -> list[ClaimCheck]:
    """Return checks of the atlas, then of each family. Classes on five points run on demand."""
    places = ("atlas", *families())
    return [
        *(ClaimCheck("inequalities", everywhere, (where,)) for where in places),
        *(ClaimCheck("inequalities", everywhere, (name, LARGER), slow=True) for name in families()),
        ClaimCheck("inequalities", on_five_points, slow=True),
    ]
