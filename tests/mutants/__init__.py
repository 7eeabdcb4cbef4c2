"""Would the tests notice? Mutants of the modules that carry guarantees, and what became of them.

A *mutant* is a module with one small change: another operator, another number, a condition turned
round. Cosmic Ray makes them. The tests that concern the module are run on each, and either one of
them fails (the mutant is *noticed*), or none does: it *survives*. A survivor is judged once, in
a file of ``judged``: it is *equivalent* if nothing that is promised changes; otherwise a test is
missing. See CONTRIBUTING.md, "Mutants".

``python -m tests.mutants [MODULE ...]`` runs a sample; ``make mutants`` all modules.
"""
