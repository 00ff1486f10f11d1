"""Git's hooks: ``running`` is what they do, ``installing`` puts our lines into their files.

``covered`` and ``pending`` are what one hook leaves for the next, in the git directory.
"""
