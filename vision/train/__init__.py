"""Training, export and evaluation of the weights (extra [train]; never imported at play time)."""
