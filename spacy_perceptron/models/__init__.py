"""thinc models that hold the weights, one file per architecture."""
