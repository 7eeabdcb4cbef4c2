"""The forest of [GL21]: trees of SOAs whose leaves agree on a hypothesis, published privately."""
