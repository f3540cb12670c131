"""Tables and HTML pages."""
