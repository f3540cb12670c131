"""Work for many processes and machines: annotation in units, and training that goes on."""
