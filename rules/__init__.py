"""The games: moves, captures, offences and records.  Standard library only; no I/O, no clock."""
