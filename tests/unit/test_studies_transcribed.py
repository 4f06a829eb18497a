"""What papers print, written down a second time, by another reading of them than `published.yaml` is.

Tables stand here row by row as printed, in the papers' own order of columns; in the data files by keys.
"""

from __future__ import annotations

import pytest

from linkwork.studies.published import measured, published

SINGLE, DOUBLE, FOUR, SLIDER = (
    f"kissel2021_{name}" for name in ("single_pendulum", "double_pendulum", "four_link", "slider_crank")
)

# Kissel 2021, Table 7: CD, DP1, DP2, D
TABLE_7 = {SINGLE: (3, 3, 0, 0), FOUR: (12, 6, 0, 0), SLIDER: (6, 7, 4, 1)}
# Tables 8 and 10: C1 rA, rE; C2 rA, rE
TABLE_8 = {SINGLE: (2.21, 1.40, 2.63, 1.27), FOUR: (2.38, 1.23, 2.55, 1.10), SLIDER: (2.70, 1.47, 2.62, 1.23)}
TABLE_10 = {
    SINGLE: (2.43, 1.29, 2.46, 1.69),
    DOUBLE: (2.63, 1.21, 2.39, 1.53),
    FOUR: (2.62, 1.21, 2.41, 1.44),
    SLIDER: (2.93, 1.31, 2.29, 1.30),
}
# Table 9: C1 rp, rA, rE; C2 rp, rA, rE
TABLE_9 = {
    SINGLE: (3.82, 3.80, 3.80, 3.82, 3.80, 3.80),
    FOUR: (4.47, 4.50, 4.77, 4.47, 4.50, 4.77),
    SLIDER: (4.83, 4.70, 4.79, 4.83, 4.70, 4.79),
}
# Naudet 2003, Table 1: additions, multiplications, total
NAUDET = """
Featherstone     275n - 18   336n - 220  611n - 238
Vukobratović     231n - 294  249n - 272  480n - 566
Valášek          206n - 345  226n - 343  432n - 688
Rein             195n - 247  216n - 317  411n - 669
Naudet-Lefebvre  178n - 230  185n - 245  363n - 475
"""


@pytest.mark.parametrize(("item", "rows"), [("table 8", TABLE_8), ("table 10", TABLE_10)])
def test_speeds_of_kissel(item: str, rows: dict[str, tuple[float, ...]]) -> None:
    table = published("kissel2021")[item]
    assert list(table.values) == list(rows)
    for mechanism, row in rows.items():
        found = [table.value(mechanism, f, code) for code in ("C1", "C2") for f in ("rA", "re")]
        assert found == list(row), mechanism
    assert len(table.rows()) == 4 * len(rows)


def test_iterations_of_kissel() -> None:
    table = published("kissel2021")["table 9"]
    for mechanism, row in TABLE_9.items():
        found = [table.value(mechanism, f, code) for code in ("C1", "C2") for f in ("rp", "rA", "re")]
        assert found == list(row), mechanism
    assert len(table.rows()) == 18


def test_constraints_of_kissel() -> None:
    table = published("kissel2021")["table 7"]
    assert {m: tuple(table.value(m, kind) for kind in ("CD", "DP1", "DP2", "D")) for m in table.values} == TABLE_7


def test_settings_of_kissel() -> None:
    """h = 1e-3 s throughout; tolerances 1e-10 (kinematics), 1e-3 (dynamics), 1e-11 (figures); 3 s, Figure 3: 5 s."""
    of = published("kissel2021")
    assert of["table 8"].settings == {"step_s": 1e-3, "tolerance": 1e-10, "span_s": 3, "runs": 10}
    assert of["table 9"].settings == {"step_s": 1e-3, "tolerance": 1e-10, "span_s": 3}
    assert of["table 10"].settings == {"step_s": 1e-3, "tolerance": 1e-3, "runs": 10}
    assert of["figure 2"].settings["tolerance"] == 1e-11
    assert of["figure 3"].settings == {"span_s": 5, "reference_step_s": 1e-7}
    for number in (5, 6, 7):
        assert of[f"figure {number}"].settings == {"position_tolerance": 1e-11, "span_s": 3, "order": 1}


def test_nothing_that_was_measured_here_is_called_published() -> None:
    of = published("kissel2021")
    assert all(item.where.startswith(("Table", "Figure")) for item in of.items.values())
    assert "not printed" in measured("kissel2021")["published code"].where
    assert measured("kissel2021")["published code"].value("dynamics", FOUR, "rA") == 2.6


def test_operations_of_naudet() -> None:
    table = published("naudet2003")["table 1"]
    lines = [line.split(maxsplit=1) for line in NAUDET.strip().splitlines()]
    assert [name for name, _ in lines] == list(table.values)
    for name, rest in lines:
        numbers = [int(word.rstrip("n")) for word in rest.split() if word != "-"]
        for k, kind in enumerate(("additions", "multiplications", "total")):
            assert table.value(name, kind, "per_body") == numbers[2 * k], name
            assert table.value(name, kind, "constant") == -numbers[2 * k + 1], name
    assert table.settings == {"least_bodies": 3}


def test_case_of_dumitriu() -> None:
    """Section 6: 0.108 kg; 20, 2 and 1 cm; pi/9 and pi/18; 18 unknowns at once and 6 in the second step."""
    of = published("dumitriu2015")
    assert of["case"].values == {
        "mass_kg": 0.108,
        "length_m": 0.2,
        "width_m": 0.02,
        "thickness_m": 0.01,
        "phi_deg": 180 / 9,
        "psi_deg": 180 / 18,
        "C_kg_m2": 3.636e-4,
    }
    assert of["elimination"].values == {"one-shot": 2 * 6 + 2 * 3, "two-step": 18 - 12}


def test_energy_of_mueller() -> None:
    """Section 5.1: T0 = 13.97 kJ, two orders of magnitude."""
    of = published("muller2013")
    assert of["figure 3"].values == {"T0_J": 13970.0, "drift_ratio": 10.0**2}
    assert of.settings == {"step_s": 1e-3}
