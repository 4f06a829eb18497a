"""The command `linkwork`: which verbs there are, and how one ends.

Verbs are named by strings and imported when asked for, so that `linkwork --help` answers at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from linkwork.cli import output
from linkwork.cli.plain import carry_out, plain
from linkwork.errors import LinkworkError
from linkwork.source import __version__

if TYPE_CHECKING:
    from cyclopts import App

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


def build() -> App:
    """The application with every verb, none of them imported yet."""
    from cyclopts import App

    app = App(
        name="linkwork",
        help=HELP,
        version=__version__,
        suppress_keyboard_interrupt=False,
        help_epilogue="MODEL is a file, or one of the names that `linkwork models` lists.",
    )
    for verb, summary in VERBS.items():
        app.command(f"linkwork.cli.{verb}:{verb}", name=verb, help=summary)
    return app


def status_of(tokens: Sequence[str]) -> int:
    """Carry out one command line and return the exit status; what went wrong is said on standard error.

    0 good, 1 other failure, 2 usage, 3 invalid model, 4 did not assemble, 5 did not converge, 6 some items of a
    study failed, 130 interrupted, 143 a run stopped by SIGTERM.
    With ``--json`` an error is also the document on standard output. A verb that has something to show for itself
    in spite of an error tells all of it and returns the status.
    """
    wants_json = "--json" in tokens
    try:
        understood = plain(tokens)
        status = parsed(tokens) if understood is None else carry_out(tokens[0], *understood)
        sys.stdout.flush()
        return status or OK
    except LinkworkError as error:
        output.fail(str(error))
        if wants_json:
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
            output.document({"error": {"code": LinkworkError.code, "message": text}})
        return FAILED


def parsed(tokens: Sequence[str]) -> int | None:
    """Carry out a command line with the parser, which says what it does not understand."""
    from cyclopts.exceptions import CycloptsError

    try:
        status: int | None = build()(tokens, exit_on_error=False, print_error=False, result_action="return_value")
        return status
    except CycloptsError as error:
        error.verbose = False
        output.fail(f"{error} See `linkwork {_verb(tokens)}--help`.")
        if "--json" in tokens:
            output.document({"error": {"code": "LW-USAGE", "message": str(error)}})
        return USAGE


def _verb(tokens: Sequence[str]) -> str:
    """The verb of a command line and a blank, or nothing."""
    return f"{tokens[0]} " if tokens and tokens[0] in VERBS else ""


def main() -> None:
    """The console script."""
    sys.exit(status_of(sys.argv[1:]))
