"""Notes to mentions."""
