from .search import AttachmentSearch

class AttachmentDifference:
    search: AttachmentSearch
    def __init__(self, search: AttachmentSearch) -> None: ...
