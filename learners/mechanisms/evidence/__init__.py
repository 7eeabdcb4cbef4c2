"""Mechanisms: instances that are audited."""
