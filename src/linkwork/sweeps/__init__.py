"""Many runs of one mechanism: a plan of numbers, runs in batches on threads, processes or a cluster, one data set.

`plans.py` says which numbers, `kept.py` what is kept of a run, `task.py` what a worker is told, `batch.py` runs
instances, `shards.py` a shard of the plan, `workers.py` hands shards out, `clusters.py` to other machines, `store.py`
keeps what is done, `sweep.py` tells the story. What comes out does not depend on who computed what, nor on how often
it was interrupted.
"""
