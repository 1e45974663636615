"""Floor 1: what is a word."""
