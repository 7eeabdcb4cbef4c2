"""``python -m catalog.atlas``: write the computed files of the atlas that the repository keeps.

The subcommand ``build`` writes the file of the classes on at most four points. The subcommand
``extremal`` writes the page about extremal classes on five points.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from catalog.atlas import FILE, MOST_POINTS, table
from catalog.atlas.build import atlas_text
from catalog.atlas.extremal import page
from lsclasses.errors import LsclassesError
from lsclasses.files.writing import atomic_write, check_writable


def main() -> None:
    """Run the subcommand of the command line."""
    parser = argparse.ArgumentParser(prog="python -m catalog.atlas", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND", dest="command")
    build = commands.add_parser(
        "build", help="compute every class on 1 to 4 points with its dimensions"
    )
    build.add_argument(
        "file", nargs="?", type=Path, default=FILE, help="path of the CSV file: %(default)s"
    )
    extremal = commands.add_parser(
        "extremal", help="write the page about extremal classes, from the file of five points"
    )
    extremal.add_argument("file", type=Path, help="path of the page: docs/extremal.md")
    arguments = parser.parse_args()
    start = time.perf_counter()
    try:
        check_writable(arguments.file)
        text = atlas_text() if arguments.command == "build" else page(table(MOST_POINTS))
        atomic_write(arguments.file, text)
    except LsclassesError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    seconds = f"in {time.perf_counter() - start:.1f} s: {arguments.file}"
    if arguments.command == "build":
        print(f"{text.count(chr(10)) - 1} classes up to permutations of the points, {seconds}")
    else:
        print(f"{text.count('## ') - 1} parameters, {seconds}")


if __name__ == "__main__":
    main()
