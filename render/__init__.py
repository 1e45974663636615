"""Floor 3: a view becomes a picture. Pillow and numpy only."""
