"""Long Nardi."""
