"""The forest of [GL21], which privately publishes a hypothesis shown by many trees of SOAs."""
