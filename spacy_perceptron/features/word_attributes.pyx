"""All attributes of a word at once. Text is full of new words, so this is a hot path: it is
compiled, and what many words have in common is computed once. The values are those of
`attribute_value`.
"""
from .attributes import (
    AFFIX,
    ATTRIBUTES,
    CASE_ATTRIBUTES,
    LONG_WORD,
    SPELLING_ATTRIBUTES,
    affix_slice,
    attribute_value,
    hash_string,
    parse_cluster,
)

NO_CLUSTER = "<none>"


cdef class WordAttributes:
    """Computes the attributes that some templates use.

    names (list[str]): Attribute names, in column order.
    find_tables (Optional[Callable]): Gives the tables of clusters by name, always the same ones
        until they change. It is asked when a word needs them.
    """

    cdef readonly list names
    cdef list affixes
    cdef list case
    cdef list spelling
    cdef dict case_values
    cdef object find_tables
    # The tables that `cluster_columns` were made of: for each of them, its columns with a value
    # for each cluster.
    cdef object tables
    cdef list cluster_columns
    cdef dict clusters

    def __init__(self, names, find_tables=None):
        self.names = list(names)
        self.affixes = [
            (column, match["end"] == "prefix", int(match["length"]))
            for column, name in enumerate(names)
            if (match := AFFIX.match(name))
        ]
        self.case = [(i, name) for i, name in enumerate(names) if name in CASE_ATTRIBUTES]
        self.spelling = [(i, name) for i, name in enumerate(names) if name in SPELLING_ATTRIBUTES]
        self.case_values = {}
        self.find_tables = find_tables
        self.clusters = {
            name: found for name in names if (found := parse_cluster(name)) is not None
        }

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
        if self.clusters:
            self._add_clusters(text, values)
        return values

    cdef int _add_clusters(self, str text, list values) except -1:
        cdef int number
        tables = self.find_tables()
        if tables is not self.tables:
            self._take_tables(tables)
        for table, columns in self.cluster_columns:
            number = table.find(text)
            if number >= 0:
                for column, of_clusters in columns:
                    values[column] = of_clusters[number]
        return 0

    def _take_tables(self, tables):
        """Compute the values of all clusters."""
        columns = {found.table: [] for found in self.clusters.values()}
        for name, found in self.clusters.items():
            paths = [path[:found.bits] for path in tables[found.table].paths]
            of_clusters = [hash_string(path) for path in paths]
            columns[found.table].append((self.names.index(name), of_clusters))
        self.cluster_columns = [(tables[name], of_table) for name, of_table in columns.items()]
        self.tables = tables

    def describe(self, str name not None, str text not None):
        """An attribute of a word in words.

        name (str): One of the names.
        text (str): The word.
        RETURNS (str): Its value.
        """
        found = self.clusters.get(name)
        if found is None:
            return str(ATTRIBUTES[name](text))
        table = self.find_tables()[found.table]
        number = table.find(text)
        return table.paths[number][:found.bits] if number >= 0 else NO_CLUSTER

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
        return WordAttributes, (self.names, self.find_tables)
