"""Text in, ranked chunks out.

This package knows nothing of git, hooks, terminals or the environment. One module per step:

write: ``skipping`` → ``chunking`` → ``embedding`` → ``segments`` → ``database``
read:  question → ``embedding`` → ``database`` → ``ranking``

Nothing is imported here, so that a step costs only what it uses.
"""
