"""Tables, notes and files of results."""
