"""Options that train further models, which differ in one thing."""
