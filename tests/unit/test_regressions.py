"""Which test holds which wrong result that was once seen (docs/judgement.md, docs/limits.md): each by its name.

Shown to fail on code without the cure: those of `BROKEN_BEFORE`, by running them on the sources of that day or with the
cure taken out of a copy. The others were written beside their cures and are not known to have been run without.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]

HELD: dict[str, tuple[str, ...]] = {
    "implicit Euler loses energy, and the run says it is good": (
        "unit/test_judgement.py::test_a_result_that_has_lost_its_energy_is_no_success",
        "unit/test_judgement.py::test_shipped_mechanisms_are_good_at_their_own_settings",
    ),
    "a stated velocity is altered in assembly": (
        "unit/test_stated_start.py::test_a_stated_angular_velocity_stays_where_the_velocity_is_left_out",
        "unit/test_stated_start.py::test_a_fast_top_from_yaml_starts_with_the_energy_stated",
        "unit/test_stated_start.py::test_statements_that_do_not_fit_are_refused_by_body_and_values",
    ),
    "reactions worsen like 1/h^2": (
        "order/test_small_steps.py::test_reactions_of_small_steps_are_good_to_rounding",
        "order/test_small_steps.py::test_implicit_euler_stays_of_first_order_down_to_tiny_steps",
    ),
    "re-basing spoils reactions": (
        "order/test_small_steps.py::test_new_reference_rotations_are_felt_in_reactions_of_second_order_only",
        "order/test_small_steps.py::test_new_reference_rotations_are_hardly_felt_with_implicit_euler",
    ),
    "joints come apart without a word": (
        "unit/test_judgement.py::test_joints_that_come_apart_end_the_run_at_a_row_and_a_time",
        "unit/test_judgement.py::test_a_rod_that_grows_is_no_success",
        "unit/test_judgement.py::test_a_symmetric_method_that_comes_apart_is_ended",
    ),
    "confirmed, while its statement says it is not": (
        "unit/test_certificate.py::test_digits_can_be_asked_for",
        "unit/test_certificate.py::test_spoiled_reactions_and_accelerations_are_not_confirmed",
    ),
    "rank losses under implicit integrators": (
        "unit/test_simulate_redundant.py::test_a_ladder_of_twenty_four_bars_passes_level_with_the_order_of_the_method",
    ),
    "null-space along the graph on one hinge twice": (
        "agreement/test_every_option.py::test_one_hinge_twice_is_seen_along_the_graph",
        "agreement/test_every_option.py::test_options_together_agree_on_random_mechanisms",
    ),
    "a torsion spring between bodies without a common axis": (
        "agreement/test_doubtful_states.py::test_a_torsion_spring_that_loses_its_axis_ends_the_run",
        "agreement/test_doubtful_states.py::test_beside_its_axis_a_torsion_springs_result_does_not_depend_on_the_step",
    ),
    "rows that ask for different accelerations": (
        "agreement/test_doubtful_states.py::test_rows_that_ask_for_different_accelerations_are_named",
        "agreement/test_doubtful_states.py::test_a_run_does_not_begin_there",
    ),
    "false alarms of rank losses": (
        "agreement/test_false_alarms.py::test_a_light_body_is_no_rank_loss",
        "agreement/test_false_alarms.py::test_cut_joint_runs_loops_that_end_in_a_slender_bar",
        "agreement/test_false_alarms.py::test_rows_that_take_each_others_place_are_no_change_of_rank",
    ),
    "check lists formulations that then refuse, on many threads": (
        "unit/test_refusal.py::test_formulations_refuse_beforehand_what_they_refuse_in_a_run",
        "unit/test_analysis_check.py::test_a_check_computes_on_one_thread",
    ),
    "digits lost by rotation matrices, penalties and projection": (
        "unit/test_notices.py::test_rotations_that_drift_are_told_and_can_be_held",
        "unit/test_notices.py::test_passes_that_run_out_are_told_with_what_they_left",
        "laws/test_recursive_laws.py::test_projection_leaves_alone_what_is_met_to_rounding",
    ),
    "points and drivers' reactions by two conventions": (
        "unit/test_conventions.py::test_jacobian_counts_points_as_forces_do",
        "unit/test_conventions.py::test_a_motors_reaction_is_on_the_body_it_drives",
        "unit/test_conventions.py::test_a_pulling_drivers_point_is_on_the_driven_body",
    ),
    "fast bodies lose digits": (
        "laws/test_closed_forms.py::test_a_fast_body_far_from_the_origin_keeps_its_digits",
        "laws/test_closed_forms.py::test_how_links_move_beside_each_other_does_not_depend_on_a_common_velocity",
    ),
    "a killed run loses everything": (
        "unit/test_resume.py::test_what_a_process_recorded_is_there_after_kill_9",
        "unit/test_resume.py::test_a_killed_run_goes_on_to_the_same_bits",
        "unit/test_resume.py::test_a_full_disk_keeps_what_was_written_and_the_earlier_file",
        "unit/test_resume.py::test_the_command_line_goes_on_after_sigterm",
    ),
    "slips of units, axes, words and options": (
        "unit/test_slips.py::test_millimetres_and_degrees_are_noticed",
        "unit/test_slips.py::test_gravity_in_millimetres_and_negative_stiffness_are_noticed",
        "unit/test_slips.py::test_axes_a_right_angle_apart_are_named",
        "unit/test_slips.py::test_an_unknown_list_of_elements_is_answered_with_the_right_one",
        "unit/test_slips.py::test_an_unknown_plot_option_is_a_usage_error",
    ),
    "load hangs on a device, check fails on a huge disc": (
        "unit/test_slips.py::test_a_pipe_or_a_device_is_refused_at_once",
        "unit/test_slips.py::test_a_disc_of_any_size_is_checked",
    ),
    "compiled code: interrupted, damaged, two at once, read-only": (
        "unit/test_code_cache.py::test_an_interrupted_compilation_can_be_done_again_in_the_same_process",
        "unit/test_code_cache.py::test_a_change_behind_a_function_is_seen_and_a_damaged_file_is_made_anew",
        "unit/test_code_cache.py::test_two_processes_fill_one_empty_cache",
        "unit/test_code_cache.py::test_where_nothing_can_be_written_it_runs_all_the_same",
    ),
    "settings beyond reason": (
        "unit/test_judgement.py::test_settings_beyond_reason_are_refused_in_words",
        "unit/test_judgement.py::test_penalty_refuses_a_body_that_is_too_heavy_for_its_inertia",
        "unit/test_linear_refusals.py::test_arguments_of_no_sense_are_refused_in_words",
    ),
    "loops of which the last digits of axes say whether they move": (
        "unit/test_near_singular.py::test_axes_that_are_parallel_to_seven_digits_are_doubted",
    ),
    "junk that is read": ("property/test_fuzz.py::test_junk_is_read_or_refused_in_time",),
}
BROKEN_BEFORE = (
    "laws/test_closed_forms.py::test_how_links_move_beside_each_other_does_not_depend_on_a_common_velocity",
    "unit/test_linear_refusals.py::test_arguments_of_no_sense_are_refused_in_words",
)


@pytest.mark.parametrize("seen", HELD)
def test_what_was_seen_is_held_by_tests_that_exist(seen: str) -> None:
    for name in HELD[seen]:
        file, _, test = name.partition("::")
        text = (TESTS / file).read_text(encoding="utf-8")
        assert re.search(rf"^def {test}\(", text, re.MULTILINE), name


def test_what_was_shown_to_fail_is_among_them() -> None:
    assert {*BROKEN_BEFORE} <= {name for names in HELD.values() for name in names}
