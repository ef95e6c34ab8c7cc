"""The games, one file of facts each; each names its articles."""
