"""The Model Context Protocol: at ``/mcp``, and over stdio. The library is imported with the first call of it:
it takes a second."""
