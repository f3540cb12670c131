from .attachment_scorer import AttachmentScorer

class AttachmentSearch:
    scorer: AttachmentScorer
    def __init__(self, scorer: AttachmentScorer) -> None: ...
