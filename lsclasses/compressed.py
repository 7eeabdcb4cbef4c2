"""Files compressed by gzip: written the same each time, and read up to a limit.

What a file holds is named in its header, by which what this program wrote is told from files of
users before it is replaced.
"""

from __future__ import annotations

import io
import re
import zlib

from lsclasses.errors import InvalidInput

MAGIC = b"\x1f\x8b"
EXPANDED_LIMIT = 1 << 30
"""How many bytes a compressed file may hold."""


def compressed(content: bytes, name: str) -> bytes:
    """Compress the content of a file; the header names its kind.

    Examples
    --------
    >>> expanded(compressed(b"{}", "empty.json"))
    b'{}'
    """
    import gzip

    buffer = io.BytesIO()
    with gzip.GzipFile(name, "wb", fileobj=buffer, mtime=0) as file:
        file.write(content)
    return buffer.getvalue()


def compressed_head(names: str) -> bytes:
    """The mark of a compressed file whose header has one of some names, a regular expression."""
    return re.escape(MAGIC) + rb"\x08\x08.{6}(?:" + names.encode() + rb")\x00"


def expanded(data: bytes) -> bytes:
    """The content of a file, decompressed if it is compressed.

    Raises
    ------
    InvalidInput
        If it is damaged, or holds more than `EXPANDED_LIMIT` bytes.
    """
    if not data.startswith(MAGIC):
        return data
    reader = zlib.decompressobj(wbits=zlib.MAX_WBITS + 16)
    try:
        content = reader.decompress(data, EXPANDED_LIMIT + 1)
    except zlib.error:
        raise InvalidInput("it is a compressed file that is damaged.") from None
    if len(content) > EXPANDED_LIMIT:
        raise InvalidInput(
            f"it is a compressed file of more than {EXPANDED_LIMIT} bytes, which is the limit."
        )
    if not reader.eof or reader.unused_data:
        found = "goes on behind its end" if reader.eof else "is not complete"
        raise InvalidInput(f"it is a compressed file that {found}.")
    return content
