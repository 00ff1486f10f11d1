"""What runs in a CI: ``job`` reads where, ``contributing`` completes a branch, ``report`` tells."""
