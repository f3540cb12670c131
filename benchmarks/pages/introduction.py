"""What the page of all results says first: how to read the tables and how to repeat them."""

INTRODUCTION = """\
# Results

`python -m benchmarks results` writes this page from the JSON files in
[benchmarks/results](../benchmarks/results), and running a benchmark renews its part. The tables
there have more columns. What else was tried is in [experiments](experiments.md).

## How to read the tables

- **Conditions.** The systems of a table are trained on the same text, one after the other, and
  timed in turns on one machine, on one thread. All get gold tokens, the words and sentences of the
  treebank, unless a part says that they start from raw text.
- **Speed** is in words per CPU second: a whole pipeline on ready-made Docs, feature extraction
  included, on text that is new to the process. "× spaCy" is the median ratio to spaCy's speed
  within a turn.
- **Training** is in CPU seconds and includes initialization, evaluation on dev and saving. For our
  parsers it includes *jackknifing*: each part of the training text is tagged by taggers trained on
  the rest, so that the parser learns from tags as good as it will get.
- **Size** is that of the saved model. **Memory** is what stays resident beyond an empty pipeline.
  1 MB is a million bytes.
- **UAS** and **LAS** are the shares of words with the right head, and with the right head and
  label. Punctuation counts, and so do the subtypes of labels. **Exact trees** is the share of
  sentences in which all heads are right.
- **ECE**, the expected calibration error, is the average difference between confidence and accuracy
  on test, after calibration on dev.
- **Noise.** Each system is trained once, with one seed. On EWT, differences below 0.2 points are
  noise. *p* is the probability of a difference at least this large if both systems were equally
  good: by McNemar's test for arcs, by the paired bootstrap over sentences for entities.
- A system in bold is the one to start with; configs are in [configs](../configs).

## How to repeat them

```bash
pip install -e ".[benchmarks]"
python -m spacy project assets               # the UD English Web Treebank (EWT), to assets/ewt
# also: parser, easy_first, raw_text, morphology, ner, constituency, max_margin, rerank, scale
python -m benchmarks tagger --data assets
```

`--quick` runs a small version in a few minutes. Data is read from `--data` or
`SPACY_PERCEPTRON_DATA`, a directory that holds

- `ewt/en_ewt-ud-{train,dev,test}.conllu` for `tagger`, `parser`, `easy_first`, `raw_text`,
  `rerank` and `scale`;
- `cltt/cs_cltt-ud-{train,dev,test}.conllu` for `morphology`;
- `ner/ewt_ner-train.iob` and `ner/ewt_ner-test.iob` (Universal NER's English EWT) and
  `ner/wikigold.iob` for `ner` and `rerank`: a word and its BIO tag on each line, separated by a
  tab, and an empty line after each sentence;
- `wsj/train.mrg`, bracketed trees of the Penn Treebank, for `kernels` and `rerank`, and
  `wsj/{train,dev,test}.mrg` for `constituency` and `max_margin`;
- `raw/amalgum.txt`, raw text with a tokenized sentence on each line, for `scale` and `clusters`.
"""
