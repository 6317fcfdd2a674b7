"""Bodies of frames for the tests of the codec; `make.py` writes them."""
