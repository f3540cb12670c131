"""What taggers and recognizers share: gold tags, the tag dictionary, explanations."""
