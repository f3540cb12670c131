"""Search that knows no task: beams, packed forests, k-best lists, marginals."""
