"""Certificates, true and forged, put to three judges: ours, the one proved in Coq, and an oracle.

``python -m tests.lsclasses.certificates.against_proved 50000`` makes so many mutations of true
certificates and prints what the judges say; ``... catalog 5`` makes those of the catalog that take
at most 5 seconds each, and ``... speed FILE SPEC`` measures both checkers. Whatever the proved one
accepts must be true by the oracle, and it must accept what ours accepts and nothing else.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from catalog import build, families
from lsclasses import BadCertificate, Limit, Table, TooLarge
from lsclasses.certificates import (
    Certificate,
    FailureDAG,
    FoldedTree,
    LdimCertificate,
    ShatteredSet,
    ShatteredTree,
    Subject,
    VCCertificate,
    load_certificate,
)
from lsclasses.certificates.proof_assistant import proved_checker, verify_proved
from lsclasses.files.tables import labels_to_json
from tests.lsclasses.certificates.forging import (
    is_true,
    mended,
    places,
    product_proof,
    proved,
    shown,
    table_of,
)
from tests.lsclasses.small_classes import ldim

POINTS = (2, 3, 4)
"""How many points the classes have; of larger ones the oracle takes too long."""


def true_certificate(chance: random.Random) -> tuple[int, int, Certificate]:
    """A class of up to four points and a proof about it, by our search or without any."""
    n = chance.choice(POINTS)
    V = chance.randrange(1, 1 << (1 << n))
    kind = chance.randrange(8)
    if kind == 0:
        V, entries = product_proof(chance.randrange(1, 16), chance.randrange(1, 16))
        return 4, V, FailureDAG(Subject.of(table_of(4, V)), entries[0].depth - 1, entries)
    C = table_of(n, V)
    subject = Subject.of(C)
    dag = FailureDAG(subject, ldim(n, V), tuple(proved(n, V, ldim(n, V) + 1)))
    folded = FoldedTree(subject, *shown(n, V))
    made = {
        1: lambda: dag,
        2: lambda: folded,
        3: lambda: LdimCertificate(subject, folded, dag),
        4: lambda: C.ldim_certificate(),
        5: lambda: C.vcdim_certificate(),
        6: lambda: ShatteredTree.of(C),
        7: lambda: C.failure_dag(),
    }
    return n, V, made[kind]()


def mutated(data: dict[str, Any], n: int, chance: random.Random) -> dict[str, Any]:
    """The file with one to three places of its evidence changed to something of the same form."""
    data = json.loads(json.dumps(data))
    evidence = [key for key in data if key not in HEAD]
    for _ in range(chance.randint(1, 3)):
        path = chance.choice([each for each in places(data) if each[0] in evidence])
        parent = data
        for key in path[:-1]:
            parent = parent[key]
        value, last = parent[path[-1]], path[-1]
        if isinstance(value, int):
            parent[last] = chance.choice([0, 1, 2, value + 1, max(0, value - 1), 1 - value % 2])
        elif isinstance(value, list) and value:
            at = chance.randrange(len(value))
            how = chance.randrange(4)
            if how == 0:
                del value[at]
            elif how == 1:
                value.insert(at, json.loads(json.dumps(chance.choice(value))))
            elif how == 2:
                value[at] = json.loads(json.dumps(chance.choice(value)))
            else:
                chance.shuffle(value)
        elif isinstance(value, list):
            value.append(chance.choice([0, [0, 0], [0, 0, 0], [[0, 0, 0]], [0, 1, 0, None]]))
        elif value is None and isinstance(parent, dict):
            parent[last] = chance.choice([[], [[0, 0]], [[0, 1], [1, 0]]])
        elif value is None:
            pairs = [[x, chance.randrange(n), chance.randrange(2)] for x in range(n)]
            parent[last] = chance.choice([pairs, [[x, x, 0] for x in range(n)], []])
    return data


HEAD = ("format", "version", "kind", "claim", "class", "digest")
READERS: dict[str, type[Certificate]] = {
    kind.kind: kind
    for kind in (
        ShatteredTree,
        FoldedTree,
        FailureDAG,
        LdimCertificate,
        ShatteredSet,
        VCCertificate,
    )
}


def dressed(data: dict[str, Any], C: Table) -> dict[str, Any]:
    """The file with the claim, the version, the class and the digest that its evidence is for."""
    subject = Subject.of(C)
    try:
        evidence = {key: value for key, value in data.items() if key not in HEAD}
        found = READERS[data["kind"]]._from_evidence(subject, evidence)
        data = {**data, "claim": found.claim, "version": found.version}
    except (BadCertificate, LookupError, TypeError, ValueError, AttributeError):
        pass
    return mended({**data, "class": subject.to_json()})


def forgeries(count: int, seed: int) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """True certificates now and then, else mutations of them, or true ones of a class nearby."""
    chance = random.Random(seed)
    while count > 0:
        n, V, certificate = true_certificate(chance)
        data = certificate.to_json()
        yield n, V, data
        for _ in range(min(count, 10)):
            count -= 1
            W = V
            if chance.random() < 0.3:
                W ^= 1 << chance.randrange(1 << n)
            forged = data if chance.random() < 0.1 else mutated(data, n, chance)
            yield n, W or V, dressed(forged, table_of(n, W or V))


def ours(data: dict[str, Any], C: Table) -> str:
    """The claim, or why it is refused."""
    try:
        certificate = Certificate.from_json(data)
        certificate.verify(C)
    except BadCertificate as error:
        return f"refused: {error}"
    return certificate.claim


def theirs(cases: Iterable[tuple[dict[str, Any], Table]]) -> list[str]:
    """The same by the proved checker."""
    lines = (
        json.dumps({"certificate": data, "table": labels_to_json(C), "closed": False})
        for data, C in cases
    )
    given = "\n".join(lines) + "\n"
    answer = subprocess.run(
        [proved_checker(), "--lines"], input=given, capture_output=True, text=True, check=True
    )
    return answer.stdout.splitlines()


def judged(count: int, seed: int = 0) -> tuple[Counter[str], list[str]]:
    """How many of each verdict there are, and what the judges disagree about."""
    found: Counter[str] = Counter()
    differing = []
    cases = list(forgeries(count, seed))
    answers = theirs((data, table_of(n, V)) for n, V, data in cases)
    for (n, V, data), proved_says in zip(cases, answers, strict=True):
        C = table_of(n, V)
        we_say = ours(data, C)
        if proved_says.startswith("refused") and we_say.startswith("refused"):
            form = "" if proved_says.endswith("does not accept it") else ", for its form"
            found["refused by both" + form] += 1
            continue
        certificate = READERS[data["kind"]]._from_evidence(
            Subject.of(C), {key: value for key, value in data.items() if key not in HEAD}
        )
        truth = is_true(certificate, n, V)
        verdict = "accepted by both" if proved_says == we_say else "differing"
        found[verdict + (", true" if truth else ", FALSE")] += 1
        if verdict == "differing" or not truth:
            differing.append(f"{n} {V} {json.dumps(data)}\n  {we_say}\n  {proved_says}")
    return found, differing


def of_the_catalog() -> Iterator[tuple[str, Table]]:
    """The members of all families that the catalog is verified on, and the extremal classes."""
    for family in families().values():
        for values in family.instances():
            with suppress(TooLarge):
                yield family.spec(**values), family.concept_class(**values).to_table()
    page = (Path(__file__).parents[3] / "docs" / "extremal.md").read_text()
    rows = [line.split("|")[1:-1] for line in page.splitlines() if line.startswith("|")]
    masks = {row[i].strip() for row in rows for i in (3, 5) if len(row) > 5}
    for mask in sorted(int(each) for each in masks if each.isdigit()):
        yield f"mask {mask}", table_of(5, mask)


def proofs_of(C: Table, seconds: float) -> Iterator[Certificate]:
    """Those that can be made in so many seconds each."""
    for kind in (LdimCertificate, VCCertificate, ShatteredTree, FoldedTree, FailureDAG):
        with suppress(TooLarge):
            yield kind.of(C, limit=Limit(seconds=seconds))


def print_catalog(seconds: float) -> None:
    """Which certificates of the catalog the proved checker accepts, and which not."""
    found: Counter[str] = Counter()
    for spec, C in of_the_catalog():
        if len(C) and C.points:
            for certificate in proofs_of(C, seconds):
                certificate.verify(C)
                try:
                    verify_proved(certificate, C)
                    found[f"accepted {certificate.kind}"] += 1
                except BadCertificate as error:
                    found["refused"] += 1
                    print(spec, certificate.claim, error)
    print(dict(found))


def print_speed(path: str, spec: str) -> None:
    """Processor time of our checker and of the proved one, with reading; and peaks of memory."""
    C = build(spec).to_table()
    start = time.process_time()
    certificate = load_certificate(path)
    certificate.verify(C)
    ours = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    verify_proved(certificate, C)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"{certificate.claim}, {spec}, {len(C)} x {len(C.points)}: ours {ours:.2f} s, "
        f"{peak / 2**20:.2f} GB; proved {children.ru_utime + children.ru_stime:.2f} s, "
        f"{children.ru_maxrss / 2**20:.2f} GB"
    )


if __name__ == "__main__":
    if sys.argv[1] == "speed":
        print_speed(*sys.argv[2:4])
        sys.exit()
    if sys.argv[1] == "catalog":
        print_catalog(float(sys.argv[2]))
        sys.exit()
    wanted, seed = int(sys.argv[1]), int((*sys.argv, 0)[2])
    totals: Counter[str] = Counter()
    for part in range(-(-wanted // 5000)):
        verdicts, problems = judged(min(5000, wanted - 5000 * part), 1000 * seed + part)
        totals += verdicts
        print(sum(totals.values()), dict(totals), flush=True)
        print(*problems[:5], sep="\n")
