"""Scores of the shipped networks on real and drawn pictures."""
