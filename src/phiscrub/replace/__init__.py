"""Covers to redactions."""
