"""Transforms of constituency trees, each with its inverse.

All of them return new trees, leave the given one alone and never recurse. Where a transform writes
a character of its own into labels, it escapes that character in the labels it finds, so the inverse
gives back every tree exactly, whatever its labels are.
"""
