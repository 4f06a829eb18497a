"""Rigid couplings of joint coordinates and of points, and rotors, by type; one file each."""

from __future__ import annotations

from linkwork.registry import Registry

_HERE = "linkwork.mechanism.couplings"

COUPLINGS = Registry(
    "coupling",
    {
        "gear": f"{_HERE}.gear:Gear",
        "mimic": f"{_HERE}.mimic:Mimic",
        "rack-and-pinion": f"{_HERE}.rack_and_pinion:RackAndPinion",
        "belt": f"{_HERE}.belt:Belt",
        "cable": f"{_HERE}.cable:Cable",
        "differential": f"{_HERE}.differential:Differential",
        "cam": f"{_HERE}.cam:Cam",
        "point-on-curve": f"{_HERE}.point_on_curve:PointOnCurve",
        "rotor": f"{_HERE}.rotor:Rotor",
    },
)
