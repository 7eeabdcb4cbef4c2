"""The exact cost of privacy for every small class: certified optima, and learners compared to them.

`catalog.atlas.private_values` reads the values. This package computes them with certificates, and
computes the ratio of the error of each shipped private learner to the optimum.
"""
