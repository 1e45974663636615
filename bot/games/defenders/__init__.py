"""Defenders of the Dictionary: co-operative crosswords on city maps."""
