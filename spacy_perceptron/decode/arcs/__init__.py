"""Arc-factored and higher-order dependency parsing, for `mira_parser`."""
