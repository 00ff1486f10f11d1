"""All access to git: ``process`` runs the program, ``location`` finds a repository.

``listing``, ``objects``, ``attributes`` and ``settings`` ask; ``staging``, ``scratch`` and
``pushing`` write; ``partial`` fetches what a partial clone left with its remote; ``library`` is
libgit2 where that is faster.
"""
