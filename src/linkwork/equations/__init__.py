"""What the equations of several formulations have in common."""
