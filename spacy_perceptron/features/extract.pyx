"""The compiled extractor: atom values -> 64-bit feature ids.

A decoder fills an array with the values of the atoms its templates name (an attribute of a token in
some role), once per context; the program then combines them, template by template. A feature id is
a hash of the template's own text and its atoms' values, so ids do not change when templates are
added, removed or reordered.
"""
import numpy as np

from libc.stdint cimport int32_t, uint64_t


cdef inline uint64_t _mix(uint64_t h, uint64_t value) noexcept nogil:
    h = (h ^ value) * <uint64_t>0x9FB21C651E98DF25
    return h ^ (h >> 32)


cdef class FeatureProgram:
    """Templates compiled to integers.

    seeds (list): One 64-bit seed per template.
    atoms (list): One list of atom indices per template.
    """

    def __init__(self, seeds, atoms):
        self.n_templates = len(seeds)
        self.starts.push_back(0)
        for seed, indices in zip(seeds, atoms, strict=True):
            self.seeds.push_back(seed)
            for index in indices:
                self.atoms.push_back(index)
            self.starts.push_back(<int32_t>self.atoms.size())

    cdef void run(
        self, const uint64_t* values, int first, int last, uint64_t* ids
    ) noexcept nogil:
        """Ids of the templates first..last-1, written from ids[0] on."""
        cdef int t, a
        cdef uint64_t h
        for t in range(first, last):
            h = self.seeds[t]
            for a in range(self.starts[t], self.starts[t + 1]):
                h = _mix(h, values[self.atoms[a]])
            h *= <uint64_t>0xD6E8FEB86659FD93
            h ^= h >> 29
            ids[t - first] = h if h > DROPPED else DROPPED + 1

    def extract(self, values):
        """Feature ids for given atom values.

        values (uint64 array): One value per atom.
        RETURNS (uint64 array): One id per template.
        """
        cdef const uint64_t[::1] view = np.ascontiguousarray(values, dtype=np.uint64)
        ids = np.empty(self.n_templates, dtype=np.uint64)
        cdef uint64_t[::1] out = ids
        if self.atoms.size() and max(self.atoms) >= view.shape[0]:
            raise IndexError(f"{view.shape[0]} values for {max(self.atoms) + 1} atoms")
        if self.n_templates:
            self.run(&view[0], 0, self.n_templates, &out[0])
        return ids

    def __reduce__(self):
        atoms = [
            [self.atoms[a] for a in range(self.starts[t], self.starts[t + 1])]
            for t in range(self.n_templates)
        ]
        return FeatureProgram, (list(self.seeds), atoms)
