"""Questions in SQL about all classes of the atlas, answered by DuckDB.

The classes up to permutations and flips are the rows of the table ``atlas``. The table contains the
classes on at most four points, and the classes on five points if their file exists. Its columns
are the columns of `AtlasTable`. Fractions are floating-point numbers, and sequences are lists.

Flips change some quantities, such as `apple_tasting_mistakes`, so the table ``atlas`` lacks them.
The table ``permutations`` contains all quantities of the classes on at most four points. Its rows
are the classes up to permutations only.

For each column of the private atlas (`catalog.atlas.private_values`), such as ``V2``, the table has
the columns ``V2_lower`` and ``V2_upper`` with bounds, which are NULL on five points. The table
``private`` has a row for each known value, also on five points.

**A question cannot write.** Only one statement is accepted, and only if it selects. The database is
in memory. It cannot access files, the network or variables of Python, and writes no temporary
files to disk. Its settings are locked before the question is parsed.

Needs duckdb and pyarrow: ``pip install 'lsclasses[atlas]'``.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from catalog.atlas import MOST_POINTS, POINTS, table
from catalog.atlas.atlas_table import AtlasTable
from catalog.atlas.columns import COLUMNS
from catalog.atlas.private_values import COLUMNS as PRIVATE
from catalog.atlas.private_values import all_private_values, private_values
from catalog.atlas.storage import INSTALL, AtlasFile, default_path, five_points, there
from lsclasses.errors import InvalidInput, LsclassesError

if TYPE_CHECKING:
    import duckdb
    import pyarrow

SETTINGS = {
    "enable_external_access": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "python_enable_replacements": False,
    "temp_directory": "",
    "memory_limit": "2GB",
}


FLIPPED = "permutations"
"""Name of the table of the classes up to permutations only.

The table is created only if a question contains its name.
"""

PRIVATE_TABLE = "private"
"""Name of the table of the values of private learners, which is created as `FLIPPED` is."""


class QueryResult(NamedTuple):
    """The answer to a question in SQL.

    Attributes
    ----------
    columns : tuple of str
        Names of the columns.
    rows : list of tuple
        Rows of the answer, with one entry for each column.
    points : int
        Largest number of points of the queried classes, 4 if the file of the classes on five points
        is missing.
    """

    columns: tuple[str, ...]
    rows: list[tuple[object, ...]]
    points: int


def sql(question: str) -> QueryResult:
    """Answer a question in SQL about the tables ``atlas``, ``permutations`` and ``private``.

    Parameters
    ----------
    question : str
        One statement that selects, in the dialect of DuckDB.

    Raises
    ------
    InvalidInput
        If the question is not one statement that selects, or DuckDB rejects or stops it. The
        message states the reason.
    LsclassesError
        If a package is missing.

    Examples
    --------
    >>> found = sql("select points, count(*) from atlas where points < 5 group by 1 order by 1")
    >>> found.rows
    [(1, 2), (2, 5), (3, 21), (4, 401)]

    The largest error of the best private learner from two rows at epsilon 1, on three points:

    >>> sql("select round(max(V2_upper), 4) from atlas where points = 3").rows
    [(0.3691,)]

    The most mistakes in four rounds of apple tasting, which flips change:

    >>> sql("select max(apple_tasting_mistakes[5]) from permutations where points = 4").rows
    [(4,)]
    """
    file = five_points(default_path()) if there() else None
    duckdb = _engine(scans_arrow=file is not None)
    with duckdb.connect(":memory:", config=SETTINGS) as base:
        try:
            statement = _single(base, question)
            _put_small(base)
            if PRIVATE_TABLE in question.lower():
                _put_private(base)
            if FLIPPED in question.lower():
                _put_flipped(base)
            base.execute("CREATE VIEW atlas AS FROM small")
            base.execute("SET lock_configuration = true")
            if file is not None:
                _add_large(base, file, statement.query)
            found = base.execute(statement)
            columns = tuple(str(each[0]) for each in found.description or ())
            return QueryResult(
                columns, found.fetchall(), POINTS[-1] if file is None else MOST_POINTS
            )
        except duckdb.Error as error:
            raise InvalidInput(f"DuckDB does not answer this: {_reason(error)}") from None


def _engine(*, scans_arrow: bool) -> Any:
    """Return DuckDB, or only its engine if that suffices, which imports in a third of the time."""
    if not scans_arrow:
        with suppress(ImportError):
            import _duckdb

            return _duckdb
    try:
        import duckdb
    except ImportError:
        raise LsclassesError(INSTALL) from None
    return duckdb


def _single(base: duckdb.DuckDBPyConnection, question: str) -> duckdb.Statement:
    """Return the one statement of a question, which must select."""
    statements = base.extract_statements(question)
    if len(statements) != 1 or statements[0].type.name != "SELECT":
        kinds = ", ".join(each.type.name for each in statements) or "none"
        raise InvalidInput(
            "A question is one statement that selects, such as 'select max(ldim) from atlas'. "
            f"Got: {kinds}."
        )
    return statements[0]


def _reason(error: Exception) -> str:
    """Return the error message of DuckDB, on one line without its marks below the question."""
    said = " ".join(str(error).replace("^", "").split())[:500]
    if "Table with name" in said:
        return f"{said} The tables are atlas, {FLIPPED} and {PRIVATE_TABLE}."
    for name in re.findall(r'Referenced column "(\w+)"', said):
        if name.lower() in COLUMNS and COLUMNS[name.lower()].flips_change:
            return f"{said} Flips change {name}. Select it from the table {FLIPPED}."
    return said


def _put_small(base: duckdb.DuckDBPyConnection) -> None:
    """Make the table of the classes on at most four points.

    The columns are parameters of one statement, because an array of pyarrow would import pandas.
    """
    columns, values = _small()
    base.execute(f"CREATE TABLE small AS SELECT {', '.join(columns)}", values)


@cache
def _small() -> tuple[list[str], list[list[Any]]]:
    """Return the columns of the small classes and their values, which questions share."""
    known = [table(points) for points in POINTS]
    columns, values = _columns(known)
    private = [private_values(T.points, mask) for T in known for mask in T["mask"].tolist()]
    for column in PRIVATE:
        found = [each.get(column) for each in private]
        for bound in ("lower", "upper"):
            columns.append(f"unnest(?::DOUBLE[]) AS {column.name}_{bound}")
            values.append([None if each is None else float(getattr(each, bound)) for each in found])
    return columns, values


def _put_flipped(base: duckdb.DuckDBPyConnection) -> None:
    """Make the table of the classes on at most four points up to permutations only."""
    columns, values = _columns([table(points, flips=False) for points in POINTS])
    base.execute(f"CREATE TABLE {FLIPPED} AS SELECT {', '.join(columns)}", values)


def _columns(known: list[AtlasTable]) -> tuple[list[str], list[list[Any]]]:
    """Return the columns of a statement that selects tables, and their values as parameters."""
    columns, values = [], []
    for name in dict.fromkeys(name for T in known for name in T.names):
        columns.append(f"unnest(?::{_kind(name)}[]) AS {name}")
        values.append([x for T in known for x in _entries(T, name)])
    return columns, values


def _put_private(base: duckdb.DuckDBPyConnection) -> None:
    """Make the table of the values of private learners, with a row for each value."""
    columns, values = _private()
    base.execute(f"CREATE TABLE {PRIVATE_TABLE} AS SELECT {', '.join(columns)}", values)


@cache
def _private() -> tuple[list[str], list[list[Any]]]:
    """Return the columns of the values of private learners, which questions share."""
    rows = [
        (points, mask, column.quantity, column.size, float(column.epsilon), value)
        for points, mask, values in all_private_values()
        for column, value in values.items()
    ]
    kinds = {"points": "BIGINT", "mask": "BIGINT", "quantity": "VARCHAR", "size": "BIGINT"}
    kinds |= dict.fromkeys(("epsilon", "lower", "upper"), "DOUBLE")
    values: list[list[Any]] = [list(column) for column in zip(*rows, strict=True)] or [[]] * 6
    brackets = values.pop()
    values += [[float(each.lower) for each in brackets], [float(each.upper) for each in brackets]]
    return [f"unnest(?::{kind}[]) AS {name}" for name, kind in kinds.items()], values


def _entries(T: AtlasTable, name: str) -> list[Any]:
    return T[name].tolist() if name in T.names else [None] * len(T)


def _add_large(base: duckdb.DuckDBPyConnection, file: AtlasFile, question: str) -> None:
    """Add the classes of the file to the view, with the columns that a question reads.

    The query plan, computed while the file has no rows yet, lists these columns. The other columns
    refuse to be read, so that no question is answered without their numbers. DuckDB would read the
    columns of a dataset of pyarrow by itself, but it imports pandas, which takes longer than most
    questions.
    """
    _register(base, file, file.empty())
    try:
        plans = base.execute(f"EXPLAIN (FORMAT json) {question}").fetchall()
    except _engine(scans_arrow=True).Error:
        # In most cases the question has an error, which is raised with the message of DuckDB.
        base.execute(question)
        words = set(file.names)
    else:
        words = set(re.findall(r"\w+", " ".join(plan for _, plan in plans)))
    read = [name for name in file.names if name in words]
    _register(base, file, file.read(read or ["mask"]))


def _register(base: duckdb.DuckDBPyConnection, file: AtlasFile, known: pyarrow.Table) -> None:
    """Create the view of the small classes and the classes of the file with the given columns."""
    base.register("large", known)
    chosen = [f"{file.points}::BIGINT AS points"]
    for name in file.names:
        source = name if name in known.column_names else f"error('{name} was not read')"
        chosen.append(f"{source}::{_kind(name)} AS {name}")
    base.execute(
        "CREATE OR REPLACE VIEW atlas AS FROM small "
        f"UNION ALL BY NAME SELECT {', '.join(chosen)} FROM large"
    )


def _kind(name: str) -> str:
    """Return the type of a column in DuckDB."""
    column = COLUMNS.get(name)
    if column is not None and column.sequence:
        return "BIGINT[]"
    return "BIGINT" if column is None or column.denominator is None else "DOUBLE"
