"""Documents of JSON: read from files, and compared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from lsclasses.compressed import expanded
from lsclasses.files.sources import PathLike, reading
from lsclasses.json_text import parsed_json


def read_json(path: PathLike) -> Any:
    """The content of a JSON file, which may be compressed by gzip.

    Raises
    ------
    InvalidInput
        If it cannot be read or is not JSON.
    """
    source = Path(path)
    with reading(source):
        return parsed_json(expanded(source.read_bytes()))


def same_json(one: Any, other: Any) -> bool:
    """Whether two documents of JSON are written alike but for blanks and the order of entries.

    Python takes ``true`` for 1 and ``2.0`` for 2; who reads the text does not.

    Examples
    --------
    >>> same_json({"a": 1, "b": [2]}, {"b": [2], "a": 1}), same_json([1], [True])
    (True, False)
    """
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
