from ...features.role_hashes import RoleHashes
from .program import ParsingProgram

class PartFeatures:
    hashes: RoleHashes
    program: ParsingProgram
    def __init__(self, hashes: RoleHashes, program: ParsingProgram) -> None: ...
