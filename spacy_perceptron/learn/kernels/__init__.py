"""Kernels over trees and tag sequences, and the kernel perceptron of the reranker."""
