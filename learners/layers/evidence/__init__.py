"""Layers: instances that are audited, and claims that are recomputed."""
