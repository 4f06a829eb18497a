"""Twelve parameters per body: position and all nine elements of the rotation matrix [Dumitriu 2015]."""
