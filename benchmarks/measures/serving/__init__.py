"""The playground in a process of its own, asked over the loopback interface."""
