"""What spaCy is told of each component: its settings, its defaults and the function that makes it.

spaCy imports all of these modules whenever it makes a pipeline, so they import nothing that is
slow. The component itself is imported when it is made.
"""
