"""``lsclasses report``: a page for each class, to print or to send."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lsclasses.commands.application import CLASSES, AsJson, Classes, Force, command, read_seconds
from lsclasses.commands.certifying import certificate_paths, file_stem, find_proofs, write_files
from lsclasses.commands.classes import is_file, load
from lsclasses.commands.output import counts, note, print_json, progress_line
from lsclasses.errors import LsclassesError
from lsclasses.files.writing import check_folder
from lsclasses.limits import Limit
from lsclasses.numbers import format_number
from lsclasses.outputs import Writes, page_kind, require_folder, require_output
from lsclasses.pages.class_report import class_body, facts, table
from lsclasses.pages.document import document, page_links, text

if TYPE_CHECKING:
    from learners.trials import Trial
    from lsclasses.concept_class import ConceptClass

REPORT = page_kind("a report", "report")
INDEX = "index.html"
ROUNDS = 100
"""Number of rounds of the game and of rows of the sample on which each learner runs."""


LEARNER_SHARE = 0.125
"""Time limit of a learner, as a share of the time limit of a search."""


@command(CLASSES)
def report(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER",
            help="Folder for the pages: a new folder, an empty folder or the folder of "
            "an earlier report.",
        ),
        Writes(REPORT, folder=True),
    ],
    classes: Classes,
    *,
    seconds: Annotated[
        str,
        typer.Option(
            metavar="FRACTION",
            help="Time limit for each search, in seconds. The time limit of each learner "
            "is an eighth of this time.",
        ),
    ] = "2",
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write one page about each class, with its dimensions and learners, and an index page.

    A page lists the dimensions with witnesses, a shattered tree, and relations between the
    dimensions. If the class is small, the page also states its name in the atlas (the list of all
    small classes). For every learner that runs on the class, the page lists the guarantee and the
    result of one small game or sample. The command also writes proofs of ldim and vcdim. 'lsclasses
    check' checks these files.
    """
    check_folder(folder)
    if not force:
        require_folder(folder, INDEX, REPORT)
    limit = read_seconds(seconds)
    paths = certificate_paths(folder, classes, ["ldim", "vcdim"], force=force)
    pages = {each: f"{file_stem(each)}.html" for each in classes}
    for page in (INDEX, *pages.values()) if folder.exists() else ():
        require_output(folder / page, REPORT, "DIR", map(Path, classes), force=force)
    contents: dict[Path, bytes] = {}
    rows: list[tuple[object, ...]] = []
    loaded = {each: load(each) for each in classes}
    bodies = {}
    for each, C in loaded.items():
        with progress_line() as show:
            show(f"{each}: dimensions ...")
            found = facts(C, limit)
        proofs, files = find_proofs(C, paths[each], Limit(limit))
        contents |= files
        about = page_links(each, pages, INDEX)
        about += f"<p>{text(counts(C))}. {text(_atlas_name(C))}</p>\n{class_body(C, found)}\n"
        bodies[each] = about + _proofs(each, proofs.files)
        values = found.values
        rows.append((each, counts(C), values.get("ldim", ""), values.get("vcdim", "")))
    # The process of the learners inherits the modules that were loaded for the dimensions.
    with progress_line() as show:
        show("learners ...")
        trials = _tried(loaded, limit)
    for each, body in bodies.items():
        written = document(each, body + _learners(trials[each]), kind="report")
        contents[folder / pages[each]] = written.html.encode()
    earlier = _other_pages(folder, {INDEX, *pages.values()})
    listed = table(("class", "size", "Ldim", "VCdim"), rows, links=pages)
    if earlier:
        listed += "<h2>Earlier reports in this folder</h2>" + _links(
            {each: each for each in earlier}
        )
    index = document("Classes", listed, kind="report")
    write_files(contents | {folder / INDEX: index.html.encode()})
    if as_json:
        print_json(
            {
                "folder": str(folder),
                "pages": [str(folder / INDEX), *(str(folder / page) for page in pages.values())],
            }
        )
    else:
        kept = f"; kept from earlier reports: {', '.join(earlier)}" if earlier else ""
        note(f"Written: {folder / INDEX}, {len(pages)} page{'s' * (len(pages) != 1)}{kept}")


def _other_pages(folder: Path, written: set[str]) -> list[str]:
    """The pages of classes that an earlier report left in the folder."""
    return sorted(
        path.name
        for path in folder.glob("*.html")
        if path.name not in written and REPORT.recognises(path)
    )


def _links(pages: Mapping[str, str]) -> str:
    """Return a list of links to the pages, by the name of the class."""
    items = (f'<li><a href="{text(page)}">{text(each)}</a></li>' for each, page in pages.items())
    return f"<ul>{''.join(items)}</ul>"


def _atlas_name(C: ConceptClass) -> str:
    from catalog.atlas import find

    try:
        found, _ = find(C)
    except LsclassesError:
        return (
            "The atlas has classes on one to five points. This class is larger, or the file of the "
            "atlas is missing."
        )
    return (
        f"Its name in the atlas is {found.name}. The name denotes {found.labelled} classes, which "
        "differ only in the names of points and in flipped labels."
    )


def _proofs(name: str, files: list[Path]) -> str:
    if not files:
        return ""
    links = "".join(
        f'<li><a href="{text(file.name)}">{text(file.name)}</a>: '
        f"<code>lsclasses check {text(file.name)} {text(name)}</code></li>"
        for file in files
    )
    return f"<h2>Proofs</h2>\n<p>Each is checked without a search.</p><ul>{links}</ul>\n"


def _tried(classes: Mapping[str, ConceptClass], seconds: float) -> dict[str, list[Trial]]:
    """Try all learners on each class, for a part of the time of a search."""
    from fractions import Fraction

    from learners.budget import Budget
    from learners.learner_comparison import try_learners
    from learners.trials import ComparisonSetting

    budget = Budget(Fraction(1), Fraction(1, 10**6))
    questions = [
        ComparisonSetting(
            *(source, C, budget),
            rounds=ROUNDS,
            rows=ROUNDS,
            adversary="random",
            seeds=range(1),
            most=0,
            specified=not is_file(source),
        )
        for source, C in classes.items()
    ]
    return dict(zip(classes, try_learners(questions, seconds * LEARNER_SHARE), strict=True))


def _learners(trials: list[Trial]) -> str:
    run = [each for each in trials if not each.refused]
    head = ("learner", "from", "privacy", "bound", "measured", "remark")
    rows = [
        (
            f"{each.learner}: {each.title}",
            each.setting,
            "none" if each.privacy is None else each.privacy.summary,
            "" if each.bound is None else each.bound,
            "" if each.mean is None else format_number(each.mean, 3),
            each.stopped and f"stopped {each.stopped}",
        )
        for each in run
    ]
    refused = [
        (f"{each.learner} ({each.setting})", each.refused) for each in trials if each.refused
    ]
    about = (
        f"At epsilon 1 and delta 10^-6, where a learner is private: mistakes in a game of {ROUNDS} "
        f"rounds against random examples, or the error after {ROUNDS} rows."
    )
    return (
        f"<h2>Learners that run on it</h2><p>{about}</p>{table(head, rows)}"
        f"<h2>Learners that do not</h2>{table(('learner', 'why'), refused)}"
    )
