"""``lsclasses learn try``: all learners on public or synthetic rows, and the measured tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from learners.commands.options import AllowWeakPrivacy
from learners.commands.session import warnings_as_notes
from lsclasses.commands.application import AsJson, single
from lsclasses.commands.option_groups import OptionGroup, expand_groups
from lsclasses.commands.output import print_json, progress_line, terminal
from lsclasses.commands.tables import Grid
from lsclasses.errors import InvalidInput
from lsclasses.numbers import as_printed, format_number, plural
from lsclasses.outputs import Reads, check_files

if TYPE_CHECKING:
    from learners.tables.learner_trials import LearnerResult, TrialSetting
    from learners.tables.measured import MeasuredTable
    from learners.tables.task import TaskOptions

NAME = "try"
HELP = """Compare all learners on public or synthetic rows.

The command trains each learner with a share of the stated budget. It prints the accuracy, the area
under the ROC curve (AUC) and the Brier score on held-out rows. The command does not protect the
rows. So use only public or synthetic rows, and declare this fact with --declare. Without FILE, the
command prints the recorded results of this project on public tables.
"""

DECLARATIONS = ("public", "synthetic")
NOT_PROTECTED = (
    "These rows are not protected. The results are computed from the {declared} rows without "
    "privacy, and no guarantee covers them."
)


@dataclass(frozen=True, kw_only=True)
class TrialOptions(OptionGroup):
    """The budget of the learners in a trial, and the random divisions of the rows."""

    epsilon: Annotated[
        str, typer.Option(metavar="FRACTION", help="Epsilon of the privacy budget of all learners.")
    ] = "1"
    delta: Annotated[
        str | None,
        typer.Option(
            metavar="FRACTION",
            help="Delta of the privacy budget, for learners that use a delta. By default, "
            "each learner uses its default delta.",
        ),
    ] = None
    share: Annotated[
        str,
        typer.Option(
            metavar="FRACTION",
            help="Share of the privacy budget that each learner receives. With 1, each "
            "learner is trained as in a later release that spends the whole budget on this "
            "learner.",
        ),
    ] = "1"
    support_share: Annotated[
        str,
        typer.Option(
            metavar="FRACTION",
            help="Share of a learner's epsilon for the noisy number of rows at each rule. "
            "The class probabilities of the rules follow from these numbers.",
        ),
    ] = "1/5"
    neighbours: Annotated[
        str,
        typer.Option(metavar="RELATION", help="Neighbour relation: replace_one or add_remove."),
    ] = "replace_one"
    runs: Annotated[
        int,
        typer.Option(
            min=1,
            metavar="COUNT",
            help="Number of random divisions of the rows into training rows and held-out rows.",
        ),
    ] = 5
    seed: Annotated[int, typer.Option(min=0, metavar="INTEGER", help="Seed of all runs.")] = 0
    allow_weak_privacy: AllowWeakPrivacy = False

    def setting(self) -> TrialSetting:
        """Return the setting of the trials, with exact numbers."""
        from learners.tables.learner_trials import TrialSetting

        return TrialSetting(
            epsilon=as_printed(self.epsilon, "epsilon"),
            delta=None if self.delta is None else as_printed(self.delta, "delta"),
            share=as_printed(self.share, "share"),
            support_share=as_printed(self.support_share, "support share"),
            neighbours=self.neighbours,
            runs=self.runs,
            seed=self.seed,
            allow_weak_privacy=self.allow_weak_privacy,
        )


@cache
def try_command() -> typer.core.TyperCommand:
    """Return the command that tries learners."""
    from learners.tables.task import TaskOptions

    body = expand_groups(_try, {"described": TaskOptions})
    body.__doc__ = HELP
    built: typer.core.TyperCommand = single(check_files(body), NAME)
    return built


@warnings_as_notes()
def _try(
    data: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help="A CSV file of public or synthetic rows, whose first line names the columns.",
            show_default=False,
        ),
        Reads(),
    ] = None,
    *,
    declare: Annotated[
        str | None,
        typer.Option(metavar="KIND", help="Declaration about the rows: public or synthetic."),
    ] = None,
    described: TaskOptions,
    trial: TrialOptions,
    as_json: AsJson = False,
) -> None:
    if data is None:
        about_rows = (declare, described.target, described.schema)
        if any(each is not None for each in about_rows) or trial != TrialOptions():
            raise InvalidInput(
                "Without a file, the command prints recorded results, and takes no options about "
                "rows or runs. Name a CSV file, or remove these options. Got no file."
            )
        _show_measured(as_json=as_json)
        return
    if declare not in DECLARATIONS:
        raise InvalidInput(
            "The results of this command are computed from the rows without privacy. If the rows "
            "are public or synthetic, add --declare public or --declare synthetic. Otherwise use "
            f"'lsclasses learn best'. Got {'no declaration' if declare is None else repr(declare)}."
        )
    from learners.tables.learner_trials import try_learners

    setting = trial.setting()
    table = described.read(data)
    with progress_line() as show:
        results = try_learners(described, table, setting, progress=show)
    notice = NOT_PROTECTED.format(declared=declare)
    if as_json:
        print_json(
            {
                "data": str(data),
                "declared": declare,
                "protected": False,
                "notice": notice,
                "rows": len(table),
                "runs": setting.runs,
                "results": [each.to_json() for each in results],
            }
        )
        return
    held_out = _range(sorted(each.rows for each in results[-1].runs))
    typer.echo(
        f"{data}: {plural(len(table), 'row')}, {plural(setting.runs, 'run')}, {held_out} held-out "
        f"rows per run. {notice}\n"
    )
    terminal().print(_grid(results))
    for line in _explanations(results):
        typer.echo(line)


def _range(rows: Sequence[int]) -> str:
    return str(rows[0]) if rows[0] == rows[-1] else f"{rows[0]} to {rows[-1]}"


def _grid(results: Sequence[LearnerResult]) -> Grid:
    """Return the table of the learners that ran."""
    grid = Grid("learner", "epsilon", "delta", "accuracy", "+- (95 %)", "AUC", "Brier score")
    for each in results:
        if each.refused:
            continue
        mark = "" if each.probabilities else " *"
        grid.add_row(
            each.learner,
            _budget(each.epsilon),
            _budget(each.delta),
            _shown(each.accuracy),
            _shown(each.accuracy_error),
            _shown(each.auc) + mark,
            _shown(each.brier) + mark,
        )
    return grid


def _explanations(results: Sequence[LearnerResult]) -> list[str]:
    """Return the refused learners and the meanings of the columns, in words."""
    lines = [f"{each.learner} did not run: {each.refused}" for each in results if each.refused]
    lines.append(
        "Each number is a mean over the runs. The column +- is the sampling error of the accuracy "
        "on the held-out rows."
    )
    if any(not each.probabilities and not each.refused for each in results):
        lines.append(
            "* The learner has no probabilities, so its labels count as the probabilities 0 and 1."
        )
    return ["", *lines]


def _budget(number: Fraction | None) -> str:
    return "not private" if number is None else format_number(number)


def _shown(number: float | None) -> str:
    return "-" if number is None else f"{number:.3f}"


# ---- recorded results


def _show_measured(*, as_json: bool) -> None:
    """Print the recorded results on public tables."""
    from learners.tables.measured import NOTES, measured_tables

    tables = measured_tables()
    if as_json:
        print_json({"notes": list(NOTES), "tables": [each.to_json() for each in tables]})
        return
    typer.echo(f"Recorded results at epsilon 1 on {len(tables)} public tables.\n")
    terminal().print(_measured_grid(tables))
    for line in ("", *NOTES):
        typer.echo(line)


def _measured_grid(tables: Sequence[MeasuredTable]) -> Grid:
    grid = Grid("table", "learner", "median accuracy", "mean accuracy", "mean AUC")
    for table in tables:
        for learner, found in table.learners.items():
            grid.add_row(
                table.name,
                learner,
                _shown(found.get("median accuracy")),
                _shown(found.get("mean accuracy")),
                _shown(found.get("mean AUC")),
            )
    return grid
