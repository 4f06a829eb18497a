"""Going on with a run that was killed, interrupted, or ran out of disk space: the same samples, to the last bit, as if
nothing had happened."""

from __future__ import annotations

import json
from collections.abc import Callable
from os import PathLike

from linkwork.analysis.kinematics import kinematics
from linkwork.arguments import function, path_of
from linkwork.attached import attached
from linkwork.errors import ResultFileError
from linkwork.io.results import open_result
from linkwork.io.results.unfinished import is_unfinished, unfinished
from linkwork.mechanism import Mechanism
from linkwork.result import Result
from linkwork.run.session import Progress
from linkwork.run.simulate import again

ANALYSES: dict[str, Callable[..., Result]] = {"dynamics": again, "kinematics": kinematics}


def resume(path: str | PathLike[str], *, progress: Progress | None = None) -> Result:
    """Go on with a run that streamed into a file (`simulate(..., out=path)`) and did not come to its end.

    path : the file's name, or that of the part which is there. Mechanism and settings are taken from it; the result is
        that of the uninterrupted run, bit by bit on the same machine. A file whose run is complete is opened. A run for
        an accuracy that was interrupted among its pilot runs begins anew.
    progress : as in `simulate`.

    Raises ResultFileError where there is nothing to go on with, or other sources of linkwork began it; and what the
    run itself raises.
    """
    path, _ = path_of(path, "the file of a run"), function("progress", progress)
    if not is_unfinished(path):
        done = open_result(path)
        planned = done.info.get("planned_call")
        if not done.completed and planned is not None:
            mechanism = Mechanism.from_dict(json.loads(done.mechanism_document))
            made = attached("plan")(mechanism, **planned, out=path, force=True)
            found: Result = made.run(progress=progress)
            return found
        if not done.completed:
            raise ResultFileError(
                f"its run cannot be gone on with: it ended, {done.message.rstrip('.')}.",
                file=str(path),
                remedy="Change what it failed of, and run it again.",
            )
        return done
    left = unfinished(path)
    asked = dict(left.asked)
    analysis = ANALYSES[asked.pop("analysis")]
    mechanism = Mechanism.from_dict(json.loads(left.mechanism))
    result: Result = analysis(mechanism, **asked, out=left, progress=progress)
    return result
