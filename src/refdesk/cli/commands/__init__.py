"""One function a command: it is given a ``Call`` and its own parameters, and gives a ``Reply``."""
