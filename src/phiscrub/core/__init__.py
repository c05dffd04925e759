"""Nouns and contracts: what every other room speaks in. Standard library and numpy only."""
