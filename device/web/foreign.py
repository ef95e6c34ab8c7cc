"""Sentences that rules and eyes say in plain English, listed so that the catalogues have them.

A test holds the list to the sources.
"""

from __future__ import annotations


def N_(text: str) -> str:
    """Marks a sentence that is said in a language later, where it is known whose."""
    return text


FOREIGN = frozenset(
    (
        N_("15 moves each with kings only, no capture"),
        N_("15 moves each, three or more kings against a king"),
        N_("16 moves each, three pieces against a king"),
        N_("25 moves each with kings only, no capture"),
        N_("30 moves each, 4 or 5 pieces, forces unchanged"),
        N_("40 moves each, no man advanced, no capture"),
        N_("40 moves each, no man moved, no capture"),
        N_("5 moves each, one or two pieces against a king"),
        N_("5 moves each, three pieces against a king on the main road"),
        N_("60 moves each, 6 or 7 pieces, forces unchanged"),
        N_("the same position four times"),
        N_("the same position three times"),
        N_("no move left"),
        N_("no piece left"),
        N_("resigned"),
        N_("a draw was agreed"),
        N_("time over"),
        N_("the game is over"),
        N_("the arbiter decides"),
        N_("no game is being played"),
        N_("there are not so many moves to take back"),
        N_("the opponent or the arbiter decides"),
        N_("the opponent has to agree"),
        N_("the opponent has not offered a draw"),
        N_("no offence is pending"),
        N_("the board can't be seen now"),
        N_("no board in the picture, or too little of it"),
        N_("no board near the guess"),
        N_("the board is cut off by the edge of the picture"),
        N_("the picture is blurred"),
        N_("the picture is too dark"),
        N_("no men are to be seen on the board"),
        N_("set up the first position"),
        N_("set up the first position, all men on their squares"),
        N_("set up both sides, or give more light and no glare"),
        N_("more light from above, no glare on the board, or men that differ more"),
        N_("take hands and things off the board and try again"),
        N_("this is not the first position"),
        N_("waiting for the first position"),
        N_("it can't be told from which edge White plays"),
        N_("the board lies turned by a quarter: the other corner belongs on the right"),
        N_("several moves fit what stands on the board"),
        N_("waiting for the offence to be put right"),
        N_(
            "the board is cut off: move the camera back or turn it until the whole board is "
            "in the picture"
        ),
        N_(
            "the camera looks too much from the side: mount it higher, or nearer to "
            "straight above the board"
        ),
        N_("the squares are too small: move the camera nearer, or set a larger picture"),
        N_(
            "the picture is blurred: focus the camera on the board, and mount it so that it "
            "does not shake"
        ),
        N_(
            "a lamp or window is mirrored on the board: move the lamp, draw the curtain, or "
            "move the camera aside"
        ),
        N_("too bright: less light, or a shorter exposure"),
        N_("too dark: more light on the board"),
        N_("something covers a part of the board"),
    )
)
