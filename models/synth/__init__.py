"""Drawn scenes with known contents: boards, men, light, hands and cameras.

``sample_style`` draws a set, ``sample_camera`` and ``sample_light`` how it is seen, ``Scene`` puts
men on it and ``render`` makes the picture with its truth (``scene``).  ``episodes`` makes pictures
of one set from its first position on, ``game`` whole games frame by frame; ``python -m
models.synth`` writes pictures and labels as files.

Lengths are in squares of the board, colours B, G, R.  Display values are square roots of linear
light.  Everything random comes from a generator or a seed that is given, so that the same
arguments give the same picture.
"""
