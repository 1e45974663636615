"""Floor 4: the host of the tables."""
