"""The playground: pipelines behind a page, to look at, to ask and to correct. Needs the extra
`serve`."""
