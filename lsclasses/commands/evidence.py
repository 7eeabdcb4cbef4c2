"""``lsclasses tree`` and ``lsclasses check``: evidence drawn, and checked."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated

import typer

from lsclasses.commands.application import CHECKING, CLASSES, AsJson, Force, OneClass, command
from lsclasses.commands.classes import load
from lsclasses.commands.output import note, print_json
from lsclasses.errors import BadCertificate
from lsclasses.files import write_all
from lsclasses.outputs import Kind, Reads, Writes, json_head

__all__ = ["check", "tree"]

PICTURE = Kind("a picture of a tree", {".svg": rb'<svg [^>]*class="lsclasses"'})
GRAPH = Kind(
    "a graph of a tree",
    dict.fromkeys((".dot", ".gv"), rb'digraph certificate \{\n  node \[fontname="monospace"\]'),
)
TREE = Kind("a shattered tree", {".json": json_head("lsclasses-certificate", "shattered-tree")})


@command(CLASSES)
def tree(
    source: OneClass,
    *,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a picture in SVG.", show_default=False),
        Writes(PICTURE),
    ] = None,
    dot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a graph in DOT.", show_default=False),
        Writes(GRAPH),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the certificate, for 'lsclasses check'.", show_default=False
        ),
        Writes(TREE),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Draw a shattered tree of greatest depth: the proof that Ldim is not smaller.

    Without a file it is drawn in the terminal; --json prints the certificate.
    """
    certificate = load(source).shattered_tree()
    exports = (
        (svg, certificate.to_svg),
        (dot, certificate.to_dot),
        (save, lambda: json.dumps(certificate.to_json()) + "\n"),
    )
    files = {path: export() for path, export in exports if path is not None}
    write_all(files.items())
    for path in files:
        note(f"Written: {path}")
    if as_json:
        print_json(certificate.to_json())
    elif not files:
        typer.echo(f"{source}: {certificate.claim}")
        typer.echo(certificate.to_text())


@command(CHECKING)
def check(
    certificate: Annotated[
        Path,
        typer.Argument(metavar="CERTIFICATE", help="A certificate in JSON.", show_default=False),
        Reads(),
    ],
    source: OneClass,
    as_json: AsJson = False,
) -> None:
    """Check a certificate against a class, without any search."""
    from lsclasses.certificates import load_certificate

    proof = load_certificate(certificate)
    C = load(source)
    result = {"certificate": str(certificate), "class": source, "claim": proof.claim}
    start = time.perf_counter()
    try:
        proof.verify(C)
    except BadCertificate as error:
        if as_json:
            print_json({**result, "valid": False, "reason": str(error)})
        raise
    seconds = time.perf_counter() - start
    if as_json:
        print_json({**result, "valid": True, "seconds": round(seconds, 6)})
    else:
        typer.echo(f"{source}: {proof.claim} is proved by {certificate} ({seconds:.3g} s).")
