"""Families in closed form: concept classes of any size that answer without enumeration.

Each file contains one closed form, an immutable `lsclasses.concept_class.ConceptClass`. Its state
describes the version space after the examples so far. The state does not depend on which examples
led to the version space. The modules of `catalog` build the closed forms, and build the same
classes as tables for comparison.
"""
