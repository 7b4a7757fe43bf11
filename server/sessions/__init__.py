"""One sitting at one table, from its source to its result: read, recorded, replayed, resumed, kept."""
