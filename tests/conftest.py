"""Settings of every property test."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# Machines that run the tests are shared: how long an example takes says nothing of the code.
settings.register_profile("shared", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("shared")
