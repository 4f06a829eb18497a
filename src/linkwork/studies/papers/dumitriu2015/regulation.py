"""Do the multipliers regulate, as the paper suspects? What the equations do with an error of R^T R, form by form.

With eps = R^T R - I and D = Rdot^T Rdot, the second derivative of eps is R^T Rddot + its transpose + 2 D. The ways to
write the equations are the same on SO(3), and differ by what they leave of it off SO(3):

    exact     R^T Rddot = S as solved, S + S^T = -2 D               eps_dd = 0
    R S       R^T R = I is put in everywhere: Rddot = R S           eps_dd = eps S + S^T eps
    eq. 25    R^T R = I is put in eq. 25, eq. 12 kept               eps_dd = eps Lambda K^-1 + K^-1 Lambda eps

The last follows from R^T (Z + R Lambda) K^-1 = S + eps (S - R^T Z K^-1) and Lambda = S K - R^T Z. linkwork takes the
first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from linkwork.studies.finding import Curve, Finding, Panel, Verdict, columns
from linkwork.studies.papers.dumitriu2015.case import PHI0, PSI0, PUBLISHED, Array, a, g, l, m, reference
from linkwork.studies.runs import Runs

FORMS = ("exact", "R S", "eq. 25")
KICKS = np.array([[[1.0, 0.0], [0.0, 0.0]], [[0.0, 1.0], [1.0, 0.0]], [[0.0, 0.0], [0.0, 1.0]]])
K = m / 12 * np.diag([l * l, a * a])  # kg m^2, in a bar's own axes
STANDING = np.sqrt(12.0 * g / l)  # 1/s: eps_11 of a bar that stands on its joint, Lambda_11 = m g l / 2, in eq. 25


def regulation(_: Runs) -> Finding:
    """An error of one in the rate of R^T R at the start, and how large R^T R - I becomes along the reference."""
    time = reference().time[::2]
    grown = {(k, form): growth(k, form) for k in (0, 1) for form in FORMS}
    largest = {key: float(values.max()) for key, values in grown.items()}
    least = min(float(-np.linalg.eigvalsh(in_bar(k, reference().multiplier_matrix(k)))[:, -1].max()) for k in (0, 1))
    worst = {form: max(largest[0, form], largest[1, form]) for form in FORMS}
    lines = [(f"bar {k + 1}", form, largest[k, form]) for k in (0, 1) for form in FORMS]
    return Finding(
        **PUBLISHED["regulation"].told,
        measured=f"An error of 1/s in the rate of R^T R becomes at most {worst['eq. 25']:.2g} in 10 s of this motion "
        f"with eq. 25 as it is written, {worst['exact']:.3g} with the exact equations, and {worst['R S']:.2g} where "
        "R^T R = I is put in everywhere. A bar that stands on its joint instead of hanging grows with "
        f"{STANDING:.3g}/s by eq. 25.",
        why="By eq. 25 an error obeys eps_dd = eps Λ K^-1 + K^-1 Λ eps: a spring where -Λ is positive, as for free "
        f"bodies and nearly for hanging ones (least eigenvalue here {least:.1g} N m), the opposite for a body that is "
        "pushed.",
        verdict=verdict(worst, float(STANDING)),
        panels=tuple(
            Panel(
                f"bar {k + 1}",
                "time [s]",
                "largest |R^T R - I| from an error of 1/s in its rate",
                tuple(Curve(form, time[1:], grown[k, form][1:]) for form in FORMS),
                "y",
            )
            for k in (0, 1)
        ),
        numbers={f"{bar}, {form}": value for bar, form, value in lines}
        | {"standing bar, eq. 25 [1/s]": float(STANDING), "least eigenvalue of -Λ [N m]": least},
        table=columns(("bar", "equations", "largest in 10 s"), lines),
    )


def verdict(worst: Mapping[str, float], standing: float) -> Verdict:
    """Whether eq. 25 keeps an error of R^T R smaller than the exact equations do, and does so for any body.

    worst : by form, what an error of 1/s in the rate becomes. standing : 1/s, how fast it grows for a bar that is
    pushed.
    """
    if worst["eq. 25"] >= worst["exact"]:
        return Verdict.DIFFERS
    return Verdict.PARTLY if standing > 0.0 else Verdict.AGREES


def in_bar(k: int, Lambda: Array) -> Array:
    """(nt, 2, 2) the part in the plane, turned from the axes of the start to the bar's own."""
    angle = (PHI0, PSI0)[k]
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    turned: Array = turn.T @ Lambda[:, :2, :2] @ turn
    return turned


def operator(k: int, form: str) -> Array:
    """(nt, 2, 2) N with eps_dd = eps N + N^T eps, along the reference."""
    exact = reference()
    w, alpha = exact.rate[:, k], exact.acceleration[:, k]
    if form == "R S":
        found = np.moveaxis(np.array([[-(w**2), -alpha], [alpha, -(w**2)]]), 2, 0)
    elif form == "eq. 25":
        found = in_bar(k, exact.multiplier_matrix(k)) @ np.linalg.inv(K)
    else:
        found = np.zeros((w.size, 2, 2))
    return np.ascontiguousarray(found)


def growth(k: int, form: str) -> Array:
    """(nt,) the largest element that any of the three kicks has led to, at every second time of the reference."""
    N, time = operator(k, form), reference().time
    h = 2.0 * time[1]
    state = np.array([np.zeros_like(KICKS), KICKS])  # eps and its rate

    def rates(y: Array, at: Array) -> Array:
        bent: Any = y[0] @ at
        return np.array([y[1], bent + bent.transpose(0, 2, 1)])

    found = [0.0]
    for n in range(0, time.size - 2, 2):
        first = rates(state, N[n])
        second = rates(state + 0.5 * h * first, N[n + 1])
        third = rates(state + 0.5 * h * second, N[n + 1])
        last = rates(state + h * third, N[n + 2])
        state = state + h / 6.0 * (first + 2.0 * second + 2.0 * third + last)
        found.append(float(np.abs(state[0]).max()))
    return np.array(found)
