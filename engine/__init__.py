"""The rules of the game. Pure: standard library only, no IO, no clock, no randomness of its own."""
