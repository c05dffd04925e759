"""Bytes to documents with annotations, and back, without loss."""
