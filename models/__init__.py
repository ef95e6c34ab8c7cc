"""The workshop where weights are made and measured.

Nothing imports it at run time but the simulated camera.
"""
