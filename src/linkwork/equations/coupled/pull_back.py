"""What couplings say of bodies, taken to the unknowns of an index-3 problem."""

from __future__ import annotations

from linkwork.kernels.couplings import FIRST, QUANTITY, TERMS, CoupledRows, Couplings
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate_t
from linkwork.kernels.tables import Floats
from linkwork.kernels.tuple_access import at3, at9
from linkwork.kernels.vec3 import add
from linkwork.problems.implicit import T_A, T_TH, B
from linkwork.problems.request import ACCELERATION_LEVEL, ImplicitRequest
from linkwork.system.packed import Tables

FORCES, POSES, ACCELERATIONS = 0, 1, 2  # what is taken: forces on bodies; derivatives by poses, or by accelerations
# columns of the maps of bodies on groups (`formulations.lie.implicit.maps`)
MAP_F, MAP_P_T, MAP_P_W, MAP_TH, MAP_A_T, MAP_A_W = 0, 9, 18, 27, 45, 54


@kernel
def pull_back(
    tables: Tables, request: ImplicitRequest, couplings: Couplings, rows: CoupledRows, k: int, what: int, mapped: int,
    tangent: Floats, out: Floats,
) -> None:  # fmt: skip
    """Row k of out (nk, npos) from W_k. mapped : 1 where bodies have maps, 0 where they have tangents."""
    nb = tables.body.shape[0] - 1
    stride = out.shape[1] // nb
    for c in range(out.shape[1]):
        out[k, c] = 0.0
    begin = couplings.about[k, FIRST]
    for m in range(begin, begin + couplings.about[k, TERMS]):
        q = couplings.term_about[m, QUANTITY]
        for side in range(2):
            b = tables.quantity_int[q, 1 + side]
            if b < nb:
                if mapped == 1:
                    add_mapped(rows, m, side, what, tangent, b, out, k, stride * b)
                else:
                    add_tangent(request, rows, m, side, what, tangent, b, out, k, stride * b, stride - 3)


@kernel
def add_mapped(
    rows: CoupledRows, m: int, side: int, what: int, maps: Floats, b: int, out: Floats, k: int, o: int
) -> None:
    """Add the part of a body on a group."""
    g_r, g_theta = at3(rows.W, m, 6 * side), at3(rows.W, m, 6 * side + 3)
    if what == FORCES:
        t, w = rotate_t(at9(maps, b, MAP_F), g_r), g_theta
    elif what == POSES:
        t = rotate_t(at9(maps, b, MAP_P_T), g_r)
        w = add(rotate_t(at9(maps, b, MAP_P_W), g_r), rotate_t(at9(maps, b, MAP_TH), g_theta))
    else:
        t = rotate_t(at9(maps, b, MAP_A_T), g_r)
        w = add(rotate_t(at9(maps, b, MAP_A_W), g_r), g_theta)
    for c in range(3):
        out[k, o + c] += t[c]
        out[k, o + 3 + c] += w[c]


@kernel
def add_tangent(
    request: ImplicitRequest, rows: CoupledRows, m: int, side: int, what: int, tangent: Floats, b: int, out: Floats,
    k: int, o: int,
    size: int,
) -> None:  # fmt: skip
    """Add the part of a body whose rotation has `size` coordinates."""
    first, factor = B, 1.0
    if what == ACCELERATIONS:
        first = T_A
    elif what == POSES and request.level[0] != ACCELERATION_LEVEL:
        first, factor = T_TH, 1.0 / request.c_q[0]
    for c in range(3):
        out[k, o + c] += rows.W[m, 6 * side + c]
    for c in range(size):
        total = 0.0
        for x in range(3):
            total += rows.W[m, 6 * side + 3 + x] * tangent[b, first + 4 * x + c]
        out[k, o + 3 + c] += factor * total
