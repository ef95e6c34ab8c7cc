"""Training of the shipped networks."""
