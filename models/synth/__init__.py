"""Drawn scenes with known contents: boards, men, light, hands and cameras."""
