"""Everything that a terminal or a pipe sees: answers, errors, progress. Nothing else prints.

Steps below get progress as a callback and never import this package.
"""
