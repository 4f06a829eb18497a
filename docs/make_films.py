"""Makes the small films of the shipped mechanisms, docs/images/moving/NAME.webp: four seconds each, at most.

python docs/make_films.py [NAME ...]
"""

from __future__ import annotations

import sys
from pathlib import Path

import linkwork as lw
from linkwork.mechanisms import shipped

FOLDER = Path(__file__).parent / "images" / "moving"
SECONDS, FPS = 4.0, 12.0
QUICK = {  # s of the run that are shown, slowly, where it is too fast to be followed
    "gyroscope": 1.0,
    "muller2013_floating_pair": 1.5,
    "muller2013_heavy_top": 0.08,
    "muller2013_spherical_double_pendulum": 0.6,
    "muller2013_three_bar": 1.0,
}


def main(names: list[str]) -> None:
    """A film of each mechanism over its own span; long ones are shown faster."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names or list(shipped()):
        mech = lw.load(name)
        t_end = QUICK.get(name, min(mech.run.t_end or 2.0, SECONDS))
        result = lw.simulate(mech, t_end, min(mech.run.step or 1e-3, t_end / 400))
        speed = t_end / SECONDS if name in QUICK else 1.0
        path = result.film(FOLDER / f"{name}.webp", fps=FPS, speed=speed, pixels=(320, 240), force=True)
        sys.stdout.write(f"{path.name}: {path.stat().st_size / 1e3:.0f} kB\n")


if __name__ == "__main__":
    main(sys.argv[1:])
