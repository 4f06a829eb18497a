"""Write docs/options.md from what formulations, integrators and samples declare.

python docs/make_options.py
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from linkwork.formulations import FORMULATIONS
from linkwork.integrators import INTEGRATORS
from linkwork.options import Configured, Declared, declared
from linkwork.run.samples import Acceptance, Samples

PAGE = Path(__file__).parent / "options.md"
HEAD = """# Options

<!-- made by docs/make_options.py from the sources -->

An option lives with its owner: a formulation, an integrator, or what is recorded. It is given with the owner, or in
short as a keyword of `simulate`, which the owner checks; on the command line it is an option of `linkwork run`
(`--rho-infinity 0.7`). These three are the same:

```
lw.simulate(mech, 5.0, 1e-2, lw.LieMixed(), lw.DOP853(rtol=1e-9), samples=lw.Samples(every=10, out="run.nc"))
lw.simulate(mech, 5.0, 1e-2, "lie-mixed", "dop853", rtol=1e-9, every=10, out="run.nc")
linkwork run MODEL --t-end 5 --step 1e-2 --formulation lie-mixed --integrator dop853 --rtol 1e-9 --every 10 --out run.nc
```

A keyword that neither formulation nor integrator has is refused, and whoever has it is named; likewise a value that is
out of range.
"""


def page() -> str:
    """The whole page."""
    owners = {
        "Formulations": [FORMULATIONS.load(name) for name in FORMULATIONS],
        "Integrators": [INTEGRATORS.load(name) for name in INTEGRATORS],
        "What is recorded, and what the start may change": [Samples(), Acceptance()],
    }
    parts = [HEAD]
    for title, found in owners.items():
        parts.append(f"\n## {title}\n\n| option | of | meaning | value | if left out |\n|---|---|---|---|---|\n")
        parts += [f"{row}\n" for row in rows(found)]
    return "".join(parts)


def rows(owners: Iterable[Configured]) -> list[str]:
    """One row per option, with all owners whose declaration is the same."""
    found: dict[tuple[str, str], list[str]] = {}
    for owner in owners:
        for one in declared(type(owner)).values():
            cells = f"{one.option.meaning.replace('|', '')} | {value_of(one)} | {default_of(one)}"
            found.setdefault((one.name, cells), []).append(f"`{getattr(owner, 'name', type(owner).__name__)}`")
    return [f"| `{name}` | {', '.join(names)} | {cells} |" for (name, cells), names in found.items()]


def value_of(one: Declared) -> str:
    """Its words, or its type, range and unit."""
    if one.choices:
        return ", ".join(f"`{word}`" for word in one.choices)
    kind = {"Mapping": "dictionary", "Sequence": "list", "tuple": "two numbers", "str": "text", "Union": "file"}
    name = getattr(one.holds, "__name__", "file")
    words = {"float": "number", "int": "whole number", "bool": "yes or no"} | kind
    return " ".join(part for part in (words.get(name, name), one.range, one.option.unit) if part)


def default_of(one: Declared) -> str:
    """What holds if nothing is said."""
    if one.default is None:
        return "-"
    return {True: "yes", False: "no"}[one.default] if isinstance(one.default, bool) else f"`{one.default}`"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
