"""Ctrl-C is noted once, raised where asked, and comes through at once the second time."""

from __future__ import annotations

import signal

import pytest

import linkwork as lw
from linkwork.errors import RunInterruptedError
from linkwork.interrupts import Interrupts


def test_the_first_signal_waits_for_check_and_the_second_does_not() -> None:
    with Interrupts() as interrupts:
        interrupts.check()
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            interrupts.check()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_sigterm_is_noted_where_asked_and_has_its_own_action_afterwards() -> None:
    with Interrupts():
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    with Interrupts(terminate=True) as interrupts:
        signal.raise_signal(signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL  # a second one comes through
        with pytest.raises(KeyboardInterrupt):
            interrupts.check()
    with Interrupts(terminate=True) as interrupts:
        interrupts.check()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_foreign_handler_is_left_alone() -> None:
    seen: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    try:
        with Interrupts() as interrupts:
            signal.raise_signal(signal.SIGINT)
            interrupts.check()
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen == [signal.SIGINT]


@pytest.mark.parametrize("analyse", [lw.simulate, lw.kinematics])
def test_a_signal_during_a_run_ends_it_between_chunks_with_what_there_is(analyse) -> None:
    def press(done: float, t_end: float) -> None:
        if done > 0:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(RunInterruptedError) as caught:
        analyse(lw.load("kissel2021_slider_crank"), 1e3, 1e-3, progress=press)
    assert 1 < caught.value.result.time.size < 1e6
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
