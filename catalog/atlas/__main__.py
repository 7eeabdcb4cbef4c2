"""``python -m catalog.atlas build``: compute the atlas and write its file."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from catalog.atlas import FILE
from catalog.atlas.build import atlas_text
from lsclasses.errors import LsclassesError
from lsclasses.files import atomic_write


def main() -> None:
    """Read the command line and do as it says."""
    parser = argparse.ArgumentParser(prog="python -m catalog.atlas", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    build = commands.add_parser(
        "build", help="compute every class on 1 to 4 points with its dimensions"
    )
    build.add_argument(
        "file", nargs="?", type=Path, default=FILE, help="where to write the CSV file: %(default)s"
    )
    arguments = parser.parse_args()
    start = time.perf_counter()
    try:
        text = atlas_text()
        atomic_write(arguments.file, text)
    except LsclassesError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    print(
        f"{text.count(chr(10)) - 1} classes up to permutations of the points, in "
        f"{time.perf_counter() - start:.1f} s: {arguments.file}"
    )


if __name__ == "__main__":
    main()
