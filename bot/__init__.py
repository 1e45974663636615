"""Wordmoot: five word board games on Discord."""
