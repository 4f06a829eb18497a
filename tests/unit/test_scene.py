"""What a scene shows: parts where the description has them, frames that are stated, violations of rows, meshes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from moving_bars import mechanism, run, turned

from linkwork.errors import ModelError, UsageError
from linkwork.header import Header
from linkwork.mechanism import Mechanism
from linkwork.result import Result
from linkwork.scene import scene_of
from linkwork.scene.frames import MOST_FRAMES, frames_of
from linkwork.scene.meshes import Mesh, decimated, outline, plate, read_mesh
from linkwork.scene.parts import along, matrix_of, quaternion_of, quaternions
from linkwork.scene.violations import row_violations


def ends(part: Any) -> np.ndarray[Any, Any]:
    """The two ends of a round part, on its body."""
    half = matrix_of(part.quaternion) @ [0, 0, part.size[1] / 2]
    return np.array([part.position - half, part.position + half])


def test_a_body_without_a_shape_is_a_rod_from_joint_to_joint() -> None:
    mech = mechanism()
    mech.body("tip", mass=1.0, inertia=[0.1] * 3, position=[2.0, 0, 0])
    mech.joint("wrist", "spherical", "lower", "tip", point=[1.8, 0, 0.2])
    rod = next(
        part for part in scene_of(mech).parts if part.body == 1 and part.kind == "cylinder" and part.role == "body"
    )
    assert np.sort(ends(rod), axis=0) == pytest.approx(np.array([[-0.4, 0, 0], [0.4, 0, 0.2]]), abs=1e-12)


def test_visuals_are_placed_from_the_described_frame_and_shapes_at_the_centre_of_mass() -> None:
    mech = Mechanism("one")
    visual = {
        "shape": {"type": "cylinder", "radius": 0.1, "length": 2.0, "axis": "x"},
        "position": [1, 0, 0],
        "colour": "#ff0000",
    }
    mech.body("a", mass=1, inertia=[1, 1, 1], centre_of_mass=[0.25, 0, 0], visual=[visual])
    (part, *_) = scene_of(mech).parts
    assert (part.kind, part.size, part.colour) == ("cylinder", (0.1, 2.0), "#ff0000")
    assert part.position == pytest.approx((0.75, 0, 0))
    assert matrix_of(part.quaternion)[:, 2] == pytest.approx([1, 0, 0])


@pytest.mark.parametrize("axis", [(0, 0, 1), (0, 0, -1), (1, 2, -3), (-1, 0, 0)])
def test_quaternions_turn_as_their_matrices(axis: tuple[float, float, float]) -> None:
    A = along(axis)
    assert A[:, 2] * np.linalg.norm(axis) == pytest.approx(axis)
    assert np.linalg.det(A) == pytest.approx(1.0)
    for angle in np.linspace(-3.2, 3.2, 17):
        B = A @ turned(np.array(angle))
        assert matrix_of(quaternion_of(B)) == pytest.approx(B, abs=1e-14)
    assert np.linalg.norm(quaternions(np.stack([A, A.T])), axis=1) == pytest.approx(1.0)


def test_a_motion_in_a_plane_is_seen_and_one_out_of_it_as_well() -> None:
    mech = mechanism()
    result = run(mech)
    scene = scene_of(result)
    assert scene.plane is not None
    assert np.abs(scene.plane) == pytest.approx([0, 1, 0])
    position = np.array(result["position"])
    position[100:, 1, 1] += 0.01
    tilted = Result(result.header, {**{name: result[name] for name in ("time", "rotation")}, "position": position})
    assert scene_of(tilted).plane is None


def test_the_box_holds_everything_that_moves() -> None:
    result = run(mechanism())
    scene = scene_of(result)
    tip = result["position"][:, 1] + result["rotation"][:, 1] @ [-0.4, 0, 0]
    for points in (tip, result["position"][:, 1], np.zeros((1, 3))):
        assert (points >= scene.low - 1e-3).all()
        assert (points <= scene.high + 1e-3).all()
    assert (scene.high - scene.low <= np.ptp(np.concatenate([tip, [[0, 0, 0]]]), axis=0) + 1.0).all()


def test_many_samples_are_decimated_and_that_is_said() -> None:
    n = 1_000_000
    data = {
        "time": np.arange(n) * 1e-3,
        "position": np.zeros((n, 1, 3)),
        "rotation": np.broadcast_to(np.eye(3), (n, 1, 3, 3)),
    }
    result = Result(Header(bodies=("a",)), data)
    frames, said = frames_of(result)
    assert frames.size == MOST_FRAMES
    assert (frames[0], frames[-1]) == (0, n - 1)
    assert np.ptp(np.diff(frames)) <= 1
    assert said == f"{MOST_FRAMES} of {n} samples are shown"


def test_uneven_samples_are_taken_evenly_in_time() -> None:
    t = np.concatenate([np.linspace(0, 1, 5000), np.linspace(1.1, 10, 90)])
    n = t.size
    data = {"time": t, "position": np.zeros((n, 1, 3)), "rotation": np.tile(np.eye(3), (n, 1, 1, 1))}
    frames, _ = frames_of(Result(Header(bodies=("a",)), data), 100)
    assert np.diff(t[frames]).max() < 0.21


def test_samples_that_are_not_finite_are_left_out() -> None:
    result = run(mechanism())
    position = np.array(result["position"])
    position[150:] = np.nan
    scene = scene_of(Result(result.header, {**{n: result[n] for n in ("time", "rotation")}, "position": position}))
    assert len(scene.runs[0].time) == 150
    assert "150 on are not finite" in scene.notes[0]


def test_a_row_is_as_far_from_holding_as_its_body_is_from_its_place() -> None:
    mech = mechanism()
    t = np.linspace(0, 1, 50)
    good = run(mech, 50, 1.0)
    found = row_violations(mech.lower(), t, np.asarray(good["position"]), np.asarray(good["rotation"]))
    assert found.shape == (50, 10)
    assert found.max() < 1e-15
    apart = np.array(good["position"])
    apart[20, 0, 2] += 1e-3
    found = row_violations(mech.lower(), t, apart, np.asarray(good["rotation"]))
    assert found[20].max() == pytest.approx(1e-3)
    assert np.delete(found, 20, axis=0).max() < 1e-15


def test_results_of_other_bodies_are_not_laid_over_each_other() -> None:
    with pytest.raises(UsageError, match="same bodies: upper, lower; and a, b"):
        scene_of(run(mechanism()), [run(mechanism(bodies=("a", "b")))])


def test_runs_of_one_method_are_told_apart() -> None:
    mech = mechanism()
    scene = scene_of(run(mech, step=0.1), [run(mech, step=0.2), run(mech, step=0.2)])
    assert len({one.label for one in scene.runs}) == 3


def test_a_result_without_its_mechanism_says_so() -> None:
    data = {"time": np.zeros(1), "position": np.zeros((1, 1, 3)), "rotation": np.eye(3)[None, None]}
    with pytest.raises(UsageError, match="does not hold its mechanism"):
        scene_of(Result(Header(bodies=("a",)), data))


def with_mesh(name: str) -> Mechanism:
    mech = Mechanism("meshed")
    mech.body("part", mass=1, inertia=[1, 1, 1], visual=[{"mesh": name}])
    return mech


def test_a_folder_of_meshes_that_is_not_there_is_refused_even_where_no_mesh_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no folder"):
        scene_of(mechanism(), base=tmp_path / "none")


@pytest.mark.parametrize(("name", "said"), [("none.stl", "does not exist"), ("part.step", "no known kind")])
def test_a_mesh_that_is_not_there_names_body_and_file(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(ModelError, match=said) as error:
        scene_of(with_mesh(name), base=tmp_path)
    assert "part" in str(error.value)
    assert name in str(error.value)


def test_a_huge_mesh_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "part.stl").write_bytes(b"0" * 2000)
    monkeypatch.setattr("linkwork.scene.meshes.LARGEST_FILE", 1000)
    with pytest.raises(ModelError, match="too large"):
        read_mesh("part.stl", tmp_path, "part")


def test_meshes_are_read_and_broken_ones_refused(tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh", reason="the extra 'mesh' is not installed")
    trimesh.creation.box((1, 2, 3)).apply_translation([5, 0, 0]).export(tmp_path / "part.stl")
    scene = scene_of(with_mesh("part.stl"), base=tmp_path)
    (part,) = (part for part in scene.parts if part.kind == "mesh")
    assert part.position == pytest.approx((5, 0, 0))
    assert part.size[1:] == pytest.approx((0.5, 1.0, 1.5))
    (tmp_path / "part.stl").write_bytes(b"solid nothing of the kind")
    with pytest.raises(ModelError, match=r"mesh 'part\.stl'"):
        scene_of(with_mesh("part.stl"), base=tmp_path)


def test_a_large_mesh_keeps_its_form_in_few_triangles() -> None:
    n = 200
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, n), np.linspace(0.01, np.pi - 0.01, n))
    points = np.stack([np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)], axis=-1).reshape(-1, 3)
    k = np.arange(n * n).reshape(n, n)
    a, b, c, d = k[:-1, :-1].ravel(), k[1:, :-1].ravel(), k[1:, 1:].ravel(), k[:-1, 1:].ravel()
    ball = Mesh(points, np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]))
    small = decimated(ball, 5000)
    assert 1000 < len(small.triangles) <= 5000
    assert "79202 triangles" in small.note
    assert np.linalg.norm(small.points, axis=1) == pytest.approx(1.0)
    assert small.points.min() < -0.95


def test_a_plate_covers_joints_in_a_plane() -> None:
    square = np.array([[0, 0, 0], [2, 0, 0], [2, 1, 0], [0, 1, 0], [1, 0.5, 0]], dtype=float)
    assert sorted(outline(square[:, :2])) == [0, 1, 2, 3]
    made = plate(square, 0.1)
    assert made is not None
    a, b, c = (made.points[made.triangles[:, k]] for k in range(3))
    assert np.einsum("ij,ij->i", np.cross(a, b), c).sum() / 6 == pytest.approx(0.2)  # its volume, faces outwards
    assert plate(square + np.array([0, 0, 1]) * [[0], [1], [0], [1], [0]], 0.1) is None
    assert plate(square[:2], 0.1) is None
