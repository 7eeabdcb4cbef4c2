"""Proofs of expected depths: a tree shows one bound; entries, no deeper than a bound, the other.

`rules` decides single inferences, and `proof` has the certificate of a randomized Littlestone
dimension, which is half of an expected depth.
"""
