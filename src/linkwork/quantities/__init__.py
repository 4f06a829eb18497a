"""What people ask a result for, computed from recorded poses, velocities and accelerations: joints' coordinates,
points, force elements, drivers, momentum. Nothing here depends on the formulation that made the run, nor on whether the
result stands in memory or in a file.
"""
