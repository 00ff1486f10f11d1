"""The git side: hooks, commands, output. Depends on ``hybridindex``, never the reverse."""
