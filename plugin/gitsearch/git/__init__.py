"""All access to git: ``process`` runs it, ``repository`` finds one, the rest ask or write it."""
