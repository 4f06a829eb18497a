"""What holds for every test: no window, one thread, the same Hypothesis examples each time."""

from __future__ import annotations

import os
import random
import signal
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, settings
from rooms import group_of, left_out

NO_PARAMETERS = SimpleNamespace(params={})

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


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--shuffle SEED` and `--rooms`."""
    parser.addoption("--rooms", action="store_true", help="of these tests those of few formulations: tests/rooms.toml")
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run the tests in the random order of this seed")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """No test may need one that ran before it."""
    if config.getoption("--rooms"):
        of_few_formulations(config, items)
    seed = config.getoption("--shuffle")
    if seed is not None:
        random.Random(seed).shuffle(items)


def of_few_formulations(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests that would compile more."""
    from linkwork.formulations import FORMULATIONS

    known = set(FORMULATIONS)
    others = [item for item in items if left_out(getattr(item, "callspec", NO_PARAMETERS).params, known)]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if item not in others]


def pytest_itemcollected(item: pytest.Item) -> None:
    """What compiles the same goes to the same process."""
    if item.config.getoption("--rooms") and (group := group_of(item.path)):
        item.add_marker(pytest.mark.xdist_group(group))
