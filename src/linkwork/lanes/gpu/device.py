"""Where kernels run: a device by NVIDIA's driver, or this processor in its place. Both have the same verbs."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from functools import cache
from typing import Any, Protocol

import numpy as np

from linkwork.errors import DeviceError, DeviceMemoryError, UsageError
from linkwork.lanes.gpu.text import KERNELS, kernels_of, loops_of
from linkwork.lanes.processor import no_compiler
from linkwork.lanes.traced.engine import engine_of
from linkwork.lanes.traced.machine_code import LastFew

SIMULATED = "LINKWORK_GPU_SIMULATED"
BLOCK = 64  # threads of a block
TYPES = {"ptr": ctypes.c_void_p, "i64": ctypes.c_int64, "double": ctypes.c_double}
REMEDY = "Give lanes=True in its place, the processor's lanes."
FEWER = "End what else takes its memory, or give lanes=True in its place, the processor's lanes."


OUT_OF_MEMORY = 2  # as the driver says it


class Memory(Protocol):
    """Memory of a device, which ends with this object. address : where it begins there."""

    address: int


class Kernels(Protocol):
    """Compiled kernels. `launch` returns when all instances are done."""

    def launch(self, name: str, many: int, *taken: Any) -> None: ...


class Device(Protocol):
    """name : as its maker calls it. memory : bytes that are free. Raises DeviceError for what fails there,
    DeviceMemoryError where there is no room."""

    name: str

    @property
    def memory(self) -> int: ...
    def room(self, size: int) -> Memory: ...
    def put(self, target: Memory, array: Any) -> None: ...
    def get(self, array: Any, source: Memory) -> None: ...
    def kernels(self, functions: str) -> Kernels: ...


def device() -> Device:
    """The device that instances run on. Raises UsageError where there is none.

    With LINKWORK_GPU_SIMULATED=1 it is this processor, on which the same functions run one after the other: for tests.
    """
    return Simulated() if os.environ.get(SIMULATED) == "1" else nvidia()


@cache
def nvidia() -> Nvidia:
    """The first of NVIDIA's devices. Raises UsageError where there is none, or no driver, or no package for it."""
    if why := no_compiler():
        raise UsageError(
            f"a graphics processor cannot be used: {why}.", remedy=f"pip install 'linkwork[gpu]'. {REMEDY}"
        )
    try:
        from cuda.bindings import driver
    except ImportError as error:
        raise UsageError(
            "a graphics processor is reached by the package cuda-bindings, which is not installed.",
            remedy=f"pip install 'linkwork[gpu]'. {REMEDY}",
        ) from error
    try:
        return Nvidia(driver)
    except (OSError, RuntimeError, DeviceError) as error:  # no library of a driver is there, or no device
        said = error.message if isinstance(error, DeviceError) else error
        raise UsageError(f"no graphics processor of NVIDIA's is found: {said}", remedy=REMEDY) from error


class Nvidia:
    """A device of NVIDIA's. Raises DeviceError where the driver finds none, and for what fails there."""

    def __init__(self, driver: Any, number: int = 0) -> None:
        self.driver = driver
        self("cuInit", 0)
        self.handle = self("cuDeviceGet", number)
        self.context = self("cuDevicePrimaryCtxRetain", self.handle)
        self.name = self("cuDeviceGetName", 256, self.handle).split(b"\0")[0].decode()
        self.kernels = LastFew(self._compiled)

    def __call__(self, name: str, *taken: Any) -> Any:
        """A function of the driver."""
        status, *found = getattr(self.driver, name)(*taken)
        if int(status) != 0:
            text = (self.driver.cuGetErrorString(status)[1] or b"unknown").decode()
            kind, cure = (DeviceMemoryError, FEWER) if int(status) == OUT_OF_MEMORY else (DeviceError, REMEDY)
            raise kind(f"the driver of the graphics processor refused {name}: {text}.", remedy=cure)
        return found[0] if found else None

    def enter(self) -> None:
        """This thread works with this device from now on."""
        self("cuCtxSetCurrent", self.context)

    @property
    def memory(self) -> int:
        """Bytes that are free."""
        self.enter()
        status, free, _ = self.driver.cuMemGetInfo()
        return int(free) if int(status) == 0 else 0

    def room(self, size: int) -> NvidiaMemory:
        """So many bytes."""
        self.enter()
        return NvidiaMemory(self, size)

    def put(self, target: Memory, array: Any) -> None:
        """An array to the device."""
        self.enter()
        self("cuMemcpyHtoD", target.address, array.ctypes.data, array.nbytes)

    def get(self, array: Any, source: Memory) -> None:
        """Fill an array from the device."""
        self.enter()
        self("cuMemcpyDtoH", array.ctypes.data, source.address, array.nbytes)

    def _compiled(self, functions: str) -> NvidiaKernels:
        self.enter()
        return NvidiaKernels(self, kernels_of(functions))


class NvidiaMemory:
    """Memory of a device, given back when this is no longer used."""

    def __init__(self, on: Nvidia, size: int) -> None:
        self._on, self.address = on, int(on("cuMemAlloc", max(size, 8)))

    def __del__(self) -> None:
        if "address" in self.__dict__:
            self._on.enter()
            self._on.driver.cuMemFree(self.address)


class NvidiaKernels:
    """Kernels by their text (PTX), which the driver translates for the device."""

    def __init__(self, on: Nvidia, text: str) -> None:
        self._on, self._module = on, on("cuModuleLoadData", text.encode() + b"\0")
        self._found = {name: on("cuModuleGetFunction", self._module, f"all_{name}".encode()) for name in KERNELS}

    def launch(self, name: str, many: int, *taken: Any) -> None:
        """Run a kernel on so many instances."""
        self._on.enter()
        kinds = (ctypes.c_int64, *(TYPES[kind] for kind in KERNELS[name]))
        blocks, values = -(-many // BLOCK), (many, *addresses(taken))
        self._on("cuLaunchKernel", self._found[name], blocks, 1, 1, BLOCK, 1, 1, 0, 0, (values, kinds), 0)
        self._on("cuCtxSynchronize")


class Simulated:
    """This processor in the place of a device."""

    name, memory = "this processor, simulating a device", 1 << 30

    def room(self, size: int) -> SimulatedMemory:
        """So many bytes."""
        return SimulatedMemory(size)

    def put(self, target: Memory, array: Any) -> None:
        """An array to the device."""
        ctypes.memmove(target.address, array.ctypes.data, array.nbytes)

    def get(self, array: Any, source: Memory) -> None:
        """Fill an array from the device."""
        ctypes.memmove(array.ctypes.data, source.address, array.nbytes)

    def kernels(self, functions: str) -> SimulatedKernels:
        """Compiled kernels."""
        return simulated_kernels(functions)


class SimulatedMemory:
    """An array."""

    def __init__(self, size: int) -> None:
        self._array = np.empty(max(size, 8), dtype=np.uint8)
        self.address = int(self._array.ctypes.data)


class SimulatedKernels:
    """Loops over instances."""

    def __init__(self, functions: str) -> None:
        self._engine = engine_of(loops_of(functions))
        self._found = {
            name: ctypes.CFUNCTYPE(None, ctypes.c_int64, *map(TYPES.__getitem__, kinds))(
                self._engine.get_function_address(f"all_{name}")
            )
            for name, kinds in KERNELS.items()
        }

    def launch(self, name: str, many: int, *taken: Any) -> None:
        """Run a kernel on so many instances."""
        self._found[name](many, *addresses(taken))


simulated_kernels = LastFew(SimulatedKernels)


def addresses(taken: Sequence[Any]) -> list[Any]:
    """Memory by where it begins, numbers as they are."""
    return [getattr(one, "address", one) for one in taken]
