"""Reading and writing files: mechanisms (`formats`) and results (`results`)."""
