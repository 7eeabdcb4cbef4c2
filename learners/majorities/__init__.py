"""Majorities of few concepts, improper rules from the minimax theorem with certificates."""
