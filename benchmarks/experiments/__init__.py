"""Options that train further models: systems that differ in one thing."""
