"""Figures drawn with matplotlib: their style, and their files.

All figures are `WIDTH` inches wide, which is what makes their letters legible: text has 10 points
or more, so that it still has 9 points on a page that shows the figure 600 pixels wide. Colours are
those of `COLORS`. The ground is white and opaque, so that pages may be dark. Legends stand below
the axes and never cover data.

matplotlib is an extra: ``pip install 'lsclasses[plots]'``. Nothing here touches the state of
``matplotlib.pyplot``.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsclasses.errors import InvalidInput
from lsclasses.files.writing import atomic_write
from lsclasses.outputs import FileFormat

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INSTALL = "Plots need matplotlib: pip install 'lsclasses[plots]'."

METADATA: dict[str, dict[str, str | None]] = {
    "svg": {"Creator": "lsclasses", "Date": None},
    "pdf": {"Creator": "lsclasses", "CreationDate": None},
    "png": {"Software": "lsclasses"},
}
"""The metadata of a figure in each format: its maker, and no date, so that files are repeated."""

FIGURE = FileFormat(
    "a figure",
    {
        ".svg": rb"<\?xml.{,2000}<dc:creator>\s*<cc:Agent>\s*<dc:title>lsclasses</dc:title>",
        ".pdf": rb"%PDF-.*/Creator \(lsclasses\)",
        ".png": rb"\x89PNG\r\n\x1a\n.{,200}tEXtSoftware\x00lsclasses",
    },
)
"""The kinds of files that `save` writes."""


WIDTH = 6.8
"""The width of every figure in inches; see the module."""

COLORS = {
    "blue": "#0072b2",
    "vermilion": "#d55e00",
    "green": "#009e73",
    "purple": "#cc79a7",
    "orange": "#e69f00",
    "sky": "#56b4e9",
    "black": "#000000",
}
"""Colours that can be told apart whatever colours one sees (the palette of Okabe and Ito).

Their yellow is left out: a line of it cannot be seen on white.
"""

REFERENCE = "#6e6e6e"
"""The colour of lines that nothing was measured for, such as a trivial bound."""

LETTER, HANDLE = 6.0, 50.0
"""How wide a letter of a legend is, and what stands beside the text of an entry, in points."""


def figure(
    panels: int, height: float, *, rows: int = 1, one_scale: bool = False
) -> tuple[Figure, list[Axes]]:
    """An empty figure with panels side by side, unknown to ``matplotlib.pyplot``.

    Parameters
    ----------
    panels : int
        A multiple of the number of rows.
    height : float
        In inches, of the whole figure. The width is `WIDTH`.
    rows : int
        The number of rows, one below the other.
    one_scale : bool
        Whether the panels of a row have the same scale upwards, written beside the first only.

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

    drawn = Figure(figsize=(WIDTH, height), layout="constrained")
    shared: dict[str, Any] = {"sharey": "row"} if one_scale else {}
    axes = list(drawn.subplots(rows, panels // rows, squeeze=False, **shared).flat)
    for ax in axes:
        ax.set_prop_cycle(color=list(COLORS.values()))
        ax.spines[["top", "right"]].set_visible(False)
        ax.grid(color="0.92", linewidth=0.8)
        ax.set_axisbelow(True)
    return drawn, axes


def legend(ax: Axes) -> None:
    """The legend of one panel, below its axes.

    On axes of somebody else's figure, whose layout may have no room below, matplotlib chooses the
    place.
    """
    from matplotlib.transforms import ScaledTranslation

    drawn: Any = ax.figure
    if drawn.get_layout_engine() is None:
        ax.legend()
        return
    below = ScaledTranslation(0, -0.5, drawn.dpi_scale_trans)
    ax.legend(
        loc="upper center",
        bbox_to_anchor=(0.5, 0),
        bbox_transform=ax.transAxes + below,
        borderaxespad=0,
        frameon=False,
    )


def common_legend(drawn: Figure, axes: Sequence[Axes], *, columns: int = 0) -> None:
    """One legend for all panels, at the bottom of the figure; each label is named once.

    Parameters
    ----------
    drawn : Figure
    axes : sequence of Axes
    columns : int
        How many entries stand side by side; as many as there is room for unless given.
    """
    entries = {
        label: handle
        for ax in axes
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)
    }
    longest = max(len(line) for label in entries for line in label.splitlines())
    room = int(72 * WIDTH / (LETTER * longest + HANDLE))
    drawn.legend(
        list(entries.values()),
        list(entries),
        loc="outside lower center",
        ncols=columns or max(1, min(room, len(entries))),
        frameon=False,
    )


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
