"""Whether two runs are the same to the last bit, and tell the same."""

from __future__ import annotations

import numpy as np

import linkwork as lw

CLOCKS = ("wall_time", "run_seconds", "processor_seconds")


def the_same(a: lw.Result, b: lw.Result) -> None:
    for name in b.variables:
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)
    told = [{key: value for key, value in one.info.items() if key not in CLOCKS} for one in (a, b)]
    assert told[0] == told[1]
    assert (a.success, a.status, a.message, a.messages) == (b.success, b.status, b.message, b.messages)
    assert a.mechanism_document == b.mechanism_document
