"""Layers of mistake sequences, from which hypotheses are published privately [LWY25, Alg 2]."""
