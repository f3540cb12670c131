"""Non-projective trees: maximum spanning trees, their k-best lists and marginals."""
