"""`linkwork tune`: code for this very processor in place of what was compiled for many."""

from __future__ import annotations

import subprocess
import sys
from typing import Annotated

from linkwork.cli import options, output
from linkwork.cli.parameter import Parameter
from linkwork.errors import UsageError


def tune(
    *formulations: Annotated[str, Parameter(help="Formulations; all of them if none is named.")],
    integrator: Annotated[
        list[str] | None,
        Parameter(help="Compile for this integrator instead of the usual one; may be repeated."),
    ] = None,
    background: Annotated[bool, Parameter(help="Compile in a process of its own, and come back at once.")] = False,
    off: Annotated[bool, Parameter(help="Use the code that came with linkwork again.")] = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> int:
    """Compile for this very processor what came compiled for many, and use it from then on.

    Runs are a few percent faster, and their digits differ in the last places. Needs the compiler: pip install
    'linkwork[jit]'. What was tuned is used as long as linkwork, processor and compiler are the same.
    """
    from linkwork.analysis.warm import pairs
    from linkwork.analysis.warm import tune as compile_here
    from linkwork.kernels.compiling import Lines

    if off:
        if formulations or integrator or background:
            raise UsageError("--off goes with nothing else: all of it is put aside.")
        from linkwork.shipped.tuned import forget

        there = forget()
        if not quiet:
            output.say("the code that came with linkwork is used again." if there else "nothing was tuned.")
        return 0
    wanted = pairs(formulations, integrator or ())
    if background:
        process = in_background(
            [*formulations, *(word for name in integrator or () for word in ("--integrator", name))]
        )
        if json:
            output.document({"process": process})
        elif not quiet:
            output.say(f"compiling in process {process}; `linkwork doctor` says when it is done.")
        return 0
    compiled, used = compile_here(wanted, None if quiet else Lines())
    if json:
        output.document({"compiled": compiled, "used": used})
    if not quiet:
        output.say(f"{compiled} functions compiled; {used} are used in place of those that came with linkwork.")
    return 0


def in_background(words: list[str]) -> int:
    """The number of a process that does it, and outlives this one."""
    return subprocess.Popen(
        [sys.executable, "-m", "linkwork", "tune", *words, "--quiet"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ).pid
