"""Pipelines: declared, built, loaded and run on batches of documents."""
