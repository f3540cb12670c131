"""Coarse tags: the coarse part of speech, or where there is none, the beginning of the tag."""

from spacy.tokens import Token

COARSE_LENGTH = 2


def coarse_tag(tag: str) -> str:
    """The beginning of a tag: `VB` of `VBZ`. Tags of punctuation stay whole: `-LRB-`.

    tag (str): The tag.
    RETURNS (str): The coarse tag.
    """
    return tag[:COARSE_LENGTH] if tag[:1].isalpha() else tag


def token_tag(token: Token, *, coarse: bool) -> str:
    """A token's tag, fine or coarse. Without a tag, its part of speech stands in.

    token (Token): The token.
    coarse (bool): Whether to prefer the part of speech, or else the beginning of the tag.
    RETURNS (str): The tag.
    """
    if coarse:
        return token.pos_ or coarse_tag(token.tag_)
    return token.tag_ or token.pos_
