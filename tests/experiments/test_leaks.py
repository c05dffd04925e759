from __future__ import annotations

from pathlib import Path

from phiscrub.experiments.leaks import write_leaks


def test_only_the_owner_reads_leaks_also_in_a_file_that_stood(tmp_path: Path) -> None:
    file = tmp_path / "leaks.tsv"
    file.touch(0o644)
    file.chmod(0o644)
    write_leaks(file, [], [])
    assert file.stat().st_mode & 0o077 == 0
