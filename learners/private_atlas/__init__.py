"""The exact cost of privacy for small classes: certified optima, and the errors of learners.

`catalog.atlas.private_values` reads the values. This package computes them with certificates, and
computes the ratio of the error of each shipped private learner to the optimum.
"""
