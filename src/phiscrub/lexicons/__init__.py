"""Word lists with frequency ranks."""
