"""Text to tokens, sentences and sections; offsets are never moved."""
