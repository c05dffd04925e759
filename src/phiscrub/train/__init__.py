"""Training: recipes, corpora, models fitted on them, and how much more annotation would buy."""
