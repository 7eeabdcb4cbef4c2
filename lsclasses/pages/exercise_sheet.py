"""Sheets of exercises and their solutions, as HTML pages and LaTeX documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from lsclasses.concept_class import ConceptClass
from lsclasses.drawing import FOREST_STYLE, printable, tex_forests, tex_text, to_svg
from lsclasses.exercises import Block, Exercise, LabelTable, TreeFigure, class_table
from lsclasses.outputs import FileFormat, page_kind
from lsclasses.pages.class_report import table
from lsclasses.pages.document import document, text

KIND = "exercises"
TEX_MARK = "% lsclasses: exercises"
WIDEST_HEAD = 70
"""Largest total number of characters of the column names of a table that fits on a page."""

_PAGE = page_kind("a sheet of exercises", KIND)
SHEET = FileFormat(_PAGE.title, {**_PAGE.marks, ".tex": TEX_MARK.encode()})
"""Format of the files whose contents `sheet_document` returns."""


def sheet_document(
    C: ConceptClass, exercises: Sequence[Exercise], *, name: str, solutions: bool, form: str
) -> str:
    r"""Return a sheet of exercises about a class as HTML or LaTeX.

    Parameters
    ----------
    C : ConceptClass
        Class of the exercises, which the sheet prints as a table.
    exercises : sequence of Exercise
    name : str
        Name of the class in the title.
    solutions : bool
        Whether a solution follows each question.
    form : {".html", ".htm", ".tex"}
        Ending of the file's name, which determines the format.

    Examples
    --------
    >>> import catalog
    >>> from lsclasses.exercises import exercises
    >>> C = catalog.build("points:n=3")
    >>> found = exercises(C, rng=1)
    >>> page = sheet_document(C, found, name="points:n=3", solutions=False, form=".html")
    >>> page.count("<h2>"), "Solution" in page
    (5, False)
    """
    title = f"{'Solutions of exercises' if solutions else 'Exercises'} on {name}"
    write = _tex if form == ".tex" else _html
    return write(title, C, exercises, solutions)


DEFINITIONS = (
    "A set of points is shattered by C if, for every labelling of the set, some concept in C "
    "induces the labelling. The VC dimension of C is the largest size of a shattered set.",
    "A complete binary tree of points is shattered by C if, for every branch, some concept in C "
    "agrees with all labels on the branch. The Littlestone dimension (Ldim) of C is the largest "
    "depth of a shattered tree.",
)
"""Definitions at the beginning of a sheet."""


def sheet_text(exercises: Sequence[Exercise]) -> str:
    """Return the questions as a string for a terminal.

    Examples
    --------
    >>> import catalog
    >>> from lsclasses.exercises import exercises
    >>> print(sheet_text(exercises(catalog.build("points:n=3"), topics=["sets"], rng=1)))
    1. Shattered sets
    <BLANKLINE>
    Does C shatter the set {0, 2}?
    <BLANKLINE>
    Does C shatter the set {1}?
    <BLANKLINE>
    What is the VC dimension of C?
    """
    return "\n\n".join(
        "\n\n".join([f"{number}. {each.title}", *map(str, each.question)])
        for number, each in enumerate(exercises, 1)
    )


def _parts(
    exercises: Sequence[Exercise],
    solutions: bool,
    heading: Callable[[str], str],
    block: Callable[[Block], str],
    label: Callable[[str], str],
) -> Iterator[str]:
    for number, each in enumerate(exercises, 1):
        yield heading(f"{number}. {each.title}")
        yield from map(block, each.question)
        if solutions:
            yield label("Solution.")
            yield from map(block, each.solution)


def _html(title: str, C: ConceptClass, exercises: Sequence[Exercise], solutions: bool) -> str:
    parts = _parts(
        exercises,
        solutions,
        lambda heading: f"<h2>{text(heading)}</h2>",
        _html_block,
        lambda label: f"<p><b>{text(label)}</b></p>",
    )
    class_part = ["<h2>The class C</h2>", _html_block(class_table(C))]
    body = [*class_part, *map(_html_block, DEFINITIONS), *parts]
    return document(title, "\n".join(body), kind=KIND).html


def _html_block(block: Block) -> str:
    if isinstance(block, LabelTable):
        # A browser must not break a cell such as {0, 1}.
        rows = [[cell.replace(" ", "\N{NO-BREAK SPACE}") for cell in row] for row in block.rows]
        return table(block.head, rows)
    if isinstance(block, TreeFigure):
        return f'<div class="scrolled">{to_svg(block.graph, title="A shattered tree")}</div>'
    return f"<p>{text(block)}</p>"


def _tex(title: str, C: ConceptClass, exercises: Sequence[Exercise], solutions: bool) -> str:
    parts = _parts(
        exercises,
        solutions,
        lambda heading: f"\\section*{{{tex_text(printable(heading))}}}",
        _tex_block,
        lambda label: f"\\paragraph{{{tex_text(label)}}}",
    )
    return "\n\n".join(
        [
            f"{TEX_MARK}\n\\documentclass{{article}}\n\\usepackage[margin=25mm]{{geometry}}\n"
            f"\\usepackage{{longtable}}\n{FOREST_STYLE}\n\\setlength{{\\parindent}}{{0pt}}\n\\setlength{{\\parskip}}{{6pt}}\n"
            "\\begin{document}",
            f"\\section*{{{tex_text(printable(title))}}}\n\n{_tex_block(class_table(C))}",
            *map(_tex_block, DEFINITIONS),
            *parts,
            "\\end{document}\n",
        ]
    )


def _tex_table(block: LabelTable) -> str:
    """Return a table that continues on the next page. Long names of columns are rotated."""
    head, *rows = ([tex_text(printable(cell)) for cell in row] for row in (block.head, *block.rows))
    if sum(map(len, block.head)) > WIDEST_HEAD:
        head[1:] = (f"\\rotatebox{{90}}{{{cell}}}" for cell in head[1:])
    lines = [f"\\begin{{longtable}}[l]{{l{'c' * (len(head) - 1)}}}"]
    lines += [f"{' & '.join(head)} \\\\ \\hline \\endhead"]
    lines += [f"{' & '.join(row)} \\\\" for row in rows]
    return "\n".join([*lines, "\\end{longtable}"])


def _tex_block(block: Block) -> str:
    if isinstance(block, LabelTable):
        return _tex_table(block)
    if isinstance(block, TreeFigure):
        return "\n".join(
            [
                "\\begin{center}",
                "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%",
                *tex_forests(block.graph),
                "}",
                "\\end{center}",
            ]
        )
    return tex_text(printable(block))
