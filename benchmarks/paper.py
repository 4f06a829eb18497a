"""What Kissel 2021 printed, and what its authors' published Python code takes, as the figures to compare with.

`PUBLISHED_MS` was measured for this project on a 2-core machine with the code the paper's authors published (their
C2), h = 1e-3: milliseconds per step. Ratios travel to another machine, milliseconds do not. The target is a 700th.
These stand in `linkwork/studies/papers/kissel2021/measured.yaml`, what the paper prints in `published.yaml` beside it.
`SPEEDUP` is Tables 8 and 10 (relative to rp), `ITERATIONS` Table 9, by the paper's two codes C1 and C2.
"""

from __future__ import annotations

from linkwork.studies.published import measured, published

FORMULATIONS = ("rA", "rp", "re")
DRIVEN = ("kissel2021_single_pendulum", "kissel2021_four_link", "kissel2021_slider_crank")
SINGLE, FOUR, SLIDER = DRIVEN
DOUBLE = "kissel2021_double_pendulum"
FASTER = 700.0

_PRINTED = published("kissel2021")


def _by_mechanism(item: str) -> dict[str, dict[str, tuple[float, float]]]:
    table = _PRINTED[item].values
    return {m: {f: (codes["C1"], codes["C2"]) for f, codes in row.items()} for m, row in table.items()}


PUBLISHED_MS: dict[tuple[str, str], dict[str, float]] = {
    (kind, mechanism): row
    for kind, rows in measured("kissel2021")["published code"].values.items()
    for mechanism, row in rows.items()
}

SPEEDUP: dict[tuple[str, str], dict[str, tuple[float, float]]] = {  # (C1, C2)
    (kind, mechanism): row
    for kind, item in (("kinematics", "table 8"), ("dynamics", "table 10"))
    for mechanism, row in _by_mechanism(item).items()
}

ITERATIONS: dict[str, dict[str, float]] = {  # kinematics, position analysis; the same in C1 and C2
    mechanism: {f: codes[0] for f, codes in row.items()} for mechanism, row in _by_mechanism("table 9").items()
}


def published_us(kind: str, mechanism: str, formulation: str) -> float | None:
    """Microseconds per step of the published code, None where there is no such figure."""
    found = PUBLISHED_MS.get((kind, mechanism))
    return None if found is None else 1e3 * found[formulation]


def target_us(kind: str, mechanism: str, formulation: str) -> float | None:
    """A 700th of the published code's time per step."""
    published = published_us(kind, mechanism, formulation)
    return None if published is None else published / FASTER
