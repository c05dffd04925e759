"""Gold against found: counts, the official measures, leaks, and how sure the figures are."""
