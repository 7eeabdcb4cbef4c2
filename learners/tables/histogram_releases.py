"""Private histograms of a column: public bins, noisy counts, and their sums and quantiles.

`learners.mechanisms.count_trees` makes the counts. Rows in no bin (outside of all bins, or
missing) are counted in a separate bin, so that every row is in one bin. All later answers are
computed from the noisy counts and have no further privacy cost.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from learners import checked
from learners.accounting import Event, Grouped
from learners.budget import Budget
from learners.coins import Coins
from learners.mechanisms.count_trees import MOST_BINS, CountTree, Levels
from learners.tables.columns import Categories
from learners.tables.dates import DAY, format_date, is_date, parse_date
from learners.tables.declarations import CATEGORIES, END, STEPS
from learners.tables.guarantees import Guarantee, is_simulation
from learners.tables.persons import first_rows, share_of_a_row
from learners.tables.records import Records, as_records
from learners.tables.saved import checked_text
from lsclasses.errors import InvalidInput
from lsclasses.files.comma_separated import quoted_parts
from lsclasses.files.documents import checksum, differing, read_json, with_checksum
from lsclasses.files.writing import atomic_write
from lsclasses.frozen import set_frozen_fields
from lsclasses.json_text import entries_of
from lsclasses.numbers import as_printed, exact_text, integer, parse_number

__all__ = ["Bins", "HistogramRelease", "PrivateHistogram"]

FORMAT = "lsclasses-histogram"

VERSION_OF = {"zcdp": 1, "gaussian": 2}
"""Version of the files for each rule of Gaussian noise. Files without a delta have version 1."""

COMPOSITION_OF = {version: composition for composition, version in VERSION_OF.items()}

ELSEWHERE = "elsewhere"
"""Name of the bin of the rows that are in no other bin."""

UNITS = re.compile(r"(-?\d{1,15}|\d{4}-\d\d-\d\d)\.\.(-?\d{1,15}|\d{4}-\d\d-\d\d)")
"""Pattern of a range of integers or of days."""


@dataclass(frozen=True)
class Bins:
    """The public bins of a column: disjoint intervals of numbers, or categories.

    Parameters
    ----------
    text : str
        Bins: ``17..90`` for the integers from 17 to 90, with a bin for each integer;
        ``17..24,25..64,65..90`` for ranges of integers, both ends included; ``0..100/20`` for 20
        bins of one width; ``0,10,50,100`` for bins between numbers, each including its lower end
        but not its upper end; ``cook,nurse`` for categories (``categories:1,2`` if they look like
        numbers, double quotes around a category with a comma). Numbers may be dates, such as
        ``2020-01-01..2020-01-31``, with a bin for each day.

    Attributes
    ----------
    labels : tuple of str
        Name of each bin.
    starts, ends : tuple of Fraction
        Ends of the bins. A bin holds the numbers from its start up to, but not including, its end.
        Dates are seconds (`learners.tables.dates`). Both tuples are empty for categories.

    Raises
    ------
    InvalidInput
        If the string is not one of these forms, or bins overlap.

    Examples
    --------
    >>> Bins("17..90").labels[:3], Bins("0..1/4").labels[1], Bins("0,10,50").labels
    (('17', '18', '19'), '0.25 to <0.5', ('0 to <10', '10 to <50'))
    >>> Bins('2020-01-01,2020-07-01').labels, Bins('"$1 to $9,999",none').labels
    (('2020-01-01 to <2020-07-01',), ('$1 to $9,999', 'none'))
    >>> Bins("17..24,20..30")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: Bins must be disjoint and in order, so that every row is in \
one bin, but 20..30 begins before 17..24 ends. Got '17..24,20..30'.
    """

    text: str

    def __post_init__(self) -> None:
        text = checked_text(self.text, "bins").strip()
        set_frozen_fields(self, text=text)
        if len(self.labels) >= MOST_BINS:
            raise InvalidInput(
                f"A histogram must have fewer than {MOST_BINS} bins. Got {text!r:.60}."
            )
        for one, two in pairwise(range(len(self.starts))):
            if self.starts[two] < self.ends[one]:
                raise InvalidInput(
                    "Bins must be disjoint and in order, so that every row is in one bin, but "
                    f"{self.labels[two]} begins before {self.labels[one]} ends. Got {text!r:.200}."
                )
        if len(set(self.labels)) < len(self.labels):
            raise InvalidInput(f"Every bin must be named only once. Got {text!r:.200}.")

    @cached_property
    def _parsed(self) -> tuple[tuple[str, ...], tuple[tuple[Fraction, Fraction], ...]]:
        text = self.text
        listed = quoted_parts(text.removeprefix(CATEGORIES))
        parts = [part for part, _ in listed]
        if ("", False) in listed:
            raise InvalidInput(
                "Bins must be integers or days (17..90), ranges of them (17..24,25..90), steps "
                "(0..100/20), numbers or dates between bins (0,10,50), or categories. "
                f"Got {text!r:.200}."
            )
        if text.startswith(CATEGORIES) or any(literal for _, literal in listed):
            return tuple(parts), ()
        if stepped := STEPS.fullmatch(text):
            low, high = map(_end, stepped.groups()[:2])
            steps = int(stepped[3])
            if not 1 <= steps < MOST_BINS or low >= high:
                raise InvalidInput(
                    f"Steps must be from 1 to {MOST_BINS - 1} in a range that starts below its "
                    f"end, such as 0..100/20. Got {text!r}."
                )
            ends = [low + (high - low) * i / steps for i in range(steps + 1)]
            return _between(ends, dates=is_date(stepped[1]))
        ranges = [UNITS.fullmatch(part) for part in parts]
        if all(ranges):
            return _of_units([(each[1], each[2]) for each in ranges if each], text)
        if all(re.fullmatch(END, part) for part in parts) and len(parts) > 1:
            self._require_one_kind(parts)
            return _between([_end(part) for part in parts], dates=is_date(parts[0]))
        if any(re.fullmatch(END, part) or ".." in part for part in parts):
            raise InvalidInput(
                f"Bins cannot mix numbers and names or consist of one number. Got {text!r:.200}. "
                f"If they are categories, write {CATEGORIES + text!r:.200}, with double quotes "
                "around a category that contains a comma."
            )
        return tuple(parts), ()

    def _require_one_kind(self, parts: Sequence[str]) -> None:
        """Refuse dates among numbers."""
        if len(set(map(is_date, parts))) > 1:
            raise InvalidInput(f"Bins cannot mix numbers and dates. Got {self.text!r:.200}.")

    @cached_property
    def dates(self) -> bool:
        """Whether the bins contain dates."""
        first = re.match(END, self.text)
        return self.ordered and first is not None and is_date(first[0])

    @property
    def labels(self) -> tuple[str, ...]:
        """The name of each bin."""
        return self._parsed[0]

    @property
    def starts(self) -> tuple[Fraction, ...]:
        """The least number of each bin, or an empty tuple for categories."""
        return tuple(start for start, _ in self._parsed[1])

    @property
    def ends(self) -> tuple[Fraction, ...]:
        """The excluded upper end of each bin, or an empty tuple for categories."""
        return tuple(end for _, end in self._parsed[1])

    @property
    def ordered(self) -> bool:
        """Whether the bins contain numbers."""
        return bool(self._parsed[1])

    def counts(self, table: Records, column: str) -> list[int]:
        """Return the true numbers of rows in each bin, and last, in no bin. They are not private.

        Raises
        ------
        InvalidInput
            If there is no such column, or an entry is not a number and the bins contain numbers.
        """
        size, read = len(self.labels), table.cells(column)
        if not self.ordered:
            # A missing value is a category, so that it is counted in no bin.
            categories = Categories([*self.labels, *([""] * ("" not in self.labels))])
            cells = np.minimum(categories.cells(categories.features(read, "ignore")), size)
        else:
            there = np.flatnonzero(~read.missing())
            numbers = read.rows(there).numbers(dates=self.dates)
            cells = np.full(len(table), size, dtype=np.int64)
            starts, ends = (np.array([float(x) for x in each]) for each in (self.starts, self.ends))
            place = np.searchsorted(starts, numbers, side="right") - 1
            inside = (place >= 0) & (numbers < ends[place])
            cells[there[inside]] = place[inside]
        found: list[int] = np.bincount(cells, minlength=size + 1).tolist()
        return found

    def share(self, quantile: object) -> Fraction:
        """Return the share that a quantile denotes, as a fraction.

        Raises
        ------
        InvalidInput
            If bins are categories, or the quantile is not between 0 and 1.
        """
        if not self.ordered:
            raise InvalidInput("Categories have no order, so they have no quantiles.")
        return checked.share(as_printed(quantile, "quantile"), "quantile")

    def range(self, text: str) -> tuple[int, int]:
        """Return the first bin of a range such as ``18..64``, and the bin after its last bin.

        Raises
        ------
        InvalidInput
            If bins are categories, or the range does not consist of bins.
        """
        if not self.ordered:
            raise InvalidInput(f"Categories have no order, so they have no ranges. Got {text!r}.")
        first, dots, last = text.partition("..")
        if dots:
            start, end = _end(first), _end(last)
            if "<" not in self.labels[0]:  # ranges of integers and of days include both ends
                end += DAY if self.dates else 1
            if start in self.starts and end in self.ends and start < end:
                return self.starts.index(start), self.ends.index(end) + 1
        raise InvalidInput(
            f"A range must consist of whole bins. For example, the range of all bins goes from "
            f"{self.labels[0]!r} to {self.labels[-1]!r}. Got {text!r}."
        )


def _end(text: str) -> Fraction:
    """Return an end of a bin: a number, or the seconds of a date."""
    return parse_date(text) if is_date(text) else parse_number(text, "end of a bin")


Parsed = tuple[tuple[str, ...], tuple[tuple[Fraction, Fraction], ...]]
"""The names of bins, and the ends of bins of numbers."""


def _between(ends: list[Fraction], *, dates: bool) -> Parsed:
    """Return the bins between numbers or dates. Their names are exact."""
    name = format_date if dates else exact_text
    pairs = tuple(pairwise(ends))
    for one, two in pairs:
        if one >= two:
            raise InvalidInput(
                "The numbers between bins must ascend, because bins must not overlap. "
                f"Got {name(one)} before {name(two)}."
            )
    return tuple(f"{name(one)} to <{name(two)}" for one, two in pairs), pairs


def _of_units(ranges: list[tuple[str, str]], text: str) -> Parsed:
    """Return bins of integers, or of days."""
    dates = is_date(ranges[0][0])
    if any(is_date(end) != dates for pair in ranges for end in pair):
        raise InvalidInput(f"Bins cannot mix numbers and dates. Got {text!r:.200}.")
    unit = DAY if dates else 1
    pairs = [(_end(first), _end(last)) for first, last in ranges]
    for (start, end), (first, last) in zip(pairs, ranges, strict=True):
        if start > end:
            raise InvalidInput(f"A range must ascend. Got {first}..{last}.")
    if len(pairs) > 1:
        labels = tuple(f"{first}..{last}" for first, last in ranges)
        return labels, tuple((start, end + unit) for start, end in pairs)
    ((low, high),) = pairs
    count = int((high - low) / unit) + 1
    if count > MOST_BINS:
        raise InvalidInput(f"A histogram must have fewer than {MOST_BINS} bins. Got {text!r}.")
    starts = [low + unit * i for i in range(count)]
    names = tuple(format_date(each) if dates else str(each) for each in starts)
    return names, tuple((each, each + unit) for each in starts)


@dataclass(frozen=True)
class PrivateHistogram:
    """A private histogram of one column.

    **Guarantee.** (epsilon, delta)-DP by the guarantee of `CountTree`, as every row is in one bin.

    Parameters
    ----------
    column : str
        Name of the column.
    bins : Bins
        Public bins of the column.
    tree : CountTree
        Tree of counts with one more bin, for the rows in no bin.
    persons : (str, int), optional
        Column that identifies the person of each row, and the number of counted rows of each
        person, a public number. The first rows of each person are counted. The guarantee is then
        about persons.

    Raises
    ------
    InvalidInput
        If the tree has other bins, or a tree about persons keeps the number of rows.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> people = [{"age": 20 + i * i % 60} for i in range(10_000)]
    >>> histogram = PrivateHistogram.within(Budget(1), "age", "17..90", ranges=True)
    >>> found = histogram.release(people, SeededCoins(1))
    >>> found.quantile(Fraction(1, 2)), round(found.total(*found.bins.range("17..39")))
    ('41', 4996)
    >>> sum(row["age"] < 40 for row in people)
    5001
    >>> print(found.guarantee)
    histogram: epsilon 1
    in all: (1, 0)-differentially private, one row replaced
    covered: an adaptive adversary that observes every released value
    This is a simulation: the randomness came from a seed, so do not publish it.
    """

    column: str
    bins: Bins
    tree: CountTree
    persons: tuple[str, int] | None = None

    def __post_init__(self) -> None:
        if self.tree.bins != len(self.bins.labels) + 1:
            raise InvalidInput("The tree of counts must have the bins of the histogram.")
        if self.persons is None:
            return
        person, rows = self.persons
        set_frozen_fields(self, persons=(person, checked.positive(rows, "number of rows a person")))
        if self.tree.neighbours != "add_remove":
            raise InvalidInput(
                "The number of counted rows of persons depends on the persons. So a guarantee for "
                "persons needs add_remove (--neighbours add_remove), which protects the number of "
                f"rows. Got {self.tree.neighbours!r}."
            )
        if person == self.column:
            raise InvalidInput(f"{person!r} identifies persons, so it cannot be counted.")

    @classmethod
    def within(
        cls,
        budget: Budget,
        column: str,
        bins: str,
        *,
        ranges: bool = False,
        branching: int | None = None,
        neighbours: str = "replace_one",
        persons: tuple[str, int] | None = None,
    ) -> PrivateHistogram:
        """Return the histogram with the least noise within a budget.

        Parameters
        ----------
        budget : Budget
            Budget of the release. With a delta, noise is Gaussian if Gaussian noise is smaller.
        column : str
            Name of the column.
        bins : str
            Public bins, see `Bins`.
        ranges : bool
            Whether groups of bins are counted too, so that sums of many bins and quantiles have
            less noise and single bins have more. Public numbers decide on the size of groups and
            on whether there are groups.
        branching : int, optional
            Size of a group of bins, and of a group of groups. Public numbers choose the default.
        neighbours : {"replace_one", "add_remove"}
            Neighbour relation of the guarantee.
        persons : (str, int), optional
            Column that names persons, and the number of counted rows of each person. The
            guarantee is then about persons.

        Raises
        ------
        InvalidInput
            If bins overlap, or a number is out of range.
        """
        epsilon, delta = Budget.require(budget)
        if persons is not None:
            epsilon, delta = share_of_a_row(epsilon, delta, persons[1])
        public = Bins(bins)
        size = len(public.labels) + 1
        if ranges and branching is None:
            tree = CountTree.for_ranges(epsilon, size, delta or None, neighbours)
        else:
            tree = CountTree(epsilon, size, branching, delta or None, neighbours)
        return cls(column, public, tree, persons)

    @property
    def privacy(self) -> Event:
        """The privacy cost of a release."""
        cost = self.tree.privacy
        return cost if self.persons is None else Grouped(cost, self.persons[1], "person")

    def guarantee(self, *, simulated: bool) -> Guarantee:
        """Return the guarantee of a release."""
        return Guarantee.of(self.privacy, simulated=simulated, conditional=False)

    def used(self, table: object) -> Records:
        """Return the counted rows: all rows, or the first rows of each person."""
        records = as_records(table)
        return records if self.persons is None else first_rows(records, *self.persons)

    def release(self, table: object, coins: Coins) -> HistogramRelease:
        """Release the histogram of a table's column.

        Parameters
        ----------
        table : Records, data frame, sequence of dicts, or array of shape (rows, columns)
            Rows to count.
        coins : Coins
            ``SecureCoins()`` for a release.

        Raises
        ------
        InvalidInput
            If there is no such column, or an entry is not a number.
        """
        records = self.used(table)
        levels = self.tree.release(self.bins.counts(records, self.column), coins)
        rows = len(records) if self.tree.neighbours == "replace_one" else None
        guarantee = self.guarantee(simulated=is_simulation(coins))
        return HistogramRelease(self, levels, rows, guarantee)


@dataclass(frozen=True)
class HistogramRelease:
    """A released histogram: the noisy counts and the results computed from them.

    Parameters
    ----------
    made_by : PrivateHistogram
        Mechanism that made the release.
    levels : tuple of tuple of int
        Noisy counts.
    rows : int or None
        Number of rows, if it is public.
    guarantee : Guarantee
        Privacy guarantee of the release.

    Raises
    ------
    InvalidInput
        If these parts do not belong together.
    """

    made_by: PrivateHistogram
    levels: Levels
    rows: int | None
    guarantee: Guarantee

    def __post_init__(self) -> None:
        self.tree.require(self.levels)
        if (self.rows is None) != (self.tree.neighbours == "add_remove"):
            raise InvalidInput(
                "the number of rows is public if rows are replaced, and protected otherwise."
            )
        if self.guarantee != self.made_by.guarantee(simulated=self.guarantee.simulated):
            raise InvalidInput("the ledger does not belong to these counts.")

    @property
    def bins(self) -> Bins:
        """The public bins of the histogram."""
        return self.made_by.bins

    @property
    def tree(self) -> CountTree:
        """The tree that made the counts."""
        return self.made_by.tree

    @cached_property
    def estimates(self) -> tuple[Fraction, ...]:
        """The estimated numbers of rows in each bin, and last, in no bin."""
        return self.tree.estimates(self.levels, self.rows)

    def total(self, first: int, end: int) -> Fraction:
        """Return the estimated number of rows in the bins from first to end - 1."""
        return sum(self.estimates[first:end], Fraction(0))

    def deviation(self, first: int, end: int) -> float:
        """Return the standard deviation of `total`, which is public."""
        return self.tree.deviation(first, end, known=self.rows is not None)

    def quantile(self, share: Fraction) -> str:
        """Return the name of the first bin up to which at least a share of the rows lies.

        Raises
        ------
        InvalidInput
            If `Bins.share` rejects the quantile, or no row seems to be in a bin.
        """
        share = self.bins.share(share)
        *inside, _ = self.estimates
        below = list(accumulate(inside))
        if below[-1] <= 0:
            raise InvalidInput(
                "Quantiles need at least one row in the bins. About "
                f"{round(below[-1])} rows lie in the bins."
            )
        wanted = share * below[-1]
        return self.bins.labels[next(i for i, each in enumerate(below) if each >= wanted)]

    def to_json(self) -> str:
        """Return the release as JSON. `from_json` reads it."""
        return with_checksum(
            {
                "format": FORMAT,
                "version": 1 if self.tree.delta is None else VERSION_OF[self.tree.composition],
                "column": self.made_by.column,
                "bins": self.bins.text,
                "rows": self.rows,
                "branching": self.tree.branching,
                **({} if self.made_by.persons is None else {"persons": [*self.made_by.persons]}),
                "budget": [str(self.tree.epsilon), _text(self.tree.delta)],
                "counts": [list(level) for level in self.levels],
                "privacy": self.guarantee.to_json(),
            }
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the release to a file, completely or not at all.

        Raises
        ------
        InvalidInput
            If the file cannot be written.
        """
        atomic_write(path, self.to_json())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> HistogramRelease:
        """Read a release that `save` wrote.

        Raises
        ------
        InvalidInput
            If the file cannot be read, or an entry does not follow from the others.
        """
        data = read_json(path)
        try:
            return cls.from_json(data)
        except InvalidInput as problem:
            raise InvalidInput(f"Cannot use {str(path)!r}: {problem}") from None

    @classmethod
    def from_json(cls, data: Any) -> HistogramRelease:
        """Return the release in a JSON document that was parsed.

        Raises
        ------
        InvalidInput
            If the document is not a release, or an entry does not follow from the others.
        """
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise InvalidInput(f'it is not a histogram: its "format" must be "{FORMAT}".')
        version = data.get("version")
        if version not in tuple(COMPOSITION_OF):
            raise InvalidInput(f"a histogram must have version 1 or 2. Got {version!r}.")
        with entries_of("it is incomplete or damaged"):
            guarantee = Guarantee.from_json(data["privacy"])
            bins, rows = Bins(checked_text(data["bins"], "bins")), data["rows"]
            epsilon, delta = data["budget"]
            tree = CountTree(
                parse_number(checked_text(epsilon, "epsilon"), "epsilon"),
                len(bins.labels) + 1,
                data["branching"],
                None if delta is None else parse_number(checked_text(delta, "delta"), "delta"),
                guarantee.neighbours,
                "gaussian" if delta is None else COMPOSITION_OF[version],
            )
            levels = tuple(
                tuple(integer(count, "count") for count in level) for level in data["counts"]
            )
            rows = None if rows is None else checked.nonnegative(rows, "number of rows")
            column = checked_text(data["column"], "column")
            persons = None
            if "persons" in data:
                person, most = data["persons"]
                persons = checked_text(person, "column of persons"), integer(most, "rows a person")
            made = PrivateHistogram(column, bins, tree, persons)
            release = cls(made, levels, rows, guarantee)
        for strange in differing(json.loads(release.to_json()), data, "checksum"):
            raise InvalidInput(f'its "{strange}" does not follow from the rest of the release.')
        if data.get("checksum") != checksum(data):
            raise InvalidInput("it was changed after it was saved: its checksum does not match.")
        return release


def _text(value: Fraction | None) -> str | None:
    return None if value is None else str(value)
