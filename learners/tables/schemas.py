"""Schemas: public facts about the columns of a table, in a file that is filled in once.

A schema is a TOML file. `skeleton` writes a schema with only the names of the columns, because the
possible contents of a column must be known without its rows. `infer_schema` fills in a schema by
looking at the rows and marks it. Learning with such a schema has no guarantee until a person has
replaced the declarations that were taken from the rows.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from learners.coins import Coins, SecureCoins
from learners.tables.cells import FLAGS, Cells
from learners.tables.columns import Column, Cuts, DataDependent, FixedColumn, Flag
from learners.tables.columns.of_table import toml_key
from learners.tables.declarations import as_column, column_from_text, with_missing
from learners.tables.missing_values import MissingMarkers
from learners.tables.records import Records, as_records
from lsclasses.data_files import parse
from lsclasses.errors import InvalidInput
from lsclasses.files.sources import reading
from lsclasses.numbers import plural

__all__ = ["Schema", "load_schema", "skeleton", "infer_schema"]

DROP = "drop"
"""Declaration of a column that is left out."""

FROM_DATA = "taken-from-the-data-not-private"
"""Mark in a schema whose cut points and categories were found by looking at the rows."""

TARGET_ENTRIES = ("column", "positive", "negative", "positive_from", "classes")
DECLARED = "declared"
"""Entry of a schema that names the person or source that declared its columns."""

SENSITIVE = "sensitive"
"""Entry of a schema for a column by which people must not be judged."""

MARKERS = "missing"
"""Entry of a schema that lists strings which mark missing values in all columns."""

ENTRIES = ("columns", "target", FROM_DATA, DECLARED, MARKERS)

NAMES = 30
"""Largest number of different strings in a column. For more strings, an inferred schema suggests to
drop the column."""


@dataclass(frozen=True)
class FromData(Column):
    """A column of a schema whose categories or cut points were taken from the rows."""

    column: Column

    public = False

    def fitted(self, cells: Cells, neighbours: str, coins: Coins) -> FixedColumn:
        """Return the features of the declaration in the schema."""
        return self.column.fitted(cells, neighbours, coins)


@dataclass(frozen=True)
class Schema:
    """The declarations of the columns of a table.

    Attributes
    ----------
    columns : mapping from str to Column
        Declarations of how columns become features. The estimators accept this mapping as
        ``columns=``.
    dropped : frozenset of str
        Columns that are left out.
    undeclared : tuple of str
        Columns that the file names but does not declare yet.
    target, positive, negative : str or None
        Column to predict and its values, as in the options of ``lsclasses learn``.
    path : str
        Path from which the schema was read, for messages.
    sensitive : frozenset of str
        Columns that are declared as sensitive, whether they are used or not.
    declared : str
        Person or source that declared the columns, such as ``code book``. Empty if the file does
        not name one.
    missing : tuple of str
        Strings that mark missing values in all columns.
    positive_from : str or None
        Least number of the target that counts as 1, as in the options of ``lsclasses learn``.
    classes : str or None
        All classes of the target, separated by commas.
    """

    columns: Mapping[str, Column]
    dropped: frozenset[str]
    undeclared: tuple[str, ...]
    target: str | None
    positive: str | None
    negative: str | None
    path: str
    sensitive: frozenset[str] = frozenset()
    declared: str = ""
    missing: tuple[str, ...] = ()
    positive_from: str | None = None
    classes: str | None = None

    def require(self, names: Collection[str], besides: Collection[str] = ()) -> None:
        """Refuse a table with missing or undeclared columns, and name all these columns.

        Parameters
        ----------
        names : collection of str
            Columns of the table.
        besides : collection of str
            Columns that need no declaration, such as the target.

        Raises
        ------
        InvalidInput
        """
        known = {*self.columns, *self.dropped, *besides}
        missing = [name for name in names if name not in known]
        absent = sorted({*self.columns, *self.undeclared} - set(names) - set(besides))
        said = []
        if missing:
            lines = ", ".join(f'{toml_key(name)} = "..."' for name in missing)
            said.append(
                f"it does not declare {plural(len(missing), 'column')} of the table. Add under "
                f'[columns] the public knowledge about each column, or "{DROP}": {lines}'
            )
        if absent:
            said.append(
                f"{plural(len(absent), 'column')} that it declares are not in the table: "
                f"{', '.join(map(repr, absent))}"
            )
        if said:
            both = ". And ".join(said)
            raise InvalidInput(f"The schema {self.path!r} does not match the table: {both}.")

    def apply(self, X: object) -> Records:
        """Return a table without the dropped columns, and with the markers of missing values.

        Parameters
        ----------
        X : Records, data frame, sequence of dicts, or array
            Table, as in `learners.tables.records.as_records`.

        Examples
        --------
        >>> schema = Schema({}, frozenset(["id"]), (), None, None, None, "", missing=("-",))
        >>> table = schema.apply([{"id": 7, "age": "-"}])
        >>> table.names, table.cells("age").missing().tolist()
        (('age',), [True])
        """
        table = as_records(X)
        table = table.with_markers(MissingMarkers(frozenset(self.missing)))
        return table.without([name for name in table.names if name in self.dropped])


def load_schema(path: str | os.PathLike[str]) -> Schema:
    r"""Read a schema from a file.

    Raises
    ------
    InvalidInput
        If the file cannot be read, is not TOML, or an entry is not a declaration.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "people.toml"
    >>> _ = path.write_text('[columns]\nage = [30, 60]\njob = "cook,nurse"\nid = "drop"\n')
    >>> schema = load_schema(path)
    >>> schema.columns["age"], schema.columns["job"], sorted(schema.dropped)
    (Cuts(points=(30.0, 60.0)), Categories(values=('cook', 'nurse')), ['id'])
    """
    source = Path(path)
    with reading(source):
        data = parse(source.read_bytes().decode("utf-8-sig"))
        strange = sorted(set(data) - set(ENTRIES))
        if strange:
            raise InvalidInput(
                f"a schema may have the entries [columns], [target], {DECLARED} and {MARKERS}. Got "
                f"{strange[0]!r}. Declare columns under [columns]."
            )
        columns, target = _table(data, "columns"), _table(data, "target")
        from_data, by = _truth(data, FROM_DATA), _declared_by(data)
        specs = {name: _plain(name, spec) for name, spec in columns.items() if spec != ""}
        declared = {name: _declared(name, spec) for name, (spec, _) in specs.items()}
        # Each column is marked, because removing one line must not make its content public.
        taken = {
            name
            for name, (_, marks) in specs.items()
            if not by and (from_data or FROM_DATA in marks)
        }
        given = {name: value for name, value in target.items() if value != ""}
        told = {name: value for name, value in given.items() if isinstance(value, str)}
        for key, value in given.items():
            if key in (DECLARED, FROM_DATA):
                raise InvalidInput(
                    f"the key {key!r} must be above [target]. Got it inside [target]."
                )
            if key not in TARGET_ENTRIES:
                raise InvalidInput(
                    f"[target] may have the keys {', '.join(TARGET_ENTRIES)}. Got the key {key!r}."
                )
            if key not in told:
                raise InvalidInput(f"the key {key!r} of [target] must be a string. Got {value!r}.")
        name = told.get("column")
        return Schema(
            {
                each: FromData(column) if each in taken else column
                for each, column in declared.items()
                if column is not None and each != name
            },
            frozenset(each for each, column in declared.items() if column is None and each != name),
            tuple(each for each, spec in columns.items() if spec == "" and each != name),
            name,
            told.get("positive"),
            told.get("negative"),
            str(path),
            frozenset(each for each, (_, marks) in specs.items() if SENSITIVE in marks),
            by,
            _missing_markers(data),
            told.get("positive_from"),
            told.get("classes"),
        )


def _missing_markers(data: Mapping[str, object]) -> tuple[str, ...]:
    """Return the strings that mark missing values in all columns."""
    listed = data.get(MARKERS, [])
    if not isinstance(listed, list) or not all(isinstance(text, str) for text in listed):
        raise InvalidInput(
            f"{MARKERS!r} must be a list of strings that mark missing values, such as "
            f'["NULL", "-"]. Got {listed!r}.'
        )
    return tuple(listed)


def _truth(data: Mapping[str, object], name: str) -> bool:
    value = data.get(name, False)
    if not isinstance(value, bool):
        raise InvalidInput(f"{name!r} must be true or false. Got {value!r}.")
    return value


def _declared_by(data: Mapping[str, object]) -> str:
    """Return the person or source that declared the columns. Empty if the schema names none."""
    by = data.get(DECLARED, "")
    if not isinstance(by, str) or not by.isprintable():
        raise InvalidInput(
            f"{DECLARED!r} must name the person or source that declared the columns, such as "
            f'"code book". Got {by!r}.'
        )
    if by and _truth(data, FROM_DATA):
        raise InvalidInput(
            f"the schema states that it was taken from the data, but also that {by!r} declares it. "
            f"If the whole schema is public knowledge now, remove the entry {FROM_DATA!r}."
        )
    return by


def _plain(name: str, spec: object) -> tuple[object, frozenset[str]]:
    """Return a declaration without its marks, and the marks."""
    if not isinstance(spec, dict):
        return spec, frozenset()
    rest = {key: value for key, value in spec.items() if key not in (SENSITIVE, FROM_DATA)}
    marks = frozenset(key for key in (SENSITIVE, FROM_DATA) if _truth(spec, key))
    return DROP if rest == {DROP: True} else rest, marks


def _table(data: Mapping[str, object], name: str) -> dict[str, object]:
    table = data.get(name, {})
    if not isinstance(table, dict):
        raise InvalidInput(f"[{name}] must be a table of entries. Got {table!r}.")
    return table


def _declared(name: str, spec: object) -> Column | None:
    """Return the column that an entry declares. None if the column is dropped."""
    if spec == DROP:
        return None
    try:
        return column_from_text(spec) if isinstance(spec, str) else as_column(spec)
    except InvalidInput as error:
        raise InvalidInput(f"of the column {name!r}: {error}") from None


EXPLAINED = """\
# This file declares public facts about the columns of {title}. Take them from a code book,
# from the possible values or from earlier publications, never from the rows. {read}
# Replace "" by a declaration, for example:
#   age = [30, 40, 50]                          These numbers are public cut points.
#   age = "0..100/9"                            9 cut points divide a public range equally.
#   job = ["cook", "nurse"]                     These categories are public.
#   smoker = "flag"                             The column contains 0 and 1.
#   born = [1990-01-01, 2000-01-01]             These dates are public cut points.
#   age = {{cuts = [30, 40, 50], missing = true}} Missing values are a separate category.
#   sex = {{categories = ["f", "m"], sensitive = true}}  The command warns if the rule uses it.
#   id = "drop"                                 The column is left out.
# Above [target], you can state the source of these declarations and markers of missing values:
#   declared = "code book of 2026"
#   missing = ["NULL", "-"]
"""

ONLY_NAMES = "Only their names were read."
LOOKED = "IT WAS FILLED IN BY LOOKING AT THE ROWS, which is not private."


def skeleton(columns: Records | Sequence[str], title: str) -> str:
    r"""Return a schema with the names of columns only.

    Parameters
    ----------
    columns : Records or sequence of str
        Columns of the table, or their names. The entries of a table are not read. Its markers of
        missing values are written into the schema.
    title : str
        Title of the table.

    Examples
    --------
    >>> print("\n".join(skeleton(["age", "home town"], "people.csv").splitlines()[-9:]))
    <BLANKLINE>
    [target]
    column = ""
    positive = ""
    negative = ""
    <BLANKLINE>
    [columns]
    age = ""
    "home town" = ""
    """
    if not isinstance(columns, Records):
        columns = Records(tuple(columns), (np.empty(0),) * len(columns))
    own = {name: sorted(columns.markers.of(name)) for name, _ in columns.markers.columns}
    specs = {
        name: f'""  # declare missing = {_json(own[name])} too' if name in own else '""'
        for name in columns.names
    }
    return _written(specs, title, ONLY_NAMES, _markers_line(columns), _nameless(columns))


def infer_schema(table: Records, title: str) -> str:
    """Return a schema with declarations guessed from the data, marked as **not private**.

    Cut points are quartiles. The categories are the strings that occur.
    """
    nameless = _nameless(table)
    specs = {
        name: "" if name in nameless else _guess(table.cells(name), table.markers.everywhere)
        for name in table.names
    }
    more = f"\n{FROM_DATA} = true\n{_markers_line(table)}"
    return _written(specs, title, LOOKED, more, nameless)


def _nameless(table: Records) -> set[str]:
    """Return the columns without a name in the header."""
    return {name for name, head in zip(table.names, table.heads, strict=True) if not head}


def _markers_line(table: Records) -> str:
    """Return the line of a schema with the markers of missing values of all columns."""
    markers = sorted(table.markers.everywhere)
    return f"{MARKERS} = {_json(markers)}\n" if markers else ""


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _written(
    specs: Mapping[str, str],
    title: str,
    read: str,
    more: str,
    nameless: Collection[str],
) -> str:
    lines = [
        f"{toml_key(name)} = {json.dumps(DROP) if name in nameless else spec}"
        for name, spec in specs.items()
    ]
    one_line = title if title.isprintable() else repr(title)
    target = '\n[target]\ncolumn = ""\npositive = ""\nnegative = ""\n'
    text = EXPLAINED.format(title=one_line, read=read)
    return f"{text}{more}{target}\n[columns]\n" + "\n".join(lines) + "\n"


def _guess(cells: Cells, everywhere: frozenset[str]) -> str:
    missing = cells.missing()
    there = np.flatnonzero(~missing)
    if not len(there):
        return json.dumps(DROP)
    present = cells.rows(there)
    texts = set(present.texts().tolist())
    column: Column
    if {text.lower() for text in texts} <= set(FLAGS):
        column = Flag()
    else:
        column = DataDependent().fitted(present, "replace_one", SecureCoins())
        if not isinstance(column, Cuts) and len(texts) > NAMES:
            return json.dumps(DROP)
    if missing.any():
        column = with_missing(column).with_markers(cells.markers - everywhere)
    given = column.to_json()
    return _toml({**given, FROM_DATA: True})


def _toml(spec: Mapping[str, object]) -> str:
    parts = ", ".join(f"{key} = {_json(value)}" for key, value in spec.items())
    return f"{{{parts}}}"
