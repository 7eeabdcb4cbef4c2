"""Calculators for the tolerant learner T(d) and its form for samples, PAC-T(d).

`docs/merging.md` defines both learners and proves their bounds, which are polynomial in d. Their
lists need trees that are too deep for every search, so the project has no implementation of them.

| file | content |
|---|---|
| `tolerances` | tree depths, list lengths and tolerances |
| `sample_rows` | rows of PAC-T(d) |
| `plan` | parameters of T(d), and the proof of their privacy and bound |
| `plan_search` | search for parameters of T(d) |
"""
