"""Claims of several detectors to one cover."""
