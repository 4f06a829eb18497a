"""Instances on a device: the functions that are translated for it, run by this processor, come to the bits of lanes."""

from __future__ import annotations

import ctypes
import math
import re
import shutil
import subprocess
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mechanism_generator import random_mechanism
from unit.lanes_case import EVERY, STEPS, Instances, Room, Spot, held, in_lanes, starts, swing

import linkwork as lw
from benchmarks import gpu as benchmark
from linkwork.errors import UsageError
from linkwork.lanes.gpu import functions, text
from linkwork.lanes.gpu.batch import GpuBatch
from linkwork.lanes.gpu.device import SIMULATED, Simulated
from linkwork.lanes.gpu.newton_batch import NewtonGpuBatch
from linkwork.lanes.gpu.runner import batch_or_why, run_gpu, why_off_device
from linkwork.lanes.runner import new_recorded
from linkwork.lanes.traced.engine import engine_of
from linkwork.lanes.traced.step import Recorder
from linkwork.studies.generated import chain

CRANK = "kissel2021_slider_crank"
WEIGHT = tuple(Spot("tables.gravity", k) for k in range(3))
CASES = (
    (CRANK, "articulated-body", "rk4"),
    (CRANK, "rA", "generalized-alpha"),
    ("planar_four_bar", "canonical", "dop853"),
    ("planar_four_bar", "rA", "implicit-euler"),
    ("muller2013_heavy_top", "lie-se3", "rk4"),
    ("suspension", "lie-mixed", "generalized-alpha"),
    ("rolling_disc", "null-space", "rk4"),
)


@pytest.fixture(autouse=True)
def simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SIMULATED, "1")


def on_device(one: Any, spots: tuple[Spot, ...], values: np.ndarray) -> tuple[Room, list[int]]:
    n, mechanism, ns = len(values), one.run.problem.mechanism, STEPS // EVERY + 1
    size = 24 * mechanism.nb
    room = Room(
        np.zeros(ns), np.full((n, ns, size), np.nan), np.full(n, -1), np.arange(size), np.zeros((n, ns, mechanism.nc))
    )
    where = run_gpu(one, Instances(spots, values, STEPS), room)
    assert where is not None
    return room, where.tolist()


@pytest.mark.parametrize(("name", "formulation", "integrator"), CASES)
def test_every_bit_is_that_of_lanes(name: str, formulation: str, integrator: str) -> None:
    """33 instances: two warps, one of them with one thread at work. Of the suspension a few leave the path, in both."""
    one = held(lw.load(name), formulation, integrator)
    gravity = one.arrays["tables.gravity"].copy()
    values = gravity * np.random.default_rng(1).uniform(0.9, 1.1, (33, 3))
    room, where = on_device(one, WEIGHT, values)
    wanted = in_lanes(one, WEIGHT, values)
    kept = wanted.status == 0
    assert np.array_equal(room.status, wanted.status)
    assert np.array_equal(np.array(where) == 2, kept)
    assert kept.sum() >= (20 if name == "suspension" else 33)
    assert np.array_equal(room.motion.reshape(wanted.motion.shape)[kept], wanted.motion[kept])
    assert np.array_equal(room.time, wanted.time)


def test_the_bits_are_seen_to_differ_where_they_do() -> None:
    """The comparison above can fail."""
    one = held(lw.load(CRANK), "articulated-body", "rk4")
    values = np.tile(one.arrays["tables.gravity"], (2, 1))
    wanted = in_lanes(one, WEIGHT, values)
    values[1, 2] = np.nextafter(values[1, 2], 0.0)
    room, _ = on_device(one, WEIGHT, values)
    assert np.array_equal(room.motion[0].ravel(), wanted.motion[0].ravel())
    assert not np.array_equal(room.motion[1].ravel(), wanted.motion[1].ravel())


@pytest.mark.parametrize("seed", [0, 3, 7, 11, 15, 19])
@pytest.mark.parametrize(("formulation", "integrator"), [("canonical", "rk4"), ("rA", "generalized-alpha")])
def test_random_mechanisms(seed: int, formulation: str, integrator: str) -> None:
    """Where steps call atan2 or exp, devices have functions of their own, and last places differ."""
    one = held(random_mechanism(seed), formulation, integrator)
    values = one.arrays["tables.gravity"] * np.random.default_rng(seed).uniform(0.9, 1.1, (5, 3))
    if why := why_off_device(one, Instances(WEIGHT, values, STEPS)):
        pytest.skip(why)
    room, where = on_device(one, WEIGHT, values)
    wanted = in_lanes(one, WEIGHT, values)
    assert np.all(room.status == wanted.status)
    found = room.motion.reshape(wanted.motion.shape)
    assert 2 in where
    assert np.allclose(found, wanted.motion, rtol=0.0, atol=1e-9 * np.max(np.abs(wanted.motion)))


def test_an_instance_that_leaves_the_path_goes_in_lanes_and_changes_no_other() -> None:
    spots, values = starts(6)
    usual = in_lanes(swing(), spots, values)
    values[2, 0] += 2e5  # beyond what polynomials of cosines are for
    values[4, 1] = np.nan
    room, where = on_device(swing(), spots, values)
    assert [where[k] for k in (0, 1, 3, 5)] == [2] * 4
    assert where[2] == where[4] == 1
    others = [0, 1, 3, 5]
    assert np.array_equal(room.motion.reshape(usual.motion.shape)[others], usual.motion[others])
    assert np.array_equal(room.motion[2].ravel(), in_lanes(swing(), spots, values[[2]]).motion[0].ravel())
    assert list(room.status[[0, 1, 2, 3, 5]]) == [0] * 5
    assert room.status[4] != 0


def test_memory_that_holds_few_samples_comes_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    spots, values = starts(40)
    whole, _ = on_device(swing(), spots, values)
    monkeypatch.setattr("linkwork.lanes.gpu.batch.LARGEST", 200_000)
    monkeypatch.setattr(GpuBatch, "most", lambda self: 32)
    parts, _ = on_device(swing(), spots, values)
    assert np.array_equal(whole.motion, parts.motion)


def test_a_sweep_on_a_device_is_one_in_lanes() -> None:
    over = {"crank.mass": lw.uniform(0.5, 2.0), "slider.mass": lw.uniform(0.5, 2.0)}

    def swept(**how: Any) -> lw.Sweep:
        return lw.sweep(
            lw.load(CRANK), over, runs=70, keep=["slider.position", "max(energy)"], t_end=0.05, step=1e-3,
            formulation="canonical", integrator="rk4", judge=False, **how,
        )  # fmt: skip

    found, wanted = swept(gpu=True), swept(lanes=True)
    assert np.all(found["in_lanes"] == 2)
    assert found.info["gpu"] == Simulated.name
    assert not found.info["off_device"]
    assert f"70 on {Simulated.name}, 0 in lanes" in repr(found)
    for name in ("slider.position", "max(energy)"):
        assert np.array_equal(found[name], wanted[name])


def test_what_goes_neither_on_a_device_nor_in_lanes_says_why() -> None:
    mech = lw.load("cam")
    found = lw.sweep(
        mech, {"follower.mass": [0.5, 1.0]}, keep="final(follower.position.z)", t_end=0.01, step=1e-3,
        formulation="canonical", integrator="ts54", gpu=True, rtol=1e-6,
    )  # fmt: skip
    assert "one size" in found.info["off_device"]
    assert np.all(found["in_lanes"] == 0)
    assert found.info["off_device"] in repr(found)


def test_without_a_device_it_is_said_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SIMULATED)
    if find_spec("cuda") is not None:
        pytest.skip("cuda-bindings is installed here")
    with pytest.raises(UsageError, match="cuda-bindings") as caught:
        lw.sweep(lw.load(CRANK), {"crank.mass": [1.0]}, t_end=0.01, step=1e-3, gpu=True)
    assert "linkwork[gpu]" in str(caught.value)


def kernels(formulation: str, integrator: str) -> str:
    """The text for devices of a chain of three."""
    one = held(chain(3), formulation, integrator)
    made: list[str] = []

    class Listening(Simulated):
        def kernels(self, functions: str) -> Any:
            made.append(text.kernels_of(functions))
            return super().kernels(functions)

    new_recorded(one, Instances(WEIGHT, np.zeros((0, 3)), STEPS), *(partial(kind, Listening()) for kind in KINDS))
    return made[0]


KINDS = (GpuBatch, NewtonGpuBatch)


@pytest.mark.parametrize(("formulation", "integrator"), [("canonical", "rk4"), ("rA", "generalized-alpha")])
def test_the_text_for_devices_leaves_no_rounding_to_its_assembler(
    formulation: str, integrator: str, tmp_path: Path
) -> None:
    """Products and sums that say how they are rounded are not fused by it."""
    found = kernels(formulation, integrator)
    for name in text.KERNELS:
        assert f".visible .entry all_{name}(" in found
    assert "fma.rn.f64" in found
    operations = re.findall(r"\b(?:add|sub|mul|div|sqrt|fma)\.(\w+)[.\w]*f64|\b(?:add|sub|mul)\.f64", found)
    assert operations
    assert set(operations) == {"rn"}
    assembler = shutil.which("ptxas")
    if assembler is None:
        pytest.skip("ptxas, NVIDIA's assembler, is not installed")
    (tmp_path / "kernels.ptx").write_text(found)
    taken = [assembler, "-arch=sm_90", str(tmp_path / "kernels.ptx"), "-o", str(tmp_path / "kernels.cubin")]
    assert subprocess.run(taken, capture_output=True, text=True, check=False).returncode == 0


def test_functions_of_devices_are_within_two_units_in_the_last_place() -> None:
    around = """
declare double @llvm.fabs.f64(double)
declare double @llvm.floor.f64(double)
define double @angle(double %y, double %x) {
  %r = call double @device_atan2(double %y, double %x)
  ret double %r
}
define double @power(double %x) {
  %r = call double @device_exp(double %x)
  ret double %r
}
"""
    engine, number = engine_of(functions.text() + around), ctypes.c_double
    angle = ctypes.CFUNCTYPE(number, number, number)(engine.get_function_address("angle"))
    power = ctypes.CFUNCTYPE(number, number)(engine.get_function_address("power"))
    rng = np.random.default_rng(0)
    for y, x in rng.normal(size=(4000, 2)) * 10 ** rng.uniform(-6, 6, (4000, 2)):
        assert abs(angle(y, x) - math.atan2(y, x)) <= 2 * math.ulp(math.atan2(y, x))
    for y in (0.0, -0.0, 1.0, -1.0, 1e-320, math.inf):
        for x in (0.0, -0.0, 1.0, -1.0):
            assert math.copysign(1.0, angle(y, x)) == math.copysign(1.0, y)
            assert angle(y, x) == math.atan2(y, x)
    for x in (*rng.uniform(-707.0, 709.0, 4000), *rng.normal(size=1000), 0.0):
        assert abs(power(x) - math.exp(x)) <= 2 * math.ulp(math.exp(x))
    assert power(710.0) == math.inf
    assert power(-800.0) == power(-math.inf) == 0.0
    assert math.isnan(power(math.nan))
    assert math.isnan(angle(math.nan, 1.0))


def test_a_spring_about_an_angle_goes_on_a_device() -> None:
    mech = chain(2)
    name = next(iter(joint.name for joint in mech.joints))
    mech.force("torsion", "torsion", joint=name, stiffness=3.0)
    one = held(mech, "canonical")
    values = np.tile(one.arrays["tables.gravity"], (3, 1))
    graph = Recorder(one.run).recorded(frozenset())
    used = {node[0] for part in graph.functions for node in part.graph.nodes}
    assert "atan2" in used
    assert isinstance(batch_or_why(one, Instances(WEIGHT, values, STEPS)), GpuBatch)
    room, where = on_device(one, WEIGHT, values)
    assert where == [2] * 3
    wanted = in_lanes(one, WEIGHT, values).motion
    assert np.allclose(room.motion.reshape(wanted.shape), wanted, rtol=0.0, atol=1e-12)


def test_the_benchmark_prints_rows_and_says_that_the_bits_are_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in (("MANY", (32,)), ("MOST_IMPLICIT", 32), ("TRIES", 1), ("STEPS", 50)):
        monkeypatch.setattr(benchmark, name, value)
    monkeypatch.setattr(
        benchmark,
        "CASES",
        (("double pendulum", "canonical", "rk4"), ("slider crank", "rA", "generalized-alpha")),
    )
    benchmark.rows(peers=False)
    rows = [line for line in capsys.readouterr().out.splitlines() if " + " in line]
    assert len(rows) == 2
    assert all(row.endswith("| yes |") for row in rows)
