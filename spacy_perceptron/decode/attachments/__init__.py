"""Easy-first dependency parsing by attachments, for `easy_first_parser`."""
