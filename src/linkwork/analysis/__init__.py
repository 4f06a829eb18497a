"""Analyses: kinematics, assembly, checks, accelerations at one state."""
