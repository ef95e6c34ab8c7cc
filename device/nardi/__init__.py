"""The session of a Long Nardi game: what the eyes and the people say, and what follows from it."""
