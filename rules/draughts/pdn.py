"""PDN, the record that the draughts world uses: `read` and `write` (PDN 3.0)."""

from .pdn_read import read
from .pdn_write import write, write_game

__all__ = ["read", "write", "write_game"]
