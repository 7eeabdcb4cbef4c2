"""Winnow for halfspaces with a margin, with private updates [BF25]."""
