"""The mutants of a module, and which of them are tried.

Mutants are ranked by a digest of what they change and not by where it stands, so an edit elsewhere
in the module leaves the sample as it was.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import re
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import accumulate, islice
from pathlib import Path
from types import CodeType

import parso
from cosmic_ray.ast import ast_nodes
from cosmic_ray.plugins import get_operator, operator_names

ROOT = Path(__file__).parents[2]
GUARDED = (
    "learners/mechanisms/*.py",
    "learners/coins/*.py",
    "learners/exact/*.py",
    "learners/accounting/*.py",
    "learners/audit/*.py",
    "learners/games/*.py",
    "learners/coin_game.py",
    "learners/pac/*.py",
    "learners/rules/*.py",
    "learners/budget_files.py",
    "learners/release_costs.py",
    # What private learners are made of, and the certificates that are checked; see `PRIVATE`.
    "learners/experts/constructed.py",
    "learners/playing/copies.py",
    "learners/forest/*.py",
    "learners/layers/*.py",
    "learners/majorities/certificates.py",
    "learners/pop/algorithm.py",
    "learners/pop/plan.py",
    "learners/playing/base/winnow.py",
    "learners/winnow/votes.py",
    "learners/winnow/plan.py",
    "learners/winnow/votes.py",
    "learners/sanitizers/*.py",
    "learners/tables/columns/*.py",
    "lsclasses/certificates/*.py",
    "lsclasses/certificates/cases/*.py",
    "lsclasses/searching/*.py",
    "catalog/atlas/columns/*.py",
    "catalog/atlas/orbits.py",
)
"""The modules that carry guarantees, besides those that state what privacy they cost."""
PRIVATE = re.compile(r"^AUDITS\b|^    def privacy\(", re.MULTILINE)
"""A module under ``learners`` with this in its text states a privacy cost of its own."""
LEFT_OUT = frozenset(
    f"core/{name}"
    for name in (
        # These ask for arguments of their own.
        *("VariableInserter", "VariableReplacer"),
        # These nearly always stop at once, or change no more than a message.
        *("ZeroIterationForLoop", "RemoveDecorator", "ExceptionReplacer"),
    )
)
"""Operators of Cosmic Ray that are not used."""


Span = tuple[tuple[int, int], tuple[int, int]]
"""A place in a text: first line and column, last line and column."""


@dataclass(frozen=True, order=True)
class Mutant:
    """One small change of a module.

    Parameters
    ----------
    rank : str
        A digest that orders the mutants of a module.
    module : str
        The path of the file.
    function : str
        The qualified name of what the change stands in; "" at the top.
    before, after : str
        The changed lines, without indentation.
    repeated : int
        How many earlier changes look the same.
    operator : str
        Cosmic Ray's name for the change.
    lines : tuple of int
        The lines of the statement, or of the head of the compound statement, that it stands in.
    occurrence : int
        Which of the places in the module that the operator can change.
    """

    rank: str = field(repr=False)
    module: str
    function: str
    before: str
    after: str
    repeated: int = 0
    operator: str = field(default="", compare=False)
    occurrence: int = field(default=0, compare=False)
    lines: tuple[int, ...] = field(default=(), compare=False, repr=False)

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """What `judged` knows it by: nothing that an edit elsewhere would change."""
        return self.module, self.function, self.before, self.after, self.repeated

    def source(self) -> str:
        """Return the text of the mutated module."""
        text = (ROOT / self.module).read_text(encoding="utf-8")
        changes = _changes(text, self.operator)
        return next(islice(changes, self.occurrence, None))[1]()


def guarded_modules() -> list[str]:
    """Return the paths of the modules that carry guarantees, in order.

    A new private learner is one of them without being named here.
    """
    found = {path for pattern in GUARDED for path in ROOT.glob(pattern)}
    found |= {path for path in ROOT.glob("learners/**/*.py") if PRIVATE.search(path.read_text())}
    return sorted(path.relative_to(ROOT).as_posix() for path in found if path.stem != "__init__")


def sample(module: str, count: int) -> list[Mutant]:
    """The first so many mutants of a module by rank, at most one for each place in the text."""
    first: dict[object, Mutant] = {}
    for place, mutant in _mutants(module):
        if place not in first or mutant < first[place]:
            first[place] = mutant
    # Some changes of Cosmic Ray are no Python, such as 1 & not 1.
    return list(islice((m for m in sorted(first.values()) if _compiles(m)), count))


def _compiles(mutant: Mutant) -> bool:
    try:
        compiled(mutant.source(), mutant.module)
    except SyntaxError:
        return False
    return True


def compiled(source: str | ast.Module, path: str) -> CodeType:
    """Return the code of a module, whatever Python warns of (such as ``n is 1``)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compile(source, path, "exec", dont_inherit=True)


def _mutants(module: str) -> Iterator[tuple[object, Mutant]]:
    """Yield every mutant with its place, (first line, column), (last line, column)."""
    text = (ROOT / module).read_text(encoding="utf-8")
    lines = text.splitlines()
    owners, shown, statements = _owners(text), _only_shown(text), _statements(text)
    seen: dict[tuple[str, str, str], int] = defaultdict(int)
    for name in sorted(operator_names()):
        if name in LEFT_OUT:
            continue
        for occurrence, (place, change) in enumerate(_changes(text, name)):
            (line, column), (last, _) = place
            if any(start <= (line, column) < end for start, end in shown):
                continue
            mutated = change().splitlines()
            end = last + len(mutated) - len(lines)
            before = " ".join(part.strip() for part in lines[line - 1 : last])
            after = " ".join(part.strip() for part in mutated[line - 1 : end])
            if before == after:
                continue
            function = owners.get(line, "")
            repeated = seen[function, before, after]
            seen[function, before, after] += 1
            digest = hashlib.sha256(repr((function, before, after, repeated)).encode())
            yield (
                place,
                Mutant(
                    digest.hexdigest(),
                    module,
                    function,
                    before,
                    after,
                    repeated,
                    name,
                    occurrence,
                    statements.get(line, (line,)),
                ),
            )


def _changes(text: str, name: str) -> Iterator[tuple[Span, Callable[[], str]]]:
    """What an operator can change: each place, and what makes the changed text.

    The text is parsed once: an operator gets a copy of the node and not of the whole module.
    """
    operator = get_operator(name)()
    starts = [0, *accumulate(map(len, parso.split_lines(text, keepends=True)))]

    def changed(node: parso.tree.NodeOrLeaf, index: int) -> str:
        alone = copy.deepcopy(node, {id(node.parent): node.parent})
        (line, column), (last, end) = node.get_start_pos_of_prefix(), node.end_pos
        code = operator.mutate(alone, index).get_code()
        return text[: starts[line - 1] + column] + code + text[starts[last - 1] + end :]

    for node in _nodes(text):
        for index, place in enumerate(operator.mutation_positions(node)):
            yield place, partial(changed, node, index)


@lru_cache(maxsize=1)
def _nodes(text: str) -> list[parso.tree.NodeOrLeaf]:
    return list(ast_nodes(parso.parse(text)))


def _owners(text: str) -> dict[int, str]:
    """Return the qualified name of the innermost function or class around each line."""
    owners: dict[int, str] = {}

    def visit(node: ast.AST, names: tuple[str, ...]) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
                inside = (*names, child.name)
                first = min([child.lineno, *(each.lineno for each in child.decorator_list)])
                for line in range(first, (child.end_lineno or first) + 1):
                    owners[line] = ".".join(inside)
                visit(child, inside)
            else:
                visit(child, names)

    visit(ast.parse(text), ())
    return owners


def _statements(text: str) -> dict[int, tuple[int, ...]]:
    """Return the lines of the innermost statement on each line, or of its head if it has a body."""
    found: dict[int, tuple[int, ...]] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            lines = tuple(range(node.lineno, max(node.lineno, last) + 1))
            found |= dict.fromkeys(lines, lines)
    return found


def _only_shown(text: str) -> list[Span]:
    """Where a change alters nothing that runs: annotations, and values put into messages."""
    spans: list[Span] = []
    for node in ast.walk(ast.parse(text)):
        parts = [getattr(node, "annotation", None), getattr(node, "returns", None)]
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            parts.append(node)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript | ast.BinOp):
            # Aliases of types, such as Subcube = tuple[int, ...].
            names = [t.id for t in node.targets if isinstance(t, ast.Name)]
            if names and not names[0].isupper() and node.col_offset == 0:
                parts.append(node.value)
        spans += [
            ((part.lineno, part.col_offset), (part.end_lineno, part.end_col_offset))
            for part in parts
            if part is not None
        ]
    tree = parso.parse(text)
    spans += [
        (node.start_pos, node.end_pos) for node in ast_nodes(tree) if node.type == "fstring_expr"
    ]
    return spans
