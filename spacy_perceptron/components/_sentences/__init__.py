"""What `perceptron_senter` reads, learns from and writes."""
