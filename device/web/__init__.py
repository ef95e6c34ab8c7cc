"""The page: what two players, spectators and the arbiter see and do in a browser."""
