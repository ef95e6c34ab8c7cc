"""Pictures to percepts, and percepts to a deed."""
