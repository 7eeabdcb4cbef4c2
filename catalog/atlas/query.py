"""Questions in SQL about all classes of the atlas, answered by DuckDB.

The classes up to permutations and flips are the rows of one table, ``atlas``: those on at most four
points, and those on five if their file is there. Its columns are those of `AtlasTable`; fractions
are floating-point numbers, sequences are lists.

**A question cannot write.** One statement is taken, and only one that selects; the database is in
memory, may not reach files or the network, spills nothing to disk, sees no variables of Python,
and its settings are locked, before the question is parsed.

Needs duckdb and pyarrow: ``pip install 'lsclasses[atlas]'``.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from catalog.atlas import MOST_POINTS, POINTS, table
from catalog.atlas.atlas_table import AtlasTable
from catalog.atlas.columns import COLUMNS
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


class QueryResult(NamedTuple):
    """The answer to a question.

    Attributes
    ----------
    columns : tuple of str
    rows : list of tuple
    points : int
        The largest number of points of the classes asked: 4 if there is no file of those on 5.
    """

    columns: tuple[str, ...]
    rows: list[tuple[object, ...]]
    points: int


def sql(question: str) -> QueryResult:
    """Answer a question in SQL about the table ``atlas``.

    Parameters
    ----------
    question : str
        One statement that selects, in the dialect of DuckDB.

    Raises
    ------
    InvalidInput
        If it is none, or DuckDB does not understand it or stops; the message says why.
    LsclassesError
        If a package is missing.

    Examples
    --------
    >>> found = sql("select points, count(*) from atlas where points < 5 group by 1 order by 1")
    >>> found.rows
    [(1, 2), (2, 5), (3, 21), (4, 401)]
    """
    file = five_points(default_path()) if there() else None
    duckdb = _engine(scans_arrow=file is not None)
    with duckdb.connect(":memory:", config=SETTINGS) as base:
        _put_small(base)
        base.execute("CREATE VIEW atlas AS FROM small")
        base.execute("SET lock_configuration = true")
        try:
            statement = _single(base, question)
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
    """DuckDB; its engine alone, which is imported in a third of the time, if that will do."""
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
    """The one statement of a question, which must select."""
    statements = base.extract_statements(question)
    if len(statements) != 1 or statements[0].type.name != "SELECT":
        kinds = ", ".join(each.type.name for each in statements) or "none"
        raise InvalidInput(
            "A question is one statement that selects, such as 'select max(ldim) from atlas'. "
            f"Got: {kinds}."
        )
    return statements[0]


def _reason(error: Exception) -> str:
    """The error message of DuckDB, on one line without its marks below the question."""
    said = " ".join(str(error).replace("^", "").split())[:500]
    return said + " There is one table, atlas." * ("Table with name" in said)


def _put_small(base: duckdb.DuckDBPyConnection) -> None:
    """Make the table of the classes on at most four points.

    Its columns are parameters of one statement: an array of pyarrow would import pandas.
    """
    known = [table(points) for points in POINTS]
    columns, values = [], []
    for name in dict.fromkeys(name for T in known for name in T.names):
        columns.append(f"unnest(?::{_kind(name)}[]) AS {name}")
        values.append([x for T in known for x in _entries(T, name)])
    base.execute(f"CREATE TABLE small AS SELECT {', '.join(columns)}", values)


def _entries(T: AtlasTable, name: str) -> list[Any]:
    return T[name].tolist() if name in T.names else [None] * len(T)


def _add_large(base: duckdb.DuckDBPyConnection, file: AtlasFile, question: str) -> None:
    """Add the classes of the file to the view, with the columns that a question reads.

    The plan of the question, while the file has no rows yet, names them; the others refuse to be
    read, so that none is answered from without its numbers. Of a dataset of pyarrow DuckDB would
    read these columns by itself, but it imports pandas, which takes longer than most questions.
    """
    _register(base, file, file.empty())
    try:
        plans = base.execute(f"EXPLAIN (FORMAT json) {question}").fetchall()
    except _engine(scans_arrow=True).Error:
        # Mostly it is the question's error, which is raised here in its own words.
        base.execute(question)
        words = set(file.names)
    else:
        words = set(re.findall(r"\w+", " ".join(plan for _, plan in plans)))
    read = [name for name in file.names if name in words]
    _register(base, file, file.read(read or ["mask"]))


def _register(base: duckdb.DuckDBPyConnection, file: AtlasFile, known: pyarrow.Table) -> None:
    """Make the view of the small classes and of those of the file, of which columns are known."""
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
    """The type of a column in DuckDB."""
    if name not in COLUMNS:
        return "BIGINT"
    if COLUMNS[name].sequence:
        return "BIGINT[]"
    return "BIGINT" if COLUMNS[name].denominator is None else "DOUBLE"
