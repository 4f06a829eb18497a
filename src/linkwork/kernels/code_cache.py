"""Machine code on disk: one file for each entry as it is now, checked when it is read, loaded without Numba.

Numba's own caches know a function by file, line and path, notice no change in other files, and are read by Numba alone,
whose import takes longer than most runs. This one knows a function by what it is made of (`kernels.closure`), and keeps
what LLVM has made of it.
"""

from __future__ import annotations

import json
import os
import platform
import struct
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

from linkwork.kernels import kept_files
from linkwork.kernels.closure import digest, key_of
from linkwork.kernels.jit import MARKS, cache_directory, compiler_version

FORMAT = 1  # of a file
VERSIONS = 12  # of one entry that are kept on disk; those not used for longest go
# what Numba is told of the code that it makes, in the environment or by a file
SETTINGS = ("OPT", "CPU_NAME", "CPU_FEATURES", "ENABLE_AVX", "LOOP_VECTORIZE", "SLP_VECTORIZE")
SETTINGS_FILE = Path(".numba_config.yaml")
HEAD = struct.Struct("<q")  # bytes of the line before the machine code


class MachineCode(NamedTuple):
    """An object file. symbol : of the function in it. calls : names of what it needs besides."""

    symbol: str
    calls: list[str]
    code: bytes

    def load(self) -> Loaded | None:
        """Make it ready; None where something that it calls is not here."""
        import llvmlite.binding as llvm

        triple, cpu, features = processor()
        target = llvm.Target.from_triple(triple)
        machine = target.create_target_machine(cpu=cpu, features=features, jit=True)
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(f'target triple = "{triple}"'), machine)
        if any(llvm.address_of_symbol(name) is None for name in self.calls):  # without which LLVM would end the process
            return None
        engine.add_object_file(llvm.ObjectFileRef.from_data(self.code))
        engine.finalize_object()
        return Loaded(engine.get_function_address(self.symbol), engine)

    def need_loaded(self) -> Loaded:
        """Make it ready. Raises RuntimeError where something that it calls is not here."""
        found = self.load()
        if found is None:
            raise RuntimeError(f"compiled code calls what is not here: {', '.join(self.calls)}")
        return found


class Loaded(NamedTuple):
    """The function in memory, as long as `engine` is kept."""

    address: int
    engine: Any


@cache
def processor() -> tuple[str, str, str]:
    """This one as LLVM calls it: triple, name, features."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def compiler() -> tuple[Any, ...]:
    """All that machine code depends on besides what it is made of."""
    import llvmlite

    told = [os.environ.get(f"NUMBA_{name}") for name in SETTINGS]
    more = SETTINGS_FILE.read_bytes() if SETTINGS_FILE.is_file() else b""
    python = platform.python_implementation(), platform.python_version_tuple()[:2]
    return (*processor(), compiler_version(), llvmlite.__version__, told, more, python)


class CodeCache:
    """Where the machine code of one function is kept. signature : of the function, in words."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], signature: str) -> None:
        self.function, self.options, self.signature = function, options, signature
        self.name = f"{function.__module__}.{function.__qualname__}".replace("<locals>", "")

    @cached_property
    def key(self) -> str:
        """Says from what the code was made: a digest that changes with it."""
        return self.made_from()

    def made_from(self) -> str:
        """Of the function's code and all behind it."""
        return key_of(self.function, MARKS)

    @property
    def file(self) -> Path:
        """Where it is kept, for this processor and this compiler."""
        return cache_directory() / f"{self.name}-{self.digest}.code"

    @property
    def symbol(self) -> str:
        """Of the function in it that others call."""
        return f"linkwork_{self.digest}"

    @property
    def digest(self) -> str:
        """Of all that it depends on, 32 hexadecimal digits."""
        return digest(repr((FORMAT, self.key, self.options, self.signature, *compiler())))[:32]

    def read(self) -> MachineCode | None:
        """What is kept, None if there is nothing whole."""
        file = self.file
        data = kept_files.read(file)
        if data is None:
            return None
        kept_files.used(file)
        (length,) = HEAD.unpack_from(data)
        symbol, calls = json.loads(data[HEAD.size : HEAD.size + length])
        return MachineCode(symbol, calls, data[HEAD.size + length :])

    def save(self, made: MachineCode) -> None:
        """Keep it. Where nothing can be written, nothing is kept, and whoever waits is told."""
        line = json.dumps([made.symbol, made.calls]).encode()
        kept_files.save(self.file, HEAD.pack(len(line)) + line + made.code, self.name, VERSIONS)
