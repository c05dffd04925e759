"""One runnable protocol for each source paper: its steps, and its tables with ours beside them."""
