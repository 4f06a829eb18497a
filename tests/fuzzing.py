"""Junk for everything that linkwork reads: files of models, sides, studies and results, kept runs, and formulas.

Case number k of a reader is made from (seed, reader, k) alone, so that every finding can be made again:

    python -m tests.fuzzing --reader yaml --case 1234        # one case, with its content
    scripts/fuzz --cases 1000000                             # many

A case is a finding if anything but a LinkworkError comes out, if it takes longer than PATIENCE, or if the process
dies of it, which whoever started it sees from the case that was noted last.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import linkwork as lw
from linkwork.errors import LinkworkError
from tests.fuzzing_xml import changed_tree

ROUND = 20  # times the shares
PATIENCE = 2.0  # seconds of processor time of one case
# how often each reader comes up: what takes longer comes less often
SHARES = {
    "formula": 46,
    "json": 14,
    "yaml": 8,
    "kissel": 14,
    "side": 6,
    "study": 4,
    "result": 3,
    "resume": 1,
    "kept": 4,
    "urdf": 12,
    "sdf": 6,
    "mjcf": 6,
}
# (seed, reader, case) in which HDF5 itself, reading a damaged heap, goes round for ever and hears no signal: left out,
# and told on the page of limits
IN_HDF5 = {(0, "result", 462)}
NUMBERS = [
    "0",
    "-1",
    "1e308",
    "1e-320",
    "-0.0",
    "1e999",
    "nan",
    ".inf",
    "9" * 40,
    "0x1F",
    "1_000",
    "2**70",
    "null",
    "true",
]
WORDS = [
    *NUMBERS, "ground", "crank", "name", "type", "bodies", "joints", "revolute", "spherical", "DP1", "f", "cos(t)",
    "t^t", "1/t", "sqrt(-t)", "step(t,0,1)", "pi", "exp(exp(exp(t)))", "a^b^c", "((((", "))))", "[", "]", "{", "}", ":",
    ",", "&a", "*a", "<<:", "!!python/object:os.system", "!!binary", "---", "...", "|", ">", "#", "\\u0000",
    "\U0001f600",
    "\u202e", "\n", "\t", '"', "'", "\\", "study: 1", "linkwork: 1",
]  # fmt: skip
XML_WORDS = [
    *WORDS, "<!DOCTYPE r>", '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>', "&b;", "&amp;", "&#0;",
    '<!DOCTYPE r SYSTEM "/etc/passwd">', "<?xml version='1.0' encoding='utf-16'?>", "<![CDATA[", "<!--", "-->", "<a>",
    "</a>", "<link/>", '<link name="crank"/>', '<parent link="crank"/>', '<child link="frame"/>', 'name="frame"',
    '<joint name="a" type="fixed"><parent link="crank"/><child link="frame"/></joint>', "<origin/>", "<mimic/>",
    'rpy="1e300 0 0"', 'xyz="1 2"', 'type="universal"', 'type="planar"', "<loop/>", "package://", "xacro:", "${x}",
    "../../../../etc/passwd", "file:///dev/zero", "<robot>", "</robot>", "mm", "deg",
]  # fmt: skip
MJCF_WORDS = [
    *XML_WORDS, '<include file="model.xml"/>', '<include file="../model.xml"/>', '<compiler meshdir="/etc"/>',
    '<mesh name="m" file="../../etc/passwd"/>', '<geom type="mesh" mesh="m"/>', '<plugin plugin="p"/>',
    '<replicate count="100000000"><geom size="1"/></replicate>', '<composite type="cable" count="1000000 1 1"/>',
    '<texture name="t" type="2d" builtin="flat" width="100000" height="100000"/>', '<size memory="100T"/>',
    '<hfield name="h" nrow="100000" ncol="100000" size="1 1 1 1"/>', '<freejoint/>', '<joint type="ball"/>',
    '<flexcomp name="f" type="grid" count="1000 1000 1000" spacing="1 1 1"/>',
    '<attach model="m" body="b" prefix="p"/>',
    '<connect body1="a" body2="b" anchor="0 0 0"/>', '<weld body1="a"/>', '<default class="c">', 'class="c"',
]  # fmt: skip
FORMULAS = [
    "0", "2*pi*t + pi/2", "cos(2*t)", "pi/4*cos(2*t)", "step(t, 0, 1)", "exp(-t)*sin(t)^2", "sqrt(1 + t*t)",
    "atan(t)/3", "-t^-2", "abs(t - 1)", "tanh(3*t)", "(1 + t)^(1/3)", "min(t, 1)", "log(1 + t)",
]  # fmt: skip
SIDE = {"bodies": {"bar": {"mass": 1.0, "inertia": [1, 1, 1]}}, "gravity": [0, 0, -9.81]}
KEPT_RUN = {
    "messages": ["constraints lose rank"], "wall_time": 0.5, "operations": {"operations": 120, "additions": 60},
    "counts": {"steps": 100, "iterations": 210}, "run_seconds": 0.01,
}  # fmt: skip
KEPT_FAILURE = {"error": {"code": "LW-CONVERGENCE", "message": "it did not converge."}, "kind": "ConvergenceError"}
KEPT_TIME = {"counts": {"steps": 100}, "run_seconds": 0.01, "repeats": 3, "peak_memory": 8e7, "memory_rise": None}
STUDY = """study: 1
mechanism: kissel2021_double_pendulum
t_end: 0.2
formulations: [rA, lie-se3]
integrators: suitable
steps: [1e-3, 2e-3]
rtol: [1e-6]
runs:
  - {formulation: rA, integrator: generalized-alpha, step: 1e-3, options: {rho_infinity: 1.0}}
reference: {formulation: lie-se3, integrator: dop853, rtol: 1e-9}
outputs: [json]
"""


class TooLong(BaseException):
    """A case that does not come to an end."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TooLong where the block takes more processor time; only where there are alarms."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


# seeds: content that is right ------------------------------------------------------------------------------


@cache
def seeds(reader: str) -> tuple[bytes, ...]:
    """Right content for a reader, from which junk is made."""
    from linkwork.io.formats import shipped
    from tests.property.test_mechanism_junk import DOCUMENTS, KISSEL

    if reader == "formula":
        return tuple(text.encode() for text in FORMULAS)
    if reader == "yaml":
        files = sorted(shipped().values(), key=lambda path: path.stat().st_size)
        return tuple(path.read_bytes() for path in files if path.stat().st_size < 3000)
    if reader == "json":
        texts = sorted((json.dumps(data).encode() for data in DOCUMENTS), key=len)
        return tuple(texts[: 2 * len(texts) // 3])
    if reader == "kissel":
        return (json.dumps(KISSEL).encode(), json.dumps(KISSEL, indent=1).encode())
    if reader == "side":
        return (json.dumps(SIDE).encode(),)
    if reader == "urdf":
        from tests.unit.test_urdf import ARM, CONSTRAINT, LINKAGE, PLUS

        sys.path.insert(0, str(Path(__file__).parent))  # where its tests look for each other
        from unit.test_urdf_dialects import GEARED, ROTOR

        texts = (ARM, LINKAGE.format(PLUS), LINKAGE.format(CONSTRAINT), ROTOR.format(GEARED.format("coupling", "")))
        return tuple(text.encode() for text in texts)
    if reader == "sdf":
        from tests.unit.test_sdf import ARM as SDF_ARM
        from tests.unit.test_sdf import CROSS, GEARBOX, SHAFT, TURNS

        geared = TURNS.format("revolute", "base", "b", '<mimic joint="one"/>') + GEARBOX.format(1)
        joints = (geared, CROSS.format("universal", "", "0 1 0"))
        return (SDF_ARM.encode(), *(SHAFT.format(gravity=0, joints=one).encode() for one in joints))
    if reader == "mjcf":
        from tests.unit.test_mjcf import LEG, TIED
        from tests.unit.test_mjcf_tendons import ACTUATORS, HAND

        muscles = HAND.format(acting='<muscle joint="end"/><motor site="s"/>', more='armature="1"', flags="")
        still = "<mujoco><worldbody><body name='b'><geom size='0.1'/></body></worldbody></mujoco>"
        texts = (LEG, TIED.format(0), still, HAND.format(acting=ACTUATORS, more='range="0 1"', flags=""), muscles)
        return tuple(text.encode() for text in texts)
    if reader == "kept":
        return tuple(json.dumps(said, indent=1).encode() for said in (KEPT_RUN, KEPT_FAILURE, KEPT_TIME))
    if reader == "study":
        return (STUDY.encode(), json.dumps({"study": 1, "mechanism": DOCUMENTS[0], "steps": [1e-3]}).encode())
    return _result_files()[reader]


@cache
def _result_files() -> dict[str, tuple[bytes, ...]]:
    """A result file and a checkpoint, both of a run that nobody simulated."""
    from linkwork.header import Header
    from linkwork.io.results.checkpoint import Checkpoint
    from linkwork.io.results.snapshot import Snapshot
    from linkwork.result import Result

    data = {
        "time": np.arange(40.0),
        "position": np.ones((40, 2, 3)),
        "rotation": np.tile(np.eye(3), (40, 2, 1, 1)),
        "reaction_force": np.ones((40, 1, 3)),
    }
    header = Header(bodies=("a", "b"), joints=("pin",), joint_bodies=("b",), joint_points=((0.0, 0.0, 0.0),))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.nc"
        Result(header, data).save(file)
        checkpoint = Path(folder) / "run.nc.resume"
        arrays = {"run.k": np.ones((4, 12)), "run.counts": np.arange(9)}
        facts = {"messages": [], "session": {}, "run": {"done": 3}}
        pages = {0: bytearray(file.read_bytes()[:4096])}
        Checkpoint(file.stat().st_size, 40, pages, {"t_end": 1.0}, "x", Snapshot(arrays, facts)).write(checkpoint)
        return {"result": (file.read_bytes(),), "resume": (checkpoint.read_bytes(),)}


# junk ------------------------------------------------------------------------------------------------------


def junk(reader: str, draw: random.Random) -> bytes:
    """A seed with one to six bites taken out of it, or put into it; of half the XML files, changes of their trees."""
    found = seeds(reader)
    data = bytearray(draw.choice(found))
    words = {"urdf": XML_WORDS, "sdf": XML_WORDS, "mjcf": MJCF_WORDS}.get(reader, WORDS)
    if words is not WORDS and draw.randrange(2):
        return changed_tree(bytes(data), draw, found)
    for _ in range(draw.choice((1, 1, 1, 2, 3, 6))):
        data = _bitten(data, draw, found, words)
        if len(data) > 200_000:
            break
    return bytes(data)


def _bitten(data: bytearray, draw: random.Random, others: tuple[bytes, ...], words: list[str]) -> bytearray:
    size = len(data)
    a = draw.randrange(size + 1)
    b = min(size, a + draw.choice((1, 1, 2, 4, 16, 64, size)))
    kind = draw.randrange(11)
    if kind == 0 and size:
        data[min(a, size - 1)] ^= 1 << draw.randrange(8)
    elif kind == 1:
        data[a:b] = b""
    elif kind == 2:
        data[a:a] = draw.randbytes(draw.choice((1, 2, 8)))
    elif kind in (3, 4):
        data[a:a] = draw.choice(words).encode("utf-8", "replace")
    elif kind == 5:
        data[a:a] = data[a:b]
    elif kind == 6:
        other = draw.choice(others)
        c = draw.randrange(len(other) + 1)
        data[a:b] = other[c : c + draw.choice((4, 32, 256))]
    elif kind == 7:
        return data[:a]
    elif kind == 8:
        _replace_number(data, draw)
    elif kind == 9:
        _replace_word(data, draw)
    else:
        data[a:a] = draw.choice((b"[", b"(", b"-", b'{"a":', b"1,", b"9", b" ")) * draw.choice((3, 60, 3000))
    return data


def _spans(data: bytearray, belongs: Callable[[int], bool]) -> list[tuple[int, int]]:
    spans, start = [], None
    for k, byte in enumerate(data[:4000]):
        if belongs(byte):
            start = k if start is None else start
        elif start is not None:
            spans.append((start, k))
            start = None
    return spans


def _replace_number(data: bytearray, draw: random.Random) -> None:
    spans = _spans(data, lambda byte: chr(byte) in "0123456789.+-e")
    if spans:
        first, last = draw.choice(spans)
        data[first:last] = draw.choice(NUMBERS).encode()


def _replace_word(data: bytearray, draw: random.Random) -> None:
    spans = _spans(data, lambda byte: chr(byte).isalpha() or byte == 95)
    if spans:
        (first, last), (c, d) = draw.choice(spans), draw.choice(spans)
        data[first:last] = bytes(data[c:d]) if draw.randrange(2) else draw.choice(WORDS).encode("utf-8", "replace")


# files that are opened -------------------------------------------------------------------------------------

OURS = [sys.prefix, sys.base_prefix, str(Path(__file__).parents[1]), os.environ.get("LINKWORK_CACHE_DIR", sys.prefix)]
_watch: dict[str, list[str]] = {}  # folder -> files outside it that Python opened


def _opened(event: str, args: tuple[object, ...]) -> None:
    """Python tells of each file that it opens (what MuJoCo's compiler opens it does not see)."""
    if event == "open" and _watch and isinstance(args[0], str | bytes | os.PathLike):
        name = os.path.realpath(os.fsdecode(args[0]))
        for folder, found in _watch.items():
            if not any(name.startswith(one) for one in (folder, *OURS)):
                found.append(name)


@contextmanager
def watched(folder: Path) -> Iterator[list[str]]:
    """The files that Python opens inside the block beside those in a folder and of the program itself."""
    if not _watch_on:
        sys.addaudithook(_opened)
        _watch_on.append(True)
    _watch[os.path.realpath(folder)] = found = []
    try:
        yield found
    finally:
        _watch.clear()


_watch_on: list[bool] = []  # a hook stays for good

# readers ---------------------------------------------------------------------------------------------------


def read(reader: str, content: bytes, folder: Path) -> None:
    """Read it, and do with it what a run or a report would do first. LinkworkErrors are answers, too."""
    try:
        with watched(folder) as outside:
            READERS[reader](content, folder)
    except LinkworkError as error:
        if not 10 < len(str(error)) < 100_000:
            raise AssertionError(f"a message of {len(str(error))} characters") from error
    if outside:
        raise AssertionError(f"a file outside the folder was opened: {outside[0]}")


def _file(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def _model(path: Path, side: Path | None = None) -> None:
    mechanism = lw.load(path, side=side)
    mechanism.lower()
    mechanism.driver_mismatches()
    mechanism.to_dict()


def _formula(content: bytes, folder: Path) -> None:
    from linkwork.mechanism.expressions import Expression

    found = Expression.parse(content.decode("utf-8", "replace"))
    found.jet(np.array([-1.0, 0.0, 0.3, 1e9]))
    found.program()
    found.as_cosine()
    if Expression.parse(str(found)) != found:
        raise AssertionError(f"{str(found)!r} is read as another formula")


def _study(content: bytes, folder: Path) -> None:
    lw.load_study(_file(folder, "study.json" if content[:1] == b"{" else "study.yaml", content))


def _side(content: bytes, folder: Path) -> None:
    _model(_file(folder, "model.mdl", seeds("kissel")[0]), _file(folder, "side.yaml", content))


def _robot(path: Path, **options: Any) -> None:
    mechanism = lw.load(path, on_unsupported="report", **options)
    mechanism.lower()
    mechanism.to_dict()
    if mechanism.account is None or not mechanism.account.text():
        raise AssertionError("no account")


def _result(content: bytes, folder: Path) -> None:
    found = lw.open_result(_file(folder, "run.nc", content))
    for name in found:
        found[name]
    found.summary()


def _resume(content: bytes, folder: Path) -> None:
    _file(folder, "run.nc", seeds("result")[0])
    _file(folder, "run.nc.resume", content)
    try:
        lw.resume(folder / "run.nc")
    finally:
        (folder / "run.nc.resume").unlink()
        (folder / "run.nc.part").unlink(missing_ok=True)


def _kept(content: bytes, folder: Path) -> None:
    """What a comparison kept of a run, as a failure, a run and a timing; only whole ones are worth anything."""
    from linkwork.studies.comparison.case import Case
    from linkwork.studies.comparison.measures import Row, failed
    from linkwork.studies.comparison.store import Store

    store, case = Store(folder), Case("rA", "generalized-alpha", step=1e-3)
    store.motion_file("k").touch()
    _file(store.runs, "k.json", content)
    _file(store.times, "k.json", content)
    said, clock = store.outcome("k"), store.timing("k")
    if said is not None and "error" in said:
        json.dumps(failed(case, "k", said).to_dict())
    elif said is not None:
        spent = said["run_seconds"] if clock is None or "error" in clock else clock["run_seconds"]
        row = Row(case, "k", "done", counts=dict(said["counts"]), us_per_step=1e6 * float(spent))
        json.dumps(row.to_dict())


READERS: dict[str, Callable[[bytes, Path], None]] = {
    "formula": _formula,
    "json": lambda content, folder: _model(_file(folder, "model.json", content)),
    "yaml": lambda content, folder: _model(_file(folder, "model.yaml", content)),
    "kissel": lambda content, folder: _model(_file(folder, "model.mdl", content)),
    "side": _side,
    "urdf": lambda content, folder: _robot(_file(folder, "model.urdf", content)),
    "sdf": lambda content, folder: _robot(_file(folder, "model.sdf", content)),
    "mjcf": lambda content, folder: _robot(_file(folder, "model.xml", content), actuators=len(content) % 2 == 1),
    "study": _study,
    "result": _result,
    "resume": _resume,
    "kept": _kept,
}


# many cases ------------------------------------------------------------------------------------------------


def case(reader: str, number: int, seed: int) -> bytes:
    """The content of one case."""
    return junk(reader, random.Random(f"{seed} {reader} {number}"))


def order(cases: int, readers: Collection[str] = ()) -> Iterator[tuple[str, int]]:
    """So many cases, each reader (or those named) as often as its share says; a run that is ended early has been to
    all of them."""
    shares = {reader: share for reader, share in SHARES.items() if not readers or reader in readers}
    rounds = -(-cases // (ROUND * sum(shares.values())))
    for k in range(rounds):
        for reader, share in shares.items():
            for number in range(k * ROUND * share, (k + 1) * ROUND * share):
                yield reader, number


def say(text: str) -> None:
    """A line, at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def findings(
    cases: int, seed: int, *, readers: Collection[str] = (), noted: Path | None = None, tell: bool = False
) -> list[str]:
    """Go through the cases; what each finding is, in words. readers : these alone. noted : file in which the present
    case is noted."""
    found: list[str] = []
    began, done = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        folder = Path(name)
        note = None if noted is None else noted.open("wb", buffering=0)
        for reader, number in order(cases, readers):
            if (seed, reader, number) in IN_HDF5:
                continue
            if tell and done % 10_000 == 0:
                say(f"{time.monotonic() - began:8.0f} s, {done} cases, {len(found)} findings")
            if note is not None:
                note.seek(0)
                note.write(f"{reader} {number:10d}\n".encode())
            content = case(reader, number, seed)
            try:
                with limited(PATIENCE):
                    read(reader, content, folder)
            except (Exception, TooLong) as error:
                where = traceback.extract_tb(error.__traceback__)[-1]
                found.append(
                    f"--reader {reader} --case {number} --seed {seed}: {type(error).__name__}: {str(error)[:200]} "
                    f"({Path(where.filename).name}, line {where.lineno})"
                )
                if tell:
                    say(found[-1])
            done += 1
        if note is not None:
            note.close()
    if tell:
        say(f"{done} cases in {time.monotonic() - began:.0f} s, {len(found)} findings")
    return found


def main() -> int:
    """See the module's text."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--reader", choices=SHARES, nargs="+", help="these alone")
    parser.add_argument("--case", type=int)
    parser.add_argument("--noted", type=Path)
    given = parser.parse_args()
    if given.case is None:
        readers = given.reader or ()
        return 1 if findings(given.cases, given.seed, readers=readers, noted=given.noted, tell=True) else 0
    reader = given.reader[0]
    content = case(reader, given.case, given.seed)
    sys.stdout.write(f"{content!r}\n")
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        read(reader, content, Path(folder))
        say(f"well read, or refused, in {time.monotonic() - began:.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
