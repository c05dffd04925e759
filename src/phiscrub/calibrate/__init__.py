"""Thresholds with a promised recall, and what a reviewed sample proves. No I/O."""
