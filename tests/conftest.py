"""Hypothesis is not to fail a test because the machine is busy."""

from hypothesis import HealthCheck, settings

settings.register_profile("course", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("course")
