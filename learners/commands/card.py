"""``lsclasses card``: a model card from a saved model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from learners.commands.options import CardFile
from lsclasses.commands.application import LEARNING, AsJson, Force, command
from lsclasses.commands.output import print_json
from lsclasses.outputs import Reads


@command(LEARNING)
def card(
    model: Annotated[
        Path,
        typer.Argument(
            metavar="MODEL",
            help="A model that 'lsclasses learn' or 'lsclasses pac' saved.",
        ),
        Reads(),
    ],
    *,
    card: CardFile = None,
    owner: Annotated[
        str, typer.Option(metavar="TEXT", help="Who keeps the budget of the rows, in your words.")
    ] = "",
    use: Annotated[
        str, typer.Option(metavar="TEXT", help="What the model is meant for, in your words.")
    ] = "",
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Say in plain words and in numbers what a saved model is, promises and does not promise.

    All of it is read from the model's file, so it may be published with the model: the rule, what
    was declared of the data, the guarantee and its ledger, what is not covered, how uncertain it
    is, and what the publisher says of owner and use.
    """
    from learners.tables.cards import card as written
    from learners.tables.cards import save_card
    from learners.tables.saved import load_model

    found = load_model(model)
    if card is not None:
        save_card(found, card, owner=owner, use=use)
    if as_json:
        text = written(found, owner=owner, use=use)
        print_json({"card": text, "saved": None if card is None else str(card)})
    elif card is not None:
        typer.echo(f"The card is in {card}.")
    else:
        typer.echo(written(found, owner=owner, use=use), nl=False)
