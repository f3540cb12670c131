from .search import TaggingSearch

class TaggingTraining:
    search: TaggingSearch
    max_violation: bool
    def __init__(self, search: TaggingSearch, *, max_violation: bool = ...) -> None: ...
