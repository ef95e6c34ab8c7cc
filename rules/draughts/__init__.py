"""Draughts in all its variants, from one set of facts a variant."""
