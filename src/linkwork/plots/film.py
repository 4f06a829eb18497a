"""A run as a film, without a display: Matplotlib draws, Pillow writes GIF and WebP, ffmpeg MP4 and WebM."""

from __future__ import annotations

import shutil
import tempfile
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.arguments import is_number
from linkwork.errors import UsageError
from linkwork.mechanism.elements import shown
from linkwork.plots.picture import frame_axes, paint, painter_of
from linkwork.scene import scene_of

if TYPE_CHECKING:
    from linkwork.result import Result

PILLOW, CODECS = (".gif", ".webp"), {".mp4": "libx264", ".webm": "libvpx-vp9"}
MOST = 3000  # pictures of a film


def film(
    result: Result, path: str | PathLike[str], *, speed: float = 1.0, fps: float = 25.0,
    pixels: tuple[int, int] = (640, 480), trails: bool = True, force: bool = False,
    base: str | PathLike[str] | None = None,
) -> Path:  # fmt: skip
    """Write a film of a run: .gif, .webp, .mp4 or .webm.

    Parameters
    ----------
    speed : seconds of the run in a second of the film. fps : pictures in a second.
    pixels : width and height. trails : whether the paths of the centres of mass are drawn.
    base : the folder that meshes with relative names are looked for in.

    MP4 and WebM need ffmpeg, on the path or from the package imageio-ffmpeg (``pip install 'linkwork[film]'``).
    Raises UsageError (an ending, a number, no ffmpeg, too many pictures), OutputExistsError, ModelError (a mesh).
    """
    from linkwork.io.results.atomic import check_target, writing

    target = Path(fspath(path))
    ending = target.suffix.lower()
    if ending not in (*PILLOW, *CODECS):
        known = ", ".join((*PILLOW, *CODECS))
        raise UsageError(f"films are not written as {ending!r}.", file=str(path), remedy=f"Use one of {known}.")
    asked: Any = pixels
    sizes: list[Any] = list(asked) if isinstance(asked, tuple | list) else []
    whole = len(sizes) == 2 and all(isinstance(n, int | np.integer) and 16 <= n <= 4096 for n in sizes)
    if not (whole and is_number(speed) and 0.0 < speed < np.inf and is_number(fps) and 0.0 < fps <= 100.0):
        raise UsageError(
            f"a film of speed {shown(speed)}, {shown(fps)} pictures a second and {shown(pixels)} pixels cannot be.",
            remedy="Speed is a number above 0, fps one up to 100, pixels are two whole numbers from 16 to 4096.",
        )
    width, height = sizes
    writer = _writer(ending, fps)
    check_target(target, force=force)
    painter = painter_of(scene_of(result, base=base))
    run, *_ = painter.scene.runs
    count = int((run.time[-1] - run.time[0]) * fps / speed) + 1
    if count > MOST:
        remedy = f"Use speed={count * speed / MOST:.3g} or more, or fewer pictures in a second."
        raise UsageError(f"the film would have {count} pictures, more than {MOST}.", remedy=remedy)
    times = run.time[0] + np.arange(count) * speed / fps
    frames = np.searchsorted(run.time, times + 1e-9, side="right") - 1
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / f"film{ending}"
        _draw(writer, painter, made, frames.tolist(), (width, height), trails)
        with writing(target, force=force) as temporary:
            shutil.copyfile(made, temporary)
    return target


def _writer(ending: str, fps: float) -> Any:
    """Matplotlib's writer for an ending."""
    import matplotlib as mpl
    from matplotlib import animation

    rate: Any = fps  # declared as whole, and taken as any number
    if ending in PILLOW:
        return animation.PillowWriter(fps=rate)
    program = shutil.which("ffmpeg")
    if program is None:
        try:
            import imageio_ffmpeg
        except ImportError:
            remedy = "pip install 'linkwork[film]', or write a .gif or .webp, which need nothing more."
            raise UsageError(f"{ending} films need ffmpeg.", remedy=remedy) from None
        program = imageio_ffmpeg.get_ffmpeg_exe()
    mpl.rcParams["animation.ffmpeg_path"] = program
    return animation.FFMpegWriter(fps=rate, codec=CODECS[ending], extra_args=["-pix_fmt", "yuv420p"])


def _draw(writer: Any, painter: Any, path: Path, frames: list[int], pixels: tuple[int, int], trails: bool) -> None:
    """All pictures, each in the same figure."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    dpi = 100
    width, height = (p - p % 2 for p in pixels)  # codecs want even numbers
    figure = Figure(figsize=(width / dpi, height / dpi), dpi=dpi)
    FigureCanvasAgg(figure)
    ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    frame_axes(ax, painter)
    run, *_ = painter.scene.runs
    look = np.stack([painter.look.right, painter.look.up], axis=1)
    if trails:
        step = max(1, len(run.time) // 1000)
        for k in range(run.position.shape[1]):
            ax.plot(*(run.position[::step, k] @ look).T, color="#B9BEC7", linewidth=0.8, zorder=-1)
    clock = ax.text(0.99, 0.01, "", transform=ax.transAxes, fontsize=8, ha="right", va="bottom", color="#333333")
    low, high = painter.span
    with writer.saving(figure, str(path), dpi):
        for frame in frames:
            paint(ax, painter, frame)
            ax.set_xlim(low[0], high[0])
            ax.set_ylim(low[1], high[1])
            clock.set_text(f"{run.time[frame]:.2f} s")
            writer.grab_frame()
            for collection in list(ax.collections):
                collection.remove()
