"""Proofs by cases of stars, thresholds and teaching dimensions: their size, making and checking.

``python -m benchmarks cases`` prints the table of docs/certificates.md. Times are processor time of
one thread; what is made includes the search for the value.
"""

from __future__ import annotations

import json
import time

import catalog
from lsclasses.certificates import Certificate
from lsclasses.dimensions.case_proofs import proof_by_cases

PROOFS = (
    ("thresholds:n=100", "star_number"),
    ("monotone:n=4", "star_number"),
    ("ltf:n=4", "hollow_star_number"),
    ("conjunctions:n=4", "threshold_dim"),
    ("ltf:n=4", "teaching_dim"),
    ("ltf:n=4", "recursive_teaching_dim"),
    ("conjunctions:n=5", "no_clash_teaching_dim"),
    ("subsets:n=6,k=3", "positive_no_clash_teaching_dim"),
)


def main() -> None:
    print("| proof of | concepts | items | bytes | made in | checked in |")
    print("|---|---|---|---|---|---|")
    for spec, name in PROOFS:
        table = catalog.build(spec).to_table()
        start = time.process_time()
        proof = proof_by_cases(table, name)
        made = time.process_time() - start
        file = proof.to_bytes()
        start = time.process_time()
        Certificate.from_json(json.loads(file)).verify(table)
        checked = time.process_time() - start
        print(
            f"| {proof.claim}, `{spec}` | {len(table)} | {len(proof.cases)} | {len(file)} "
            f"| {made:.2g} s | {checked:.2g} s |",
            flush=True,
        )


if __name__ == "__main__":
    main()
