"""The comparison of search engines: what is measured, in which process, and the table of it."""
