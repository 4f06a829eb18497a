"""The table of `scripts/measure_house`: one column per checkout."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from house.counts import count, naming, private_words, read
from house.program import modules_of
from house.walks import PAIRS, walk

# an existing one of each kind, as code names it; the docs' own words are no code
KINDS = {
    "a joint (universal)": "[Uu]niversal|UNIVERSAL",
    "a row kind (ROLL_SLIP)": "ROLL_SLIP|roll_slip",
    "a force (torsion)": "[Tt]orsions?|TORSIONS?|TorsionSpring",
    "a formulation (rp)": "rp",
    "an integrator (heun)": "heun|HEUN",
}
STUDIES = ("studies", "judgement/cures")  # examples of use, no part of what a kind is made of


def measure(checkout: Path) -> dict[str, float | str]:
    """Every number of one checkout, by its name."""
    sources = read(checkout)
    modules = modules_of(sources)
    table: dict[str, float | str] = {}
    for pair in PAIRS:
        files = walk(modules, *pair)
        table[f"files / lines from simulate to the kernels, {pair[0]} + {pair[1]}"] = (
            f"{len(files)} / {sum(files.values())}"
        )
    for kind, words in KINDS.items():
        table[f"files that name {kind}"] = len(naming(sources, words, outside=STUDIES))
    return table | count(sources)


def main(arguments: list[str]) -> int:
    """Print the table as Markdown; with --words the private words of the last checkout, too."""
    checkouts = [Path(given) for given in arguments if given != "--words"] or [Path(__file__).parents[2]]
    tables = [measure(checkout) for checkout in checkouts]
    rows = [["", *(checkout.resolve().name for checkout in checkouts)]]
    rows += [["---", *("---:" for _ in checkouts)]]
    rows += [[name, *(f"{table[name]}" for table in tables)] for name in tables[0]]
    sys.stdout.writelines("| " + " | ".join(row) + " |\n" for row in rows)
    if "--words" in arguments:
        words = private_words(read(checkouts[-1]))
        sys.stdout.writelines(f"{number:5} {word}\n" for word, number in words.most_common())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
