"""Draws Spanish cards from curves and colours: our own fixed deck and endless random styles. No picture is traced."""
