"""Synthetic data in files: the release with its ledger, checked when it is read.

JSON
    The complete release: the class, the parameters of the sanitizer, the chosen queries. All other
    entries of the file (weights, bounds, ledger) follow from these. A program that reads the file
    recomputes them and refuses a file with different entries. So the weights of a file are weights
    that the sanitizer could have released. A file cannot prove that the sanitizer released them,
    for whose data, or with which coins.
CSV
    A data set with the shares of the weights, in the layout of the sanitized file: one row on each
    line, for programs that read tables. It contains no information on how it was made.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import repeat
from typing import Any

import numpy as np

import catalog
from learners import checked
from learners.accounting import basic, total
from learners.sanitizers.base import Sanitizer, SyntheticData
from learners.sanitizers.mwem import MWEMRun, MWEMSanitizer
from learners.sanitizers.point_samples import PointSample
from learners.tables.guarantees import Guarantee
from learners.tables.records import Records, load_records
from learners.tables.saved import checked_text
from lsclasses.domain import FiniteDomain
from lsclasses.errors import InvalidInput, nearest
from lsclasses.files.comma_separated import csv_parts
from lsclasses.files.documents import checksum, differing, read_json, with_checksum
from lsclasses.files.sources import PathLike
from lsclasses.files.writing import atomic_write
from lsclasses.frozen import set_frozen_fields
from lsclasses.json_text import entries_of
from lsclasses.numbers import integer, parse_number
from lsclasses.point_names import Point, from_json, from_text, to_json, to_text
from lsclasses.table import Table

__all__ = ["FORMAT", "Columns", "SyntheticRelease", "guaranteed", "points_csv", "queries"]

FORMAT = "lsclasses-synthetic-data"
VERSION = 1
LONGEST = 200
"""Largest number of characters of a number in a file."""
POINT_HEADS, LABEL_HEADS = ("point", "x"), ("label", "y")
NUMBERS = ("alpha", "select", "test", "beta")


def queries(
    source: str | Table, points: tuple[Point, ...] | None = None, *, labelled: bool = False
) -> Table:
    """Return the class of queries: a named class or a table, with the names of points in the rows.

    Parameters
    ----------
    source : str or Table
        Specification, or the class itself.
    points : tuple, optional
        Names of the points, in order, if they differ from the points of the class.
    labelled : bool
        Whether rows are pairs of a point and a label. Then queries are the errors of concepts.

    Raises
    ------
    InvalidInput
        If the class does not exist, or has another number of points.
    TooLarge
        If the class cannot be enumerated as a table.

    Examples
    --------
    >>> queries("thresholds:n=2", ("young", "old"), labelled=True).points
    (('young', 0), ('young', 1), ('old', 0), ('old', 1))
    """
    C = catalog.build(source).to_table() if isinstance(source, str) else source
    if points is not None:
        if len(points) != len(C.points):
            raise InvalidInput(
                f"The class has {len(C.points)} points, so it needs as many names. "
                f"Got {len(points)}."
            )
        C = C.rename(points)
    return C.label_class() if labelled else C


def guaranteed(sanitizer: Sanitizer, *, simulated: bool, conditional: bool) -> Guarantee:
    """Return the privacy guarantee of a release, by the best accountant.

    Raises
    ------
    InvalidInput
        If the sanitizer is not private, because its output then contains the data.
    """
    event, delta = sanitizer.privacy, sanitizer.delta
    if event is None:
        raise InvalidInput(
            "Only the release of a private sanitizer has a guarantee and may be published. "
            f"Got {sanitizer!r}."
        )
    method, spent = "basic", basic(event)[1]
    if delta is not None and (best := total(event, delta)).epsilon < basic(event)[0]:
        method, spent = best.method, delta
    return Guarantee(event, method, spent, simulated, conditional)


@dataclass(frozen=True)
class SyntheticRelease:
    """The release of `MWEMSanitizer` with its guarantee, for saving.

    Parameters
    ----------
    source : str or Table
        Class, as a specification or a table.
    points : tuple or None
        Names of the points, if they differ from the points of the class.
    labelled : bool
        Whether the data are rows (x, y).
    sanitizer : MWEMSanitizer
        Sanitizer for the queries of these parameters.
    run : MWEMRun
        Run that made the synthetic data.
    guarantee : Guarantee
        Privacy guarantee of the release.

    Raises
    ------
    InvalidInput
        If these arguments do not belong to one release.

    Examples
    --------
    >>> from learners.budget import Budget
    >>> import pathlib, tempfile
    >>> from learners.coins import SeededCoins
    >>> C = queries("thresholds:n=4")
    >>> sanitizer = MWEMSanitizer.for_error(C, Fraction(1, 5), Budget(1, Fraction(1, 10**6)))
    >>> run = sanitizer.run(PointSample(C.domain, [0, 2, 2, 3] * 6000), SeededCoins(1))
    >>> guarantee = guaranteed(sanitizer, simulated=True, conditional=False)
    >>> release = SyntheticRelease("thresholds:n=4", None, False, sanitizer, run, guarantee)
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "synthetic.json"
    >>> release.save(path)
    >>> SyntheticRelease.load(path) == release
    True
    >>> path.write_text(path.read_text().replace('"won": true', '"won": false')) > 0
    True
    >>> SyntheticRelease.load(path)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: Cannot use ...: a run must end when it wins, or after ... \
rounds. Got a run of ... rounds that did not win.
    """

    source: str | Table
    points: tuple[Point, ...] | None
    labelled: bool
    sanitizer: MWEMSanitizer
    run: MWEMRun
    guarantee: Guarantee
    bounds: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        sanitizer, run, given = self.sanitizer, self.run, self.guarantee
        C = queries(self.source, self.points, labelled=self.labelled)
        # Queries are stored as positions, which equality of classes does not compare.
        if C.domain != sanitizer.domain or not np.array_equal(C.packed, sanitizer.of.packed):
            raise InvalidInput("the queries of the sanitizer must be the queries of the class.")
        if run.data != _replayed(sanitizer, run).data:
            raise InvalidInput("the weights do not follow from the chosen queries.")
        derived = guaranteed(sanitizer, simulated=given.simulated, conditional=given.conditional)
        # Earlier versions stated the total of zCDP, which is larger and also true.
        known = [derived, replace(derived, method="zcdp")] if derived.delta else [derived]
        if given not in (*known, *(each.in_earlier_files() for each in known)):
            raise InvalidInput("the ledger does not belong to the sanitizer.")
        bounds = tuple(each.recorded for each in sanitizer.bounds(run.data.rows))
        set_frozen_fields(self, bounds=bounds)

    @property
    def data(self) -> SyntheticData:
        """The synthetic data of the release, as weights of points."""
        return self.run.data

    def to_json(self) -> str:
        """Return the release as JSON. `from_json` reads it.

        Raises
        ------
        InvalidInput
            If the name of a point cannot be written.
        """
        sanitizer = self.sanitizer
        delta = sanitizer.composition_delta
        source = self.source
        data = {
            "format": FORMAT,
            "version": VERSION,
            "class": source.to_json() if isinstance(source, Table) else source,
            "names": None if self.points is None else [to_json(x) for x in self.points],
            "labelled": self.labelled,
            "rows": self.data.rows,
            "sanitizer": {
                "name": "mwem",
                **{name: str(getattr(sanitizer, name)) for name in NUMBERS},
                "delta": None if delta is None else str(delta),
                "max_rounds": sanitizer.max_rounds,
            },
            "chosen": list(self.run.chosen),
            "won": self.run.won,
            "points": [to_json(x) for x in self.data.domain],
            "weights": list(self.data.weights),
            "bounds": list(self.bounds),
            "privacy": self.guarantee.to_json(),
        }
        return with_checksum(data)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the release to a file, completely or not at all.

        Raises
        ------
        InvalidInput
            If the file cannot be written.
        """
        atomic_write(path, self.to_json())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> SyntheticRelease:
        """Read a release that `save` wrote.

        Raises
        ------
        InvalidInput
            If the file cannot be read, or the sanitizer in the file cannot release its content.
        """
        data = read_json(path)
        try:
            return cls.from_json(data)
        except InvalidInput as problem:
            raise InvalidInput(f"Cannot use {str(path)!r}: {problem}") from None

    @classmethod
    def from_json(cls, data: object) -> SyntheticRelease:
        """Return the release in a JSON document that was parsed.

        Raises
        ------
        InvalidInput
            If the document is not a release, or an entry does not follow from the others.
        """
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise InvalidInput(f'it is not synthetic data: its "format" must be "{FORMAT}".')
        if data.get("version") != VERSION:
            raise InvalidInput(
                f"synthetic data must have version {VERSION}. Got {data.get('version')!r}."
            )
        with entries_of("it is incomplete or damaged"):
            release = cls._of_entries(data)
        for strange in differing(json.loads(release.to_json()), data, "privacy", "checksum"):
            raise InvalidInput(f'its "{strange}" does not follow from the rest of the release.')
        if data.get("checksum") != checksum(data):
            raise InvalidInput("it was changed after it was saved: its checksum does not match.")
        return release

    @classmethod
    def _of_entries(cls, data: dict[str, Any]) -> SyntheticRelease:
        source, names, labelled = data["class"], data["names"], data["labelled"]
        if not isinstance(source, str):
            source = Table.from_json(source)
        if not isinstance(labelled, bool) or not isinstance(data["won"], bool):
            raise InvalidInput('"labelled" and "won" must be true or false.')
        points = None if names is None else tuple(from_json(name) for name in names)
        given = data["sanitizer"]
        if given["name"] != "mwem":
            raise InvalidInput(f"the sanitizer of such a file must be mwem. Got {given['name']!r}.")
        delta = given["delta"]
        sanitizer = MWEMSanitizer(
            queries(source, points, labelled=labelled),
            max_rounds=checked.positive(given["max_rounds"], "number of rounds"),
            composition_delta=None if delta is None else _number(delta, "delta"),
            **{name: _number(given[name], name) for name in NUMBERS},
        )
        chosen = tuple(integer(query, "query") for query in data["chosen"])
        weights = SyntheticData(sanitizer.domain, tuple(data["weights"]), data["rows"])
        return cls(
            source,
            points,
            labelled,
            sanitizer,
            MWEMRun(chosen, data["won"], weights),
            Guarantee.from_json(data["privacy"]),
        )


def _number(text: object, name: str) -> Fraction:
    written = checked_text(text, name)
    if len(written) > LONGEST:
        raise InvalidInput(f"the {name} may have at most {LONGEST} characters.")
    return parse_number(written, name)


def _replayed(sanitizer: MWEMSanitizer, run: MWEMRun) -> MWEMRun:
    """Return the run with recomputed weights, and refuse queries that no run can have."""
    rounds, most = len(run.chosen), sanitizer.max_rounds
    if rounds > most or not rounds or not (run.won or rounds == most):
        raise InvalidInput(
            f"a run must end when it wins, or after {most} rounds. Got a run of {rounds} rounds "
            f"that {'won' if run.won else 'did not win'}."
        )
    if not all(0 <= query < sanitizer.queries for query in run.chosen):
        raise InvalidInput(f"a query must be at least 0 and less than {sanitizer.queries}.")
    weights = sanitizer.weights(run.updates)
    return MWEMRun(run.chosen, run.won, SyntheticData(sanitizer.domain, weights, run.data.rows))


# ---- rows in CSV


@dataclass(frozen=True)
class Columns:
    """The columns of a CSV file that hold points, and labels if there are any.

    Parameters
    ----------
    path : path
        Path of the file.
    point : str, optional
        Name of the column of points. By default ``point``, ``x`` or the only column.
    labelled : bool
        Whether rows have a label, 0 or 1, in the column ``label`` or ``y``.
    separator : str
        Character between the entries of a line.

    Raises
    ------
    InvalidInput
        If the file cannot be read, or has no such columns.
    """

    path: PathLike
    point: str | None = None
    labelled: bool = False
    separator: str = ","

    @cached_property
    def _table(self) -> Records:
        return load_records(self.path, separator=self.separator)

    @cached_property
    def heads(self) -> tuple[str, ...]:
        """The names of the columns of points and of labels in the file."""
        names = list(self._table.names)
        if not self.labelled:
            return (self._point(names),)
        labels = [name for name in names if name.strip().lower() in LABEL_HEADS]
        if len(labels) != 1:
            raise InvalidInput(
                f"Cannot use {str(self.path)!r}: labels need exactly one column 'label' or 'y'. "
                f"Got {', '.join(names)!r}."
            )
        return self._point([name for name in names if name not in labels]), labels[0]

    def _point(self, names: list[str]) -> str:
        if self.point is not None:
            equal = self._table.named(self.point)
            if len(equal) == 1:
                return equal[0]
            problem = (
                f"several columns are called {self.point!r}. Points need one column. Write one of "
                f"{', '.join(equal)}."
                if equal
                else f"there is no column {self.point!r}. {nearest(self.point, names)}"
            )
            raise InvalidInput(f"Cannot use {str(self.path)!r}: {problem}")
        found = [name for name in names if name.strip().lower() in POINT_HEADS]
        if not found and len(names) == 1 and type(from_text(names[0])) in (int, float):
            raise InvalidInput(
                f"Cannot use {str(self.path)!r}: its first line must name the column, but it is "
                f"the number {names[0].strip()}. If this is a point, write the line 'point' above "
                f"it. If this is the name of the column, give --column {names[0].strip()}."
            )
        found = found or names
        if len(found) == 1:
            return found[0]
        raise InvalidInput(
            f"Cannot use {str(self.path)!r}: name the column of the points (--column NAME). "
            f"Got {', '.join(names)!r}."
        )

    def _rows(self) -> Iterator[tuple[int, str, int | None]]:
        """Yield the line, the point as a string and the label of each row."""
        table = self._table
        assert table.lines is not None
        points = table.column(self.heads[0]).tolist()
        labels: Iterable[int | None] = repeat(None, len(points))
        if self.labelled:
            labels = table.cells(self.heads[1]).flags(label=True).astype(int).tolist()
        yield from zip(table.lines.tolist(), points, labels, strict=True)

    def sample(self, domain: FiniteDomain) -> PointSample:
        """Return the rows, as points of a domain that is public.

        Raises
        ------
        InvalidInput
            If there are no rows, a point is not in the domain, or a label is neither 0 nor 1.
        """
        known: dict[tuple[str, int | None], int] = {}
        places = []
        for number, text, label in self._rows():
            place = known.get((text, label))
            if place is None:
                place = known[text, label] = self._place(domain, number, text, label)
            places.append(place)
        return PointSample.at(domain, places)

    def _place(self, domain: FiniteDomain, number: int, text: str, label: int | None) -> int:
        point = from_text(text) if label is None else (from_text(text), label)
        if point not in domain:
            raise InvalidInput(
                f"Cannot use {str(self.path)!r}, line {number}: "
                f"{from_text(text)!r} is not a point of the class, which has "
                f"{_described(domain, self.labelled)}. The points are a public list that does not "
                "depend on the rows. Give other names of the points with --points."
            )
        return domain.index(point)

    def distinct(self) -> tuple[Point, ...]:
        """Return the points that occur in the rows, in order. **The list is not private.**"""
        found = {from_text(text) for _, text, _ in self._rows()}
        try:
            return tuple(sorted(found))  # type: ignore[type-var]
        except TypeError:
            return tuple(sorted(found, key=to_text))


def _described(domain: FiniteDomain, labelled: bool) -> str:
    if labelled:
        pairs: Any = domain
        domain = FiniteDomain(dict.fromkeys(x for x, _ in pairs))
    return domain.describe()


def points_csv(
    domain: FiniteDomain, counts: Iterable[int], heads: tuple[str, ...]
) -> Iterator[bytes]:
    """Yield the rows of a CSV file: a header, and each point as often as its count.

    Each row is made when it is written, so the rows do not take memory together.

    Parameters
    ----------
    domain : FiniteDomain
        Points that may occur.
    counts : iterable of int
        Count of each point, in order.
    heads : tuple of str
        One name for points, or two names for pairs of a point and a label.

    Examples
    --------
    >>> print(b"".join(points_csv(FiniteDomain(["5", 5]), [1, 2], ("age",))).decode(), end="")
    age
    '5'
    5
    5
    """
    written: Callable[[Any], list[str]] = (
        (lambda x: [to_text(x)]) if len(heads) == 1 else (lambda x: [to_text(x[0]), str(x[1])])
    )
    rows = [(written(x), count) for x, count in zip(domain, counts, strict=True)]
    return csv_parts([(heads, 1), *rows])
