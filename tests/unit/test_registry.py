"""What other packages add to registries is found, in every group, by an installed package's entry points."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from linkwork.formulations import FORMULATIONS
from linkwork.integrators import INTEGRATORS
from linkwork.integrators.tableaux import TABLEAUX
from linkwork.io.formats.loading import FORMATS
from linkwork.io.results import RESULT_FORMATS
from linkwork.kernels.force_laws import FORCE_LAWS
from linkwork.mechanism.constraints import CONSTRAINTS
from linkwork.mechanism.forces import FORCES
from linkwork.mechanism.joints import JOINTS
from linkwork.mechanism.shapes import SHAPES
from linkwork.plots import PLOTS
from linkwork.registry import Registry
from linkwork.studies.papers import PAPERS

GROUPS = {
    "linkwork.formulations": FORMULATIONS,
    "linkwork.integrators": INTEGRATORS,
    "linkwork.tableaux": TABLEAUX,
    "linkwork.formats": FORMATS,
    "linkwork.result_formats": RESULT_FORMATS,
    "linkwork.constraints": CONSTRAINTS,
    "linkwork.forces": FORCES,
    "linkwork.force_laws": FORCE_LAWS,
    "linkwork.joints": JOINTS,
    "linkwork.shapes": SHAPES,
    "linkwork.plots": PLOTS,
    "linkwork.papers": PAPERS,
}


@pytest.mark.parametrize("group", GROUPS)
def test_every_registry_has_a_group_in_the_plural(group: str) -> None:
    assert GROUPS[group].groups[0] == group


@pytest.mark.parametrize("form", [0, 1], ids=["plural", "singular"])
def test_entry_points_of_an_installed_package_are_found_in_every_group(tmp_path: Path, form: int) -> None:
    """In a process of its own, whose path holds a package's metadata as an installer writes them."""
    about = tmp_path / "guest-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: guest\nVersion: 1.0\n")
    lines = [f"[{registry.groups[form]}]\nof-a-guest = json:dumps\n" for registry in GROUPS.values()]
    (about / "entry_points.txt").write_text("\n".join(lines))
    code = (
        "from test_registry import GROUPS\nimport json\n"
        "print(json.dumps([g for g, r in GROUPS.items() if 'of-a-guest' in r and r.load('of-a-guest') is json.dumps]))"
    )
    paths = [str(tmp_path), str(Path(__file__).parent), *sys.path]
    found = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:] = {paths!r}\n{code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(found.stdout) == list(GROUPS)


def test_a_name_of_ones_own_is_not_taken_by_another_package(monkeypatch: pytest.MonkeyPatch) -> None:
    others = {"linkwork.formulations": [("rA", "json:dumps")]}
    monkeypatch.setattr("linkwork.registry.of_other_packages", lambda path: others)
    registry = Registry("formulation", {"rA": FORMULATIONS["rA"]})
    assert registry["rA"] == FORMULATIONS["rA"]
