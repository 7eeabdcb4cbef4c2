"""Output of commands: JSON, tables, notes, progress, and numbers of any size.

A full disk or a closed pipe ends a command with an error message.
"""

from __future__ import annotations

import dataclasses
import math
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from errno import EBADF, EPIPE
from fractions import Fraction
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, TextIO

import typer

from lsclasses.brackets import Bracket
from lsclasses.commands.tables import STYLES, Grid, wrapped

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from lsclasses.concept_class import ConceptClass
    from lsclasses.hypothesis import Hypothesis
    from lsclasses.verdicts import Verdict


UNKNOWN = "unknown"
"""Text for a number of concepts that is too expensive to count."""

FEW_LABELS = 64
"""Largest number of labels of a hypothesis that are printed in a row."""

UNBROKEN = 250
"""Width of tables in a file or a pipe, where lines need no breaks."""

READABLE_BITS = 14_000
"""Number of bits up to which integers are numbers in JSON. Longer integers are strings.

Integers of this length have about 4200 decimal digits.
"""


Said = tuple[str, str | None]
"""A printed string with its indentation, or with None for a note on standard error."""

_COLLECTED: ContextVar[list[Said] | None] = ContextVar("collected", default=None)


@contextmanager
def collected() -> Iterator[list[Said]]:
    """Return a context manager that collects the output and the notes of its block, for `repeat`.

    Progress is not collected. The process that started a worker prints the worker's collected
    output in the right order.
    """
    said: list[Said] = []
    token = _COLLECTED.set(said)
    try:
        yield said
    finally:
        _COLLECTED.reset(token)


def repeat(said: Iterable[Said]) -> None:
    """Print the output and the notes that `collected` has collected."""
    for text, indent in said:
        if indent is None:
            note(text)
        else:
            say(text, indent)


def print_json(data: Any) -> None:
    """Write data to standard output as JSON."""
    import json

    typer.echo(json.dumps(data, indent=2))


def note(text: str, *, unbroken: bool = False) -> None:
    """Write a line to standard error. Ignore a failure, which no stream could report.

    Parameters
    ----------
    text : str
        Note to print. A terminal breaks long lines between words and keeps their indentation.
    unbroken : bool
        Whether a program reads the line, so a terminal prints it as one line.
    """
    if (said := _COLLECTED.get()) is not None:
        said.append((text, None))
        return
    try:
        if sys.stderr is not None and sys.stderr.isatty() and not unbroken:
            text = "\n".join(_indented(text, shutil.get_terminal_size().columns))
        typer.echo(text, err=True)
    except OSError:
        discard(2)


def _indented(text: str, width: int) -> Iterator[str]:
    """Return the lines of a string on a terminal. Continuation lines keep its indentation."""
    for line in text.split("\n"):
        body = line.lstrip(" ")
        indent = line[: len(line) - len(body)]
        for part in wrapped(body, max(width - len(indent), 1)):
            yield indent + part


def discard(descriptor: int) -> None:
    """Discard the buffered output of a broken stream, which Python would write again at exit."""
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, descriptor)
        if nowhere != descriptor:
            os.close(nowhere)


def terminal(*, stderr: bool = False) -> Console:
    """Return a console of the package rich for standard output or standard error.

    The console prints square brackets in names as they are, because it reads no markup.
    """
    from rich.console import Console

    console = Console(stderr=stderr, markup=False, highlight=False, soft_wrap=False)
    if not console.is_terminal:
        console = Console(stderr=stderr, markup=False, highlight=False, width=UNBROKEN)
    return console


def print_grid(grid: Grid) -> None:
    """Write a table to standard output."""
    lines = grid.plain(UNBROKEN) if _is_plain(sys.stdout) else None
    if lines is None:
        terminal().print(grid)
    else:
        typer.echo("\n".join(lines))


def _is_plain(stream: TextIO | None) -> bool:
    """Return whether the output is certainly not a terminal. Then rich is not imported."""
    told = not os.environ.keys().isdisjoint({"FORCE_COLOR", "TTY_COMPATIBLE"})
    return not told and (stream is None or not stream.isatty())


def say(text: str, indent: str = "", *, verdict: tuple[str, Verdict] | None = None) -> None:
    """Write a string to standard output. A terminal breaks its lines between words.

    A continuation line begins below the string of a line such as ``mistakes  12``. Otherwise it
    begins below the first letter, and two columns further right if the line is indented.

    Parameters
    ----------
    text, indent : str
    verdict : (str, Verdict), optional
        Part of the string in the colour of a verdict on a terminal, unless the environment
        variable NO_COLOR is set.
    """
    if (said := _COLLECTED.get()) is not None:
        said.append((text, indent))
        return
    console = None if _is_plain(sys.stdout) else terminal()
    if console is None or not console.is_terminal:
        for line in text.split("\n"):
            typer.echo(indent + line if line else "")
        return
    for line in text.split("\n"):
        for part in _broken(indent + line, console.width):
            if verdict is not None and verdict[0] in part:
                _say_coloured(console, part.rstrip(), *verdict)
            else:
                typer.echo(part.rstrip())


TEX = (
    (r"\\(?:left|right|,|;|!|limits)(?![a-zA-Z])", ""),
    (
        r"\\(?:mathcal|mathbb|mathsf|mathrm|mathbf|text|textrm|textsc|operatorname|emph)\{([^{}]*)\}",
        r"\1",
    ),
    (r"\\(tilde|hat|bar|vec|overline)\{([^{}]*)\}", r"\1(\2)"),
    (r"\\sqrt\{([^{}]*)\}", r"sqrt(\1)"),
    (r"\\[dt]?frac\{(\\?\w+)\}\{(\\?\w+)\}", r"\1/\2"),
    (r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}", r"(\1)/(\2)"),
    (r"\\binom\{([^{}]*)\}\{([^{}]*)\}", r"binom(\1, \2)"),
    (r"([_^])\{(\w+|\([^(){}]*\))\}", r"\1\2"),
    (r"([_^])\{([^{}]*)\}", r"\1(\2)"),
)
"""Replacements of LaTeX by plain text: pairs of a regular expression and its replacement.

The replacements are repeated until no pattern occurs.
"""

SIGNS = {
    **{"leq": "<=", "le": "<=", "geq": ">=", "ge": ">=", "neq": "!=", "ne": "!=", "cdot": "*"},
    **{"times": "*", "pm": "+-", "sim": "~", "to": "->", "rightarrow": "->", "ldots": "..."},
    **{"dots": "...", "lvert": "|", "rvert": "|", "lVert": "||", "rVert": "||", "mid": "|"},
    **{"subseteq": "is a subset of", "circ": "o", "infty": "infinity", "approx": "~", "quad": " "},
    **{"varepsilon": "epsilon", "lfloor": "floor(", "rfloor": ")", "lceil": "ceil(", "rceil": ")"},
}
"""Plain text for commands of LaTeX, by name. All other commands are printed as their names."""


def without_tex(text: str) -> str:
    r"""Return a text whose LaTeX formulas are replaced by plain formulas for a terminal.

    Examples
    --------
    >>> without_tex(r"at most $\frac{\eta}{8}$ for $k \geq O(\log(1/\beta))$, $2^{-2k_1}$")
    'at most eta/8 for k >= O(log(1/beta)), 2^(-2k_1)'
    """

    def plain(found: re.Match[str]) -> str:
        formula, before = found[1].replace(r"\{", "\\lbrace ").replace(r"\}", "\\rbrace "), ""
        while formula != before:
            before = formula
            for pattern, written in TEX:
                formula = re.sub(pattern, written, formula)
        words = {**SIGNS, "lbrace": "{", "rbrace": "}"}
        formula = re.sub(r"\\([a-zA-Z]+)", lambda word: f" {words.get(word[1], word[1])} ", formula)
        formula = " ".join(formula.replace("\\", "").split())
        formula = re.sub(r" ?([_^/]) ?|([(\[{|]) (?=\w)", r"\1\2", formula)
        return re.sub(r"(?<=\w) ([)\]},(])", r"\1", formula)

    return re.sub(r"\$([^$]+)\$", plain, text)


def _say_coloured(console: Console, line: str, words: str, verdict: Verdict) -> None:
    from rich.text import Text

    before, _, after = line.rpartition(words)
    text = Text.assemble(before, (words, STYLES.get(verdict, "")), after)
    console.print(text, no_wrap=True, overflow="ignore", crop=False)


def _broken(line: str, width: int) -> list[str]:
    """The lines of one line on a terminal of this width."""
    found = re.match(r"( *)(?:(?:[\w()*-]+ ){1,3} +)?", line)
    assert found is not None
    head = found[0] if len(found[0]) <= width // 2 else found[1]
    if head == found[1] and head and len(head) + 2 < width // 2:
        # An item of a list: continuation lines are indented by two more columns.
        first, *rest = wrapped(line[len(head) :], max(width - len(head) - 2, 1))
        return [head + first, *(head + "  " + part for part in rest)]
    first, *rest = wrapped(line[len(head) :], max(width - len(head), 1))
    return [head + first, *(" " * len(head) + part for part in rest)]


@contextmanager
def progress_line() -> Iterator[Callable[[str], None]]:
    """Return a rewritable line on a terminal's standard error, or a line that prints nothing."""
    unseen = _is_plain(sys.stderr) or _COLLECTED.get() is not None
    console = None if unseen else terminal(stderr=True)
    if console is None or not console.is_terminal:
        yield lambda text: None
        return
    line = _Line()
    with console.status(line):
        yield line.say


class _Line:
    """A message with the seconds since the first message. The seconds advance by themselves."""

    def __init__(self) -> None:
        self.text = ""
        self.start = time.monotonic()

    def say(self, text: str) -> None:
        self.text = text

    def __rich__(self) -> Text:
        from rich.text import Text

        seconds = int(time.monotonic() - self.start)
        return Text(f"{self.text} ({seconds} s)" if seconds else self.text)


def size_of(C: ConceptClass) -> int | str | None:
    """Return the number of concepts, None if infinite, `UNKNOWN` if counting is too slow."""
    from lsclasses.errors import TooLarge

    try:
        return C.size
    except TooLarge:
        return UNKNOWN


def counts(C: ConceptClass) -> str:
    """Return the numbers of concepts and points of a class, in words."""
    concepts, points = size_of(C), C.domain.size
    return (
        f"{number(concepts)} {'concept' if concepts == 1 else 'concepts'} on "
        f"{number(points)} point{'' if points == 1 else 's'}"
    )


def counts_json(C: ConceptClass) -> dict[str, Any]:
    """Return the numbers of concepts and points as JSON: integers, or null and a description.

    Null denotes an infinite number, an uncounted number, or a number with more digits than readers
    of JSON accept. The words then describe the numbers.
    """
    found = {
        name: count if isinstance(count, int) and count.bit_length() <= READABLE_BITS else None
        for name, count in (("concepts", size_of(C)), ("points", C.domain.size))
    }
    return found | ({"counts": counts(C)} if None in found.values() else {})


def number(count: int | str | None) -> str:
    """Return a count as a string: its digits, or its order of magnitude if it is very large."""
    if count is None:
        return "infinitely many"
    if isinstance(count, str):
        return "uncounted"
    return str(count) if count < 10**30 else f"about 10^{math.floor(math.log10(count))}"


def value_text(value: Any) -> str:
    """Return the value of a dimension as a string."""
    if isinstance(value, tuple):
        return ", ".join("unknown" if part is None else str(part) for part in value)
    return str(value)


def value_json(value: Any) -> Any:
    """Return the value of a dimension as a JSON value.

    Integers are unchanged, fractions are strings such as "13/8", and sequences are lists. A number
    of which only bounds are known is an object with both bounds. Integers with more digits than
    readers of JSON accept (Python accepts 4300) are also strings.
    """
    if isinstance(value, tuple):
        return [value_json(part) for part in value]
    if isinstance(value, int) and value.bit_length() > READABLE_BITS:
        limit = sys.get_int_max_str_digits()
        sys.set_int_max_str_digits(0)
        try:
            return str(value)
        finally:
            sys.set_int_max_str_digits(limit)
    if isinstance(value, Bracket):
        return {"lower": str(value.lower), "upper": str(value.upper)}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = dataclasses.fields(value)
        return {each.name: value_json(getattr(value, each.name)) for each in parts}
    return str(value) if isinstance(value, Fraction) else value


def labelled(h: Hypothesis) -> str:
    """Return a labelling as a string: its labels if there are few, else its canonical form."""
    from lsclasses.errors import TooLarge
    from lsclasses.hypothesis import Concept
    from lsclasses.point_names import name_text

    size = h.domain.size
    name = getattr(h, "name", None)
    named = "" if name is None else f" ({name_text(name)})"
    if size is not None and size <= FEW_LABELS:
        return "".join(str(h(x)) for x in h.domain) + named
    try:
        form = h.canonical()
    except TooLarge:
        return str(h)
    if isinstance(form, Concept):
        ones = form.support
        listed = ", ".join(map(str, ones[:8])) + (", ..." if len(ones) > 8 else "")
        return f"1 at {len(ones)} of {size} points{': ' * bool(ones)}{listed}{named}"
    return str(form)


# ---- standard output


UNWRITTEN = 74
"""Exit status if standard output cannot be written, as defined in ``sysexits.h``."""

UNREAD = 141
"""Exit status if the reader of a pipe closes it early, by the convention of shells."""


class OutputLost(Exception):
    """Error: standard output cannot be written.

    The class is not a subclass of `OSError`, because callers catch every `OSError`.
    """

    def __init__(self, reason: OSError) -> None:
        super().__init__(reason)
        self.reason = reason

    def report(self) -> int:
        """Report the failure, unless the reader closed the pipe, and return the exit status."""
        if self.reason.errno == EPIPE:
            return UNREAD
        problem = (self.reason.strerror or str(self.reason)).lower()
        note(f"lsclasses: Cannot write to standard output: {problem}.")
        return UNWRITTEN


@contextmanager
def _writing() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputLost(error) from None


class Output(TextIOWrapper):
    """A text stream that wraps standard output and raises `OutputLost` for its failures."""

    @classmethod
    def instead_of(cls, stream: TextIO | None) -> TextIO:
        """Return a wrapper of standard output, or raise an error if it is closed or full.

        Raises
        ------
        OutputLost
            If standard output is closed, or full already.
        """
        with _writing():
            if stream is None:
                raise OSError(EBADF, "it is closed")
            os.write(1, b"")
        if not isinstance(stream, TextIOWrapper):
            return stream
        return cls(
            stream.buffer,
            encoding=stream.encoding,
            errors="backslashreplace",
            line_buffering=stream.line_buffering,
            write_through=stream.write_through,
        )

    def write(self, text: str, /) -> int:
        """Write a string."""
        with _writing():
            return super().write(text)

    def flush(self) -> None:
        """Write the buffered output."""
        with _writing():
            super().flush()
