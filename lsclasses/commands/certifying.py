"""The certificates that ``lsclasses dims --certificate`` writes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsclasses.commands.output import note, progress_line
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.files.documents import compressed_head
from lsclasses.files.writing import Content, check_folder, make_folder, write_all
from lsclasses.outputs import FileFormat, json_head, require_output

if TYPE_CHECKING:
    from lsclasses.certificates import Certificate
    from lsclasses.concept_class import ConceptClass
    from lsclasses.limits import Limit
    from lsclasses.table import Table


def _kind(title: str, kinds: str) -> FileFormat:
    return FileFormat(
        title,
        {
            ".json": json_head("lsclasses-certificate", kinds),
            ".gz": compressed_head(rf"lsclasses-certificate-(?:{kinds})\.json"),
        },
    )


BY_CASES = (
    "threshold_dim",
    "star_number",
    "hollow_star_number",
    "teaching_dim",
    "recursive_teaching_dim",
    "no_clash_teaching_dim",
    "positive_no_clash_teaching_dim",
)
"""The dimensions that are proved by cases."""

KINDS = {
    "ldim": _kind("a proof of an Ldim", "ldim"),
    "vcdim": _kind("a proof of a VCdim", "vcdim|shattered-set"),
    **dict.fromkeys(BY_CASES, _kind("a proof by cases", "proof-by-cases")),
    "randomized_ldim": _kind("a proof of a randomized Ldim", "randomized-ldim"),
}
"""File formats of certificates, by the names of the dimensions that have certificates."""

ASSISTANTS = {
    "lean": FileFormat("theorems for Lean", {".lean": rb"-- lsclasses: Ldim = "}),
    "coq": FileFormat("theorems for Coq", {".v": rb"\(\* lsclasses: Ldim = "}),
}
"""File formats for proof assistants, by the names of the assistants."""

CERTIFICATES = FileFormat("certificates", {".json": None})
"""File format of a folder of certificates. The files in the folder are checked one by one."""

COMPRESSED_FROM = 1 << 20
"""Least number of bytes of certificates that are compressed, in files ending in ``.json.gz``."""


@dataclass
class Proofs:
    """The certificates found for one class: files and claims.

    Attributes
    ----------
    files : list of Path
        Paths of the written certificates.
    claims : dict from str to str or None
        Proved claim for each dimension and for each proof assistant, or None without a proof.
    stopped : list of TooLarge
        Reasons why a proof was too large to find.
    """

    files: list[Path] = field(default_factory=list)
    claims: dict[str, str | None] = field(default_factory=dict)
    stopped: list[TooLarge] = field(default_factory=list)

    @property
    def proved(self) -> list[str]:
        """The dimensions with a proved value or bound, in the order of the files."""
        return [name for name, claim in self.claims.items() if claim is not None]

    def to_json(self) -> dict[str, Any]:
        """Return the paths of the files and the proved claims, as JSON values."""
        return {"certificates": [str(path) for path in self.files], "certified": self.claims}


def certificate_paths(
    folder: Path,
    classes: Sequence[str],
    names: Sequence[str],
    assistants: Sequence[str] = (),
    *,
    force: bool,
) -> dict[str, dict[str, Path]]:
    """Return the paths of the files for each class, by dimension or by proof assistant.

    Raises
    ------
    InvalidInput
        If no requested dimension has certificates, if the certificates of two classes would have
        the same path, or if a file exists that must not be replaced.
    """
    wanted = [name for name in names if name in KINDS]
    if not wanted:
        raise InvalidInput(
            f"--certificate writes proofs of {', '.join(KINDS)}, and --only asks for none of them."
        )
    paths: dict[str, dict[str, Path]] = {}
    owners: dict[str, str] = {}
    kinds = KINDS | ASSISTANTS
    for argument in classes:
        stem = file_stem(argument)
        paths[argument] = {name: folder / f"{stem}.{name}.json" for name in wanted}
        for name in assistants:
            (suffix,) = ASSISTANTS[name].marks
            paths[argument][name] = folder / f"{module_name(stem)}{suffix}"
        for path in paths[argument].values():
            owner = owners.setdefault(path.name.casefold(), argument)
            if owner != argument:
                raise InvalidInput(
                    f"The certificates of {owner!r} and {argument!r} would have the same names. "
                    "Write the certificates of each class into a separate folder."
                )
        either = [(n, each) for n, path in paths[argument].items() for each in _either(path)]
        check_folder(folder, (path.name for _, path in either))
        if folder.exists():
            for name, path in either:
                read = map(Path, classes)
                require_output(path, kinds[name], "--certificate", read, force=force)
    return paths


def file_stem(argument: str) -> str:
    """Return the beginning of the names of files about a class. The files are never hidden.

    Examples
    --------
    >>> file_stem("thresholds:n=7"), file_stem("../proj/my class.csv"), file_stem("./.a.csv")
    ('thresholds_n=7', 'up_proj_my_class.csv', 'a.csv')
    """
    parts = ["up" if part == ".." else part for part in argument.split("/") if part != "."]
    return re.sub(r"[^\w=.+-]+", "_", "_".join(parts)).strip("_").lstrip(".") or "class"


def module_name(stem: str) -> str:
    """Return the name of a file for a proof assistant without its suffix. Coq needs an identifier.

    Examples
    --------
    >>> module_name("thresholds_n=7"), module_name("3_ff.csv")
    ('thresholds_n_7', 'class_3_ff_csv')
    """
    name = re.sub(r"[^A-Za-z0-9_]", "_", stem)
    return name if name[0].isalpha() else f"class_{name}"


def _either(path: Path) -> tuple[Path, ...]:
    """A certificate as it is, and compressed. Files for proof assistants are never compressed."""
    return (path,) if path.suffix != ".json" else (path, path.with_name(path.name + ".gz"))


def certify(C: ConceptClass, paths: Mapping[str, Path], limit: Limit) -> Proofs:
    """Find all proofs, write the certificates, and print the proved and the missing claims."""
    proofs, contents = find_proofs(C, paths, limit)
    write_proofs(proofs, contents)
    return proofs


def write_proofs(proofs: Proofs, contents: Mapping[Path, bytes]) -> None:
    """Write the certificates, and print their paths."""
    write_files(contents)
    for name, path in zip(proofs.proved, contents, strict=True):
        note(f"Written: {path} ({proofs.claims[name]})")


def find_proofs(
    C: ConceptClass, paths: Mapping[str, Path], limit: Limit, title: str = "a class"
) -> tuple[Proofs, dict[Path, bytes]]:
    """Find the proofs, print proved and missing claims, and return the contents of the files."""
    proofs = Proofs()
    contents: dict[Path, bytes] = {}
    written = cache(C.to_table)
    for name, path in paths.items():
        if name in ASSISTANTS:
            continue
        with progress_line() as show:
            show(f"certificate of {name} ...")
            certificate, stopped = _prove(name, written, limit, show)
            if certificate is not None:
                show(f"certificate of {name}: {certificate.claim} ...")
                content = certificate.to_bytes()
                large = len(content) >= COMPRESSED_FROM
                contents[_either(path)[large]] = certificate.to_compressed() if large else content
        claim = None if certificate is None else certificate.claim
        proofs.claims[name] = claim
        if stopped is not None:
            proofs.stopped.append(stopped)
            lacking = f"no certificate of {name}"
            if claim is not None:
                lacking = (
                    f"{claim} is certified, but a certificate is missing that {name} is not larger"
                )
            note(f"lsclasses: {lacking}: {stopped}")
    if assistants := {name: path for name, path in paths.items() if name in ASSISTANTS}:
        contents |= _formalize(written, title, assistants, proofs, limit)
    proofs.files = list(contents)
    return proofs, contents


def _formalize(
    written: Callable[[], Table],
    title: str,
    paths: Mapping[str, Path],
    proofs: Proofs,
    limit: Limit,
) -> dict[Path, bytes]:
    """Return the files for proof assistants, or print the reason why the class has none."""
    from lsclasses.certificates.coq_file import standalone_coq
    from lsclasses.certificates.lean_file import standalone_lean
    from lsclasses.certificates.plain_proofs import PlainProof

    proofs.claims |= dict.fromkeys(paths)
    try:
        with progress_line() as show:
            show("proof for proof assistants ...")
            proof = PlainProof.of(written(), limit=limit)
    except TooLarge as stopped:
        proofs.stopped.append(stopped)
        note(f"lsclasses: no file for {' or '.join(map(str.capitalize, paths))}: {stopped}")
        return {}
    contents = {}
    for name, path in paths.items():
        write = standalone_lean if name == "lean" else standalone_coq
        proofs.claims[name] = proof.claim
        contents[path] = write(written(), title, proof).encode()
    return contents


def _prove(
    name: str, written: Callable[[], Table], limit: Limit, show: Callable[[str], None]
) -> tuple[Certificate | None, TooLarge | None]:
    """Return a proof or None, and the error that stopped a stronger proof."""
    from lsclasses.certificates import LdimCertificate, ShatteredSet, VCCertificate
    from lsclasses.dimensions import DIMENSIONS
    from lsclasses.dimensions.case_proofs import proof_by_cases
    from lsclasses.dimensions.depth_proofs import randomized_ldim_certificate

    def searching(lower: int, upper: int) -> None:
        show(f"certificate of {name}: {lower} <= {name} <= {upper}")

    def writing(done: int, known: int) -> None:
        most = f"at most {known} labellings" if name == "vcdim" else f"{known} entries so far"
        show(f"certificate of {name}: {done} of {most}")

    try:
        table = written()
        if name == "ldim":
            # The search that the certificate is made of is then already done.
            DIMENSIONS[name].search(table, limit=limit, progress=searching)
            return LdimCertificate.of(table, limit=limit, progress=writing), None
        if name in BY_CASES:
            return proof_by_cases(table, name, limit=limit, progress=writing), None
        if name == "randomized_ldim":
            return randomized_ldim_certificate(table, limit=limit, progress=writing), None
        shattered = ShatteredSet.of(table, limit=limit)
    except TooLarge as stopped:
        return None, stopped
    try:
        return VCCertificate.of(table, limit=limit, progress=writing), None
    except TooLarge as stopped:
        return shattered, stopped


def write_files(contents: Mapping[Path, Content]) -> None:
    """Write all files or none. A failure leaves no empty folder."""
    made: list[Path] = []
    try:
        for path in contents:
            folders = [path.parent, *path.parent.parents]
            made += [folder for folder in folders if not folder.exists() and folder not in made]
            make_folder(path.parent)
        write_all(contents.items())
    except BaseException:
        for folder in made:
            with suppress(OSError):
                folder.rmdir()
        raise
