"""Plain functions over scalars, tuples and arrays: the arithmetic of linkwork, compiled or not."""
