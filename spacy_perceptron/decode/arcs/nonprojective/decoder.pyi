from ..decoder import ArcDecoder

class SpanningDecoder(ArcDecoder):
    def __init__(self) -> None: ...
