"""Draws decks, tables and films for training, tests and the demo."""
