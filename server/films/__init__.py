"""The film suite: made-up games filmed by the simulator, read by the real command, scored against their truth."""
