"""All attributes of a word at once. Text is full of new words, so this is a hot path: it is
compiled, and what many words have in common is computed once. The values are those of
`attribute_value`.
"""
from .attributes import (
    AFFIX,
    CASE_ATTRIBUTES,
    LONG_WORD,
    SPELLING_ATTRIBUTES,
    affix_slice,
    attribute_value,
    hash_string,
)


cdef class WordAttributes:
    """Computes the attributes that some templates use.

    names (list[str]): Attribute names, in column order.
    """

    cdef readonly list names
    cdef list affixes
    cdef list case
    cdef list spelling
    cdef dict case_values

    def __init__(self, names):
        self.names = list(names)
        self.affixes = [
            (column, match["end"] == "prefix", int(match["length"]))
            for column, name in enumerate(names)
            if (match := AFFIX.match(name))
        ]
        self.case = [(i, name) for i, name in enumerate(names) if name in CASE_ATTRIBUTES]
        self.spelling = [(i, name) for i, name in enumerate(names) if name in SPELLING_ATTRIBUTES]
        self.case_values = {}

    def __call__(self, str text not None):
        """Attribute values of one word.

        text (str): The word.
        RETURNS (list[int]): One value per name.
        """
        cdef str lower = text.lower()
        cdef Py_ssize_t n_letters = len(lower), length, k
        cdef bint is_prefix, is_alpha = text.isalpha()
        cdef list values = [0] * len(self.names)
        whole = hash_string(lower)
        for column, is_prefix, length in self.affixes:
            if length >= n_letters:
                values[column] = whole
            elif is_prefix:
                values[column] = hash_string(lower[:length])
            else:
                values[column] = hash_string(lower[n_letters - length:])
        for column, name in self.spelling:
            if name == "lower" or (name == "folded" and is_alpha) or (
                name == "orth" and text == lower
            ):
                values[column] = whole
            else:
                values[column] = attribute_value(name, text)
        cdef list case_values = self._case_values(text, is_alpha)
        for k in range(len(self.case)):
            values[self.case[k][0]] = case_values[k]
        return values

    cdef list _case_values(self, str text, bint is_alpha):
        """Plain words of the same case and at least three letters all have the same values here."""
        case = (text.islower(), text.isupper(), text.istitle())
        if not is_alpha or not any(case) or len(text) >= LONG_WORD:
            return [attribute_value(name, text) for _, name in self.case]
        key = (*case, min(len(text), 3))
        known = self.case_values.get(key)
        if known is None:
            known = [attribute_value(name, text) for _, name in self.case]
            self.case_values[key] = known
        return known

    def __reduce__(self):
        return WordAttributes, (self.names,)
