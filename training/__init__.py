"""Makes the adapters in ``index/hybridindex/embedding/adapters``; see README.md."""
