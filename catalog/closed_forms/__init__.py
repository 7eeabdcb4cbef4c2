"""Families in closed form: concept classes of any size that answer without enumerating.

One file a closed form. Each is an immutable `lsclasses.concept_class.ConceptClass` whose state says
what is left after the examples seen, in a form that is the same whichever examples led there; the
modules of `catalog` build them, and know the same classes as tables to compare them with.
"""
