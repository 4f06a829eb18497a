"""A comparison as NetCDF and as an xarray.Dataset: a run per row, curves over time, names and units."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.io.data_sets import need_xarray
from linkwork.io.results.schema import plain_text

if TYPE_CHECKING:
    import xarray

FORMAT, FORMAT_VERSION = "linkwork comparison", 1

# of a row: name -> (unit, meaning)
NUMBERS = {
    "step": ("s", "fixed step; not a number where tolerances rule"),
    "rtol": ("1", "relative tolerance of a step"),
    "atol": ("1", "absolute tolerance of a step"),
    "accuracy": ("1", "accuracy of poses asked of a planned run; not a number of any other"),
    "error": ("1", "largest difference of poses or velocities from the reference"),
    "pose_error": ("1", "largest difference of poses: distance over length, or angle in rad"),
    "rate_error": ("1", "largest difference of velocities, as a share of the largest speed"),
    "reaction_error": ("1", "largest difference of joint forces and torques, as a share of the largest one"),
    "digits": ("1", "decimal digits in which the motion agrees with the reference"),
    "energy_drift": ("J", "largest error of the energy, see the attribute energy_drift_is"),
    "energy_share": ("1", "the same as a share of the largest kinetic energy"),
    "position_violation": ("1", "largest absolute residual of the position-level constraint rows"),
    "velocity_violation": ("1", "largest absolute residual of the velocity-level constraint equations"),
    "iterations_per_step": ("1", "Newton iterations per step"),
    "us_per_step": ("us", "time of the compiled loop per step"),
    "us_per_second": ("us s-1", "time of the compiled loop per simulated second"),
    "peak_memory": ("byte", "peak physical memory of the process that was timed"),
    "memory_rise": ("byte", "by how much the timed run raised it"),
}
WORDS = ("key", "formulation", "integrator", "status", "code", "reason", "judgement")
CURVES = {
    "error_over_time": ("error", "1", "difference of poses or velocities from the reference"),
    "energy_over_time": ("energy", "J", "error of the energy"),
    "violation_over_time": ("position_violation", "1", "largest absolute residual of the position-level rows"),
}


def dataset(comparison: Any) -> xarray.Dataset:
    """Rows along ``run``, curves along ``run`` and ``time``, agreement along ``best`` and ``other``."""
    need_xarray()
    import xarray

    found = comparison.to_dict()
    rows = found["runs"]
    data: dict[str, Any] = {name: ("run", _words(rows, name)) for name in WORDS}
    for name, (unit, meaning) in NUMBERS.items():
        data[name] = ("run", _numbers([row[name] for row in rows]), {"units": unit, "long_name": meaning})
    for name in sorted({name for row in rows for name in row["counts"]}):
        data[name] = ("run", _numbers([row["counts"].get(name) for row in rows]), {"long_name": f"{name} of the run"})
    counted = [(row["operations"] or {}).get("operations") for row in rows]
    if any(number is not None for number in counted):
        meaning = "additions, multiplications and divisions of one evaluation of the slope"
        data["operations"] = ("run", _numbers(counted), {"units": "1", "long_name": meaning})
    count = max((len(curve.time) for curve in comparison.curves.values()), default=0)
    time = comparison.interval * np.arange(count)
    for name, (attribute, unit, meaning) in CURVES.items():
        table = np.full((len(rows), count), np.nan)
        for k, row in enumerate(rows):
            curve = comparison.curves.get(row["key"])
            values = None if curve is None else getattr(curve, attribute)
            if values is not None:
                table[k, : len(values)] = values
        data[name] = (("run", "time"), table, {"units": unit, "long_name": meaning})
    names = _array(found["agreement"]["runs"])
    digits = np.array(found["agreement"]["digits"], dtype=float).reshape(len(names), len(names))
    data["agreement"] = (
        ("best", "other"),
        digits,
        {"long_name": "digits in which the best runs agree, poses"},
    )
    coordinates = {
        "run": _array([row["label"] for row in rows]),
        "time": ("time", time, {"units": "s"}),
        "best": names,
        "other": names.copy(),
    }
    return xarray.Dataset(data, coordinates, _attributes(found))


def write(comparison: Any, path: Path) -> None:
    """The same as a NetCDF file."""
    dataset(comparison).to_netcdf(path, engine="h5netcdf")


def _attributes(found: dict[str, Any]) -> dict[str, Any]:
    reference = found["reference"] or {"how": "", "uncertainty": np.nan, "rate_uncertainty": np.nan}
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "mechanism": plain_text(found["mechanism"]),
        "t_end": found["t_end"],
        "length": found["length"],
        "energy_drift_is": found["energy_drift_is"],
        "reference": plain_text(reference["how"]),
        "reference_uncertainty": reference["uncertainty"],
        "reference_rate_uncertainty": reference["rate_uncertainty"],
        "study": plain_text(json.dumps(found["study"])),
        "notes": plain_text("\n".join(found["notes"])),
        "facts": plain_text(json.dumps(found["facts"])),
        "complete": int(found["complete"]),
    }


def _array(words: list[str]) -> Any:
    return np.array([plain_text(word) for word in words], dtype=object)


def _words(rows: list[dict[str, Any]], name: str) -> Any:
    return _array([str(row[name]) for row in rows])


def _numbers(values: list[Any]) -> Any:
    return np.array([np.nan if value is None else value for value in values], dtype=float)
