"""A learner that merges version spaces, for classes of small Littlestone dimension."""
