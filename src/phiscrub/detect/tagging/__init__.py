"""Taggers: what a token shows, and models that label tokens by it."""
