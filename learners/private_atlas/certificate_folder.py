"""The folder of certificates of the private atlas, one file for each value.

A build keeps the certificates in the folder that prove their values, and computes all others. So an
interrupted build can be continued.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from catalog.atlas.private_values import PrivateColumn, values_text
from learners.optimal.error_certificates import ErrorEvidence
from learners.optimal.frontier_certificates import PrivateFrontier
from learners.optimal.online_certificates import OnlineEvidence
from learners.private_atlas.computation import CertifiedValue, Task, computed, tasks
from lsclasses.brackets import Bracket
from lsclasses.certificates.base import load_certificate
from lsclasses.errors import BadCertificate, InvalidInput
from lsclasses.files.writing import atomic_write, make_folder
from lsclasses.parallel import finished

Values = Mapping[tuple[int, int], Mapping[PrivateColumn, Bracket]]
"""Values by points and mask, then by column."""


def certificate_path(folder: Path, task: Task, column: PrivateColumn) -> Path:
    """Return the path of the certificate of a task.

    Examples
    --------
    >>> task = Task(3, 0b10110, "V", 2)
    >>> certificate_path(Path("proofs"), task, task.columns[0]).as_posix()
    'proofs/V2/3-16.json.gz'
    """
    return folder / column.name / f"{task.points}-{task.mask:x}.json.gz"


def proved_value(task: Task, column: PrivateColumn, path: Path) -> Bracket:
    """Return the bounds that a certificate proves for a value.

    Raises
    ------
    InvalidInput
        If the file cannot be read.
    BadCertificate
        If the certificate is about another class or another game, or proves less than it claims.
    """
    proof = load_certificate(path)
    if not isinstance(proof, PrivateFrontier):
        raise BadCertificate(
            f"{str(path)!r} must be a certificate of the kind private-frontier. Got {proof.kind}."
        )
    found = proof.evidence
    if isinstance(found, ErrorEvidence):
        same = column.quantity == "V" and found.rows == column.size
        same &= (found.outputs, found.labels) == ("any", "realizable")
    else:
        same = isinstance(found, OnlineEvidence) and not (found.adaptive or found.proper)
        same &= column.quantity == "M" and found.rounds == column.size
    if not same or found.epsilon != column.epsilon or found.delta:
        raise BadCertificate(
            f"{str(path)!r} is a certificate of another game. Expected the {column.title}. Got: "
            f"{proof.claim}."
        )
    proof.verify(task.table)
    return Bracket(found.lower, found.upper)


WIDE = "the bounds are farther apart than the tolerance."
"""Message about a certificate with a wide interval, whose value is computed again."""


@dataclass(frozen=True)
class _Part:
    """A task with the folder, for a worker."""

    task: Task
    folder: Path


def _checked(part: _Part) -> dict[PrivateColumn, Bracket | str | None]:
    """Return the proved value of each column of a task, an error message, or None without file."""
    found: dict[PrivateColumn, Bracket | str | None] = {}
    for column in part.task.columns:
        path = certificate_path(part.folder, part.task, column)
        if not path.exists():
            found[column] = None
            continue
        try:
            value = proved_value(part.task, column, path)
            found[column] = value if value.width <= part.task.tolerance else WIDE
        except (BadCertificate, InvalidInput) as error:
            found[column] = str(error)
    return found


@dataclass(frozen=True)
class CheckedFolder:
    """The result of the check of a folder of certificates.

    Attributes
    ----------
    values : mapping
        Proved values by class and column.
    problems : tuple of str
        Error messages of certificates that prove no value.
    missing : tuple of Task
        Tasks without all certificates.
    """

    values: Values
    problems: tuple[str, ...]
    missing: tuple[Task, ...]


def check_folder(
    folder: Path,
    chosen: Iterable[Task],
    *,
    executor: Executor | None = None,
    show: Callable[[int], None] = lambda done: None,
) -> CheckedFolder:
    """Check the certificates of some tasks.

    Parameters
    ----------
    folder : Path
        Folder with the certificates.
    chosen : iterable of Task
        Tasks to check.
    executor : concurrent.futures.Executor, optional
        Executor of the checks, whose processes must have access to the folder.
    show : callable
        Function that is called with the number of checked tasks.
    """
    parts = [_Part(task, folder) for task in chosen]
    values: dict[tuple[int, int], dict[PrivateColumn, Bracket]] = {}
    problems: list[str] = []
    missing: list[tuple[int, Task]] = []
    for done, (number, found) in enumerate(finished(_checked, parts, executor), start=1):
        task = parts[number].task
        for column, value in found.items():
            if isinstance(value, Bracket):
                values.setdefault((task.points, task.mask), {})[column] = value
            elif value is not None:
                problems.append(f"{task} at epsilon {column.epsilon}: {value}")
        if not all(isinstance(value, Bracket) for value in found.values()):
            missing.append((number, task))
        show(done)
    return CheckedFolder(values, tuple(problems), tuple(task for _, task in sorted(missing)))


def build(
    folder: Path,
    *,
    chosen: Iterable[Task] | None = None,
    executor: Executor | None = None,
    show: Callable[[str], None] = lambda text: None,
) -> CheckedFolder:
    """Compute the certificates that a folder lacks, and return the proved values.

    Parameters
    ----------
    folder : Path
        Folder of the certificates. Certificates of an earlier build are checked and kept.
    chosen : iterable of Task, optional
        Tasks. By default, all tasks.
    executor : concurrent.futures.Executor, optional
        Executor of the computations. The certificates do not depend on the executor.
    show : callable
        Function that is called with a description of the progress.

    Raises
    ------
    InvalidInput
        If the folder cannot be written.
    """
    todo = list(tasks() if chosen is None else chosen)
    # A cluster may not see the folder, so this process checks the certificates of earlier builds.
    known = check_folder(folder, todo, show=lambda done: show(f"{done} of {len(todo)} checked ..."))
    values = {place: dict(found) for place, found in known.values.items()}
    missing = list(known.missing)
    for done, (number, results) in enumerate(finished(computed, missing, executor), start=1):
        task = missing[number]
        for each in results:
            _keep(folder, task, each)
            value = Bracket(each.lower, each.upper)
            values.setdefault((task.points, task.mask), {})[each.column] = value
        show(f"{done} of {len(missing)} computed, last {task} ...")
    return CheckedFolder(values, known.problems, ())


def _keep(folder: Path, task: Task, value: CertifiedValue) -> None:
    path = certificate_path(folder, task, value.column)
    make_folder(path.parent)
    atomic_write(path, value.certificate)


def text_of(values: Values) -> str:
    """Return the text of the file of values (`catalog.atlas.private_values`)."""
    return values_text((points, mask, found) for (points, mask), found in values.items())


def differences(values: Values, stored: Values) -> Iterator[str]:
    """Yield a sentence for each stored value that the proved bounds do not contain.

    Parameters
    ----------
    values, stored : mapping
        Proved values, and values of the file. The bounds of the file are rounded outwards, so each
        must contain the proved bounds, or be contained in the proved bounds.
    """
    for place, found in stored.items():
        for column, value in found.items():
            proved = values.get(place, {}).get(column)
            if proved is None:
                yield f"{column.name} of {place[0]}:{place[1]:x} has no certificate."
            elif value.lower > proved.lower or value.upper < proved.upper:
                yield (
                    f"{column.name} of {place[0]}:{place[1]:x} is {value} in the file. The "
                    f"certificate proves {proved}."
                )


def total_bytes(folder: Path) -> int:
    """Return the size of all certificates of a folder, in bytes."""
    return sum(path.stat().st_size for path in folder.glob("*/*.json.gz"))


def width(values: Values) -> Fraction:
    """Return the largest difference between an upper and a lower bound."""
    widths = (value.width for found in values.values() for value in found.values())
    return max(widths, default=Fraction(0))
