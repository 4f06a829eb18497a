"""A process that compiles the entries that it is told: lines of JSON in, module, name and levels; a word each out."""

from __future__ import annotations

import json
import os
import sys
import traceback


def work() -> None:
    """Until the input ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what anything else may print is not an answer
    from linkwork.shipping.kept import make
    from linkwork.shipping.lowered import keep_texts

    keep_texts()
    for line in sys.stdin:
        module, name, levels = json.loads(line)
        try:
            make(module, name, levels)
            answers.write("made\n")
        except Exception:  # whatever it is, the build says which entry it was
            traceback.print_exc()
            answers.write("failed\n")
        answers.flush()


if __name__ == "__main__":
    work()
