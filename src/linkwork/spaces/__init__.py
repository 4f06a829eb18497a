"""How a body's rotation is written: one module per way, all with the same names.

A space is a module of kernels on the tuples of one body. Coordinates are four wide in every space (unused ones
stay zero) so that arrays have one shape; `SIZE` says how many are used.

    SIZE, NORMALISED, NAMES    how many coordinates; whether they obey an extra constraint; what they are called
    A0, R, q0                  rotation at the start of the step; constant rotation of the space; coordinates there
    dq, q, qd, qdd             increment over the step, q = q0 + dq, and the time derivatives

    retract(A0, R, q0, dq)                  (A, q) after an increment
    omega(q, qd), alpha(q, qd, qdd)         body angular velocity and its derivative, body components
    rates_from(q, w), accelerations_from(q, qd, w, al)         the other way round
    tangent(q)                              B, 3 x 4: omega = B qd, and theta = B dq for a small dq
    linearise(dq, q, qd, qdd, c_v, c_q)     (T_a, T_w, T_th), each 3 x 4: exact derivatives of alpha, omega and theta
                                            with respect to qdd, when qd and dq follow with c_v qdd and c_q qdd
    transpose_apply(q, y)                   B^T y, 4
    transpose_variation(q, y)               d(B^T y)/dq, 4 x 4
    normalisation(q)                        the extra constraint's value, zero where there is none
    coordinates_of(A, R)                    q with retract(A, R, q, 0) at A
    needs_rebase(q), rebase(A, w, al)       whether q is near a singularity; a fresh (R, q, qd, qdd) for a motion

theta is the body-fixed rotation, A -> A exp(theta~). Matrices are row-major tuples (3 x 4: 12, 4 x 4: 16).
`rebase` also serves to start: it writes any rotation, angular velocity and angular acceleration in the space.
"""
