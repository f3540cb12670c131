"""JSONL of annotation tools, in and out: what Prodigy and doccano import and export."""
