"""Online learners: streams in, one prediction a round."""
