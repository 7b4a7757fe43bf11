"""The referee: facts about the table and presses in, the believed game out. Pure: same facts, same game."""
