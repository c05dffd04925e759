"""Networks in torch: parts, and a tagger made of them. Only training and export come here."""
