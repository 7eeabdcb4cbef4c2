"""The rows of finished checks in a file, from which a stopped run can resume."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from catalog.fact_checks import Check, Row
from lsclasses.files.sources import PathLike
from lsclasses.results_file import ResultsFile
from lsclasses.verdicts import Verdict

TEXTS = (
    *("parameters", "stated", "computed", "printed"),
    *("refutes", "margin", "attained", "epsilon", "delta"),
)
"""Fields of a row that are written unchanged."""
FOLLOWING = ("quantity", "printed_in")
"""Parts of a row that follow from the claim, for readers of the file."""


class Results:
    """A file of results, which keeps finished results and appends new results.

    Parameters
    ----------
    path, sources
        Arguments of `ResultsFile`, which raises the errors about the file.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from catalog.fact_checks import checks
    >>> (check,) = checks(["warmuth"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     results = Results(Path(folder) / "results.jsonl", sources="abc")
    ...     results.add(check, check.rows())
    ...     known = Results(Path(folder) / "results.jsonl", sources="abc").rows(check)
    >>> [row.computed for row in known] == [row.computed for row in check.rows()]
    True
    """

    def __init__(self, path: PathLike, sources: str) -> None:
        self._kept = ResultsFile(path, sources, "verify")

    def rows(self, check: Check) -> list[Row] | None:
        """Return the rows of a check, if it is in the file.

        Raises
        ------
        InvalidInput
            If the rows cannot be read.
        """
        known = self._kept.get(check.name)
        if known is None:
            return None
        try:
            return [_row(check, data) for data in known]
        except (LookupError, TypeError, ValueError):
            raise self._kept.damaged(f"the rows of {check.name!r}") from None

    def add(self, check: Check, rows: Sequence[Row]) -> None:
        """Append the rows of a finished check.

        Raises
        ------
        InvalidInput
            If the file can no longer be written.
        """
        claims = list(check.claims)
        data = [
            {
                **{name: value for name in (*TEXTS, *FOLLOWING) if (value := getattr(row, name))},
                "verdict": row.verdict,
                "seconds": round(row.seconds, 6),
                "claim": claims.index(row.fact),
            }
            for row in rows
        ]
        self._kept.add(check.name, data)


def _row(check: Check, data: dict[str, Any]) -> Row:
    index = data["claim"]
    if index not in range(len(check.claims)):
        raise ValueError
    texts = {name: data.get(name, "") for name in TEXTS}
    if not all(isinstance(value, str) for value in texts.values()):
        raise TypeError
    return Row(
        family=check.topic,
        verdict=Verdict(data["verdict"]),
        seconds=float(data["seconds"]),
        fact=check.claims[index],
        **texts,
    )
