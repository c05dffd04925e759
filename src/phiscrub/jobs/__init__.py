"""Whole runs over files and tables: workers, checkpoints, audit and quarantine."""
