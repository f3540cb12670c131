"""Finds the classes that are possible for a word: those whose conditions on its characters it meets.

A word comes in several forms, such as in lower case and as it is. A class has conditions on one of
them: its length, and characters at certain places, counted from the start or from the end. The
conditions of all classes are tried one after the other: most fail at the first character, so that a
thousand of them take a few microseconds.
"""
import numpy as np

from libc.stdint cimport int32_t, uint32_t
from libcpp.vector cimport vector

from ...errors import Errors

cdef enum:
    NO_LIMIT = 2147483647


cdef struct Condition:
    int form
    int min_length
    int max_length
    # Where its characters are in the list of all.
    int start
    int end


cdef struct Character:
    # Below 0: counted from the end.
    int place
    uint32_t character


cdef class Candidates:
    """The conditions of all classes.

    n_forms (int): The number of forms of each word.
    conditions (Sequence[tuple]): For each class the number of the form, the smallest length, the
        greatest length or None, and pairs of a place and the character there. A form that is long
        enough must have all these places.
    """

    cdef readonly int n_forms
    cdef readonly list conditions
    cdef vector[Condition] classes
    cdef vector[Character] characters
    cdef vector[uint32_t] letters

    def __init__(self, int n_forms, conditions):
        self.n_forms = n_forms
        self.conditions = list(conditions)
        cdef Condition condition
        cdef Character required
        for form, min_length, max_length, characters in self.conditions:
            condition.form = form
            condition.min_length = min_length
            condition.max_length = NO_LIMIT if max_length is None else max_length
            condition.start = <int>self.characters.size()
            condition.end = condition.start + <int>len(characters)
            for place, character in characters:
                required.place = place
                required.character = ord(character)
                if not -condition.min_length <= required.place < condition.min_length:
                    raise ValueError(Errors.CHOICE_CONDITION.format(place=place, n=min_length))
                self.characters.push_back(required)
            if not 0 <= condition.form < n_forms:
                raise ValueError(Errors.CHOICE_FORMS.format(n=n_forms))
            self.classes.push_back(condition)

    def find(self, words):
        """The possible classes of words.

        words (Sequence[tuple]): The forms of each word; None where the word has none, and no class
            that asks for it is possible.
        RETURNS (tuple): Where the classes of each word start, and finally their number (int32
            array); the classes of all words, rising for each (int32 array).
        """
        cdef vector[int32_t] found, starts
        cdef vector[int32_t] first, length
        cdef int f
        cdef str text
        cdef Py_UCS4 letter
        starts.push_back(0)
        for forms in words:
            if len(forms) != self.n_forms:
                raise ValueError(Errors.CHOICE_FORMS.format(n=self.n_forms))
            self.letters.clear()
            first.clear()
            length.clear()
            for form in forms:
                first.push_back(<int32_t>self.letters.size())
                if form is None:
                    length.push_back(-1)
                    continue
                text = form
                for letter in text:
                    self.letters.push_back(<uint32_t>letter)
                length.push_back(<int32_t>self.letters.size() - first.back())
            self._find(first.data(), length.data(), found)
            starts.push_back(<int32_t>found.size())
        return _as_array(starts), _as_array(found)

    cdef void _find(
        self, const int32_t* first, const int32_t* length, vector[int32_t]& found
    ) noexcept:
        """Add the possible classes of a word, whose forms are in self.letters."""
        cdef const uint32_t* letters = self.letters.data()
        cdef const Character* characters = self.characters.data()
        cdef const Condition* condition
        cdef size_t c
        cdef int k, n, begin, place
        for c in range(self.classes.size()):
            condition = &self.classes[c]
            n = length[condition.form]
            if n < condition.min_length or n > condition.max_length or n < 0:
                continue
            begin = first[condition.form]
            for k in range(condition.start, condition.end):
                place = characters[k].place
                if place < 0:
                    place += n
                if letters[begin + place] != characters[k].character:
                    break
            else:
                found.push_back(<int32_t>c)

    def __reduce__(self):
        return Candidates, (self.n_forms, self.conditions)


cdef _as_array(vector[int32_t]& values):
    array = np.empty(values.size(), dtype=np.int32)
    cdef int32_t[::1] view = array
    cdef size_t i
    for i in range(values.size()):
        view[i] = values[i]
    return array
