"""Run the benchmarks: `python -m benchmarks --help`."""

import sys

from benchmarks.machine import one_thread

one_thread()  # before NumPy is imported

from benchmarks.run import main  # noqa: E402

sys.exit(main())
