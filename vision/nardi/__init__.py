"""Eyes for Long Nardi: where the board lies, what stands on its points, and what was played."""
