from .search import AttachmentSearch

class AttachmentViolation:
    search: AttachmentSearch
    def __init__(self, search: AttachmentSearch) -> None: ...
