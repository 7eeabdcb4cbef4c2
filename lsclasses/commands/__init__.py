"""The command line: ``lsclasses COMMAND ...``; every command has ``--help`` and ``--json``.

Results go to standard output, everything else (progress, notes, errors) to standard error. Errors
of the input are one sentence and exit status 2; an interruption prints what is known by then and
exits with 130. If standard output cannot be written, that is a sentence and exit status 74; if its
reader leaves early, as ``| head`` does, the exit status is 141 without a word. This
folder contains the application and the commands about classes. Other folders list their commands in
``names.toml``, and plug-ins list theirs as entry points of the group ``lsclasses.commands``.
"""
