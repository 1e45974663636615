"""Floor 4: the database."""
