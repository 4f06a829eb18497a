"""The command line: `linkwork VERB ...`, one file per verb."""
