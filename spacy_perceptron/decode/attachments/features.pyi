from ..arcs.features import PartFeatures
from .program import AttachmentProgram

class AttachmentFeatures:
    parts: PartFeatures
    program: AttachmentProgram
    def __init__(self, parts: PartFeatures, program: AttachmentProgram) -> None: ...
    def roles(self) -> dict[str, int | None]: ...
