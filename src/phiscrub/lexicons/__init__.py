"""Listed words and terms: ranked, found over words or in a text, exactly or within one edit."""
