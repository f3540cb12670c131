from .beam import BeamSearch

class Violation:
    search: BeamSearch
    def __init__(self, search: BeamSearch) -> None: ...
