"""How many processor cores a run may take."""

from __future__ import annotations

import math
import os
from contextlib import suppress
from pathlib import Path

QUOTA = Path("/sys/fs/cgroup/cpu.max")  # of a container: `max 100000` or `200000 100000`


def usable_cores() -> int:
    """Return the cores that this process may run on: of the machine, its mask and its container."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    most = count or 1
    with suppress(OSError, ValueError):
        quota, period = QUOTA.read_text("ascii").split()
        if quota != "max":
            most = min(most, math.ceil(int(quota) / int(period)))
    return max(1, most)
