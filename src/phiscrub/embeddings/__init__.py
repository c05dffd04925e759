"""Word vectors: trained, read and written, composed, and judged."""
