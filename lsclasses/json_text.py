"""What JSON says, read strictly: an object that has an entry twice is refused."""

from __future__ import annotations

import json
from typing import Any

from lsclasses.errors import InvalidInput


def parsed_json(text: bytes) -> Any:
    """The document in a text.

    Raises
    ------
    InvalidInput
        If it is not JSON, is nested too deeply, or an object has an entry twice.
    UnicodeDecodeError
        If it is not in UTF-8.

    Examples
    --------
    >>> parsed_json(b'{"rows": ["01"]}')
    {'rows': ['01']}
    """
    try:
        return json.loads(text, object_pairs_hook=_once)
    except RecursionError:
        raise InvalidInput("it is nested too deeply to be JSON of this library.") from None
    except json.JSONDecodeError as error:
        raise InvalidInput(
            f"it is not valid JSON, or not complete ({error.msg} in line {error.lineno})."
        ) from None
    except ValueError as error:
        if isinstance(error, (UnicodeDecodeError, InvalidInput)):
            raise
        raise InvalidInput(f"it holds a number that is too long: {error}.") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; of two entries with one name, a person may read the other one."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise InvalidInput(f'an object says "{name}" twice.')
        found[name] = value
    return found
