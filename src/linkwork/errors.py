"""Every error linkwork raises: a stable code, an exit status, and the place and remedy in words.

An error names the file (where there is one), the element, what is wrong and what to do. The command line
turns `exit_status` into the process's exit status; `code` names a page in docs/errors/.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

LEAST = 3  # letters of a beginning that is taken for the whole name


class LinkworkError(Exception):
    """Base of all linkwork errors.

    Parameters
    ----------
    message : what is wrong, in one sentence.
    file : the file it was read from, if any.
    element : path and name of the element, such as ``joints[2] 'crank pivot'``.
    remedy : what to do about it.
    """

    code = "LW-ERROR"
    exit_status = 1

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        element: str | None = None,
        remedy: str | None = None,
    ) -> None:
        self.message = message
        self.file = file
        self.element = element
        self.remedy = remedy
        super().__init__(message)

    def __str__(self) -> str:
        text = self.message if self.element is None else f"{self.element}: {self.message}"
        if self.file is not None:
            text = f"{self.file}: {text}"
        if self.remedy:
            text = f"{text} {self.remedy}"
        return f"{text} [{self.code}]"

    def to_dict(self) -> dict[str, Any]:
        """The error as plain data, for ``--json``."""
        return {
            "code": self.code,
            "message": self.message,
            "file": self.file,
            "element": self.element,
            "remedy": self.remedy,
        }


class UsageError(LinkworkError):
    """A call or a command line that cannot be carried out as written."""

    code = "LW-USAGE"
    exit_status = 2


class OutputExistsError(UsageError):
    """A file that would be overwritten without being asked to."""

    code = "LW-EXISTS"


class IncompatiblePairError(UsageError):
    """A formulation and an integrator that do not fit each other."""

    code = "LW-PAIR"


class ModelError(LinkworkError):
    """A mechanism description that is not valid."""

    code = "LW-MODEL"
    exit_status = 3


class FormulaError(ModelError):
    """A formula of time outside the grammar."""

    code = "LW-FORMULA"


class MissingMassError(ModelError):
    """Dynamics asked of a mechanism some of whose bodies have no mass or inertia."""

    code = "LW-MASS"


class DriverError(ModelError):
    """A driver that disagrees with the start state."""

    code = "LW-DRIVER"


class UnsupportedElementError(ModelError):
    """An element that the chosen formulation cannot treat; never ignored in silence."""

    code = "LW-UNSUPPORTED"


class StudyError(LinkworkError):
    """A description of a study that is not valid."""

    code = "LW-STUDY"
    exit_status = 2


class CompilerMissingError(LinkworkError):
    """Something has to be compiled, and Numba is not installed."""

    code = "LW-COMPILER"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} did not come compiled with this linkwork, or not from these sources, and Numba, which would "
            "compile it, is not installed.",
            remedy="Install it: pip install 'linkwork[jit]'. `linkwork doctor` says which compiled code there is.",
        )


class ResultFileError(LinkworkError):
    """A result file that cannot be read or written."""

    code = "LW-RESULT"


class AssemblyError(LinkworkError):
    """A mechanism whose constraints cannot be met together."""

    code = "LW-ASSEMBLY"
    exit_status = 4


class StartStateError(AssemblyError):
    """A stated start value that joints and drivers do not allow."""

    code = "LW-START"


class NotDrivenError(LinkworkError):
    """Kinematics asked of a mechanism whose drivers do not determine its motion."""

    code = "LW-UNDRIVEN"
    exit_status = 4


class ConvergenceError(LinkworkError):
    """A step that did not converge. `result` holds what was computed before it."""

    code = "LW-CONVERGENCE"
    exit_status = 5

    def __init__(self, message: str, *, result: Any = None, **place: str | None) -> None:
        super().__init__(message, **place)
        self.result = result


class NoEquilibriumError(ConvergenceError):
    """A mechanism in which nothing balances the forces, or not near where the search began."""

    code = "LW-EQUILIBRIUM"


class UnderactuatedError(LinkworkError):
    """A motion asked of actuators that cannot produce it."""

    code = "LW-UNDERACTUATED"
    exit_status = 4


class ControllerError(ConvergenceError):
    """A controller that raised, or gave what is no input. `result` holds what was computed before."""

    code = "LW-CONTROL"


class SingularPositionError(ConvergenceError):
    """A position where the constraints lose rank and the motion cannot be continued."""

    code = "LW-SINGULAR"


class LockUpError(SingularPositionError):
    """Drivers that ask for poses beyond the limit of a mechanism's motion: no method gets further."""


class WrongResultError(ConvergenceError):
    """A motion that cannot be right: joints apart, energy from nothing. `result` holds it, up to where it was ended."""

    code = "LW-WRONG"
    exit_status = 7


class NotConfirmedError(LinkworkError):
    """An independent formulation does not confirm a result to the digits asked for. The command line ends with it."""

    code = "LW-UNCONFIRMED"
    exit_status = 8


class AccuracyNotReachedError(LinkworkError):
    """A run that is less accurate than was asked, or of which nobody knows. The command line ends with it."""

    code = "LW-ACCURACY"
    exit_status = 9


class DeviceError(LinkworkError):
    """What a graphics processor or its driver refused on the way. `result` holds what was computed before, if anything.

    No result of such a run is in doubt: what was refused was not computed.
    """

    code = "LW-DEVICE"

    def __init__(self, message: str, *, result: Any = None, **place: str | None) -> None:
        super().__init__(message, **place)
        self.result = result


class DeviceMemoryError(DeviceError):
    """A graphics processor without memory for what it was asked to carry at once."""


class RunInterruptedError(LinkworkError):
    """A run stopped by the user, by SIGTERM, or since a worker was killed. `result` holds what was computed before.

    exit_status : 128 and the number of the signal, as shells have it: 130 after Ctrl-C, 143 after SIGTERM, 137 where a
        worker was killed, or a cluster is gone.
    """

    code = "LW-INTERRUPTED"
    exit_status = 130

    def __init__(self, message: str, *, result: Any = None, signal: int = 2, **place: str | None) -> None:
        super().__init__(message, **place)
        self.result, self.exit_status = result, 128 + signal


def nearest(word: object, known: Iterable[str]) -> str:
    """The known name that is most like a word, capitals aside, or the only one that begins like it; else empty."""
    from difflib import get_close_matches

    text = str(word)[:100].lower()
    names = {name.lower(): name for name in reversed([*known])}  # of two that differ in capitals the first
    near = get_close_matches(text, names, 1)
    if not near and len(text) >= LEAST:
        near = [name for name in names if name.startswith(text) or (len(name) >= LEAST and text.startswith(name))]
        near = near if len(near) == 1 else []
    return names[near[0]] if near else ""
