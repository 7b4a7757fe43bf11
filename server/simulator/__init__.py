"""Made-up games turned into films: the engine's random game as timed table actions, incidents, camera faults."""
