"""The atlas as a citable data set: Parquet files, their schema, checksums and metadata.

The digests of the numbers do not depend on the machine. The bytes of the files are equal for equal
versions of pyarrow. The data package follows the Frictionless standard.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from catalog.atlas import MOST_POINTS, POINTS, table
from catalog.atlas.atlas_table import AtlasTable
from catalog.atlas.columns import COLUMNS
from catalog.atlas.storage import content, digest, there
from catalog.parameters import described
from lsclasses import __version__
from lsclasses.numbers import plural

PAGE = "README.md"
HEADING = "# All small concept classes with their parameters"
TITLE = "All concept classes on at most {points} points up to symmetry, with their parameters"
AUTHORS = "The lsclasses authors"
LICENSE = "MIT"
COMMAND = "lsclasses atlas export"
MEANINGS = {
    "mask": "The class: bit c is 1 if the concept with the number c belongs to it. Bit j of the "
    "number of a concept is its label at the point j. It is the least mask of the orbit.",
    "labelled": "The number of classes on named points in the orbit.",
    "flipped": "The least mask that permutations and flips of labels lead to.",
    "size": "The number of concepts.",
    "zero_cover_number": "For k = 0, 1, ...: the largest of the least sizes of a 0-cover of the "
    "class on a complete tree of points of depth k.",
}
"""Descriptions, for the schema, of the columns that are not dimensions."""


@dataclass(frozen=True)
class _File:
    """A file of the data set with the digests of its columns."""

    name: str
    points: int
    flips: bool
    rows: int
    columns: Mapping[str, np.ndarray]

    @property
    def bytes(self) -> bytes:
        """Content of the file."""
        return content(self.points, self.columns, COMMAND, flips=self.flips)


def export() -> dict[str, bytes]:
    """Return the contents of the files of the data set, by their names.

    The data set contains the classes on five points if their file exists.

    Raises
    ------
    LsclassesError
        If pyarrow is missing.

    Examples
    --------
    >>> sorted(name for name in export() if "5" not in name)[:4]
    ['.zenodo.json', 'CITATION.cff', 'README.md', 'datapackage.json']
    """
    files = list(_files())
    data = {each.name: each.bytes for each in files}
    points = max(each.points for each in files)
    texts = {
        PAGE: _page(files, points),
        "datapackage.json": _json(_package(files, data, points)),
        ".zenodo.json": _json(_archived(points)),
        "CITATION.cff": _citation(points),
    }
    found = data | {name: text.encode() for name, text in texts.items()}
    sums = [f"{hashlib.sha256(found[name]).hexdigest()}  {name}" for name in sorted(found)]
    return found | {"SHA256SUMS": ("\n".join(sums) + "\n").encode()}


def _files() -> Iterator[_File]:
    for points in (*POINTS, *(MOST_POINTS,) * there()):
        for flips in (True, False) if points in POINTS else (True,):
            known = table(points, flips=flips)
            name = f"points-{points}{'' if flips else '-permutations'}.parquet"
            columns = {each: _integers(known, each) for each in known.names if each != "points"}
            yield _File(name, points, flips, len(known), columns)


def _integers(known: AtlasTable, name: str) -> np.ndarray:
    return known.exact(name)[0] if name in COLUMNS else np.asarray(known[name])


def _fields(each: _File) -> Iterator[dict[str, object]]:
    for name, integers in each.columns.items():
        unit = COLUMNS[name].unit(each.points) if name in COLUMNS else 1
        kind = "array" if integers.ndim > 1 else "number" if unit > 1 else "integer"
        yield {
            "name": name,
            "type": kind,
            **({} if (entry := described(name)) is None else {"title": entry.title}),
            "description": _meaning(name),
            **({"unit": f"1/{unit}"} if unit > 1 else {}),
            "sha256": digest(integers),
        }


def _meaning(name: str) -> str:
    entry = described(name)
    return MEANINGS[name] if entry is None else entry.definition


def _package(files: list[_File], data: Mapping[str, bytes], points: int) -> dict[str, object]:
    return {
        "profile": "data-package",
        "name": "lsclasses-atlas",
        "title": TITLE.format(points=points),
        "version": __version__,
        "licenses": [{"name": LICENSE}],
        "contributors": [{"title": AUTHORS, "role": "author"}],
        "resources": [
            {
                "name": each.name.removesuffix(".parquet"),
                "path": each.name,
                "format": "parquet",
                "description": _described(each),
                "bytes": len(data[each.name]),
                "hash": f"sha256:{hashlib.sha256(data[each.name]).hexdigest()}",
                "schema": {"fields": list(_fields(each)), "primaryKey": ["mask"]},
            }
            for each in files
        ],
    }


def _described(each: _File) -> str:
    symmetries = "permutations of the points" + " and flips of labels" * each.flips
    on = plural(each.points, "point")
    return f"The {each.rows} non-empty classes on {on}, up to {symmetries}."


def _archived(points: int) -> dict[str, object]:
    """Return the metadata for the archive Zenodo, without the names of the creators.

    The depositor adds these names.
    """
    return {
        "title": TITLE.format(points=points),
        "upload_type": "dataset",
        "description": "<p>Every non-empty concept class on a few points, once up to symmetry, "
        "with its Littlestone dimension, VC dimension and other parameters, computed exactly.</p>",
        "version": __version__,
        "license": LICENSE,
        "creators": [{"name": AUTHORS}],
        "keywords": ["concept classes", "Littlestone dimension", "VC dimension"],
    }


def _citation(points: int) -> str:
    return f"""cff-version: 1.2.0
message: "If you use these data, please cite them, and the software that computed them."
title: "{TITLE.format(points=points)}"
type: dataset
version: {__version__}
license: {LICENSE}
authors:
  - name: "{AUTHORS}"
"""


def _page(files: list[_File], points: int) -> str:
    lines = [
        HEADING,
        "",
        f"Written by `{COMMAND}` of lsclasses {__version__}. Each row of a file is a non-empty "
        "concept class on n points, once up to symmetry, and each column a parameter of it, "
        "computed exactly.",
        "",
        "| file | classes |",
        "|---|---|",
        *(f"| `{each.name}` | {_described(each)} |" for each in files),
        "",
        "```python",
        "import pandas",
        'table = pandas.read_parquet("points-4.parquet")',
        "table.query('ldim > vcdim')",
        "```",
        "",
        "* **Fractions** are the floating-point numbers nearest to them. `datapackage.json` "
        "has the unit of the column: divided by it, and rounded, they are integers.",
        "* **Digests.** `sha256sum --check SHA256SUMS` compares the bytes of the files. The digest "
        "of a column in `datapackage.json` is the digest of its integers, 8 bytes each, with the "
        "least significant byte first. It is equal on every machine and for every version of "
        "pyarrow.",
        "* **Citing.** Archives ask for `CITATION.cff` and `.zenodo.json`. These files "
        "name the authors of the software, but no identifier, because the archive assigns it.",
        f"* **License.** {LICENSE}.",
        "",
        "| column | meaning |",
        "|---|---|",
    ]
    names = dict.fromkeys(name for each in files for name in each.columns)
    lines += [f"| `{name}` | {_meaning(name)} |" for name in names]
    return "\n".join(lines) + "\n"


def _json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"
