"""The derived SQLite database: ``connection`` opens it, ``deriving`` fills it, ``searching`` asks.

``version`` tells what made its rows, ``statements`` reads the SQL files. Everything here can be
deleted at any moment: it is made again from segments and files.
"""
