"""The command line: a thin adapter."""
