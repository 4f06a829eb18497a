"""What holds for every test: no window, one thread, the same Hypothesis examples each time."""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

os.environ.setdefault("MPLBACKEND", "Agg")
for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")  # matrices are small here, and tests run side by side

os.environ.setdefault("LINKWORK_COMPILE_PROCESSES", "1")  # the same

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell starts what runs behind its back without Ctrl-C

settings.register_profile(
    "linkwork",
    derandomize=True,
    deadline=None,  # the first example may compile
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("explore", parent=settings.get_profile("linkwork"), derandomize=False, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "linkwork"))
