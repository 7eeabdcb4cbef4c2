"""Files with two distributions, for ``lsclasses audit --distributions``."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from learners.audit.given_distributions import DistributionAudit, of_distributions
from lsclasses.errors import InvalidInput
from lsclasses.files.documents import read_json
from lsclasses.files.sources import PathLike
from lsclasses.numbers import as_printed

KEYS = ("P", "Q", "outcomes", "counts", "error", "confidence")
"""The keys of a file."""


def load_distributions(path: PathLike, *, seed: int = 0) -> DistributionAudit:
    """Return the privacy loss of the two distributions in a JSON file.

    The file contains an object with the following keys:

    * ``P`` and ``Q``: two objects that map outcomes to numbers, or two lists of numbers. Strings
      and integers are exact fractions. Numbers with a decimal point or an exponent are floats. If
      one number is a float, all numbers are rounded to floats.
    * ``outcomes`` (optional): names of the entries of the lists.
    * ``counts`` (optional): true if the numbers are counts of draws.
    * ``error`` (optional): the relative error of floats, only without counts.
    * ``confidence`` (optional): the confidence of bounds from counts, only with counts.

    Parameters
    ----------
    path : path
        The file.
    seed : int
        Seed that divides counts into two halves.

    Raises
    ------
    InvalidInput
        If the file cannot be read, has other keys, or contains no two distributions.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "pair.json"
    >>> _ = path.write_text('{"P": {"yes": "3/4", "no": "1/4"}, "Q": {"yes": "1/4", "no": "3/4"}}')
    >>> load_distributions(path).ratio()
    Fraction(3, 1)
    """
    data = read_json(path, real=_float)
    if not isinstance(data, dict) or not {"P", "Q"} <= data.keys() <= set(KEYS):
        given = sorted(data) if isinstance(data, dict) else type(data).__name__
        raise InvalidInput(
            f"{path}: a file of distributions is a JSON object with the keys P and Q, and "
            f"optionally {', '.join(KEYS[2:-1])} and {KEYS[-1]}. Got {given!r:.80}."
        )
    P, Q = (_numbers(data[name], name, path) for name in ("P", "Q"))
    if (names := data.get("outcomes")) is not None:
        P, Q = (_named(names, values, path) for values in (P, Q))
    counts, error = data.get("counts", False), data.get("error")
    if not isinstance(counts, bool):
        raise InvalidInput(f"{path}: counts must be true or false. Got {counts!r:.80}.")
    confidence = data.get("confidence")
    try:
        return of_distributions(
            P,
            Q,
            counts=counts,
            error=None if error is None else as_printed(error, "error"),
            confidence=None if confidence is None else as_printed(confidence, "confidence"),
            rng=seed,
        )
    except InvalidInput as problem:
        raise InvalidInput(f"{path}: {problem}") from None


def _float(text: str) -> float:
    """Return a number of a file as a float, which must be 0 only if the number is 0."""
    value = float(text)
    if not value and re.search("[1-9]", re.split("[eE]", text)[0]):
        raise InvalidInput(
            f"the number {text:.40} is too small for a float. Write all probabilities as strings, "
            "which are exact."
        )
    return value


def _numbers(values: Any, name: str, path: PathLike) -> Any:
    entries = values.values() if isinstance(values, dict) else values
    if not isinstance(values, (dict, list)) or not all(
        type(each) in (int, float, str, Fraction) for each in entries
    ):
        raise InvalidInput(
            f"{path}: {name} must be an object that maps outcomes to numbers, or a list of numbers."
        )
    return values


def _named(names: Any, values: Any, path: PathLike) -> dict[str, Any]:
    if not isinstance(names, list) or not isinstance(values, list) or len(names) != len(values):
        raise InvalidInput(
            f"{path}: outcomes must be a list with one name for each entry of the lists P and Q."
        )
    labels = [each if isinstance(each, str) else repr(each) for each in names]
    if len(set(labels)) != len(labels):
        raise InvalidInput(f"{path}: the names of the outcomes must be different.")
    return dict(zip(labels, values, strict=True))
