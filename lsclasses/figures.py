"""Figures drawn with matplotlib, and their files.

matplotlib is an extra: ``pip install 'lsclasses[plots]'``. Nothing here touches the state of
``matplotlib.pyplot``.
"""

from __future__ import annotations

import io
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsclasses.errors import InvalidInput
from lsclasses.files.writing import atomic_write
from lsclasses.outputs import Kind

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INSTALL = "Plots need matplotlib: pip install 'lsclasses[plots]'."

METADATA: dict[str, dict[str, str | None]] = {
    "svg": {"Creator": "lsclasses", "Date": None},
    "pdf": {"Creator": "lsclasses", "CreationDate": None},
    "png": {"Software": "lsclasses"},
}
"""What is said of a figure in each format: who made it, and no date, so that files are repeated."""

FIGURE = Kind(
    "a figure",
    {
        ".svg": rb"<\?xml.{,2000}<dc:creator>\s*<cc:Agent>\s*<dc:title>lsclasses</dc:title>",
        ".pdf": rb"%PDF-.*/Creator \(lsclasses\)",
        ".png": rb"\x89PNG\r\n\x1a\n.{,200}tEXtSoftware\x00lsclasses",
    },
)
"""What `save` writes."""


def figure(panels: int, size: tuple[float, float], *, rows: int = 1) -> tuple[Figure, list[Axes]]:
    """An empty figure with panels side by side, unknown to ``matplotlib.pyplot``.

    Parameters
    ----------
    panels : int
        A multiple of the number of rows.
    size : pair of float
        Width and height in inches.
    rows : int
        In so many rows, one below the other.

    Returns
    -------
    Figure, list of Axes

    Raises
    ------
    InvalidInput
        If matplotlib is missing.
    """
    if find_spec("matplotlib") is None:
        raise InvalidInput(INSTALL)
    from matplotlib.figure import Figure

    drawn = Figure(figsize=size, layout="constrained")
    return drawn, list(drawn.subplots(rows, panels // rows, squeeze=False).flat)


def figure_format(path: str | Path) -> str:
    """``"svg"``, ``"pdf"`` or ``"png"``, as the suffix of the file tells.

    Raises
    ------
    InvalidInput
        If the suffix is another one, or matplotlib is missing.
    """
    if find_spec("matplotlib") is None:
        raise InvalidInput(INSTALL)
    suffix = Path(path).suffix.lower().removeprefix(".")
    if suffix not in METADATA:
        raise InvalidInput(f"A figure is written as .svg, .pdf or .png. Got {str(path)!r}.")
    return suffix


def save(drawn: Figure | Axes, path: str | Path) -> None:
    """Write a figure to a file, all of it or nothing; the same figure gives the same bytes.

    Parameters
    ----------
    drawn : matplotlib Figure or Axes
    path : path
        Its suffix tells the format: ``.svg``, ``.pdf`` or ``.png``.

    Raises
    ------
    InvalidInput
        If the format is another one, or the file cannot be written.
    """
    suffix = figure_format(path)
    import matplotlib

    whole: Any = drawn if hasattr(drawn, "savefig") else drawn.figure
    buffer = io.BytesIO()
    # Without a salt, the identifiers in an SVG file are drawn at random.
    with matplotlib.rc_context({"svg.hashsalt": "lsclasses", "svg.fonttype": "none"}):
        whole.savefig(buffer, format=suffix, metadata=METADATA[suffix])
    atomic_write(path, buffer.getvalue())
