"""A run in short, on runs made by hand: every number of digest and summary is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from unit.handmade import N, result

import linkwork.io.results.digest as digest_module

ALL = slice(None)


def with_power(power: Any, *changes: Any, **more: Any) -> Any:
    made = result(*changes, **more)
    made._arrays["power"] = power
    return made


def test_energies_and_what_no_work_explains() -> None:
    """8 + 5 J at the start. 2 W for a second; 3 J are gone at the end, and 4 J were gone before."""
    lost = np.zeros(N)
    lost[5], lost[-1] = -4.0, -3.0
    short = with_power(np.full(N, 2.0), ("potential_energy", ALL, lost)).to_dict()["energy"]
    assert short["start"] == pytest.approx(13.0)
    assert short["end"] == pytest.approx(10.0)
    assert short["largest_change"] == pytest.approx(4.0)
    assert short["work"] == pytest.approx(2.0)
    assert short["largest_residual"] == pytest.approx(5.0)  # -4 J change with 1 J of work; -3 J with 2 J
    assert short["largest_kinetic"] == pytest.approx(8.0)


def test_the_work_is_the_trapezoidal_rule() -> None:
    """A power that grows linearly is integrated exactly; rectangles would give 1.1 or 0.9 J."""
    short = with_power(np.linspace(0.0, 2.0, N)).to_dict()["energy"]
    assert short["work"] == pytest.approx(1.0)
    assert result().to_dict()["energy"]["work"] is None


def test_the_words_of_the_energy_are_its_numbers() -> None:
    made = with_power(np.full(N, 2.0), ("kinetic_energy", slice(5, None), 0.5))
    text = made.summary()
    assert "energy: 13 J at the start, 13.5 J at the end, changed by at most 0.5 J" in text
    assert "work of drivers, loads and dampers: 2 J; unexplained: at most 1.5 J" in text


def test_largest_reactions_are_those_of_the_whole_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digest_module, "BLOCK", 4)
    made = result(("reaction_force", (2, 1, slice(0, 2)), (3.0, 4.0)), ("reaction_torque", (9, 0, 1), -6.0))
    assert made.to_dict()["largest_reactions"] == {
        "pin": {"force": pytest.approx(10.0), "torque": pytest.approx(6.0)},
        "slide": {"force": pytest.approx(5.0), "torque": pytest.approx(0.0)},
    }
    assert "pin    10 N  6 N m" in made.summary()


def test_the_end_state_is_the_last_sample() -> None:
    made = result(("position", (-1, 0, 2), 7.0), ("position", (-2, 0, 2), 5.0), ("velocity", (-1, 1, 1), 1e-13))
    state = made.to_dict()["end_state"]
    assert state["crank"]["position"] == [0.0, 0.0, 7.0]
    assert state["rod"]["angular_velocity"] == [0.0, 0.0, 3.0]
    assert state["rod"]["velocity"] == [2.0, 1e-13, 0.0]
    line = next(line for line in made.summary().splitlines() if line.strip().startswith("rod"))
    assert line.split("v = ")[1].startswith("(         2,          0,          0) m/s")


def test_violations_come_with_their_times() -> None:
    made = result()
    made._arrays["position_violation"] = np.array([0.0, 1e-9, 3e-9, 2e-9, *[0.0] * 7])
    made._arrays["velocity_violation"] = np.array([np.nan, 0.0, 0.0, 4e-8, *[0.0] * 7])
    largest = made.to_dict()["largest"]
    assert largest["position_violation"] == {"value": pytest.approx(3e-9), "time": pytest.approx(0.2)}
    assert largest["velocity_violation"] == {"value": pytest.approx(4e-8), "time": pytest.approx(0.3)}
    assert "largest position violation: 3e-09 at 0.2 s" in made.summary()


def test_iterations_are_those_of_steps() -> None:
    made = result()
    made._arrays["iterations"] = np.array([99, 2, 2, 2, 2, 2, 2, 2, 2, 2, 5])
    assert made.to_dict()["iterations"] == {"total": 23, "mean": pytest.approx(2.3), "most": 5}


def test_a_certificate_stands_in_the_summary() -> None:
    made = result(info={"certificate": {"statement": "NOT confirmed beyond t = 5.89 s."}})
    assert "\nNOT confirmed beyond t = 5.89 s.\n" in made.summary() + "\n"


def test_long_lists_are_counted() -> None:
    made = result(messages=[f"message {k}" for k in range(15)])
    lines = made.summary().splitlines()
    assert "  message 11" in lines
    assert "  message 12" not in lines
    assert "  ... and 3 more messages" in lines
