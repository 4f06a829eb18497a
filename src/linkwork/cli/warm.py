"""`linkwork warm`: compile ahead what runs will need."""

from __future__ import annotations

from typing import Annotated

from linkwork.cli import options, output
from linkwork.cli.parameter import Parameter


def warm(
    *formulations: Annotated[str, Parameter(help="Formulations; all of them if none is named.")],
    integrator: Annotated[
        list[str] | None,
        Parameter(help="Compile for this integrator instead of the usual one; may be repeated."),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> int:
    """Compile ahead what runs with some formulations need, so that no run waits for it.

    Compiled code is kept in a folder that `linkwork doctor` names; what is there already is not compiled again. Set
    LINKWORK_CACHE_DIR to make it where a container or the machines of a cluster will look.
    """
    from linkwork.analysis.warm import MODELS, pairs
    from linkwork.analysis.warm import warm as compile_ahead
    from linkwork.kernels.compiling import Lines

    wanted = pairs(formulations, integrator or ())
    made = []
    for k, one in enumerate(compile_ahead(wanted, tell=None if quiet else Lines()), 1):
        made.append(one)
        said = f"{one.functions} functions in {one.seconds:.0f} s" if one.functions else "nothing was left to compile"
        if not quiet:
            output.say(f"{k} of {len(wanted)}  {one.label}: {said}")
    if json:
        output.document(
            [
                {"formulation": one.formulation, "integrator": one.integrator, "functions": one.functions}
                | {"seconds": one.seconds, "refused": one.refused}
                for one in made
            ]
        )
    for one in made:
        if len(one.refused) == len(MODELS):
            output.warn(
                f"{one.label}: no model could run, and nothing was compiled. {next(iter(one.refused.values()))}"
            )
    return 0
