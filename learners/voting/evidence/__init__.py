"""Audit instances and claims of the voting learners."""
