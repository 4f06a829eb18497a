"""The certificate of a run: an independent formulation says to how many digits it holds, and where that ends."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles.redundant import n_four_bar

import linkwork as lw
from linkwork.cli.main import status_of
from linkwork.errors import RunInterruptedError, UsageError
from linkwork.formulations import FORMULATIONS
from linkwork.run.simulate import simulate
from linkwork.studies import certificate
from linkwork.studies.certificate_words import sensitivity
from linkwork.studies.independence import differing
from linkwork.studies.motion import Difference
from linkwork.studies.quantities import QUANTITIES

MODEL = "kissel2021_double_pendulum"


def test_a_run_is_confirmed_by_another_formulation_with_another_integrator() -> None:
    result = lw.simulate(lw.load(MODEL), 0.2, 1e-3, "lie-se3", "dop853", rtol=1e-9, verify=True)
    found = result.info["certificate"]
    assert found["confirmed"]
    assert 6.0 < found["digits"] < 12.0
    each = {name: one["digits"] for name, one in found["quantities"].items()}
    assert tuple(each) == QUANTITIES
    assert found["digits"] == min(each.values())
    assert (found["pose_digits"], found["velocity_digits"]) == (each["poses"], each["velocities"])
    assert found["check"]["formulation"] != "lie-se3"
    assert found["check"]["integrator"] != "dop853"
    assert len(found["check"]["differs_in"]) >= 3
    assert found["check"]["rtol"] == pytest.approx(1e-11)
    assert found["quantities"]["poses"]["worst"]["body"] in result.bodies
    assert found["quantities"]["reactions"]["worst"]["joint"] in result.joints
    motion = min(found["pose_digits"], found["velocity_digits"])
    assert found["through_time"][-1] == {"time": pytest.approx(0.2), "digits": pytest.approx(motion)}
    assert all(
        a["digits"] >= b["digits"] for a, b in zip(found["through_time"], found["through_time"][1:], strict=False)
    )
    assert found["statement"] in result.summary()


def test_the_digits_follow_the_step() -> None:
    """Of every quantity, with the order of the method."""
    mech = lw.load(MODEL)
    runs = [lw.verify(lw.simulate(mech, 0.2, step, "rA", "generalized-alpha")) for step in (4e-3, 1e-3)]
    for name in QUANTITIES:
        coarse, fine = (found["quantities"][name]["digits"] for found in runs)
        assert fine - coarse == pytest.approx(2 * math.log10(4.0), abs=0.4), name


def test_spoiled_reactions_and_accelerations_are_not_confirmed() -> None:
    """A motion that is right to ten digits, with 5 % on a reaction, or on an acceleration."""
    result = lw.simulate(lw.load(MODEL), 0.2, 1e-3, "lie-se3", "dop853", rtol=1e-9)
    assert lw.verify(result)["confirmed"]
    for name, quantity in (("reaction_force", "reactions"), ("acceleration", "accelerations")):
        data = {what: np.array(result[what]) for what in result}
        data[name][57] *= 1.05
        found = lw.verify(lw.Result(result.header, data))
        assert not found["confirmed"]
        assert found["worst"]["quantity"] == quantity
        assert min(found["pose_digits"], found["velocity_digits"]) > 9.0
        assert found["statement"].startswith("NOT confirmed to the 2 digits asked for")


def test_digits_can_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    mech = lw.load(MODEL)
    for asked, confirmed in ((3.0, True), (9.0, False)):
        result = lw.simulate(mech, 0.05, 1e-3, "rA", "generalized-alpha", verify=asked)
        assert result.info["certificate"]["asked"] == asked
        assert result.info["certificate"]["confirmed"] is confirmed
        words = ["run", MODEL, "--t-end", "0.05", "--step", "1e-3", "--integrator", "generalized-alpha"]
        assert status_of([*words, "--digits", str(asked)]) == (0 if confirmed else 8)
        assert ("NOT confirmed to the 9 digits asked for" in capsys.readouterr().err) is not confirmed
    with pytest.raises(UsageError, match="digits must be a positive number"):
        lw.verify(result, digits=-1.0)


def test_reactions_that_are_not_unique_are_left_out() -> None:
    """Hinges of a plane four-bar: which of them holds the plane nobody can tell."""
    result = lw.simulate(n_four_bar(1), 0.02, 1e-3, "rA", "generalized-alpha")
    found = lw.verify(result)
    assert found["not_unique"]
    assert f"Reactions of {found['not_unique'][0]!r}" in found["statement"]
    assert found["confirmed"]


def test_a_wrong_run_is_not_confirmed() -> None:
    """A body's mass changed behind the run's back: the digits fall to what that is worth."""
    result = lw.simulate(lw.load(MODEL), 0.5, 1e-3, "lie-se3", "dop853")
    document = json.loads(result.mechanism_document)
    document["gravity"] = [0.0, 0.0, -9.82]
    wrong = lw.Result(
        lw.simulate(lw.Mechanism.from_dict(document), 0.02, 1e-2, "lie-se3").header,
        {name: result[name] for name in ("time", "position", "rotation", "velocity", "angular_velocity")},
    )
    assert lw.verify(result)["digits"] > 9.0
    assert lw.verify(wrong)["digits"] < 4.0


def test_the_certificate_is_in_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "run.nc"
    words = ["run", MODEL, "--t-end", "0.1", "--step", "1e-3", "--out", str(file), "--verify", "--json"]
    assert status_of(words) == 0
    said = json.loads(capsys.readouterr().out)["info"]["certificate"]
    kept = lw.open_result(file)
    assert kept.info["certificate"] == said
    assert kept.dataset.attrs["confirmed_digits"] == pytest.approx(said["digits"])
    for name in QUANTITIES:
        assert kept.dataset.attrs[f"confirmed_digits_{name}"] == pytest.approx(said["quantities"][name]["digits"])
    assert kept.position(kept.bodies[0]).shape == (101, 3)
    assert lw.verify(kept, formulation="joint-rates")["check"]["formulation"] == "joint-rates"
    assert kept.position(kept.bodies[0]).shape == (101, 3)
    assert lw.open_result(file).info["certificate"]["check"]["formulation"] == "joint-rates"
    assert [path.name for path in tmp_path.iterdir()] == ["run.nc"]


def test_the_command_line_ends_with_a_status_of_its_own_where_digits_are_not_confirmed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "run.nc"
    words = ["run", MODEL, "--t-end", "0.1", "--step", "1e-3", "--out", str(file), "--digits", "12", "--json"]
    assert status_of(words) == 8
    said = capsys.readouterr()
    assert json.loads(said.out)["error"]["code"] == "LW-UNCONFIRMED"
    assert "NOT confirmed" in said.err
    assert lw.open_result(file).info["certificate"]["confirmed"] is False


def test_only_dynamics_can_be_verified() -> None:
    kin = lw.kinematics(lw.load("kissel2021_slider_crank"), 0.02, 1e-2)
    with pytest.raises(UsageError, match="only a run of dynamics"):
        lw.verify(kin)


def test_formulations_that_cannot_check_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    result = lw.simulate(lw.load("kissel2021_four_link"), 0.05, 1e-3, "rA", "generalized-alpha")
    found = lw.verify(result, formulation="range-space", integrator="dop853")
    assert not found["confirmed"]
    assert math.isnan(found["digits"])
    assert found["statement"].startswith("NOT confirmed: no independent formulation could be run (range-space:")
    assert lw.verify(result)["confirmed"]


def test_a_check_that_is_judged_wrong_itself_confirms_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """However well it agrees: here the check is right, and its judgement set by hand."""
    result = lw.simulate(lw.load(MODEL), 0.05, 1e-3, "rA", "generalized-alpha")

    def judged_wrong(*words: Any, **how: Any) -> lw.Result:
        found = simulate(*words, **how)
        found.header = replace(found.header, info={**found.header.info, "judgement": "wrong"})
        return found

    monkeypatch.setattr(certificate, "simulate", judged_wrong)
    found = lw.verify(result, formulation="lie-mixed")
    assert not found["confirmed"]
    assert "judged wrong" in found["statement"]
    monkeypatch.undo()
    assert lw.verify(result, formulation="lie-mixed")["confirmed"]


def test_refusals_do_not_use_up_the_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many formulations cannot treat a mechanism, one that can is found."""
    names = ["range-space", "rotation-matrix", "penalty", "range-space", "rotation-matrix", "joint-rates"]
    monkeypatch.setattr(certificate.independence, "by_independence", lambda of: names)
    told: list[str] = []
    found = lw.verify(lw.simulate(lw.load("kissel2021_four_link"), 0.02, 1e-3, "rA"), tell=told.append)
    assert found["check"]["formulation"] == "joint-rates"
    assert [one["formulation"] for one in found["tried"]] == names[:-1]
    assert told[-1] == "verifying with joint-rates, dop853, rtol = 1e-10"


def test_a_check_that_cannot_know_its_own_error_is_refused() -> None:
    result = lw.simulate(lw.load(MODEL), 0.02, 1e-3, "lie-se3")
    with pytest.raises(UsageError, match="'implicit-euler' does not control its error"):
        lw.verify(result, formulation="rA", integrator="implicit-euler")


@pytest.mark.parametrize("kind", [KeyboardInterrupt, RunInterruptedError])
def test_an_interrupt_ends_the_check_and_keeps_the_run(
    kind: type[BaseException], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second formulation is not taken for one that cannot check, and nobody goes on with a third."""

    def interrupted(*_: Any, **__: Any) -> None:
        raise kind("Ctrl-C")

    monkeypatch.setattr(certificate, "simulate", interrupted)
    file = tmp_path / "run.nc"
    words = ["run", MODEL, "--t-end", "0.02", "--step", "1e-3", "--out", str(file), "--verify"]
    assert status_of(words) == 130
    text = capsys.readouterr().err
    assert "verifying with" in text
    assert "the run itself is whole. [LW-INTERRUPTED]" in text
    assert f"saved: {file}" in text
    assert "certificate" not in lw.open_result(file).info


def test_the_first_choice_differs_in_what_can_differ() -> None:
    for name in FORMULATIONS:
        first, method = certificate._candidates(name, "dop853", None, None)[0]
        assert len(differing(name, first)) >= 3
        assert method != "dop853"


def test_exponential_growth_is_told_from_any_other() -> None:
    time = np.linspace(0.0, 10.0, 300)
    none = np.zeros(300, dtype=np.intp)

    def grown(values: Any) -> Any:
        return sensitivity(Difference(time, values, np.zeros(300), none, none))

    found = grown(1e-13 * 10.0 ** (1.2 * time))
    assert found is not None
    assert found["per_second"] == pytest.approx(1.2, rel=1e-6)
    assert found["horizon"] == pytest.approx(16.0 / 1.2, rel=1e-6)
    assert grown(1e-13 * (1.0 + 1e4 * time**3)) is None
    assert grown(np.full(300, 1e-12)) is None


def test_a_chaotic_motion_is_said_to_be_one() -> None:
    """A spherical double pendulum thrown hard: neighbours separate exponentially."""
    mech = lw.load(MODEL)
    result = lw.simulate(mech, 25.0, 2e-3, "joint-rates", "rk4", every=5)
    found = lw.verify(result)
    assert found["sensitivity"] is not None
    assert "sensitive" in found["statement"]
    assert found["confirmed"] == found["statement"].startswith("confirmed")
