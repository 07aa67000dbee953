"""One adapter per engine; each is imported in a process of its own, by its module's name."""
