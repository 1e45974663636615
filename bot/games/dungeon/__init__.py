"""Word Dungeon: crosswords that grow from the entrance of a dungeon to its exit, alone, together or in a race."""
