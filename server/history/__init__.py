"""Kept games: told again, put right, exported, counted, forgotten."""
