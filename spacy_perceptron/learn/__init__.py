"""Weight tables and their learners: averaged perceptron, MIRA, kernels."""
