"""A small study: what tests of comparisons begin from."""

from __future__ import annotations

from typing import Any

from linkwork.studies.comparison.files import study_from

MODEL = "kissel2021_double_pendulum"
SETTING = {"t_end": 0.1, "repeats": 1, "samples": 20, "steps": [2e-3, 1e-3], "rtol": [1e-6]}
TRIO = ["rA", "lie-se3", "joint-rates"]


def study(**parts: Any) -> Any:
    return study_from({"study": 1, "mechanism": MODEL, "t_end": 0.1, **parts})
