"""Text in, ranked chunks out.

This package knows nothing of git, hooks, terminals or the environment. ``source`` says what a tree
must have, ``searcher`` answers queries about one, ``indexing`` tells what its segments lack and
makes them. Behind these doors, one step after another:

write: ``skipping`` → ``chunking`` (by ``syntax``) → ``embedding`` → ``segments``
read:  query → ``embedding`` → ``database`` → ``ranking``

Nothing is imported here, so that a step costs only what it uses.
"""
