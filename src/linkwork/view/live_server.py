"""The process of a live view: reads a scene and poses from standard input, and shows them by viser to the last.

It answers on standard output: `ready ADDRESS`, `seen` when a browser has come, `drawn` after each pose.
"""

from __future__ import annotations

import json
import os
import struct
import sys
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from linkwork.header import Array
from linkwork.scene.parts import along, quaternions


def message(stream: BinaryIO) -> bytes | None:
    """The next message, None where there is no more."""
    head = stream.read(4)
    if len(head) < 4:
        return None
    (size,) = struct.unpack("<I", head)
    body = stream.read(size)
    return body if len(body) == size else None


def rgb(colour: str) -> tuple[int, int, int]:
    """Of a CSS colour: #rgb, #rrggbb, or grey."""
    text = colour.removeprefix("#")
    text = "".join(2 * c for c in text) if len(text) == 3 else text
    try:
        r, g, b = bytes.fromhex(text)
    except ValueError:
        return (125, 125, 134)
    return (r, g, b)


def wxyz(A: Array) -> Array:
    """(n, 4) of rotations (n, 3, 3)."""
    return np.roll(quaternions(A), 1, axis=1)


class Group:
    """Instances of one geometry."""

    def __init__(self, server: Any, name: str, told: dict[str, Any]) -> None:
        body, offset, turn, scale, colour = (list(column) for column in zip(*told["instances"], strict=True))
        self.body, self.offset, self.turn = np.array(body), np.array(offset), np.array(turn)
        self.scale = np.array(scale)
        n = len(body)
        self.handle = server.scene.add_batched_meshes_simple(
            name, np.array(told["vertices"], dtype=np.float32), np.array(told["triangles"], dtype=np.uint32),
            np.tile([1.0, 0.0, 0.0, 0.0], (n, 1)), np.zeros((n, 3)), batched_scales=self.scale,
            batched_colors=np.array([rgb(one) for one in colour], dtype=np.uint8), lod="off", flat_shading=True,
            side="double",
        )  # fmt: skip

    def draw(self, r: Array, A: Array) -> None:
        """At poses (nb + 1, 3), (nb + 1, 3, 3), ground last."""
        turned = A[self.body]
        self.handle.batched_positions = r[self.body] + np.einsum("nij,nj->ni", turned, self.offset)
        self.handle.batched_wxyzs = wxyz(turned @ self.turn)


class Between:
    """Cylinders from points of bodies to points of others."""

    def __init__(self, server: Any, ends: list[Any], colour: str) -> None:
        i, a, j, b, radius = (np.array(column) for column in zip(*ends, strict=True))
        self.i, self.a, self.j, self.b, self.radius = i, a, j, b, radius
        angle = np.linspace(0.0, 2.0 * np.pi, 13)[:-1]
        ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        vertices = np.concatenate([np.column_stack([ring, np.full(12, z)]) for z in (-0.5, 0.5)])
        k, n = np.arange(12), np.roll(np.arange(12), -1)
        faces = np.concatenate([np.column_stack([k, n, n + 12]), np.column_stack([k, n + 12, k + 12])])
        count = len(i)
        self.handle = server.scene.add_batched_meshes_simple(
            "/springs", vertices.astype(np.float32), faces.astype(np.uint32), np.tile([1.0, 0.0, 0.0, 0.0], (count, 1)),
            np.zeros((count, 3)), batched_scales=np.ones((count, 3)), batched_colors=rgb(colour), lod="off",
            side="double",
        )  # fmt: skip

    def draw(self, r: Array, A: Array) -> None:
        """At poses (nb + 1, 3), (nb + 1, 3, 3), ground last."""
        a = r[self.i] + np.einsum("nij,nj->ni", A[self.i], self.a)
        b = r[self.j] + np.einsum("nij,nj->ni", A[self.j], self.b)
        length = np.maximum(np.linalg.norm(b - a, axis=1), 1e-9)
        self.handle.batched_positions = (a + b) / 2.0
        self.handle.batched_wxyzs = wxyz(np.array([along(one) for one in b - a]))
        self.handle.batched_scales = np.column_stack([self.radius, self.radius, length])


def show(source: BinaryIO, say: Any) -> None:
    """Serve until the source ends."""
    first = message(source)
    if first is None:
        return
    import viser

    asked = json.loads(first)
    scene = asked["scene"]
    server = viser.ViserServer(host=asked["host"], port=asked["port"], label=scene["name"], verbose=False)
    try:
        up = np.array(scene["up"])
        server.scene.set_up_direction(tuple(up))
        server.initial_camera.position = tuple(scene["eye"])
        server.initial_camera.look_at = tuple(scene["centre"])
        server.initial_camera.up = tuple(up)
        centre, size = np.array(scene["centre"]), 4.0 * scene["radius"]
        ground = centre + up * (scene["floor"] - centre @ up)
        flat = wxyz(along(up)[None])[0]
        server.scene.add_grid("/grid", size, size, position=tuple(ground), wxyz=tuple(flat), cell_size=size / 20.0)
        parts: list[Group | Between] = [Group(server, f"/{k}", one) for k, one in enumerate(scene["groups"])]
        if scene["between"]:
            parts.append(Between(server, scene["between"], scene["between_colour"]))
        words = server.gui.add_markdown(f"**{scene['name']}**")
        server.on_client_connect(lambda client: say("seen"))
        nb = scene["bodies"]

        def draw(poses: Array) -> None:
            r, A = np.zeros((nb + 1, 3)), np.tile(np.eye(3), (nb + 1, 1, 1))
            r[:nb], A[:nb] = poses[:, :3], poses[:, 3:].reshape(-1, 3, 3)
            with server.atomic():
                for part in parts:
                    part.draw(r, A)

        draw(np.array(scene["start"]).reshape(nb, 12))
        say(f"ready http://{asked['host']}:{server.get_port()}")
        while (told := message(source)) is not None:
            (t,) = struct.unpack_from("<d", told)
            draw(np.frombuffer(told, dtype="<f4", offset=8).reshape(nb, 12).astype(float))
            words.content = f"**{scene['name']}**\n\nt = {t:.4g} s"
            server.flush()
            say("drawn")
    finally:
        server.stop()


def main() -> None:
    """See the module's text."""
    answers = sys.stdout.buffer
    sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115 - what others print is no answer, nor of interest

    def say(words: str) -> None:
        answers.write(f"{words}\n".encode())
        answers.flush()

    show(sys.stdin.buffer, say)


if __name__ == "__main__":
    main()
