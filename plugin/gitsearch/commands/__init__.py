"""The command lines: what is parsed, and which step answers it."""
