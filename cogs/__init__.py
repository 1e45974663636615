"""Floor 5: Discord commands, panels and texts; one cog a game."""
