"""Annotated synthetic notes: copies of annotated notes with other identifiers, layout and noise."""
