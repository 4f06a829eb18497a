"""Making the explicit problem of a recursive formulation: links, arrays at the start, and entries by what is needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from operator import is_
from typing import Any

import numpy as np

from linkwork.formulations.recursive import double_double, loops, open_tree, output
from linkwork.formulations.recursive.closing_factors import DETECT_REDUNDANT_ROWS
from linkwork.formulations.recursive.coupled_tree import need_independent_couplings, rotors_of, with_couplings
from linkwork.formulations.recursive.initial_state import StartCalls, renew, set_initial_state
from linkwork.formulations.recursive.measured_links import MeasuredLinks
from linkwork.formulations.recursive.workspace import SETUP, RecursiveWork, new_workspace, set_couplings
from linkwork.kernels.couplings import QUANTITY, TERMS, Couplings
from linkwork.kernels.dense_qr import row_factors
from linkwork.kernels.records import new_record
from linkwork.kernels.tables import Bodies, Floats
from linkwork.problems.dependent import new_dependence
from linkwork.problems.explicit import BASE, MOTION, A, ExplicitProblem, R, V, W, Work
from linkwork.problems.explicit_context import make_context
from linkwork.problems.nothing import NOTHING
from linkwork.problems.request import ACCELERATION_LEVEL, ExplicitRequest
from linkwork.problems.sparse_redundancy import is_sparse
from linkwork.system import CompiledMechanism
from linkwork.system.counted_angles import start_angles
from linkwork.system.couplings import some_of
from linkwork.system.links import LinkPlan, Links, LinkTree, set_rigid_bodies
from linkwork.system.links.linktree import TRANSLATION
from linkwork.system.links.single import Constants, constants_of

Lay = Callable[[CompiledMechanism, Links], bool]
EXTENDED_FROM = 32  # freedoms: with fewer, rounding of momenta takes little from the rates


@dataclass(frozen=True)
class Tree:
    """The solver as reports see it, and the links with their names."""

    name: str
    report: Floats
    tree: LinkTree
    recursion: RecursiveWork
    arrays: tuple[Any, ...] = ()
    shares: Any = None
    undetermined: Any = None


@dataclass(frozen=True)
class Needs:
    """What a mechanism needs of the family: each makes some entries others.

    momenta : momenta as state, not rates. closed : closing rows, drivers, forces besides weight, formulas of time, or
    momenta of links that slide. loops : closing rows. sliding : momenta of links that slide, and may be fast. forced :
    forces besides weight. extended : momenta in double-double numbers. droppable : closing rows may depend on each
    other. sparse : and are searched sparsely.
    """

    momenta: bool
    closed: bool
    loops: bool
    sliding: bool
    forced: bool
    extended: bool
    droppable: bool
    sparse: bool

    def entries(self) -> dict[str, Any]:
        """The fields of `ExplicitProblem` that are entries."""
        found = (self.of_loops() if self.closed else self.of_open_tree()) | {"output": self.output()}
        found["detect_redundant_rows"] = DETECT_REDUNDANT_ROWS if self.droppable and self.loops else NOTHING
        return found

    def of_open_tree(self) -> dict[str, Any]:
        """Where nothing but weight acts, and nothing closes."""
        t, p = open_tree, self.momenta
        return {
            "set_state": t.SET_STATE_MOMENTA if p else t.SET_STATE_RATES,
            "apply": NOTHING,
            "factorise": t.BACKWARD_MOMENTA if p else t.BACKWARD_RATES,
            "solve": t.FORWARD_MOMENTA if p else t.FORWARD_RATES,
            "rhs": t.RHS,
            "accept_step": t.ACCEPT_STEP,
            "retract": NOTHING,
            "evaluate": t.EVALUATE_MOMENTA if p else t.EVALUATE_RATES,
        }

    def of_loops(self) -> dict[str, Any]:
        """Elsewhere."""
        t, p = loops, self.momenta
        retract = t.RETRACT_MOMENTA if p else t.RETRACT_RATES
        of_momenta = t.RHS_SLIDING_MOMENTA if self.sliding else t.RHS_MOMENTA
        return {
            "set_state": t.SET_STATE_MOMENTA if p else t.SET_STATE_RATES,
            "apply": t.APPLY if self.forced and not p else NOTHING,
            "factorise": t.FACTORISE,
            "solve": t.SOLVE_MOMENTA if p else t.SOLVE_RATES,
            "rhs": of_momenta if p else t.RHS_RATES,
            "accept_step": t.ACCEPT_STEP,
            "retract": retract if self.loops else NOTHING,
        }

    def output(self) -> Any:
        """What records a sample."""
        if self.extended:
            return double_double.OUTPUT_FORCED if self.closed else double_double.OUTPUT_TREE
        if not self.closed:
            return output.OUTPUT_TREE_MOMENTA if self.momenta else output.OUTPUT_TREE_RATES
        if self.sparse:
            return output.OUTPUT_MOMENTA_SPARSE if self.momenta else output.OUTPUT_RATES_SPARSE
        return output.OUTPUT_MOMENTA if self.momenta else output.OUTPUT_RATES


def build_recursive(
    mechanism: CompiledMechanism,
    *,
    momenta: bool,
    droppable: bool,
    pose_tolerance: float,
    root: str | None,
    frames: str,
    keeps_sigma: bool = False,
) -> ExplicitProblem:
    """The problem at the mechanism's pose and velocity. momenta : as state, not rates. keeps_sigma : sigma is not taken
    out of the momenta."""
    coupled, mechanism = mechanism, mechanism.bare
    system, plan = mechanism.system, LinkPlan(mechanism, root, frames=frames, loaded=())
    plain = plan.tree(mechanism)
    rotors, others = rotors_of(coupled, plain)
    laying: list[tuple[Lay, Links]] = [(plan.lay, plain.links)]
    couplings = some_of(coupled.couplings, others)
    whole = plain
    if rotors:
        plan = LinkPlan(mechanism, root, frames=frames, loaded=rotors)
        whole = plan.tree(mechanism)
        laying.append((plan.lay, whole.links))
    tree = with_couplings(coupled, whole, others)
    dependent = new_dependence(mechanism, droppable, pose_tolerance)
    loops, driven = len(tree.links.closing) > 0, bool(np.any(tree.links.driver >= 0))
    forced, sliding = mechanism.forced, momenta and slides(tree)
    needs = Needs(
        momenta=momenta,
        closed=forced or loops or driven or sliding or len(system.programs.start) > 1,
        loops=loops,
        sliding=sliding,
        forced=forced,
        extended=momenta and not (loops or driven or rotors) and tree.dofs >= EXTENDED_FROM,
        droppable=droppable,
        sparse=bool(is_sparse(dependent.sparse)),
    )
    if droppable:
        need_independent_couplings(coupled)
    work, recursion = new_work(mechanism, tree, coupled.nc), new_recursion(coupled, tree, couplings, needs, keeps_sigma)
    shared = (tree.links, recursion, row_factors(len(tree.links.closing), tree.dofs + len(others)))
    context = make_context(mechanism.tables, work, dependent, (), shared)
    recursion.rotor[:] = [rotors.get(name, 0.0) for name in tree.coordinates]
    calls = StartCalls(context)
    set_initial_state(coupled, tree, recursion, calls, momenta, plain)
    placing = Placing(
        coupled, plain, tree, tuple(laying), tuple(rotors), others, work, recursion, calls, momenta,
        cache(partial(constants_of, plain)),
        MeasuredLinks(mechanism, tree, recursion, context) if tree is plain else None,
        SameBodies(coupled.bare.system.bodies),
    )  # fmt: skip
    return ExplicitProblem(
        mechanism=coupled,
        work=work,
        context=context,
        formulation_arrays=tuple(array for name, array in recursion._asdict().items() if name not in SETUP),
        extra=recursion.extra,
        dependence=dependent,
        droppable=droppable,
        forced=forced,
        weight=recursion.weights,
        remembers=False,
        bases=(recursion.base, recursion.base_pose) if loops else (),
        momenta=recursion.base[tree.dofs :] if loops and momenta else np.zeros((0, 2)),
        solves_extra=False,
        solver=Tree("canonical" if momenta else "articulated_body", recursion.report, tree, recursion, shared),
        renew=partial(renew, plain, tree, recursion, calls, momenta),
        set_start=placing,
        **needs.entries(),
    )


def slides(tree: LinkTree) -> bool:
    """Whether a link slides, along an axis or freely."""
    return bool(np.any(tree.links.slide_per_q != 0.0) or np.any(tree.links.kind == TRANSLATION))


class SameBodies:
    """Whether bodies, of which nothing is written, have the masses and inertias of these."""

    def __init__(self, bodies: Bodies) -> None:
        self.built, self.known = bodies, bodies  # known : others that have

    def __call__(self, bodies: Bodies) -> bool:
        if bodies is self.known:
            return True
        same = all(map(np.array_equal, bodies, self.built))
        if same:
            self.known = bodies
        return same


@dataclass(frozen=True)
class Placing:
    """Writes another start state, and other lengths of links, into the arrays of a problem. built : it was built of.
    plain, tree : without rotors, and with them. laying : what lays the links of these anew, and they. rotors : names
    of their coordinates. others : numbers of those that are rows, among the couplings. constants : of the plain tree as
    it was built, which its links are when they are asked for. measured : measures coordinates by compiled code, where
    there are no rotors. same_bodies : as it was built of."""

    built: CompiledMechanism
    plain: LinkTree
    tree: LinkTree
    laying: tuple[tuple[Lay, Links], ...]
    rotors: tuple[str, ...]
    others: list[int]
    work: Work
    recursion: RecursiveWork
    calls: StartCalls
    momenta: bool
    constants: Callable[[], Constants]
    measured: MeasuredLinks | None
    same_bodies: SameBodies

    def __call__(self, coupled: CompiledMechanism) -> bool:
        mechanism, recursion, tree = coupled.bare, self.recursion, self.tree
        if recursion.may_depend[0]:
            need_independent_couplings(coupled)
        rotors, others = rotors_of(coupled, self.plain)
        if tuple(rotors) != self.rotors or others != self.others:
            return False
        joints, known = mechanism.lowered.joints, self.built.lowered.joints
        same_links = joints is known or all(map(is_, joints, known))
        bodies = mechanism.system.bodies
        same_bodies = self.same_bodies(bodies)
        for lay, links in self.laying:
            before = links.body_frame.tobytes()
            if not (same_links or lay(mechanism, links)):
                return False
            if not (same_bodies and links.body_frame.tobytes() == before):
                set_rigid_bodies(links, bodies)
        place_work(self.work, mechanism)
        rows = tree.links.closing[: len(recursion.closing_data)]
        recursion.closing_data[:] = mechanism.tables.row[rows]
        recursion.has_gravity[0] = any(mechanism.system.gravity.tolist())
        if rotors or len(recursion.couplings.about):
            set_couplings(recursion, some_of(coupled.couplings, others))
            recursion.rotor[:] = [rotors.get(name, 0.0) for name in tree.coordinates]
        constants = self.constants() if same_links else None
        set_initial_state(coupled, tree, recursion, self.calls, self.momenta, self.plain, constants, self.measured)
        return True


def new_work(mechanism: CompiledMechanism, tree: LinkTree, multipliers: int) -> Work:
    """The explicit problem's arrays, of which recursions need no more than the motion, rows, and increments (2 d,)."""
    nb, nc, d, system = mechanism.nb, mechanism.nc, tree.dofs, mechanism.system
    work = Work(
        motion=np.zeros((nb + 1, MOTION)), base=np.zeros((0, BASE)), twist=np.zeros((0, 6)), row=np.zeros((nc, 6)),
        G=np.zeros((nc, 12)), J=np.zeros((0, 12)), e=np.zeros((nb + 1, 6)), f=np.zeros((0, 6)), eta=np.zeros(0),
        x=np.zeros((0, 6)), lam=np.zeros(multipliers), psi=np.zeros(2 * d), psi_rate=np.zeros(2 * d),
        size=np.ones(2 * d), request=new_record(ExplicitRequest), length=np.full(1, mechanism.length),
        dropped=np.zeros(1, np.int64), group=np.zeros(nb + 1, dtype=np.int64),
        load_values=np.zeros((len(system.loads.body), 3)), element_values=np.zeros(len(system.elements.law)),
        counted_angles=start_angles(mechanism),
        operands=mechanism.operands(),
        stack=np.zeros((max(1, int(system.programs.depth[0])), 3)),
    )  # fmt: skip
    work.request.level[0] = ACCELERATION_LEVEL
    place_work(work, mechanism)
    return work


def place_work(work: Work, mechanism: CompiledMechanism) -> None:
    """The start state; and lengths, counted angles, inputs and what rows prescribe."""
    m = work.motion
    m[:, R : R + 3], m[:, A : A + 9], m[:, V : V + 3], m[:, W : W + 3] = (
        mechanism.r, mechanism.A, mechanism.v, mechanism.w,
    )  # fmt: skip
    work.length[0] = mechanism.length
    if work.counted_angles.size or work.operands.size:
        work.counted_angles[:], work.operands[:] = start_angles(mechanism), mechanism.operands()
    work.row[:, 0] = mechanism.system.rows.constant


def new_recursion(
    mechanism: CompiledMechanism, tree: LinkTree, couplings: Couplings, needs: Needs, keeps_sigma: bool
) -> RecursiveWork:
    """Work space of the recursions, with the closing rows' data and flags. couplings : the last of these."""
    rows = tree.links.closing[: len(tree.links.closing) - len(couplings.about)]
    recursion = new_workspace(
        tree, mechanism.nb, extended=needs.extended, curves=mechanism.system.curves, couplings=couplings
    )
    recursion.closing_int[:], recursion.closing_data[:] = mechanism.tables.row_int[rows], mechanism.tables.row[rows]
    m, counts = len(rows), np.concatenate([np.ones(len(rows), dtype=np.int64), couplings.about[:, TERMS]])
    recursion.first_pair[1:] = np.cumsum(counts)
    recursion.pair[:, 0] = np.repeat(np.arange(len(counts)), counts)
    recursion.pair[:m, 1:] = recursion.closing_int[:, 1:3]
    recursion.pair[m:, 1:] = mechanism.tables.quantity_int[couplings.term_about[:, QUANTITY], 1:3]
    recursion.has_gravity[0] = bool(np.any(mechanism.system.gravity != 0.0))
    recursion.has_forces[0], recursion.may_depend[0] = needs.forced, needs.droppable
    recursion.keeps_sigma[0] = keeps_sigma
    return recursion
