"""What reranking adds: gold candidates, mixing of scores, writing, explanations."""
