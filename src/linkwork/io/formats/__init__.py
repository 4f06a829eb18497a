"""Mechanism files: reading any known format or a shipped mechanism by name, and writing linkwork's own."""

from __future__ import annotations

from linkwork.io.formats.loading import FORMATS, load, save
from linkwork.mechanisms import shipped

__all__ = ["FORMATS", "load", "save", "shipped"]
