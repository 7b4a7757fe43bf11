"""What the screens show of a running game: the snapshot, its changes, pictures and proofs."""
