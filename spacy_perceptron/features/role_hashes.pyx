"""Partial feature hashes: what one token contributes to the features it takes part in.

A template over several tokens, such as `"p.tag p+1.tag c.lower"`, splits into one conjunct per
role: `p.tag p+1.tag` for the head and `c.lower` for the child. The hash of a conjunct depends on
its token alone, so it is computed once per token; a feature id is the exclusive or of its
conjuncts' hashes (Zobrist 1970). A pair of tokens then costs one operation per feature, however
many atoms there are.

Position 0 is the root, 1 to n are the words, n + 1 and n + 2 stand for the places before the first
and after the last child of a head. Cost: O(atoms) per token.
"""
import numpy as np

from libc.stdint cimport int32_t, uint64_t

from .lexemes cimport AFTER, BEFORE

# Values of all attributes of the root and of the two places that are not tokens. They differ from
# the values of words, which are hashes or small numbers.
cdef uint64_t ROOT_VALUE = <uint64_t>0xA0761D6478BD642F
cdef uint64_t FIRST_VALUE = <uint64_t>0xE7037ED1A0B428DB
cdef uint64_t LAST_VALUE = <uint64_t>0x8EBC6AF09C88C6E3


cdef inline uint64_t _mix(uint64_t h, uint64_t value) noexcept nogil:
    h = (h ^ value) * <uint64_t>0x9FB21C651E98DF25
    return h ^ (h >> 32)


cdef class RoleHashes:
    """Hashes of all conjuncts of all roles at all positions of a sentence.

    lexemes (LexemeTable): Attributes of word types.
    n_token_columns (int): Number of values per token besides those of its word type.
    roles (list): For each role its conjuncts, each a seed and a list of (offset, column). Columns
        of the lexeme table come first, then those of the tokens.
    """

    def __init__(self, LexemeTable lexemes, int n_token_columns, roles):
        self.lexemes = lexemes
        self.n_token_columns = n_token_columns
        self.n_columns = lexemes.n_attributes + n_token_columns
        self.n_roles = len(roles)
        self.atom_starts.push_back(0)
        self.role_starts.push_back(0)
        for conjuncts in roles:
            for seed, atoms in conjuncts:
                self.seeds.push_back(seed)
                for offset, column in atoms:
                    if abs(offset) > MARGIN or not 0 <= column < self.n_columns:
                        raise IndexError(f"offset {offset}, column {column}")
                    self.offsets.push_back(offset)
                    self.columns.push_back(column)
                self.atom_starts.push_back(<int32_t>self.offsets.size())
            self.role_starts.push_back(<int32_t>self.seeds.size())
        self.hashes.resize(self.n_roles)

    cdef void compute(
        self, const int32_t* rows, const uint64_t* tokens, int n_words
    ) noexcept nogil:
        """Compute everything for a sentence.

        rows: One lexeme row per word. tokens: n_token_columns values per word.
        """
        cdef int n_lexical = self.lexemes.n_attributes, n_own = self.n_token_columns
        cdef int row, i, a, role, width, position, k
        cdef const uint64_t* lexical
        cdef uint64_t* values
        cdef uint64_t* hashes
        self.values.resize(<size_t>(n_words + 1 + 2 * MARGIN) * self.n_columns)
        for row in range(n_words + 1 + 2 * MARGIN):
            values = &self.values[<size_t>row * self.n_columns]
            i = row - MARGIN - 1
            if 0 <= i < n_words:
                if n_lexical:
                    lexical = self.lexemes.attributes(rows[i])
                for a in range(n_lexical):
                    values[a] = lexical[a]
                for a in range(n_own):
                    values[n_lexical + a] = tokens[i * n_own + a]
            else:
                for a in range(self.n_columns):
                    values[a] = ROOT_VALUE if i == -1 else BEFORE + 1 if i < 0 else AFTER + 1
        for role in range(self.n_roles):
            width = self.width(role)
            # The first hash of a position is 0: what an absent role adds to a feature.
            self.hashes[role].resize(<size_t>(n_words + 3) * width)
            for position in range(n_words + 3):
                hashes = &self.hashes[role][<size_t>position * width]
                hashes[0] = 0
                for k in range(1, width):
                    hashes[k] = self._hash(self.role_starts[role] + k - 1, position, n_words)

    cdef uint64_t _hash(self, int conjunct, int position, int n_words) noexcept nogil:
        cdef uint64_t h = self.seeds[conjunct], value
        cdef int a
        for a in range(self.atom_starts[conjunct], self.atom_starts[conjunct + 1]):
            if position > n_words:
                value = FIRST_VALUE if position == n_words + 1 else LAST_VALUE
            else:
                value = self.values[
                    <size_t>(position + self.offsets[a] + MARGIN) * self.n_columns + self.columns[a]
                ]
            h = _mix(h, value)
        h *= <uint64_t>0xD6E8FEB86659FD93
        return h ^ (h >> 29)

    cdef const uint64_t* token_values(self, int position) noexcept nogil:
        """The values of the last sentence's token columns."""
        return &self.values[<size_t>(position + MARGIN) * self.n_columns + self.lexemes.n_attributes]

    def run(self, rows, tokens):
        """All hashes of a sentence, for tests.

        rows (int32 array): Lexeme rows.
        tokens (uint64 array): One row of token values per word.
        RETURNS (list[np.ndarray]): For each role an array of positions x conjuncts.
        """
        cdef const int32_t[::1] row_view = np.ascontiguousarray(rows, dtype=np.int32)
        cdef const uint64_t[:, ::1] token_view = np.ascontiguousarray(tokens, dtype=np.uint64)
        cdef int n_words = row_view.shape[0]
        if token_view.shape[0] != n_words or token_view.shape[1] != self.n_token_columns:
            raise IndexError(f"{n_words} rows, {token_view.shape[0]} x {token_view.shape[1]} values")
        if n_words and self.n_token_columns:
            self.compute(&row_view[0], &token_view[0, 0], n_words)
        else:
            self.compute(&row_view[0] if n_words else NULL, NULL, n_words)
        return [
            np.array(self.hashes[r], dtype=np.uint64).reshape(n_words + 3, self.width(r))[:, 1:]
            for r in range(self.n_roles)
        ]

    def __reduce__(self):
        roles = []
        for role in range(self.n_roles):
            conjuncts = []
            for k in range(self.role_starts[role], self.role_starts[role + 1]):
                atoms = range(self.atom_starts[k], self.atom_starts[k + 1])
                conjuncts.append((self.seeds[k], [(self.offsets[a], self.columns[a]) for a in atoms]))
            roles.append(conjuncts)
        return RoleHashes, (self.lexemes, self.n_token_columns, roles)
