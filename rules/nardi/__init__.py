"""Long Nardi: board, dice, legal turns, verdicts, wrong deeds, games in a series, and records."""
