"""URDF, the Unified Robot Description Format, with the closing joints of its dialects."""
