"""Runs with rows that depend on others, placed with other numbers: the bits of a run that is built."""

from __future__ import annotations

import numpy as np
import pytest
from unit.same_runs import the_same

import linkwork as lw
from linkwork.errors import LinkworkError
from linkwork.formulations import FORMULATIONS
from linkwork.mechanism.variants import variant
from linkwork.run.span import Span
from linkwork.run.tried import FirstAttempt

SPAN = 0.02, 1e-3


def four_bar() -> lw.Mechanism:
    """The planar one, with masses and inertias in numbers."""
    mech = lw.load("planar_four_bar")
    document = mech.to_dict()
    for body, one in zip(document["bodies"], mech.lower().bodies, strict=True):
        del body["shape"]
        body |= {"mass": one.mass, "inertia": np.reshape(one.inertia, (3, 3)).tolist()}
        body["inertia"] = [value for row in body["inertia"] for value in row][::4]
    return lw.Mechanism.from_dict(document)


@pytest.mark.parametrize("formulation", list(FORMULATIONS))
def test_placed_runs_are_built_ones(formulation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mech, given = four_bar(), {"crank.mass": 0.9, "coupler.inertia.1": 0.02, "gravity.z": -3.0}
    try:
        model = lw.compile(mech, formulation)
        span = model.set_up(*SPAN)
    except LinkworkError:
        pytest.skip("takes no rows that depend on others")
    if formulation == "penalty":  # how often it solves depends on numbers: built anew
        assert span.plain(tuple(given)) is None
        return
    assert span.plain(tuple(given)) is not None
    with monkeypatch.context() as change:
        change.setattr(Span, "built", lambda *_: pytest.fail("built anew"))
        found = [model.run(*SPAN, parameters=given) for _ in range(2)]
    for one in found:
        the_same(one, lw.simulate(variant(mech, given), *SPAN, formulation))


def test_where_the_first_attempt_succeeds_runs_are_built(monkeypatch: pytest.MonkeyPatch) -> None:
    model, given = lw.compile(four_bar(), "rA"), {"crank.mass": 0.9}
    span = model.set_up(*SPAN)
    assert not span.fixed
    assert span.run(given) is not None
    monkeypatch.setattr(FirstAttempt, "fails", lambda self, given: False)
    again = lw.compile(four_bar(), "rA")
    assert again.set_up(*SPAN).run(given) is None
    the_same(again.run(*SPAN, parameters=given), model.run(*SPAN, parameters=given))
    plain = again.set_up(*SPAN).plain(tuple(given))
    assert plain is not None
    assert not plain.rows(np.array([[0.9], [1.1]]))[1].any()


def test_what_changes_rows_is_built() -> None:
    span = lw.compile(four_bar(), "rA").set_up(*SPAN)
    assert span.plain(("rocker pivot.point.x",)) is None


def test_first_attempts_fail_where_rows_depend_on_others_alone() -> None:
    given = {"crank.mass": 0.9}
    for mech, fails in ((four_bar(), True), (lw.load("kissel2021_slider_crank"), False)):
        span = lw.compile(mech, "rA").set_up(*SPAN)
        assert FirstAttempt(span.mechanism, tuple(given), span._tried({}), span._tried).fails(given) is fails
