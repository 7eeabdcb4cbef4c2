"""Private prediction from experts, with audited instances and recomputed claims."""
