"""Figures drawn with matplotlib, with their style and their files.

All figures share one style sheet. Every figure is `WIDTH` inches wide and its text has 9 points or
more. The text therefore stays readable in a column of 400 pixels. Each curve has a style of
`SERIES`: its colour, its marker and its dashes all differ from the other styles, so that a reader
can distinguish curves without colour. The background is white and opaque with a margin, so that a
figure is readable on a dark page. Legends are below the axes or in an empty panel and never cover
data.

matplotlib is an extra: ``pip install 'lsclasses[plots]'``. This module never changes the state of
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
"""The metadata of a figure in each format.

They name the program but contain no date, so equal figures have equal files.
"""

FIGURE = FileFormat(
    "a figure",
    {
        ".svg": rb"<\?xml.{,2000}<dc:creator>\s*<cc:Agent>\s*<dc:title>lsclasses</dc:title>",
        ".pdf": rb"%PDF-.*/Creator \(lsclasses\)",
        ".png": rb"\x89PNG\r\n\x1a\n.{,200}tEXtSoftware\x00lsclasses",
    },
)
"""The formats of the files that `save` writes."""


WIDTH = 5.2
"""Width of every figure in inches."""

MARGIN = 0.08
"""Margin around the panels of a figure, in inches."""

COLORS = {
    "blue": "#0072b2",
    "vermilion": "#d55e00",
    "green": "#009e73",
    "purple": "#cc79a7",
    "orange": "#e69f00",
    "sky": "#56b4e9",
    "black": "#000000",
    "wine": "#882255",
}
"""Colours that readers with any colour vision can distinguish: the palette of Okabe and Ito.

A dark red of Tol replaces the yellow of the palette, because a yellow line is invisible on white.
"""

REFERENCE = "#6e6e6e"
"""Colour of lines without measurements, such as a trivial bound."""

Dashes = str | tuple[int, tuple[float, ...]]

SERIES: dict[str, tuple[str, Dashes]] = {
    "blue": ("o", "-"),
    "vermilion": ("s", "--"),
    "green": ("^", "-."),
    "purple": ("D", (0, (1, 1))),
    "orange": ("v", (0, (6, 2, 1, 2, 1, 2))),
    "sky": ("X", (0, (8, 2))),
    "black": ("P", (0, (3, 1))),
    "wine": ("*", (0, (4, 1, 1, 1, 1, 1))),
}
"""Marker and dashes of the curves with each colour of `COLORS`."""

LEGEND_SIZE, HANDLE_LENGTH = 9, 2.8
"""Size of the text of a legend in points, and length of its lines in units of this size."""

LETTER, HANDLE = 5.7, 42.0
"""Width of a letter of a legend, and width of the line sample of an entry, in points."""


def figure(
    panels: int,
    height: float,
    *,
    rows: int = 1,
    one_scale: bool = False,
    shares: Sequence[float] | None = None,
) -> tuple[Figure, list[Axes]]:
    """Return an empty figure with panels side by side. ``matplotlib.pyplot`` does not manage it.

    Parameters
    ----------
    panels : int
        Number of panels, a multiple of the number of rows.
    height : float
        Height of the whole figure in inches. The width is `WIDTH`.
    rows : int
        Number of rows, one below the other.
    one_scale : bool
        Whether the panels of a row share one vertical scale, which only the first panel shows.
    shares : sequence of float, optional
        Relative heights of the rows. All rows are equally high by default.

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
    drawn.get_layout_engine().set(w_pad=MARGIN, h_pad=MARGIN)  # type: ignore[union-attr, call-arg]
    shared: dict[str, Any] = {"sharey": "row"} if one_scale else {}
    shared["height_ratios"] = shares
    axes = list(drawn.subplots(rows, panels // rows, squeeze=False, **shared).flat)
    for ax in axes:
        ax.set_prop_cycle(color=list(COLORS.values()))
        ax.spines[["top", "right"]].set_visible(False)
        ax.grid(color="0.92", linewidth=0.8)
        ax.set_axisbelow(True)
    return drawn, axes


def series_style(color: str, **changes: Any) -> dict[str, Any]:
    """Return the arguments of ``Axes.plot`` that draw a curve in one style of `SERIES`.

    Parameters
    ----------
    color : str
        Name or value of a colour of `COLORS`.
    **changes
        Arguments that replace the arguments of the style, such as ``linestyle="-"``.

    Examples
    --------
    >>> series_style("blue", linestyle="")
    {'color': '#0072b2', 'marker': 'o', 'linestyle': '', 'markersize': 5}
    """
    named = {value: name for name, value in COLORS.items()}
    name = named.get(color, color)
    marker, dashes = SERIES[name]
    style = {"color": COLORS[name], "marker": marker, "linestyle": dashes, "markersize": 5}
    return style | changes


def legend(ax: Axes) -> None:
    """Draw the legend of one panel, below its axes.

    In a figure that this module did not make, the layout may have no room below the axes. Then
    matplotlib chooses the place.
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
        fontsize=LEGEND_SIZE,
        handlelength=HANDLE_LENGTH,
    )


def common_legend(
    drawn: Figure, axes: Sequence[Axes], *, columns: int = 0, panel: Axes | None = None
) -> None:
    """Draw one legend for all panels, which contains each label once.

    Parameters
    ----------
    drawn : Figure
    axes : sequence of Axes
    columns : int
        Number of entries side by side. The default, 0, is the largest number that fits.
    panel : matplotlib Axes, optional
        Empty panel for the legend. The default is the bottom of the figure.
    """
    entries = {
        label: handle
        for ax in axes
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)
    }
    handles, labels = list(entries.values()), list(entries)
    form: dict[str, Any] = {
        "frameon": False,
        "fontsize": LEGEND_SIZE,
        "handlelength": HANDLE_LENGTH,
    }
    if panel is not None:
        panel.set_axis_off()
        panel.legend(handles, labels, loc="center", **form)
        return
    longest = max(len(line) for label in entries for line in label.splitlines())
    room = int(72 * WIDTH / (LETTER * longest + HANDLE))
    form["ncols"] = columns or max(1, min(room, len(entries)))
    drawn.legend(handles, labels, loc="outside lower center", **form)


def figure_format(path: str | Path) -> str:
    """Return ``"svg"``, ``"pdf"`` or ``"png"``, according to the suffix of the file.

    Raises
    ------
    InvalidInput
        If the file has another suffix, or matplotlib is missing.
    """
    if find_spec("matplotlib") is None:
        raise InvalidInput(INSTALL)
    suffix = Path(path).suffix.lower().removeprefix(".")
    if suffix not in METADATA:
        raise InvalidInput(f"A figure is written as .svg, .pdf or .png. Got {str(path)!r}.")
    return suffix


def save(drawn: Figure | Axes, path: str | Path) -> None:
    """Write a figure to a file atomically. Equal figures give equal bytes.

    Parameters
    ----------
    drawn : matplotlib Figure or Axes
    path : path
        Path with a suffix for the format: ``.svg``, ``.pdf`` or ``.png``.

    Raises
    ------
    InvalidInput
        If the format is unknown, or the file cannot be written.
    """
    suffix = figure_format(path)
    import matplotlib

    whole: Any = drawn if hasattr(drawn, "savefig") else drawn.figure
    buffer = io.BytesIO()
    # Without a salt, the identifiers in an SVG file are drawn at random.
    with matplotlib.rc_context({"svg.hashsalt": "lsclasses", "svg.fonttype": "none"}):
        whole.savefig(buffer, format=suffix, metadata=METADATA[suffix])
    atomic_write(path, buffer.getvalue())
