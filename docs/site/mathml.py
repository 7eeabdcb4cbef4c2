"""Formulas as MathML, which browsers draw without further files and scripts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util import logging

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata
    from sphinx.writers.html5 import HTML5Translator

LOGGER = logging.getLogger(__name__)

MACROS = {r"\\lvert|\\rvert": "|", r"\\lVert|\\rVert": r"\\Vert"}
"""Commands that the converter does not support, as regular expressions, and equivalents."""


def mathml(latex: str, *, display: bool = False) -> str:
    """Return a formula in LaTeX as MathML.

    Raises
    ------
    ValueError
        If a command in it is unknown.
    """
    from latex2mathml.converter import convert

    for command, same in MACROS.items():
        latex = re.sub(rf"(?:{command})(?![a-zA-Z])", same, latex)
    found: str = convert(latex, display="block" if display else "inline")
    if unknown := re.search(r"<m[io]>(\\[^<]+)</m[io]>", found):
        raise ValueError(f"The command {unknown[1]} is unknown.")
    return found


def _written(visitor: HTML5Translator, node: nodes.Element, *, display: bool) -> None:
    try:
        formula = mathml(node.astext(), display=display)
    except Exception as error:  # every error of the converter is about this formula
        LOGGER.warning("No MathML of %r: %s", node.astext(), error, location=node)
        formula = visitor.encode(node.astext())
    visitor.body.append(f'<div class="formula">{formula}</div>' if display else formula)
    raise nodes.SkipNode


def _inline(visitor: HTML5Translator, node: nodes.math) -> None:
    _written(visitor, node, display=False)


def _block(visitor: HTML5Translator, node: nodes.math_block) -> None:
    _written(visitor, node, display=True)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the renderer ``mathml``."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
