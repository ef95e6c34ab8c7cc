"""Everything that touches the world: cameras, lamps, files, the command line."""
