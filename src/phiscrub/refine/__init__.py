"""Mentions to mentions, in the light of the whole note."""
