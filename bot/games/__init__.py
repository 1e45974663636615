"""Floor 2: the rules of the games; pure."""
