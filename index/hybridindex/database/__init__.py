"""The derived SQLite database: ``connection`` opens it, ``deriving`` fills it, ``searching`` asks.

Everything here can be deleted at any moment: it is made again from segments and files.
"""
