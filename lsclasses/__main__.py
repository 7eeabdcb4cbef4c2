"""``python -m lsclasses`` is the command line."""

from lsclasses.cli import main

if __name__ == "__main__":
    main()
