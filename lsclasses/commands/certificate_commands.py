"""``lsclasses tree`` draws a shattered tree, and ``lsclasses check`` checks certificates."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lsclasses.commands.application import (
    CHECKING,
    CLASSES,
    AsJson,
    Force,
    OneClass,
    command,
    read_seconds,
)
from lsclasses.commands.classes import is_file, load
from lsclasses.commands.output import note, number, print_json, progress_line
from lsclasses.drawing import SHOWN_DEPTH
from lsclasses.errors import BadCertificate, InfiniteDimension, InvalidInput, NoCertificate
from lsclasses.files.writing import write_all
from lsclasses.limits import Limit, Progress
from lsclasses.outputs import FileFormat, Reads, Writes, json_head

if TYPE_CHECKING:
    from networkx import DiGraph

    from lsclasses.certificates import ShatteredTree
    from lsclasses.concept_class import ConceptClass

PICTURE = FileFormat("a picture of a tree", {".svg": rb'<svg [^>]*class="lsclasses"'})
GRAPH = FileFormat(
    "a graph of a tree",
    dict.fromkeys((".dot", ".gv"), rb'digraph certificate \{\n  node \[fontname="monospace"\]'),
)
DOCUMENT = FileFormat("a LaTeX document of a tree", {".tex": b"% lsclasses: a drawing"})
THEOREM = FileFormat("a theorem for Coq", {".v": rb"\(\* (?:Ldim|VCdim) [<>=]+ -?[0-9]+: coqc "})
TREE = FileFormat(
    "a shattered tree", {".json": json_head("lsclasses-certificate", "shattered-tree")}
)


@command(CLASSES)
def tree(
    source: OneClass,
    *,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a picture in SVG."),
        Writes(PICTURE),
    ] = None,
    dot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a graph in DOT."),
        Writes(GRAPH),
    ] = None,
    tex: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a LaTeX document that draws the tree with TikZ (package forest).",
        ),
        Writes(DOCUMENT),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a certificate of the tree with every node. 'lsclasses check' checks "
            "the certificate. For a smaller certificate that writes equal subtrees once, use "
            "'lsclasses dims --certificate'.",
        ),
        Writes(TREE),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(
            metavar="INTEGER",
            min=0,
            help=f"Number of levels to draw. By default, the terminal shows {SHOWN_DEPTH} "
            "levels, and --svg, --dot, --tex and --save contain all levels.",
        ),
    ] = None,
    fold: Annotated[
        bool, typer.Option("--fold", help="Draw equal subtrees once, and no leaves.")
    ] = False,
    seconds: Annotated[
        str | None,
        typer.Option(
            metavar="FRACTION", help="Time limit for the search for the dimension, in seconds."
        ),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Draw a deepest shattered tree, which proves a lower bound on the Littlestone dimension.

    Without --svg, --dot, --tex and --save, the command draws the tree in the terminal. With --json,
    it prints the certificate instead of a drawing. A very wide tree has its root on the left in the
    SVG file. A class of infinite Littlestone dimension needs --depth, because it shatters trees of
    every depth.
    """
    from lsclasses.drawing import to_dot, to_svg, to_tex, to_text

    drawings: tuple[tuple[Path | None, Callable[[ShatteredTree, DiGraph], str]], ...] = (
        (svg, lambda tree, graph: to_svg(graph) if fold else tree.to_svg()),
        (dot, lambda _, graph: to_dot(graph)),
        (tex, lambda _, graph: to_tex(graph)),
        (save, lambda tree, _: json.dumps(tree.to_json()) + "\n"),
    )
    files = {path: draw for path, draw in drawings if path is not None}
    C = load(source)
    with progress_line() as show:

        def searching(lower: int, upper: int) -> None:
            show(f"tree: {lower} <= ldim <= {upper}")

        show("tree ...")
        deepest = _ldim(C, None if seconds is None else Limit(read_seconds(seconds)), searching)
        # Without --depth, a terminal shows only the first levels.
        if depth is None and deepest is not None and not (files or as_json or fold):
            depth = SHOWN_DEPTH
        certificate = C.shattered_tree(depth)
        if deepest is None:
            certificate.verify(C)
        show("drawing ...")
        graph = certificate.to_networkx(fold=fold)
        if fold and depth is None and not files and len(graph) >= 2**SHOWN_DEPTH:
            certificate = certificate.first(SHOWN_DEPTH)
            graph = certificate.to_networkx(fold=True)
        contents = {path: draw(certificate, graph) for path, draw in files.items()}
    write_all(contents.items())
    for path in contents:
        note(f"Written: {path}")
    if as_json:
        print_json(certificate.to_json())
    elif not files:
        claim = certificate.claim
        if deepest is None:
            claim += (
                " (Ldim is infinite, and the command checked that the class shatters this tree)"
            )
        elif certificate.depth < deepest:
            claim = (
                f"Ldim >= {number(deepest)}, the first {certificate.depth} of {number(deepest)} "
                "levels"
            )
        typer.echo(f"{source}: {claim}")
        typer.echo(to_text(graph))


def _ldim(C: ConceptClass, limit: Limit | None, progress: Progress) -> int | None:
    """Return the Littlestone dimension, or None if it is infinite."""
    try:
        return C.ldim(limit=limit, progress=progress)
    except InfiniteDimension:
        return None


@command(CHECKING)
def check(
    certificate: Annotated[
        Path,
        typer.Argument(metavar="CERTIFICATE", help="A certificate in JSON."),
        Reads(),
    ],
    source: OneClass,
    *,
    proved: Annotated[
        bool,
        typer.Option(
            "--proved",
            help="Also run the checker that is proved correct in Coq, if this checker is "
            "installed.",
        ),
    ] = False,
    coq: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the class and the proof as a theorem in a file that Coq checks.",
        ),
        Writes(THEOREM),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Check a certificate against a class, without any search.

    The exit status is 1 if the certificate does not prove its claim about the class, if it is
    damaged, or if it is about another class. The exit status is 2 if the file does not exist or
    does not contain a certificate.
    """
    from lsclasses.certificates import load_certificate
    from lsclasses.certificates.proof_assistant import proved_checker, to_coq, verify_proved

    if proved:
        proved_checker()
    C = _class_to_check(certificate, source)
    claim: str | None = None
    start = time.perf_counter()
    try:
        proof = load_certificate(certificate)
        claim = proof.claim
        proof.verify(C)
        if proved:
            verify_proved(proof, C)
    except NoCertificate:
        raise
    except BadCertificate as error:
        _print_checked(certificate, source, claim, str(error), start, as_json=as_json)
        raise typer.Exit(REFUSED) from None
    if coq is not None:
        write_all([(coq, to_coq(proof, C))])
        note(f"Written: {coq}")
    by = f"{certificate}, as the proved checker confirms" if proved else str(certificate)
    _print_checked(certificate, source, claim, None, start, by=by, as_json=as_json)


def _class_to_check(certificate: Path, source: str) -> ConceptClass:
    """Return the class of ``check``, or name the right order if the arguments are swapped."""
    from lsclasses.certificates import load_certificate

    try:
        return load(source)
    except InvalidInput:
        if is_file(source):
            try:
                load_certificate(source)
            except (InvalidInput, BadCertificate):
                pass
            else:
                raise InvalidInput(
                    f"The certificate is the first argument of check, and the class is the second. "
                    f"Got the certificate {source!r} as the class. Try: lsclasses check {source} "
                    f"{certificate}."
                ) from None
        raise


REFUSED = 1
"""Exit status for a certificate that does not prove its claim about the class."""


def _print_checked(
    certificate: Path,
    source: str,
    claim: str | None,
    reason: str | None,
    start: float,
    *,
    by: str = "",
    as_json: bool,
) -> None:
    seconds = time.perf_counter() - start
    if as_json:
        print_json(
            {
                "certificate": str(certificate),
                "class": source,
                "claim": claim,
                "valid": reason is None,
                "reason": reason,
                "seconds": round(seconds, 6),
            }
        )
    elif reason is None:
        typer.echo(f"{source}: {claim} is proved by {by} ({seconds:.3g} s).")
    if reason is not None:
        note(f"lsclasses: {certificate} does not prove a claim about {source}: {reason}")
