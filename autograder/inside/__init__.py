"""What runs in the jail. Its files are shown there on their own: they import NumPy, msgpack and each other only."""
