"""``python -m lsclasses`` is the command line."""

import sys
from pathlib import Path

if __name__ == "__main__":
    # Python puts the current folder first, where a user's own catalog.py would hide our package.
    if Path(sys.path[0] or ".").resolve() != Path(__file__).resolve().parents[1]:
        del sys.path[0]
    from lsclasses.commands.application import main

    main()
