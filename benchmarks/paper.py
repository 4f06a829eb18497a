"""What Kissel 2021 printed, and what its authors' published Python code takes, as the figures to compare with.

`PUBLISHED_MS` was measured for this project on a 2-core machine with the code the paper's authors published (their
C2), h = 1e-3: milliseconds per step. Ratios travel to another machine, milliseconds do not. The target is a 700th.
`SPEEDUP` is Tables 8 and 10 (relative to rp), `ITERATIONS` Table 9, by the paper's two codes C1 and C2.
"""

from __future__ import annotations

FORMULATIONS = ("rA", "rp", "re")
DRIVEN = ("kissel2021_single_pendulum", "kissel2021_four_link", "kissel2021_slider_crank")
SINGLE, FOUR, SLIDER = DRIVEN
DOUBLE = "kissel2021_double_pendulum"
FASTER = 700.0

PUBLISHED_MS: dict[tuple[str, str], dict[str, float]] = {
    ("kinematics", SINGLE): {"rp": 1.6, "rA": 0.74, "re": 0.93},
    ("kinematics", FOUR): {"rp": 4.4, "rA": 2.4, "re": 2.9},
    ("kinematics", SLIDER): {"rp": 5.8, "rA": 2.8, "re": 4.0},
    ("dynamics", SINGLE): {"rp": 2.1, "rA": 0.85, "re": 1.3},
    ("dynamics", DOUBLE): {"rp": 3.7, "rA": 1.2, "re": 1.9},
    ("dynamics", FOUR): {"rp": 5.4, "rA": 2.6, "re": 14.8},
    ("dynamics", SLIDER): {"rp": 5.8, "rA": 2.5, "re": 4.3},
}

SPEEDUP: dict[tuple[str, str], dict[str, tuple[float, float]]] = {  # (C1, C2)
    ("kinematics", SINGLE): {"rA": (2.21, 2.63), "re": (1.40, 1.27)},
    ("kinematics", FOUR): {"rA": (2.38, 2.55), "re": (1.23, 1.10)},
    ("kinematics", SLIDER): {"rA": (2.70, 2.62), "re": (1.47, 1.23)},
    ("dynamics", SINGLE): {"rA": (2.43, 2.46), "re": (1.29, 1.69)},
    ("dynamics", DOUBLE): {"rA": (2.63, 2.39), "re": (1.21, 1.53)},
    ("dynamics", FOUR): {"rA": (2.62, 2.41), "re": (1.21, 1.44)},
    ("dynamics", SLIDER): {"rA": (2.93, 2.29), "re": (1.31, 1.30)},
}

ITERATIONS: dict[str, dict[str, float]] = {  # kinematics, position analysis; the same in C1 and C2
    SINGLE: {"rp": 3.82, "rA": 3.80, "re": 3.80},
    FOUR: {"rp": 4.47, "rA": 4.50, "re": 4.77},
    SLIDER: {"rp": 4.83, "rA": 4.70, "re": 4.79},
}


def published_us(kind: str, mechanism: str, formulation: str) -> float | None:
    """Microseconds per step of the published code, None where there is no such figure."""
    found = PUBLISHED_MS.get((kind, mechanism))
    return None if found is None else 1e3 * found[formulation]


def target_us(kind: str, mechanism: str, formulation: str) -> float | None:
    """A 700th of the published code's time per step."""
    published = published_us(kind, mechanism, formulation)
    return None if published is None else published / FASTER
