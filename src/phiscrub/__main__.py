"""`python -m phiscrub` is the command."""

from __future__ import annotations

from phiscrub.cli.main import main

if __name__ == "__main__":
    main()
