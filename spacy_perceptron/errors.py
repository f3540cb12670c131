"""Every message a user can see, in one place: what was given, what was expected, what to do.

Messages are format strings; call sites fill them with `.format(...)`.
"""


class Errors:
    """Sentences for exceptions."""


class Warnings:
    """Sentences for warnings."""
