"""Proofs by cases, where an object proves one bound and closed cases prove the other bound.

`replay` processes the cases of every dimension. `patterns` checks stars and lines of thresholds,
`lessons` checks teaching dimensions, and `proof` has the certificate.
"""
