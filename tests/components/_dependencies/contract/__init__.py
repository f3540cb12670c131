"""One contract for all dependency parsers. See parsers.py for how to add one."""
