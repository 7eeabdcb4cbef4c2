"""The dimensions of a concept class, one file each, and the registry that lists them."""
