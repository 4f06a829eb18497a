"""The command `linkwork`: which verbs there are, and how one ends.

Verbs are named by strings and imported when asked for, so that `linkwork --help` answers at once.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from io import StringIO, TextIOWrapper
from typing import Any

from linkwork.cli import output
from linkwork.errors import LinkworkError
from linkwork.source import __version__

VERBS = {
    "run": "Simulate the dynamics of a mechanism.",
    "kinematics": "Compute the motion of a mechanism whose drivers determine it.",
    "check": "Say what a mechanism is: freedoms, redundant rows, warnings.",
    "equilibrium": "Find a pose in which a mechanism is at rest.",
    "plan": "Say how a run would meet an accuracy, and why so.",
    "models": "List the mechanisms that come with linkwork.",
    "modes": "Find frequencies, damping and shapes of small vibrations.",
    "count": "Count the operations of one evaluation, by formulation.",
    "formulations": "List the formulations, and the integrators each goes with.",
    "convert": "Write a mechanism in linkwork's own format, or as URDF or MJCF.",
    "plot": "Draw a saved run.",
    "view": "Write a page that shows a run, or a mechanism, in three dimensions.",
    "compare": "Compare formulations and integrators on one mechanism.",
    "sweep": "Run a mechanism many times with other numbers.",
    "study": "Carry out a study file, or go on with it.",
    "reproduce": "Reproduce the figures and tables of a paper.",
    "warm": "Compile ahead what runs will need.",
    "tune": "Compile for this very processor what came compiled for many.",
    "doctor": "Say what linkwork runs on here: versions, compiler, cache, cores.",
}

HELP = "Rigid multibody kinematics and dynamics: one mechanism, many formulations, one kind of result."

OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130


def status_of(tokens: Sequence[str]) -> int:
    """Carry out one command line and return the exit status; what went wrong is said on standard error.

    0 good, 1 other failure, 2 usage, 3 invalid model, 4 did not assemble, 5 did not converge, 6 some items of a
    study failed, 130 interrupted, 143 a run stopped by SIGTERM.
    With ``--json`` an error is also the document on standard output. A verb that has something to show for itself
    in spite of an error tells all of it and returns the status.
    """
    wants_json = "--json" in tokens
    try:
        status = carry_out(tokens)
        with output.told_if_full():
            sys.stdout.flush()
        return status or OK
    except LinkworkError as error:
        output.fail(str(error))
        if wants_json:
            with suppress(LinkworkError):  # it may be standard output that failed
                output.document({"error": error.to_dict()})
        return error.exit_status
    except KeyboardInterrupt:
        output.fail("interrupted.")
        return INTERRUPTED
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except Exception as error:
        if os.environ.get("LINKWORK_DEBUG"):
            raise
        hint = "" if isinstance(error, OSError) else " Set LINKWORK_DEBUG=1 and run again to see where."
        text = f"{type(error).__name__}: {error}."
        output.fail(f"{text}{hint}")
        if wants_json:
            with suppress(LinkworkError):
                output.document({"error": {"code": LinkworkError.code, "message": text}})
        return FAILED


def carry_out(tokens: Sequence[str]) -> int | None:
    """Do what a command line says, or say why it means nothing."""
    from linkwork.cli.parsing import NotUnderstoodError, help_text, no_such_verb, understood

    verb = tokens[0] if tokens else "--help"
    if verb in ("--help", "-h", "--version"):
        output.show(__version__ if verb == "--version" else help_text(HELP, VERBS))
        return OK
    hint = "linkwork --help"
    try:
        if verb not in VERBS:
            raise NotUnderstoodError(no_such_verb(verb, VERBS))
        hint = f"linkwork {verb} --help"
        function: Any = getattr(import_module(f"linkwork.cli.{verb}"), verb)
        found = understood(verb, function, tokens[1:])
    except NotUnderstoodError as error:
        output.fail(f"{error} See `{hint}`.")
        if "--json" in tokens:
            output.document({"error": {"code": "LW-USAGE", "message": str(error)}})
        return USAGE
    if isinstance(found, str):
        output.show(found)
        return OK
    from linkwork.io.sources import of_one_command

    with of_one_command():
        status: int | None = function(*found[0], **found[1])
    return status


def prepare_streams() -> None:
    """Words for streams that are closed go nowhere; letters that an encoding lacks are written as escapes."""
    sys.stdout = sys.stdout or StringIO()
    sys.stderr = sys.stderr or StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


def main() -> None:
    """The console script."""
    gc.set_threshold(50_000, 20, 20)  # what imports make stays: looking for cycles among it took a twentieth of a check
    # matrices here are small: starting OpenBLAS's threads took a quarter of a check
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # plug-ins of pydantic watch what is validated; looking for them reads what every package says of itself
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    prepare_streams()
    status = status_of(sys.argv[1:])
    gc.freeze()  # the interpreter, which ends, need not look for cycles among modules: an eighth of a check
    sys.exit(status)
