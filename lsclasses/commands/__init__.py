"""The command line ``lsclasses COMMAND ...``. Every command has ``--help`` and ``--json``.

Commands print results on standard output. They print progress, notes and errors on standard error.
An error of the input is one sentence, and the exit status is 2. After an interruption, a command
prints its results so far and exits with 130. If a command cannot write to standard output, it
prints an error and exits with 74. If the reader leaves early, as ``| head`` does, the command
exits with 141 and prints no message. This folder contains the application and the commands about
classes. Other folders list their commands in ``names.toml``. Plug-ins list commands as entry points
of the group ``lsclasses.commands``.
"""
