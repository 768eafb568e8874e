"""Measuring what the course then shows: every implementation, on a device that is here."""
