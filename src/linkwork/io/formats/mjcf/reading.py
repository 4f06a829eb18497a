"""An MJCF file as a mechanism: compiled by MuJoCo, read from the compiled model, accounted for from the text."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar
from warnings import catch_warnings, simplefilter

from linkwork.errors import ModelError, UsageError
from linkwork.io.formats.base import ModelFormat, no_side
from linkwork.io.formats.ledger import Ledger, keep_account, lines_of
from linkwork.io.formats.mjcf.accounting import Accounting
from linkwork.io.formats.mjcf.actuators import missed
from linkwork.io.formats.mjcf.bodies import Compiled
from linkwork.io.formats.mjcf.files import trees
from linkwork.io.formats.smooth_laws import about_limits, smooth_laws
from linkwork.io.formats.text import holds
from linkwork.io.formats.urdf.reading import check_options
from linkwork.io.formats.xml_tree import Node
from linkwork.mechanism import Mechanism
from linkwork.mechanism.account import Account
from linkwork.mechanism.elements import shown
from linkwork.shown import counted, some


class Mjcf(ModelFormat):
    """`.xml` or `.mjcf` whose root is <mujoco>."""

    name: ClassVar[str] = "MJCF"
    suffixes: ClassVar[tuple[str, ...]] = (".xml", ".mjcf")
    options: ClassVar[tuple[str, ...]] = ("actuators", "friction", "on_unsupported", "search", "stops")

    def sniff(self, path: Path) -> bool:
        return holds(path, "<mujoco")

    def read(self, path: Path, side: Any = None, **options: Any) -> Mechanism:
        """`options`: actuators, friction, on_unsupported, search, stops."""
        no_side(side, path)
        on_unsupported = options.get("on_unsupported", "error")
        check_options(on_unsupported)
        laws = smooth_laws(options)
        actuated = options.get("actuators", False)
        if not isinstance(actuated, bool):
            raise UsageError(f"actuators is {shown(actuated)}; it is True or False.")
        files = trees(path, options.get("search", ()))
        warnings: list[str] = []
        model, mujoco = compiled(path, warnings, ranges=not any(moves_for_its_range(tree) for _, tree in files))
        found = Compiled(model, mujoco, str(path), laws, actuated=actuated)
        if not found.bodies:
            raise ModelError("holds no body.", file=str(path))
        root = files[0][1]
        name = " ".join(root.attributes.get("model", "").split())[:200] or path.stem
        document = found.document(name)
        locate = lines_of(document, *(tree for _, tree in files))
        mechanism = Mechanism.from_dict(document, file=str(path), locate=locate)
        entries = []
        for file, tree in files:
            ledger = Ledger(self.name, str(file), tree)
            Accounting(ledger, found).file(tree)
            entries += list(ledger.close())
        account = Account(self.name, str(path), tuple(entries))
        keep_account(mechanism, account, str(path), on_unsupported, about_limits(found.unstopped))
        if not actuated and (left := missed(found)):
            mechanism.reading_notes.append(
                f"{counted(len(left), 'actuator')} of the file would exert something without an input, as those that "
                f"hold a position do ({some(left)}): none acts here; actuators=True (--actuators) lets them"
            )
        mechanism.reading_notes += [f"MuJoCo's compiler says: {text}" for text in warnings]
        return mechanism

    def write(self, mechanism: Mechanism, path: Path) -> tuple[str, Account]:
        from linkwork.io.formats.mjcf.writing import write_mjcf

        return write_mjcf(mechanism, str(path))


def moves_for_its_range(root: Node) -> bool:
    """Whether a file has muscles, or asks for length ranges of others: MuJoCo's compiler moves the model to find them,
    which in a model of absurd sizes has no end and hears no signal. Nothing here needs them."""
    return any(node.tag in ("muscle", "lengthrange") or "muscle" in node.attributes.values() for node in root.walk())


def compiled(path: Path, warnings: list[str], *, ranges: bool = True) -> tuple[Any, Any]:
    """MuJoCo's compiled model, and MuJoCo; `warnings` gets what its compiler warns of. ranges : whether it may look for
    length ranges of actuators. Raises ModelError."""
    try:
        import mujoco
    except ImportError:
        message, remedy = "is MJCF, which MuJoCo's compiler reads.", 'Install it: pip install "linkwork[mjcf]".'
        raise ModelError(message, file=str(path), remedy=remedy) from None
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda text: warnings.append(" ".join(str(text).split())[:400]))
    try:
        if ranges:
            return mujoco.MjModel.from_xml_path(str(path)), mujoco
        spec = mujoco.MjSpec.from_file(str(path))
        spec.compiler.LRopt.mode = int(mujoco.mjtLRMode.mjLRMODE_NONE)
        with catch_warnings(record=True) as said_in_python:
            simplefilter("always")
            model = spec.compile()
        warnings += [" ".join(str(one.message).split())[:400] for one in said_in_python]
        return model, mujoco
    except (ValueError, RuntimeError, TypeError, MemoryError) as error:
        said = " ".join(str(error).split())[:400]
        raise ModelError(f"is not a model that MuJoCo compiles: {said}", file=str(path)) from None
    finally:
        mujoco.set_mju_user_warning(before)
