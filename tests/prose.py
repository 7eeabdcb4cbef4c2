"""A check of the prose in pages, docstrings, help texts and error messages.

``python -m tests.prose`` counts the findings per 1,000 sentences and fails if a rate is above its
limit in ``tests/prose_limits.toml``. ``python -m tests.prose PATH ...`` lists the findings of
files, and ``python -m tests.prose --record`` lowers the limits to the current rates. A rule has a
bad and a good example, which ``tests/test_prose.py`` checks. The rules only find candidates: some
findings are good sentences, so the limits are not 0.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIMITS = ROOT / "tests" / "prose_limits.toml"
PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "docs")
PACKAGES = ("lsclasses", "catalog", "learners")

DOCS, DOCSTRINGS, HELP, MESSAGES = GROUPS = ("docs", "docstrings", "help", "messages")
HEADING, PROSE, SUMMARY, PARAMETER, OPTION, MESSAGE = (
    "heading",
    "prose",
    "summary",
    "parameter",
    "option",
    "message",
)
SENTENCES = frozenset({PROSE, SUMMARY, PARAMETER, OPTION, MESSAGE})


@dataclass(frozen=True)
class Sentence:
    """A sentence or heading, with its place."""

    path: Path
    line: int
    group: str
    kind: str
    text: str


@dataclass(frozen=True)
class Rule:
    """A defect of sentences.

    Attributes
    ----------
    name : str
    kinds : frozenset of str
        Kinds of sentences to which the rule applies.
    finds : callable
        Whether a sentence has the defect.
    advice : str
        Remedy.
    bad, good : str
        A sentence with the defect, and its correction.
    """

    name: str
    kinds: frozenset[str]
    finds: Callable[[str], object]
    advice: str
    bad: str
    good: str


def words(text: str) -> list[str]:
    """Return the words of a sentence."""
    return re.findall(r"[^\s/]*\w[^\s/]*", text)


def _pattern(pattern: str, flags: int = 0) -> Callable[[str], object]:
    return re.compile(pattern, flags).search


VAGUE = (
    r"\bthat of\b|\bthose of\b|\bthe ones?\b(?! hand)|\banother one\b|\bone's own\b|\b[Nn]obody\b"
    r"|\b[Ee]verybody\b|\b[Ss]omebody\b|\b[Ww]hatever\b|\b[Ww]hoever\b"
)
VERBS = "says?|said|tells?|told|knows?|promises|promised|asks?|sees?"
THINGS = (
    "page|file|table|option|command|docstring|column|record|row|bound|ledger|catalog|atlas|class|"
    "family|learner|mechanism|program|theorem|paper|section|it|they"
)
DIALECT = (
    r"\b(?:beside|besides|anew|alike|beforehand|held against|hold against|at hand|of its own|"
    r"of their own|for all that|written out|in force|dearest|twins?|vouch(?:es)?|goes on|"
    r"go on|stands? for|stands there|stood there|comes up)\b"
)

RULES = (
    Rule(
        "long",
        SENTENCES,
        lambda text: len(words(text)) > 30,
        "Write one fact per sentence, in at most 30 words.",
        "The command " + "counts the rows and " * 8 + "prints them.",
        "The command counts the rows.",
    ),
    Rule(
        "semicolon",
        SENTENCES,
        _pattern(r";(?=\s)"),
        "Write two sentences.",
        "The class is finite; its dimension is 3.",
        "The class is finite. Its dimension is 3.",
    ),
    Rule(
        "what",
        SENTENCES,
        lambda text: not text.endswith("?") and re.search(r"(?<!no matter )\b[Ww]hat\b", text),
        "Name the noun: 'the released counts', not 'what was released'.",
        "The ledger lists what was spent.",
        "The ledger lists the spent budget.",
    ),
    Rule(
        "vague",
        SENTENCES,
        _pattern(VAGUE),
        "Repeat the noun.",
        "The error is that of the first rule.",
        "The error equals the error of the first rule.",
    ),
    Rule(
        "speaking thing",
        SENTENCES,
        _pattern(
            rf"\b(?:{THINGS}) (?:also |never |only )?(?:{VERBS})\b|\b(?:is|are) (?:said|told)\b"
        ),
        "Things state, print, return, list or contain.",
        "The ledger says the price.",
        "The ledger states the privacy cost.",
    ),
    Rule(
        "nothing",
        SENTENCES,
        _pattern(r"\b[Nn]othing\b"),
        "Say which things do not: 'no command writes ...'.",
        "Nothing else is read.",
        "The command reads only this file.",
    ),
    Rule(
        "is no",
        SENTENCES,
        _pattern(r"\b(?:is|are|was|were) no (?!longer|more|less|matter|party|two)\w+"),
        "Write 'is not a'.",
        "The value is no integer.",
        "The value is not an integer.",
    ),
    Rule(
        "inverted",
        SENTENCES,
        _pattern(
            r"^(?:Of|Printed|Said|Told|Counted|Given|Listed|Measured) (?:the|a|are|is|all|no)\b"
        ),
        "Write subject, verb, object.",
        "Of the pairs, 19 fail.",
        "19 pairs fail.",
    ),
    Rule(
        "dialect",
        SENTENCES,
        _pattern(DIALECT),
        "Use the word of the field: next to, again, in advance, compared with, separate.",
        "The table is computed anew.",
        "The command recomputes the table.",
    ),
    Rule(
        "question heading",
        frozenset({HEADING}),
        _pattern(r"^(?:What|Which|Who|Whose|Why|Where|When|How (?!to\b))"),
        "Name the topic in a noun phrase.",
        "What is proved",
        "Proved statements",
    ),
    Rule(
        "long heading",
        frozenset({HEADING}),
        lambda text: len(words(text)) > 8,
        "Write at most eight words.",
        "Classes and learners and adversaries and games on one page",
        "Classes and games",
    ),
    Rule(
        "fragment",
        frozenset({SUMMARY, PARAMETER, OPTION}),
        _pattern(
            r"^(?:Of|As in|As for|Where|Who|Whom|Whose|How (?:many|much|often|far)|What|Which|With"
            r"|Such as|Likewise|Here|There|It|The same)\b"
        ),
        "Begin with a verb or a noun: 'Number of ...', 'Return ...'.",
        "How many rows are read at once.",
        "Number of rows per block.",
    ),
    Rule(
        "unnamed file",
        frozenset({OPTION}),
        _pattern(r"\b(?:here|there)\b"),
        "Name the file: 'Write the model to FILE.'",
        "Write the model here.",
        "Write the model to FILE.",
    ),
)
"""The rules. Each was violated at least once per 100 sentences when this check was introduced."""

HIDDEN = (
    (re.compile(r"```.*?```|\$\$.*?\$\$", re.S), "FORMULA", "`$"),
    (re.compile(r"<!--.*?-->|!\[[^\]]*\]\([^)]*\)", re.S), "", "<!"),
    (re.compile(r"``.+?``|`[^`]+`", re.S), "CODE", "`"),
    (re.compile(r"(?<![\w$])\$[^$\n]+\$(?!\w)"), "FORMULA", "$"),
    (re.compile(r"\[([^\]]*)\]\([^)]*\)"), r"\1", "["),
    (re.compile(r"\[[A-Z][A-Za-z]+\d{2}[^\]]*\]"), "CITATION", "["),
    (re.compile(r"https?://\S+"), "CODE", "/"),
    (re.compile(r'"[^"\n]{2,}?"|\'[^\'\n]{2,}?\'(?!\w)'), "QUOTATION", "\"'"),
    (re.compile(r"\*\*|__|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)"), "", "*_"),
)
"""Code, formulas, citations and quotations, which the rules do not read.

Each match contains one of the marks. The search for a mark is faster than the pattern.
"""


def sentences_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield the sentences of a paragraph, each with its line from 0.

    Examples
    --------
    >>> list(sentences_of("One fact, e.g. this.\\nAnother `x; y`."))
    [(0, 'One fact, e.g. this.'), (1, 'Another CODE.')]
    """
    for pattern, word, marks in HIDDEN:
        if any(mark in text for mark in marks):
            text = pattern.sub(word, text)
    start = 0
    ends = [*re.finditer(r"(?<!\be\.g)(?<!\bi\.e)(?<!\.)[.!?](?=\s+[A-Z(]|\s*$)", text)]
    for end in [*(found.end() for found in ends), len(text)]:
        sentence = " ".join(text[start:end].split())
        if re.search(r"[A-Za-z]{2,}", sentence):
            lead = len(text[start:end]) - len(text[start:end].lstrip())
            yield text.count("\n", 0, start + lead), sentence
        start = end


def _paragraphs(lines: Iterable[str], first: int = 1) -> Iterator[tuple[int, list[str]]]:
    """Yield the paragraphs and list items of Markdown without code, tables and directives."""
    found: list[str] = []
    began, fenced = first, False
    for number, line in enumerate(lines, first):
        bare = line.strip()
        if bare.startswith(("```", "~~~")):
            fenced = not fenced
            yield began, found
            found = []
        elif fenced:
            continue
        elif not bare or bare.startswith(("|", "<", ">", "$ ", "#", ":::")):
            yield began, found
            found = []
            if bare.startswith("#"):
                yield number, [bare]
        else:
            if re.match(r"(?:[-*+]|\d+\.) ", bare):
                yield began, found
                found = []
                bare = re.sub(r"^(?:[-*+]|\d+\.) ", "", bare)
            began = began if found else number
            found.append(bare)
    yield began, found


def page_sentences(path: Path) -> Iterator[Sentence]:
    """Yield the sentences and headings of a Markdown page."""
    for line, found in _paragraphs(path.read_text(encoding="utf-8").splitlines()):
        heading = bool(found) and found[0].startswith("#")
        text = "\n".join(found).lstrip("# ")
        for offset, sentence in sentences_of(text):
            yield Sentence(path, line + offset, DOCS, HEADING if heading else PROSE, sentence)


SECTION = re.compile(r"(Parameters|Attributes|Returns|Yields|Raises|Examples|Notes|See Also)$")


def _docstring(path: Path, node: ast.Expr) -> Iterator[Sentence]:
    """Yield the sentences of a docstring in the numpydoc format."""
    assert isinstance(node.value, ast.Constant)
    lines = str(node.value.value).expandtabs().split("\n")
    depth = min((len(x) - len(x.lstrip()) for x in lines[1:] if x.strip()), default=0)
    lines = [lines[0], *(line[depth:] for line in lines[1:])]
    blocks: list[tuple[int, str, list[str]]] = [(0, SUMMARY, [])]
    section = example = ""
    for number, line in enumerate(lines):
        bare = line.strip()
        example = "" if not bare else ">>>" if bare.startswith(">>>") else example
        if bare and SECTION.match(bare) and lines[number + 1 : number + 2] == ["-" * len(bare)]:
            section = bare
        if not bare or example or set(bare) == {"-"} or bare == section:
            blocks.append((number + 1, PROSE, []))
        elif section in ("Parameters", "Attributes", "Raises", "Returns", "Yields"):
            if line[:1].isspace():
                blocks[-1][2].append(bare)
            else:  # the name and the type of a parameter
                blocks.append((number + 1, PARAMETER if section[0] in "PA" else PROSE, []))
        elif section in ("", "Notes"):
            if bare.startswith(("* ", "- ")):
                blocks.append((number, PROSE, []))
            blocks[-1][2].append(bare)
    for start, kind, found in blocks:
        for place, (offset, sentence) in enumerate(sentences_of("\n".join(found))):
            line = node.lineno + start + offset
            yield Sentence(path, line, DOCSTRINGS, PROSE if place else kind, sentence)


def _string(node: ast.expr | None) -> str:
    """Return a constant string or an f-string with placeholders, or an empty string."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = (
            _string(part) if isinstance(part, ast.Constant) else "CODE" for part in node.values
        )
        return "".join(parts)
    return ""


LEAVES = frozenset({ast.Name, ast.Constant, ast.Load, ast.Store})


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes except names and constants, in half of the time of `ast.walk`."""
    left = [tree]
    while left:
        node = left.pop()
        yield node
        for value in vars(node).values():
            for each in value if isinstance(value, list) else (value,):
                if isinstance(each, ast.AST) and type(each) not in LEAVES:
                    left.append(each)


def module_sentences(path: Path) -> Iterator[Sentence]:
    """Yield the sentences of the docstrings, help texts and error messages of a module."""
    for node in _nodes(ast.parse(path.read_text(encoding="utf-8"))):
        body = getattr(node, "body", None)
        for item in body if isinstance(body, list) else ():
            if isinstance(item, ast.Expr) and _string(item.value):
                yield from _docstring(path, item)
        if isinstance(node, ast.Call):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            texts = [each.value for each in node.keywords if each.arg in ("help", "doc")]
            if called in ("Option", "Parameter") and len(node.args) > (called == "Parameter"):
                texts.append(node.args[called == "Parameter"])
            for text in texts:
                for place, (_, sentence) in enumerate(sentences_of(_string(text))):
                    kind = MESSAGE if place else OPTION
                    capital = sentence[:1].upper() + sentence[1:]
                    yield Sentence(path, text.lineno, HELP, kind, capital)
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
            for _, sentence in sentences_of(_string(node.exc.args[0])):
                yield Sentence(path, node.exc.args[0].lineno, MESSAGES, MESSAGE, sentence)


def files(names: Iterable[str]) -> Iterator[Path]:
    """Yield the Markdown and Python files that some paths contain."""
    for name in names:
        path = ROOT / name
        if path.is_dir():
            yield from sorted(each for suffix in ("md", "py") for each in path.rglob(f"*.{suffix}"))
        else:
            yield path


def sentences(names: Iterable[str]) -> Iterator[Sentence]:
    """Yield the sentences of all files that some paths contain."""
    for path in files(names):
        yield from (page_sentences if path.suffix == ".md" else module_sentences)(path)


def findings(sentence: Sentence) -> list[Rule]:
    """Return the rules that a sentence violates."""
    return [rule for rule in RULES if sentence.kind in rule.kinds and rule.finds(sentence.text)]


def rates(found: Iterable[Sentence]) -> dict[str, int]:
    """Return the number of findings per 1,000 sentences of each group, rounded up."""
    totals: Counter[str] = Counter()
    defects: Counter[str] = Counter()
    for each in found:
        totals[each.group] += 1
        defects[each.group] += len(findings(each))
    return {name: -(-1000 * defects[name] // totals[name]) for name in GROUPS if totals[name]}


def main(arguments: list[str] | None = None) -> int:
    """Print findings, or compare the rates with the limits. Return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.prose", description="Check prose.")
    parser.add_argument("paths", nargs="*", help="Files or folders whose findings are listed.")
    parser.add_argument("--record", action="store_true", help="Lower the limits to the rates.")
    given = parser.parse_args(arguments)
    found = list(sentences(given.paths or (*PAGES, *PACKAGES)))
    if given.paths:
        for each in found:
            for rule in findings(each):
                place = f"{each.path.relative_to(ROOT)}:{each.line}"
                print(f"{place}: {rule.name}: {each.text}\n    {rule.advice}")
        return 0
    limits = tomllib.loads(LIMITS.read_text()) if LIMITS.exists() else {}
    current = rates(found)
    if given.record:
        lowest = {name: min(rate, limits.get(name, rate)) for name, rate in current.items()}
        head = "# Largest number of findings of tests/prose.py per 1,000 sentences.\n"
        LIMITS.write_text(head + "".join(f"{name} = {rate}\n" for name, rate in lowest.items()))
        return 0
    worse = [name for name, rate in current.items() if rate > limits.get(name, 0)]
    for name, rate in current.items():
        print(f"prose of {name}: {rate} findings per 1,000 sentences, limit {limits.get(name, 0)}")
    if worse:
        print(f"'python -m tests.prose PATH' lists the findings. Rewrite the prose of: {worse}")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
