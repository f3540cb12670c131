"""The web side of the playground: what is let in, what is answered, and the process."""
