"""Games of online learners against adversaries: the protocol, the play, transcripts, entries."""
