"""Pixels to what lies on the table. Knows cards as labels, knows no rules."""
