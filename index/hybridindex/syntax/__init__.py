"""What a grammar tells of a text: its tree, the definitions in it, their names.

``grammars`` is the table of languages, ``loading`` opens one, ``naming`` reads a definition's name,
``definitions`` finds them all, ``guessing`` names what no tree shows. Chunking asks; nothing here
knows of chunks. Matching by structure belongs here too.
"""
