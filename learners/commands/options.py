"""Options that several commands about people's data share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lsclasses.outputs import Kind, Reads, Writes, json_head

MODEL = Kind("a model", {".json": json_head("lsclasses-model")})

Data = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="A CSV file whose first line names the columns.", show_default=False
    ),
    Reads(),
]
AcceptWeak = Annotated[
    bool,
    typer.Option("--accept-weak", help="Allow an epsilon above 20, or a delta of 1/10 or more."),
]
Seed = Annotated[
    int | None,
    typer.Option(metavar="SEED", min=0, help="Simulate: not for publication.", show_default=False),
]
Secure = Annotated[
    bool,
    typer.Option("--secure", help="Draw from the operating system; the default without --seed."),
]
BudgetOption = Annotated[
    Path | None,
    typer.Option(
        "--budget",
        metavar="FILE",
        help="Pay from this budget ('lsclasses budget new') before anything is released; refuse "
        "if it is spent.",
        show_default=False,
    ),
    Reads(),
]
Save = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the private model here.", show_default=False),
    Writes(MODEL),
]
Unknown = Annotated[
    str, typer.Option(metavar="POLICY", help="Undeclared categories: warn, error or ignore.")
]
