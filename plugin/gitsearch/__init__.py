"""The git side: hooks, commands, output. Depends on ``hybridindex``, never the reverse."""

__version__ = "0.1.0"
