"""`python -m linkwork` is the command `linkwork`."""

from linkwork.cli.main import main

main()
