"""A step of one mechanism as straight-line code: kernels run once on numbers that record what is done with them.

What is recorded, a step of an explicit method with all its branches taken as the mechanism at its start takes them,
becomes vector code by llvmlite alone, within a second, and carries as many instances as a register holds numbers.
Every branch that depends on an instance's numbers leaves a guard: an instance that would branch otherwise is marked,
and whoever runs the batch runs it again elsewhere.

numbers        numbers that record
memory         a run's arrays with such numbers in them
step           what a step reads and writes, found by recording it
machine_code   vector code of it
batch          W instances at once
implicit       parts of a step of an implicit method; newton*, with the iterations of W instances at once
rotations      rotation vectors and quaternions, selected and not branched for
derivatives    what moves with numbers of a run, whether it can be differentiated
forward        tangents through what was recorded
tangent_steps  converged steps of an implicit method; tangent_code, their tangents; tangents, those of its start
reverse        adjoints through what was recorded; reverse_code, a run forwards and backwards
shapes         long recordings cut into pieces of few shapes; shape_text, shapes_loops and shapes_code, such a run;
               shapes_layout, where it finds its numbers; reversible, that in a process and on disk
"""
