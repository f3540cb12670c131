from .search import AttachmentSearch

class AttachmentMargins:
    search: AttachmentSearch
    def __init__(self, search: AttachmentSearch) -> None: ...
