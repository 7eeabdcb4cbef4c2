"""Proofs by cases: one bound is shown by an object, the other one by closing all cases.

`replay` goes through the cases, whatever the dimension; `patterns` knows stars and lines of
thresholds, `lessons` teaching dimensions, and `proof` has the certificate.
"""
