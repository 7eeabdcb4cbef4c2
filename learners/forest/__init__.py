"""The forest of [GL21]: many tournament trees of SOAs, and private hypotheses shown by many."""
