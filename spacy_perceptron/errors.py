"""Every message a user can see, in one place: what was given, what was expected, what to do.

Messages are format strings; call sites fill them with `.format(...)`.
"""


class NonConstituentException(ValueError):  # noqa: N818
    """A span that is no constituent was asked for what only constituents have. The name is
    benepar's.
    """


class Errors:
    """Sentences for exceptions."""

    SETTING = "`{name}` must be {expected}, not {value}."
    # The same at the edges of compiled code.
    BEAM_WIDTH = SETTING.format(name="beam_width", expected="1 or more", value="{value}")
    NBEST_K = SETTING.format(name="k", expected="1 or more", value="{value}")
    DECODE_ORDER = SETTING.format(name="order", expected="1 or more", value="{value}")
    LEARN_MARGIN = SETTING.format(name="margin", expected="0 or more, and finite", value="{value}")
    DECODE_TEMPERATURE = SETTING.format(
        name="temperature", expected="above 0, and finite", value="{value}"
    )
    CHART_THRESHOLD = SETTING.format(
        name="threshold", expected="above 0, and finite", value="{value}"
    )
    DROPOUT = SETTING.format(name="drop", expected="between 0 and 1", value="{value}")
    MIRA_CAP = SETTING.format(name="C", expected="0 or more", value="{value}")
    MARGIN_C = SETTING.format(name="c", expected="above 0, and finite", value="{value}")
    MARGIN_TREES = SETTING.format(name="max_trees", expected="2 or more", value="{value}")
    MARGIN_TOLERANCE = SETTING.format(
        name="tolerance", expected="0 or more, and finite", value="{value}"
    )
    MARGIN_STEPS = SETTING.format(name="max_steps", expected="1 or more", value="{value}")
    PRUNING_HEADS = SETTING.format(name="max_heads", expected="0 or more", value="{value}")
    PRUNING_THRESHOLD = SETTING.format(name="pruning", expected="between 0 and 1", value="{value}")
    NARROWING_THRESHOLD = SETTING.format(
        name="narrowing", expected="between 0 and 1", value="{value}"
    )
    ENTITY_SCHEME = SETTING.format(name="scheme", expected="'bio' or 'biluo'", value="{value!r}")
    INCREMENTAL_ATOM = (
        "The template {text!r} asks for {atom}, which an incremental parser does not have. Nodes "
        "have labels and head words, other roles have words only."
    )
    SPAN_ATOM = (
        "The template {text!r} asks for {atom}, which a span parser does not have. The roles b and "
        "e, and h and d for heads, are words; the span as a whole has length, tags and kinds, a "
        "pair of heads its distance."
    )
    SPAN_PRUNER = (
        "A pruner needs a phrase or more, lengths of sentences from 0 and widths of spans from 1, "
        "not {n} phrases, full_length={full_length} and width={width}."
    )
    SPAN_NODES = (
        "The nodes are not a binary tree over the words of the sentence. Each row is a start, an "
        "end, a symbol and a unary rule or -1; children come before their parents."
    )
    INCREMENTAL_TRANSITIONS = SETTING.format(
        name="transitions", value="{value!r}", expected="'chains' or 'juxtapose'"
    )
    INCREMENTAL_INPUT = (
        "The words of a sentence do not fit together: every word needs a lexeme row and at least "
        "one reading, and every reading a tag of the grammar and a row of values."
    )
    INCREMENTAL_ACTIONS = (
        "The correct actions do not build a tree over the words of the sentence, or not with the "
        "chains of the grammar."
    )
    MAX_MARGIN_MODEL = (
        "'{name}' needs a model with a table of weights and a pruner: use "
        "`spacy_perceptron.MaxMarginModel.v1`."
    )
    MAX_MARGIN_FLAT = (
        "The templates of '{name}' ask for the answers of a flat classifier or of the baseline. "
        "Give the model room for them: `flat_bits = 20`."
    )
    MAX_MARGIN_ADAPTIVE = (
        "`adaptive` must be false with `learner = 'smo'`, whose weights are the sum of what trees "
        "contribute. Set `learner = 'mira'`, or leave out `adaptive`."
    )
    MAX_MARGIN_NO_MARGIN = (
        "`margin` must be above 0: the steps of both learners are as large as it takes to win by "
        "the margin, and with 0 there are none."
    )
    MAX_MARGIN_GAP = (
        "There is no duality gap: '{name}' has not been trained with `learner = 'smo'` since it "
        "was made, loaded or corrected."
    )
    INCREMENTAL_MODEL = (
        "'{name}' needs a model with one table of weights: use "
        "`spacy_perceptron.IncrementalModel.v1`."
    )
    READINGS_DAMAGED = (
        "The tags that words can have are damaged: they must be lists of texts. Train the parser "
        "again, or load it from an undamaged copy."
    )
    INCREMENTAL_UPDATE = SETTING.format(
        name="update", expected="'early', 'max_violation' or 'final'", value="{value!r}"
    )
    INCREMENTAL_SURPRISAL = (
        "Surprisal is measured by a generative model: train a parser with `transitions = 'chains'` "
        "and `log_weight` above 0."
    )
    INCREMENTAL_CHAINS = "`log_weight` needs `transitions = 'chains'`."
    INCREMENTAL_GENERATIVE = "The generative model was not made for the contexts of this program."
    INCREMENTAL_CACHE = (
        "A cache of hypotheses needs early updates without augmented scores, and must change the "
        "weights of the parser that is trained."
    )
    GRAMMAR_DAMAGED = (
        "The grammar of the parser is damaged: it has numbers that are not symbols or chains. "
        "Train the parser again, or load it from an undamaged copy."
    )
    ATTACHMENT_UPDATE = SETTING.format(
        name="update", expected="'early' or 'max_violation'", value="{value!r}"
    )

    TABLE_CLASSES = "A weight table takes 1 to 65,535 classes, not {n}."
    TABLE_FROZEN = "This weight table is frozen. Make one with `trainable=True` to update it."
    TABLE_COMPACT = (
        "A compact weight table can't be trained. Ask for `trainable` or `compact`, not both."
    )
    TABLE_KEY = (
        "Feature {key} with class {label} is not valid: feature ids are never 0, and classes are "
        "below {n}."
    )
    TABLE_UPDATE = (
        "An update takes as many classes and changes as features, but there are {keys} features, "
        "{labels} classes and {deltas} changes."
    )
    BACKOFF_DAMAGED = (
        "The saved probabilities contradict themselves: the file is damaged or was not written by "
        "this package. Train or copy the model again."
    )
    BACKOFF_EVENTS = (
        "A back-off model needs contexts [n, depth], outcomes [n], folds [n] and weights [n], with "
        "n > 0 and depth <= 31, weights of at least 0 that are not all 0, and folds of at least 0. "
        "Got contexts {contexts}, outcomes {outcomes}, folds {folds} and weights {weights}."
    )
    BACKOFF_SHAPES = (
        "A back-off model of depth {depth} takes contexts [n, {depth}] and outcomes [n]. Got "
        "contexts {contexts} and outcomes {outcomes}."
    )
    TABLE_DAMAGED = (
        "The saved weights contradict themselves: the file is damaged or was not written by this "
        "package. Train or copy the model again."
    )
    TRAIN_NO_OUTPUT = "A training goes on from its output folder: give it with --output."
    TRAIN_NO_BEST = (
        "There is a checkpoint in {folder}, but not the best pipeline so far, {path}. Put it back, "
        "or train from the beginning, without --resume."
    )
    TRAIN_OTHERS = (
        "Component '{name}' ({factory}) learns as well, and the state of its training can't be "
        "kept. Add it to [training.frozen_components], or use `spacy train`, which can't go on "
        "after an interruption."
    )
    TRAIN_BASE = (
        "'{name}' learns from the answers of '{base}', which change as long as that learns. Add "
        "'{base}' to [training.frozen_components], jackknife its answers, or use "
        "`spacy train`, which can't go on after an interruption."
    )
    TRAIN_CHANGED = (
        "The training of the checkpoint in {folder} can't go on with something else: "
        "{differences}. Restore what it was, or train from the beginning, without --resume."
    )
    TRAIN_CHECKPOINT = (
        "The checkpoint can't be read: {path} is damaged ({error}). Train from the beginning, "
        "without --resume."
    )
    TRAIN_BATCHES = (
        "The batches up to step {step} are not those of the checkpoint: something in the corpus "
        "reader, its augmenter or the batcher is random and does not follow [training.seed]. Train "
        "from the beginning, without --resume."
    )
    STATE_ARRAY = (
        "The state of a learner is damaged: `{name}` is missing, or is not a list of {dtype}. "
        "Resume from another checkpoint or train again."
    )
    STATE_NUMBER = (
        "The state of a learner is damaged: `{name}` is missing, or is not one {dtype}. Resume "
        "from another checkpoint or train again."
    )
    STATE_LENGTH = (
        "The state of a learner is damaged: `{name}` has {found} numbers, not {n}. Resume from "
        "another checkpoint or train again."
    )
    STATE_NEGATIVE = (
        "The state of a learner is damaged: `{name}` can't be {value}. Resume from another "
        "checkpoint or train again."
    )
    STATE_RANDOM = (
        "The state of a learner is damaged: its random numbers can't go on from there. Resume from "
        "another checkpoint or train again."
    )
    STATE_SENTENCES = (
        "The state of a learner is damaged: what it keeps of sentences contradicts itself. Resume "
        "from another checkpoint or train again."
    )
    STATE_TEXT = (
        "The state of a learner is damaged: `{name}` is missing, or is not JSON in UTF-8. Resume "
        "from another checkpoint or train again."
    )
    STATE_ADAPTIVE = (
        "This state is not one of a learner with `adaptive = {given}`. Use the settings of the "
        "training that the state comes from."
    )
    STATE_OTHER = (
        "[{name}] This state belongs to a component that differs in {key}: there it is {saved}, "
        "here {given}. Load the component that was saved with the state, with the same settings."
    )
    STATE_REFERENCES = (
        "[{name}] The learner keeps something for each sentence. Give the gold Docs that training "
        "goes over as `references`, in the same order to `get_state` and `set_state`."
    )
    TABLE_FULL = (
        "A weight table holds {n:,} weights and can't take more. Use fewer labels or templates, "
        "give [training.corpus] fewer sentences, or take a component whose weights are hashed."
    )
    MIXING_EMPTY_SHARD = (
        "There are no training examples for shard {number} of {n}. Use fewer workers."
    )
    MIXING_DUAL = (
        "The component '{name}' can't be trained by several workers: its weights are made of the "
        "examples that it has learned from, so they can't be mixed. Add it to "
        "[training.frozen_components], or train with one worker."
    )
    MIXING_DEATHS = (
        "The worker of shard {number} died {n} times in one round. It may be short of memory: use "
        "more workers, each of which has fewer examples, or fewer on one machine. Run the command "
        "again with --resume to go on after the last round."
    )
    MIXING_CHECKPOINT_DAMAGED = (
        "The checkpoint in {path} can't be read ({error}). Train anew, without --resume."
    )
    WORKERS_OUTPUT = "Training with several workers needs a folder for its results: --output."
    WORKERS_ROUNDS = (
        "--checkpoint-every counts steps, but with several workers there is a checkpoint after "
        "each round. Leave it out."
    )
    RAY_ADDRESS = (
        "Can't connect to the Ray cluster at '{address}': {error} Is it running, with this version "
        "of Ray? If it asks for a token, put its ~/.ray/auth_token on this machine, and set "
        "RAY_AUTH_MODE=token."
    )
    NO_RAY = (
        "Training with several workers needs Ray, which is not installed. Install it with "
        "pip install 'spacy-perceptron[ray]'"
    )
    MIXING_NOTHING = "There is no component to train: all are in [training.frozen_components]."
    HASHED_BITS = "A hashed weight table takes 10 to 28 bits, not {n}."
    HASHED_UPDATE = (
        "An update takes as many changes as features, but there are {ids} features and {deltas} "
        "changes."
    )
    GRAMMAR_SYMBOL = "There is no symbol {symbol}: the grammar has {n} symbols, numbered from 0."
    GRAMMAR_SCORES = "{n} rules need as many scores, not an array of shape {shape}."
    GRAMMAR_NOT_FINITE = "Scores of rules and words must be finite numbers."
    CHART_WORDS = (
        "The symbols of words must come with as many scores, and with a start for each word in "
        "rising order, from 0, and the number of symbols at the end."
    )
    CHART_CLASSES = "{n} symbols need as many classes, not an array of shape {shape}."
    PCFG_NO_TREES = "A grammar can't be made without trees."
    PCFG_NO_WORDS = "A sentence without words has no tree."
    MIRA_GRAM = (
        "The dot products of {n} differences are a matrix of {n} x {n}, not one of shape {shape}."
    )
    MIRA_DIFFERENCES = "Expected one violation per difference, but got {n} for {differences}."
    MARGIN_ADAPTIVE = (
        "A max-margin learner needs a table without adaptive steps: its weights must be the sum of "
        "what the trees contribute."
    )
    MARGIN_USED = (
        "A max-margin learner starts from weights of 0, but this table holds others. Give it a new "
        "table, or the `state` of the learner that made these weights."
    )
    MARGIN_SENTENCE = "Sentences are numbered from 0 to {last:,}; there is no number {value}."
    MARGIN_NOT_FINITE = "The features, the loss and the time of a tree must be finite numbers."
    MARGIN_SLACKS = "Slacks are a list of finite numbers, one per sentence."
    MARGIN_BITS = (
        "The saved trees were made for a table of {saved} bits, but this one has {n_bits}. Use a "
        "table of the same size."
    )
    MARGIN_DAMAGED = (
        "The saved trees contradict themselves: the file is damaged or was not written by this "
        "package. Train again, or copy it again."
    )
    STRUCTURES_ARRAY = (
        "`{name}` must be a list or array of whole numbers, not an array of shape {shape} with "
        "{dtype}."
    )
    STRUCTURES_RANGE = "Some of the {n} numbers in `{name}` do not fit {dtype}."
    STRUCTURES_OFFSETS = (
        "`offsets` must start with 0 and never fall: the start of each structure, then the end of "
        "the last."
    )
    STRUCTURES_LENGTH = "`offsets` end at {n}, but `{name}` has {length} entries."
    TREE_CHILDREN = "A node can't have {n} children."
    TREE_SHAPE = (
        "Tree {i} with {n} nodes is not one tree in pre-order: its `n_children` announce more or "
        "fewer nodes."
    )
    KERNEL_LENGTH = (
        "`max_length = {value}` is for tagging kernels. Trees have no runs of tags: set it to 0."
    )
    KERNEL_STRUCTURES = "The kernel '{kind}' compares {expected}, not {given}."
    KERNEL_SCORES = (
        "Expected a finite {name} for each of {n} candidates, but got an array of shape "
        "{shape}{more}."
    )
    KERNEL_CANDIDATE = "There is no candidate {i} in a list of {n}."
    KERNEL_BUSY = (
        "The perceptron can't learn while another thread asks it for scores. Let each thread have "
        "a copy."
    )
    KERNEL_STATE = (
        "The saved kernel perceptron can't be used: {why}. It is damaged or was saved with other "
        "settings. Train or copy the model again."
    )
    LEXEME_VALUES = "Got {n} values for a word of a lexeme table with {expected} attributes."
    TEMPLATE_SYNTAX = (
        "Can't read '{part}' in the feature template '{text}'. A template is a list of atoms such "
        "as 'w.lower', 'w-1.tag' or 'w+2.suffix3', separated by spaces."
    )
    TEMPLATE_ROLE = "Unknown role '{role}' in the feature template '{text}'. Known roles: {known}."
    TEMPLATE_ATTRIBUTE = (
        "Unknown attribute '{attribute}' in the feature template '{text}'. Known attributes: "
        "{known}."
    )
    TEMPLATE_OFFSET = (
        "'{atom}' in the feature template '{text}' looks too far: at most {limit} places away, and "
        "never at the tag that is being predicted."
    )
    TEMPLATE_ALONE = (
        "'{atom}' in the feature template '{text}' looks at another word. Words are decided one by "
        "one here: use 'w' alone."
    )
    TEMPLATE_EMPTY = "A feature template is empty. Remove it from the config."
    TEMPLATES_NONE = "No feature templates given. Name a set, or list templates in the config."
    TEMPLATE_SET = "Unknown template set '{name}'. Known sets: {known}."
    TEMPLATE_NOT_THERE = (
        "The template '{text}' can't be left out: it is not in {sets}. Check the spelling."
    )
    CLUSTERS_BYTES = (
        "These bytes are not a table of word clusters: {reason}. The file may be damaged; make it "
        "again with `python -m spacy perceptron clusters`."
    )
    CLUSTERS_FILE = "There is no file {path} with word clusters. Check the path in the config."
    CLUSTERS_NONE_SAVED = (
        "There is no pipeline with word clusters in {path}. Name the folder of one that was "
        "trained with clusters, or a file with `path`."
    )
    CLUSTERS_TOO_MANY = "A table can have {most} clusters, not {n}. Use fewer of them."
    CLUSTERS_MISSING = (
        "'{name}' needs {table}, which the vocab does not have; it has {known}. In a training "
        'config, name a file in the block [initialize.lookups] with `@misc = "spacy_perceptron.'
        'clusters.v1"`. In a pipeline with a component from another one, call '
        "`spacy_perceptron.copy_clusters(other.vocab, nlp.vocab)`."
    )
    CLUSTERS_OTHER = (
        "'{name}' was trained with {table} of the fingerprint {saved}; those of the vocab have the "
        "fingerprint {found}. Take the file it was trained with, call `spacy_perceptron."
        "copy_clusters(other.vocab, nlp.vocab)` if it comes from another pipeline, or train again."
    )
    DECODER_BUSY = (
        "Another thread is using this decoder. A decoder works for one thread at a time: make one "
        "for each thread. Components do so by themselves."
    )
    DECODER_STOPPED = "The search was stopped."
    DECODE_WIDTH = "Can't decode with a beam of {width}: it must be 1 or wider."
    DECODE_ROW = (
        "Can't decode: there is no word row {row} in a lexeme table of {n} rows. Look the words up "
        "again."
    )
    DECODE_TAGS = "Can't decode: {n_tags} tags are given for {n_words} words."
    DECODE_ACTION = "Tag {tag} at position {i} is not an action in a sentence of {n} words."
    DECODE_TAG = "Can't decode: {tag} is neither -1 nor one of {n} tags."
    CHOICE_CANDIDATES = (
        "Can't decode: each of the {n} words needs one candidate or more, and if words are hidden "
        "a probability."
    )
    CHOICE_FORMS = "Can't find candidates: every word has {n} forms, and every class asks for one."
    CHOICE_CONDITION = (
        "Can't find candidates: a form of {n} characters or more need not have one at {place}."
    )
    DECODE_BOUNDS = (
        "Can't decode: the bounds of sentences must rise from 0 or more to at most the number of "
        "words, {n}."
    )
    DECODE_CONSTRAINT = "The constraint is for {n} tags, but the scorer has {n_tags}."
    DECODE_GROUPS = "Got groups of {n} tags, but there are {n_tags}."
    REFINING_TAGS = (
        "Got {n} fine labels for {n_tags} tags: each needs one tag and a list of parts, and each "
        "tag a label."
    )
    REFINING_PARTS = "Parts of fine labels must be classes of the scorer, which has {n}."
    REFINING_GROUPS = "Got groups of {n} fine labels, but there are {n_labels}."
    DECODE_POSITION = "There is no word {i} in a sentence of {n} words."
    SCORES_NOT_FINITE = (
        "Can't decode: no answer has a finite score. Either the given tags leave no legal answer, "
        "or the weights are damaged: then train or copy the model again."
    )
    WEIGHTS_NOT_FINITE = (
        "The weights can't be saved: some are infinite or not a number. Train with smaller steps."
    )
    NO_BACKPROP = (
        "Linear models are not trained by backpropagation. Train the component with `nlp.update` "
        "or `spacy train`."
    )

    CORPUS_NO_PATH = (
        "No corpus given. Pass `--paths.train` and `--paths.dev` on the command line, or set "
        "[paths] in the config."
    )
    CORPUS_MISSING = (
        "There is no corpus at {path}. Check the path: it should be a .spacy file or a folder of "
        "them. Other formats must be converted first."
    )
    CORPUS_PRESET = "A corpus can't preset the gold annotation {name!r}. Choose from: {options}."
    CLUSTERS_EMPTY = "There are no words in {path}. A line should have a path, a word and a count."
    CLUSTERS_LINE = (
        "{where}: a line should have a path of 0s and 1s, a word and a count, with tabs between "
        "them, not {line!r}."
    )
    CLUSTERS_COMPILED = (
        "{path} is a compiled table, which has no words in it. Give the list that it was made of."
    )
    CLUSTERS_UNREADABLE = "Can't read {path}: {error}."
    CLUSTERS_NO_FILE = "There is no file {path}. Check the path."
    CLUSTERS_NO_FILES = "There are no texts in {path}. Suffixes looked for: {options}, also .gz."
    CLUSTERS_JSON = '{where}: a line should be an object with a string as "text".'
    CLUSTERS_NO_TEXT = (
        "There are no words to learn from. Check that there is text in the files, and that "
        "--exclude leaves some of it."
    )
    CLUSTERS_TOO_FEW = (
        "There are {n_words:,} different words to make {n_clusters:,} clusters of. Ask for fewer "
        "clusters with --n-clusters, or give more text."
    )
    CLUSTERS_ALIKE = (
        "{n_clusters:,} clusters can't be made: only {n:,} of the words differ in their vectors. "
        "Ask for fewer clusters with --n-clusters, or give more text."
    )
    CLUSTERS_EXTRA = (
        "Clusters are made by {name}, which is missing. Install it with: "
        "pip install spacy-perceptron[clusters]"
    )
    CLUSTERS_VECTOR = "{where}: a line should have a word and {n} numbers with spaces between them."
    CLUSTERS_NO_VECTORS = "There are no word vectors in {path}."
    CLUSTERS_PIPELINE = (
        "{path} is neither a file of word vectors nor a pipeline that can be loaded: {error}"
    )
    CLUSTERS_LOOKUPS = (
        "spaCy has no {tables} for the language {lang!r}. The package spacy-lookups-data has them "
        "for: {options}."
    )
    CLUSTERS_NO_LOOKUPS = (
        "spaCy's tables of words are missing. Install them with: pip install spacy-lookups-data"
    )
    CLUSTERS_OUTPUT = "Can't write clusters to {path}. The name should end in {options}."
    CLUSTERS_PREFIX = "There is no cluster in {path} whose path starts with {prefix!r}."
    CONVERT_SPLITS = (
        "No file in {path} has train, dev or test as a part of its name, as in "
        "en_ewt-ud-train.conllu. Rename them, or convert without --splits."
    )
    INIT_EXISTS = "{path} exists already. Choose another name, or overwrite it with --force."
    INIT_EMPTY = "There is no Doc with words in {path}. Make a corpus with the command `convert`."
    INIT_STYLES = "Choose one of --fast and --accurate."
    INIT_PIPE = "There is no component {name!r} to train. Choose from: {options}."
    INIT_PARSERS = "A pipeline has one parser. Choose one of those you have named."
    INIT_NO_ANNOTATION = (
        "The corpus has nothing that these components could learn from: they need {needed}. Leave "
        "out the pipeline to train all that the corpus has annotation for."
    )
    INIT_NOTHING = (
        "The corpus has no annotation to learn from: no tags, lemmas, dependencies, constituents, "
        "entities or Docs of several sentences."
    )
    INIT_CLUSTERS_NAME = (
        "The word clusters of {path} need a name, because there are several files. Rename it so "
        "that there are letters from a to z before the first dot."
    )
    INIT_CLUSTERS_SAME = (
        "The word clusters of {path} and {other} would both be called {name!r}. Rename one of the "
        "files."
    )
    TOKENIZER_SPECIAL_CASE = (
        "A tokenizer's special case is a list of words, none of them empty, which join to the text "
        "they are found in, not {words}. Change `special_cases` of the tokenizer."
    )
    TOKENIZER_PATTERN = (
        "A tokenizer can't use the pattern {pattern!r}: {error}. Patterns are regular expressions "
        "of Python's re; in a config, backslashes are doubled."
    )
    TOKENIZER_EMPTY_PATTERN = (
        "The tokenizer's pattern {pattern!r} matches nothing at all, so it would split everywhere. "
        "Make it match at least one character."
    )
    TOKENIZER_LANG = (
        "spaCy has its own kind of tokenizer for {lang!r}, which takes no rules. Use it as it is, "
        "with the settings that it has."
    )

    # Components
    LABEL_TYPE = "Labels are strings, but {label!r} is of type {type}."
    LABEL_EMPTY = "'{name}' can't have the label {label!r}: it would leave tokens without one."
    LABEL_VALUES = (
        "'{name}' can't have the label {label!r}. Its labels have a value of each attribute "
        "({attributes}), with tabs between them; `_` for no morphological features."
    )
    TAGGER_ATTRIBUTES = (
        "easy_first_tagger: `attributes` must be some of {known}, each once; got {value}."
    )
    NO_LABELS = (
        "Can't initialize '{name}': the examples have no gold annotation for it. Check the "
        "training corpus, or pass the labels in the config block [initialize.components.{name}]."
    )
    NOT_INITIALIZED = (
        "'{name}' has no model yet. Call `nlp.initialize(get_examples)` and train it, or load a "
        "trained pipeline with `spacy.load`."
    )
    MODEL_LABELS = "the weights are for {n_model} labels, but {n_labels} are saved with them"
    MODEL_ARCHITECTURE = "it holds the model '{saved}', but '{given}' is expected"
    MODEL_GUIDE = (
        "it was trained with `guide = {saved}`, but the component it is loaded into has `guide = "
        "{given}`"
    )
    MODEL_SETTING = (
        "its weights were trained with `{name} = {saved}`, but the component it is loaded into has "
        "`{name} = {given}`. Load it with the settings of its training, or train it again"
    )
    MODEL_LABEL_LIST = "its labels must be a list of different strings, not {labels!r}"
    MODEL_VALUE = "`{name}` in `cfg` can't be {value!r}"
    MODEL_CHECKSUM = "the checksum of `model` is wrong"
    MODEL_PARTS = "it has unknown parts ({names})"
    MODEL_NO_SEAL = "`model` does not start like a model"
    MODEL_CFG = (
        "`cfg` is not the file that was saved with `model` (to change it on purpose, set `cfg` of "
        "the component in Python and save it again)"
    )
    MODEL_FORMAT = (
        "it is saved in format {found}, and this version of spacy-perceptron reads formats up to "
        "{known}. Install a newer version"
    )
    MODEL_MIXED = (
        "it was not saved together with '{other}', which is in the same pipeline. Either saving "
        "was interrupted, or parts of two pipelines were mixed. Copy or train the pipeline again. "
        "To combine components on purpose, load both pipelines and use `nlp.add_pipe(name, "
        "source=other_nlp)`, or save the one to exchange alone with `nlp.get_pipe(name).to_disk`"
    )
    MODEL_REFUSED = "Can't load '{name}' from {source}: {error}."
    MODEL_DAMAGED = (
        "Can't load '{name}' from {source}: {error}. The file is damaged, was cut off, or belongs "
        "to another kind of component. Copy or train the pipeline again."
    )
    TEMPLATE_ARC_ONLY = (
        "The template '{text}' is not for the {kind}, which has only the roles p, c and arc."
    )
    TEMPLATE_ROLES = (
        "The template '{text}' has roles that do not go together for {kind}. It can have one of b, "
        "l, r and x; the last three are for labels of a tree, which have neither b nor s."
    )
    TEMPLATE_ARC_ATTRIBUTE = (
        "'{atom}' in the template '{text}' asks for what is not there: `arc` has direction, "
        "distance, punct, verbs and guide (the first two with siblings and grandparents), and "
        "tokens have none of these."
    )
    ATTACHMENT_ROLES = (
        "The template '{text}' has roles that do not go together. Attachments have p, c, s, left, "
        "left2, right, right2, children such as p[lc] and c[rc2], arc, and b, which goes with p, c "
        "and arc only."
    )
    ATTACHMENT_ATTRIBUTE = (
        "'{atom}' in the template '{text}' asks for what is not there: `arc` has direction, "
        "distance, punct, verbs and guide; p, c, left and right have lefts, rights and span in "
        "addition to the attributes of tokens."
    )
    ATTACHMENT_TERMS = (
        "The template '{text}' looks at too much at once. It can have {limit} roles, and lefts, "
        "rights and span of a role count as one more."
    )
    ATTACHMENT_ACTION = "There is no action from {head} to {child} at this point of a derivation."
    PARSING_CUT = "There are no words {start} to {end} among {n} words."
    PARSING_EMPTY = "Can't list the trees of a sentence without words."
    PARSING_INPUT = "There are {n} {name} for {words} words."
    PARSING_COLUMNS = "There are {n} values per token, but the templates expect {expected}."
    PARSING_ROW = (
        "There is no row {row} among the {n} of the lexeme table. Look the words up again."
    )
    PARSING_GOLD_RANGE = (
        "Word {word} can't have the gold head {head} and the gold label {label}: heads go from 0 "
        "to {n}, except for the word itself, labels are below {n_labels}, and -1 means unknown."
    )
    PARSING_ARC = "The arc from {head} to {child} is not among the arcs to choose from."
    PARSING_STARTS = "Sentence bounds must rise from 0 to the number of words, {n}."
    PARSING_GOLD = "There are {heads} gold heads and {labels} gold labels for {n} words."
    PARSER_MST_ORDER = (
        '`decoder = "mst"` finds trees of arcs alone, `order = 1`, not {order}. Use "eisner" for '
        "siblings and grandparents."
    )
    PARSER_NO_PRUNER = (
        "'{name}' needs a model for parts, labels and a pruner. The one given has no pruner: use "
        "`spacy_perceptron.ParserModel.v1`."
    )
    PARSER_PRUNER = (
        "'{name}' needs a model for actions and labels. The one given has a pruner: use "
        "`spacy_perceptron.EasyFirstModel.v1`."
    )
    PARSER_NO_LABEL_TEMPLATES = (
        "Without `label_templates` and `tree_label_templates`, a parser can't find labels. Name a "
        "set in one of them."
    )
    SENTER_LABEL = (
        "'{name}' can't have the label '{label}': a word starts a sentence (S) or does not (I)."
    )
    SENTER_LOOKAHEAD = (
        "Some template asks for sent_start {offset} words ahead, but boundaries are found from "
        "left to right. Ask for sent_start at w-1 and w-2 only."
    )
    SENTER_CONTEXTS = (
        "The saved contexts without sentence starts are not what they should be: {names}."
    )
    SENTER_WORDS = (
        "The saved lists of words must be 'abbreviations', 'lower' and 'capital', each a list of "
        "strings."
    )
    PARSER_NO_MARGIN = (
        "`margin` must be above 0 with `learner = 'mira'`, whose steps are as large as it takes to "
        "win by the margin: with 0 there are none. Set `learner = 'perceptron'` for steps of one."
    )
    ATTACHMENT_WORDS = "A sentence of {n} words is too long to parse: the limit is {limit}."
    CORRECT_NO_TREE = "'{name}' can't be corrected to these heads: no {kind} tree has all of them."
    EXPLAIN_ONE_WAY = (
        "Can't explain token {i}: the parser knows only one way to add it to the tree."
    )
    EXPLAIN_ONE_TREE = (
        "Can't explain token {i}: in all of the best {n} trees, it is in the same phrases."
    )
    EXPLAIN_ONE_HEAD = "Token {i} is alone in its sentence: there is no other head for it."
    PARTS_ARCS = (
        "Arcs go from a head in 0..{n} to another word in 1..{n}, each arc once; these do not."
    )
    PARTS_SCORES = (
        "Got {n} scores for parts of the kind '{name}', which does not match the parts there are."
    )
    DECODE_PARTS_ORDER = (
        "A decoder of order {order} needs parts of order 2 or more. Make them with "
        "Parts(..., order=2)."
    )
    FOREST_EDGE = "An edge of node {n} must lead to earlier nodes, not to {left} and {right}."
    DECODE_HEADS = "Got {n} heads for a sentence of {n_words} words."
    MEMENTO_OTHER = (
        "'{name}' can't go back to this: it was remembered by a component with another model."
    )
    CORRECT_LIFTED = (
        "'{name}' can't be corrected to this tree: arcs with the label {plain!r} cross others, and "
        "it has learned no such arcs. Call `add_label({label!r})` first: that is how it marks them."
    )
    LEMMA_RULE = (
        "{text!r} is no rule for lemmas. A rule is a case, one of {cases}, and an edit tree: "
        "`rule_for(form, lemma)` of the lemmatizer makes one."
    )
    LEMMA_IDENTITY = "The rules for lemmas lack {text!r}, which every lemmatizer has."
    CORRECT_LABEL = (
        "'{name}' has no label {label!r}, so it can't be corrected to it. Call `add_label` first."
    )
    ENTITY_EASY_UPDATE = (
        "`update = 'max_violation'` goes with `search = 'left_to_right'` alone. Set `update` to "
        "'early' or 'resume' for easy-first search."
    )
    ENTITY_TAGS = "{n} tags can't be O and the tags of some labels in the scheme '{scheme}'."
    ENTITY_GIVEN = "The tag given to word {i} continues an entity, but there is none before it."
    ENTITY_LOOKAHEAD = (
        "A template looks at the entity tag {offset} places ahead, which a search from left to "
        "right does not know yet. Leave it out, or set `search = 'easy_first'`."
    )
    GAZETTEER_FORMAT = (
        "{path}, line {line}: expected JSON with the keys 'label' and 'pattern', where the pattern "
        "is a text or a list of words."
    )
    GAZETTEER_MISSING = "There is no list at '{path}'. Expected a .jsonl or a plain text file."
    EXPLAIN_INDEX = "There is no token {i} in a doc of {n} tokens."
    EXPLAIN_SPACE = "Token {i} is whitespace: nothing is decided about it."
    EXPLAIN_OTHER_DOC = (
        "The {kind} {text!r} is of another doc. Give a {kind} of the doc that you pass, or the "
        "index of a token."
    )
    EXPLAIN_SPAN = (
        "'{name}' explains one word at a time, not '{span}'. Give a token of the span, or its "
        "index."
    )
    EXPLAIN_NO_WORDS = (
        "The span of tokens {start} to {end} has no words: nothing is decided about it."
    )
    EXPLAIN_WORD = "There is no word {word!r} in the text. Its words are: {words}"
    EXPLAIN_TOKEN_AND_WORD = "Got both --token and --word. Give one of them, or neither."

    CORRECT_ANSWER = (
        "There is no answer {answer} to this text, only {n}. If none of them is right, write the "
        "right one to a Doc and call the component's method `correct`."
    )

    # Command line
    SCALE_SUFFIX = "Can't read {path}. Its suffix must be one of {options}, also with .gz for text."
    SCALE_DAMAGED = "The rest of the file is damaged: {reason}"
    SCALE_JSON = 'A line should be an object with a string as "text".'
    SCALE_FATAL = "The process died twice when it had this document alone in hand."
    SCALE_DEATHS = "Processes that were at work on this have died {n} times. It is given up."
    SCALE_FORMAT = "There is no format '{name}'. The formats are {options}."
    SCALE_NO_PYARROW = (
        "Parquet files need pyarrow. Install it with `pip install pyarrow`, or choose another "
        "--format."
    )
    SCALE_OUT_IN = (
        "The outputs can't go to {path}: another run would take them for texts. Choose a folder "
        "that is not among the texts."
    )
    SCALE_PLAN = (
        "{path} has outputs with another {name} ({old!r}, not {new!r}). Use the same as before, or "
        "another folder."
    )
    SCALE_PLAN_DAMAGED = "The plan {path} is damaged: {error}. Use another folder for the outputs."
    SCALE_CHANGED = (
        "{path} has changed since it was planned. Use another folder for the outputs, or the file "
        "as it was."
    )
    SCALE_WORKER = "A worker can't be started. {error}"
    SCALE_STOPPED = (
        "Can't write to {path}: {reason}. What is done is kept. Once this is mended, the same "
        "command does the rest."
    )

    CLI_NO_TEXT = "There is no text. Give one as an argument, in a file, or on standard input."
    CLI_NO_COMPONENT = (
        "The pipeline has no component with the method `{ability}`. Its components are: {names}."
    )
    CLI_FILE = "Can't use {path}: {reason}."
    CLI_WRONG_COMPONENT = (
        "There is no component '{name}' with the method `{ability}`. Those that have it: {names}."
    )

    JOIN_MISSING = "There is no component {name!r} to add. The other pipeline has: {names}."
    JOIN_THERE = (
        "The pipeline has a component {name!r} already. Rename one of the two with "
        "`nlp.rename_pipe`, or remove it with `nlp.remove_pipe`, and save the pipeline."
    )
    CARD_JSON = "{path} does not hold a JSON object: {error}."
    CARD_NO_FIGURES = (
        "There is no figure in {path}. Make it with `python -m spacy evaluate MODEL CORPUS "
        "--output {path}`."
    )
    CARD_UNKNOWN = "A description has no entry {name!r}. Its entries are {known}."
    CARD_MISSING = "The description has no {names}. Add what is missing to a file given as --about."
    CARD_SOURCE = (
        "A source is an object of texts with the entries {known}, of which name and license are "
        "needed, not {source}."
    )
    CARD_NAME = (
        "{name!r} can't be the name of a pipeline: use lower-case letters, digits and single "
        "underscores, and leave out {lang}_, which is put before it."
    )
    CARD_VERSION = "{version!r} is no version of a Python package. Use numbers, such as 1.0.0."

    # Bracketed trees, `where` is file:line
    BRACKETS_UNCLOSED = (
        "{where}: the tree that starts on line {start} is not closed: a closing bracket is "
        "missing between there and this line."
    )
    BRACKETS_EXTRA_CLOSING = (
        "{where}: closing bracket without an opening one. Remove it, or look for a bracket "
        "closed too early in the tree before it."
    )
    BRACKETS_UNTAGGED_WORD = (
        "{where}: the word {word!r} stands inside the node {label!r} beside other nodes. "
        "Every word needs its own leaf, as in (TAG {word})."
    )
    BRACKETS_LEAF_WORDS = (
        "{where}: the leaf ({label} {word} {extra} has more than one word. Every word needs "
        "its own leaf, as in ({label} {word}) (TAG {extra})."
    )
    BRACKETS_EMPTY_NODE = (
        "{where}: the node ({label}) has neither a word nor children. Remove it or fill it."
    )
    BRACKETS_NO_LABEL = (
        "{where}: bracket without a label inside the tree that starts on line {start}. Only "
        "the outermost bracket may be unnamed."
    )
    BRACKETS_BARE_LEAF = (
        "{where}: ({label} {word}) is a leaf outside any tree. Put it inside a phrase, or "
        "look for a bracket closed too early just before it."
    )
    BRACKETS_TEXT_OUTSIDE = (
        "{where}: the text {text!r} stands outside any tree. Only trees in brackets and "
        "comment lines that start with '# ' are expected there."
    )
    BRACKETS_ENTITY_FORMAT = (
        "{where}: can't read the entity {text!r}. Expected 'LABEL: words; LABEL: words'."
    )
    BRACKETS_ENTITY_NOT_FOUND = (
        "{where}: the {label} mention {text!r} is not found from word {start} on. Mentions "
        "are listed from left to right and are exact token sequences joined by single "
        "spaces. Words: {words}"
    )

    # Constituents
    CONSTITUENTS_CROSSING = (
        "The constituents {first} and {second} cross each other, so they form no tree. "
        "Spans must be nested or disjoint."
    )
    CONSTITUENTS_OUTSIDE = (
        "The constituent {span} is empty or reaches outside the {length} words it is meant for."
    )
    CONSTITUENTS_LENGTH = (
        "Can't write a tree of {tree} words onto {doc} tokens (from token {offset})."
    )
    CONSTITUENTS_TAGS = "Expected one tag per word, but got {tags} tags for {words} words."
    CONSTITUENTS_NOT_ONE = (
        "The span {text!r} (tokens {start} to {end}) is not a constituent of its sentence, "
        "so it has no {what}. Set doc.spans['constituents'] first, or take a span that is "
        "in it."
    )

    # Head rules
    NLTK_MISSING = "Trees of NLTK need the package nltk: pip install nltk"
    BINARIZATION_DIRECTION = (
        "Can't binarize in the direction {direction!r}. Use 'left', 'right' or 'head'."
    )
    BINARIZATION_ORDER = (
        "Expected vertical >= 1 and horizontal >= 0 (or None for no limit), but got "
        "vertical={vertical} and horizontal={horizontal}."
    )
    HEAD_RULES_FORMAT = (
        "{path}: the head rule {rule!r} of {label!r} is not of the form 'left: A B C', "
        "'right: A B C' or 'last: A B C'."
    )
    HEAD_RULES_MISSING = (
        "{path}: a head-rule table needs the key {key!r}. See english_head_rules.json for "
        "an example."
    )
    HEAD_RULES_NO_WORDS = "Can't find heads in a tree without words."
    LIFT_LABEL = (
        "The gold label {label!r} contains '{delimiter}', which marks labels of words lifted to "
        "make a tree projective. Rename the label, or give the real heads instead of lifted ones."
    )

    # Converting corpora
    CONVERT_HEAD_RULES_LANG = (
        "There are no head rules for the language {lang!r}. Give a table with --head-rules, "
        "or leave the dependencies out with --no-deps."
    )
    CONVERT_UNKNOWN_SUFFIX = (
        "{path}: can't tell the format from the suffix {suffix!r}. Known suffixes: "
        "{options}. Name the format with --converter."
    )
    CONVERT_NO_INPUT = "{path}: no such file or folder."
    CONVERT_NO_FILES = "{path}: no files with one of the suffixes {options} in this folder."
    CONVERT_COLUMNS = (
        "{where}: expected {expected} columns separated by {separator}, but found {found}."
    )
    CONVERT_ID = "{where}: expected the ID {expected}, but found {found!r}: words count from 1."
    CONVERT_HEAD = (
        "{where}: the head {head!r} is not a word of this sentence. Expected a number from 0 to "
        "{n}, or _ if there is none."
    )
    CONVERT_WRITE_INPUT = (
        "{path}: only .spacy files can be written as {format}. Convert this file to .spacy first."
    )
    TOKENS_LANG = "Can't make the tokenizer of the language {lang!r}: {error}"
    CONLL_ROOTS = (
        "Sentence {number} of {name} has {found} roots. The measures are defined for trees: give "
        "every sentence exactly one word with the head 0."
    )
    CONLL_CYCLE = (
        "The heads of sentence {number} of {name} form a cycle. The measures are defined for trees."
    )
    CONLL_TEXT = (
        "The words of {gold} and {system} are not those of the same text: after {place} characters "
        "other than white space, {a!r} differs from {b!r}."
    )
    CONVERT_RANGE = (
        "{where}: the multi-word token {found!r} has to be a range of words of this sentence, such "
        "as 3-4, behind the one before it."
    )
    CONVERT_FAILED = "{path}: can't convert this file: {error}"
    CONVERT_WRITE_TO = (
        "{path}: JSONL of which tool? Pass --to prodigy or --to doccano, or write to a file that "
        "ends in .conllu."
    )
    ANNOTATIONS_FORMAT = (
        "{path}: can't tell from the first lines whether this is JSONL of Prodigy or of doccano. "
        "Pass --from prodigy or --from doccano."
    )
    ANNOTATIONS_JSON = "{where}: this line is no record in JSON: {error}."
    ANNOTATIONS_FIELD = "{where}: `{field}` should be {expected}, not {found}."
    ANNOTATIONS_POS = (
        "{where}: {label!r} is no coarse tag of Universal Dependencies. If the tags are fine ones, "
        "pass --spans tag."
    )
    ANNOTATIONS_TOKEN = (
        "{where}: the token {number} {token!r} ({start}-{end}) does not follow the one before it, "
        "which ends at character {before}. Tokens must be in order, must not overlap, and leave "
        "out nothing but white space."
    )
    ANNOTATIONS_REST = (
        "{where}: no token has the end of the text, {rest}. Tokens must leave out nothing but "
        "white space."
    )

    # Sample treebank
    SAMPLE_MISSING_FILE = (
        "The sample treebank file {path} is missing. Reinstall the package: the file is part of it."
    )

    SIGNIFICANCE_UNPAIRED = (
        "The two systems have counts of shapes {a} and {b}. Expected the same shape for both: "
        "evaluate them on the same corpus, item by item in the same order."
    )
    BOOTSTRAP_TOO_FEW_DOCS = (
        "The bootstrap resamples documents and needs at least 2, but got {n_docs}. Split the "
        "corpus into documents or sentences."
    )
    CALIBRATION_UNPAIRED = (
        "Got confidences of shape {confidence} and outcomes of shape {correct}. Expected two "
        "one-dimensional arrays of the same length."
    )
    CALIBRATION_NO_TOKENS = (
        "There is no token with a gold label to calibrate on. Check that the corpus is annotated "
        "with what the component predicts."
    )
    CALIBRATION_BAD_CONFIDENCE = (
        "Got confidences between {low} and {high}. Expected values from 0 to 1."
    )
    CALIBRATION_BAD_KNOTS = (
        "The isotonic map has the knots {knots}. Expected pairs of finite numbers in rising order."
    )
    CALIBRATION_TOO_FEW_DOCS = (
        "Calibration needs at least 2 documents to check itself on, but got {n_docs}. Give a "
        "corpus with more documents, or read it sentence by sentence with --gold-preproc."
    )
    COMPARE_NOTHING_IN_COMMON = (
        "There is nothing to compare: no annotation is predicted by both pipelines and present in "
        "the gold corpus. Known metrics: {names}."
    )
    EVALUATION_UNKNOWN_METRIC = "There is no metric '{name}'. The known ones are: {names}."
    JACKKNIFE_BAD_FOLDS = (
        "Got {n_folds} folds for {n_docs} documents. Expected at least 2 folds and at most one per "
        "document."
    )
    JACKKNIFE_NO_COMPONENTS = (
        "There are no components to jackknife. Name some of the pipeline's: {names}."
    )
    JACKKNIFE_UNKNOWN_COMPONENT = (
        "There is no component '{name}' in the pipeline. Its components are: {names}."
    )
    JACKKNIFE_UNTRAINABLE = (
        "None of {names} can be trained, so there is nothing to jackknife. Name at least one "
        "trainable component; those of this pipeline are: {trainable}."
    )
    JACKKNIFE_FROZEN = (
        "The component '{name}' is frozen in [training] and would not be trained on the folds. "
        "Unfreeze it, or leave it out of the components to jackknife."
    )
    JACKKNIFE_MISSING_UPSTREAM = (
        "The component '{name}' listens to a shared embedding component that is not jackknifed "
        'with it. Name that one too, e.g. components = ["tok2vec", "{name}"].'
    )
    JACKKNIFE_ENDLESS = (
        "The folds would train for ever: there is no dev corpus to stop early on, and max_epochs "
        "and max_steps in [training] are both without limit. Set one of them."
    )
    JACKKNIFE_INPUTS_EPOCHS = (
        "Folds that start from the predictions in '{path}' cannot stop early: there are none for "
        "the dev corpus. Set max_epochs."
    )
    JACKKNIFE_MISMATCH = (
        "The predictions in '{path}' do not belong to this corpus: {reason}. Make them again from "
        "the same corpus with the same gold_tokens, max_length and limit."
    )
    JACKKNIFE_WORKER_DIED = (
        "The process that trained fold {fold} of {n_folds} was killed (exit code {code}), perhaps "
        "because memory ran out. Train fewer folds at once with n_process."
    )
    JACKKNIFE_RAY_DIED = (
        "The processes of Ray that trained fold {fold} of {n_folds} were killed {n} times, perhaps "
        "because memory ran out. Train with fewer workers to a machine: {error}"
    )
    RERANK_KIND = "There is no kernel for answers with {names}. Rerank tags, entities or trees."
    RERANK_KERNEL = (
        "The kernel '{kernel}' of '{name}' does not fit the answers of '{base}'. Set `kernel` in "
        "its model to one of: {options}."
    )
    RERANK_TOKEN = (
        "There are no answers of '{base}' for token {i}. Run the pipeline on the doc first, with "
        "`nbest` of '{base}' set."
    )
    NO_FORWARD = "The model '{name}' can't be called as a layer. Use its component."

    # Playground
    SERVE_NO_EXTRA = (
        "The playground needs {name}, which is not installed. Install it with "
        "pip install 'spacy-perceptron[serve]'"
    )
    SERVE_PORT_TAKEN = (
        "Port {port} of {host} is taken. Choose another one with --port; 0 takes any free one."
    )
    SERVE_ADDRESS = "Can't listen on {host}, port {port}: {reason}."
    SERVE_CHECK_SUFFIX = (
        "Can't read {path}. Sentences to check are in a .txt file, one a line, or in a .spacy file."
    )
    SERVE_HOST = "This server does not answer for the host {host!r}."
    SERVE_ORIGIN = "Requests from pages of {origin!r} are not accepted."
    SERVE_CONTENT_TYPE = "The body must be JSON, with the content type application/json."
    SERVE_BODY = "The body of the request is too long: more than {limit:,} bytes."
    SERVE_JSON = "The body of the request is not valid JSON."
    SERVE_NO_PAGE = "There is nothing at this address."
    SERVE_METHOD = "This address does not take this kind of request."
    SERVE_INTERNAL = (
        "Something went wrong in the server. Its output has the details under the number {number}."
    )
    SERVE_PIPELINE = "There is no pipeline {number}; there are {n}, counted from 0."
    SERVE_LOADING = "The pipeline '{name}' is still being loaded. Try again in a moment."
    SERVE_FAILED = "The pipeline '{name}' could not be loaded: {reason}"
    SERVE_COMPONENT = "The pipeline '{name}' has no component '{component}' that can do this."
    SERVE_LONG_TEXT = "The text is too long: {n:,} characters, and the limit is {limit:,}."
    SERVE_SURROGATE = "The text has half of a character in it (a lone surrogate)."
    SERVE_NO_WORDS = "There are no words in this text, so there is nothing to correct."
    SERVE_PLACE = "There is no token {i} in a text of {n} tokens."
    SERVE_SPAN = "There is no span from {start} to {end} in a text of {n} tokens."
    SERVE_TOKEN_OR_SPAN = "Give either a token or a span."
    SERVE_UNDO = "There is no correction to undo."
    SERVE_NO_CORPUS = "There is no corpus. Start the server with --corpus and a .spacy file."
    SERVE_CORPUS_EMPTY = "There is no Doc with words in {path}."
    SERVE_CORPUS_FAILED = "The corpus could not be analysed: {reason}"
    SERVE_CORPUS_COMPONENT = (
        "There is no component {component!r} to compare with the corpus. Choose from: {options}."
    )
    SERVE_CORPUS_SENTENCE = "There is no sentence {number}; there are {n}, counted from 0."
    SERVE_CORPUS_LOADING = "The corpus is being analysed: {done} of {n} sentences are done."
    SERVE_NOT_WRITTEN = "The correction was not kept: can't write {path} ({reason})."
    SERVE_NOT_SAVED = "The pipeline was not saved: can't write {path} ({reason})."
    SERVE_STORE_LOCKED = (
        "Another process collects corrections in {path}. Stop it, or choose another --output."
    )
    SERVE_JOURNAL = (
        "Line {line} of {path} is no correction. Mend it, or move the file and corrections.spacy "
        "away."
    )
    SERVE_NO_JOURNAL = (
        "There is {path}, but no journal {journal} beside it, without which it can't be continued. "
        "Move it away, or choose another --output."
    )
    # What is wrong with a correction.
    ANNOTATION_NAMES = "The annotation of '{name}' has {expected}, not {given}."
    ANNOTATION_LENGTH = "`{name}` needs a value for each of the {n} tokens, not {given}."
    ANNOTATION_TEXT = "`{name}` of {word} must be a text of at most {most} characters."
    ANNOTATION_LABEL = "'{component}' has no label {label!r} for {word}."
    ANNOTATION_EMPTY = "The lemma of {word} is empty."
    ANNOTATION_HEAD = "The head of {word} must be one of the tokens 0 to {last}, not {head!r}."
    ANNOTATION_SPACE_HEAD = "The head of {word} is whitespace."
    ANNOTATION_OTHER_SENTENCE = "The head of {word} is in another sentence: {head}."
    ANNOTATION_CYCLE = "The heads form a cycle: {words}."
    ANNOTATION_ROOTS = (
        "Each sentence needs one root, a word that is its own head, but the sentence of {word} has "
        "{n}: {words}."
    )
    ANNOTATION_ENTITY = "{tag!r} at {word} is neither O nor B- or I- with a label."
    ANNOTATION_INSIDE = "{tag!r} at {word} continues no entity with the same label."
    ANNOTATION_START = "The first token starts a sentence: it needs {start!r}."
    ANNOTATION_BOUNDARY = "{label!r} at {word} is neither {start!r} nor {inside!r}."
    ANNOTATION_PHRASE = (
        "{phrase!r} is no phrase: it must be a start, an end and a label, with a token or more of "
        "the {n} there are."
    )
    ANNOTATION_PHRASES = "There are too many phrases: {given}, and the limit is {most}."
    ANNOTATION_CROSSING = "The phrases {first} and {second} cross."
    ANNOTATION_TWO_SENTENCES = "The phrase {phrase} is in two sentences."

    # Pictures
    RENDER_SOURCE = (
        "Can't draw: {type}. Give a Doc, a Span, an explanation, or a list of answers and, as "
        "`doc`, their Doc."
    )
    RENDER_KIND = "`kind` must be one of these: {known}; or None for all of them, not {kind!r}."
    RENDER_MISSING = (
        "The Doc has no {kind} to draw. It has: {there}. Run a pipeline on it that finds them."
    )
    RENDER_NOTHING = (
        "There is nothing to draw: the Doc has neither tags, nor entities, nor trees. Run a "
        "pipeline on it."
    )
    RENDER_ONLY_DOCS = (
        "`kind` chooses what to draw of a Doc. Answers and explanations have one kind: leave out "
        "`kind={kind!r}`."
    )
    RENDER_NO_DOC = "Answers have no words. Give their Doc, too: `render(candidates, doc=doc)`."
    RENDER_LENGTH = (
        "These are not answers to this Doc: they are for {n_tokens} tokens, and it has {n_doc}."
    )


class Warnings:
    """Sentences for warnings."""

    INIT_LEFT_OUT = "{name} is left out: it learns from {needed}, and the corpus has none."
    INIT_DOCUMENTS = (
        "To learn where sentences end, convert the treebank with `--documents -n 0` (CoNLL-U) or "
        "`-n 10`."
    )
    INIT_FEW_DOCS = (
        "The corpus has {n} Docs only, which is few for batches and for the folds of jackknifing. "
        "Convert it with `-n 10`, so that Docs have ten sentences at most."
    )
    INIT_NO_TAGGER = (
        "{name} will find no tags to learn from, because there is no tagger before it. Add one to "
        "the pipeline, or set `preset` of the corpora for gold tags."
    )
    INIT_NO_CLUSTERS = (
        "The word clusters are left out: no component of the pipeline has a template set for them. "
        "Templates of your own can have them, see docs/clusters.md."
    )
    INIT_NO_TEXT = (
        "No two words of the corpus follow each other without a space: it has lost its text, so "
        "nothing can be said about tokenizers. The language's own is used."
    )

    REHEARSE = (
        "'{name}' does not rehearse: its weights stay as they are. Mix examples of the old kind "
        "into `update`, or leave the component out with `exclude`."
    )
    MAX_MARGIN_ANEW = (
        "'{name}' starts again from weights of 0: with `learner = 'smo'`, weights are the sum of "
        "what trees contribute, and these trees are not saved. Use `learner = 'mira'` to train a "
        "loaded, corrected or extended parser further."
    )
    SAMPLED_LABELS = (
        "'{name}' has found {n} labels in the first examples, and will learn no others: with "
        "`max_epochs = -1`, spaCy shows components no more of the corpus before training. Collect "
        "all labels with `spacy init labels`, and name the file in "
        "[initialize.components.{name}.labels]."
    )
    SENTER_ONE_SENTENCE = (
        "All training docs of '{name}' are single sentences, from which it can't learn where one "
        "ends and the next begins. Keep documents together: convert the corpus with "
        "`python -m spacy perceptron convert --documents`."
    )
    PARSER_NO_TAGS = (
        "The docs to parse have no tags, so the parser goes by words alone. Put a tagger before "
        "it: `python -m spacy perceptron init-config` makes a config that trains both. Or leave "
        "the tags out of its templates."
    )
    PARSER_NO_SENTENCES = (
        "Some docs to parse have no sentence boundaries: each counts as one sentence. Put a "
        "component that sets them before the parser, such as 'perceptron_senter' or spaCy's "
        "'sentencizer'."
    )
    PARSER_SPLIT = (
        "Some docs to parse have sentences that are too long, the first one of {n} words: those of "
        "more than {limit} are cut where sentences seem to end. Put a component that sets sentence "
        "boundaries before the parser, such as 'perceptron_senter' or spaCy's 'sentencizer'."
    )
    PARSER_GOLD = (
        "In some training sentences the heads do not form a tree with one root ({reason}). The "
        "words that cause this count as words without a gold head."
    )
    CONSTITUENTS_GOLD = (
        "Some training sentences are left out because their constituents can't be used: {reason} "
        "('misaligned': some begin or end within a word, or reach into another sentence; "
        "'crossing': some overlap without one being inside the other; 'unlabelled': some have no "
        "label). Check the tokens and sentence boundaries of the training data."
    )
    CONVERT_MULTIWORDS = (
        "{path}: {n} multi-word tokens such as {form!r} ({words}) are more than their words in a "
        "row, so that the text of the Docs differs from the treebank's. For a pipeline that will "
        "read raw text, convert with --merge-subtokens."
    )
    TOKENS_SCRIPT = (
        "Only {share:.1f} % of the letters of this corpus are in a script of the language "
        "{lang!r}. Is it the right language?"
    )
    TOKENS_LOW = (
        "The tokenizer of the language {lang!r} reproduces the tokens of this corpus with an F of "
        "only {f:.1f} %, and every other token costs accuracy on raw text. Choose another "
        "language, merge multi-word tokens with --merge-subtokens, or fit the tokenizer to the "
        "corpus with init-config."
    )
    CONVERT_CYCLE = (
        "{where}: the heads of this sentence form a cycle: {words}. Mend them; training leaves out "
        "the arcs of a cycle."
    )
    ANNOTATIONS_SPAN = (
        "{where}: left out spans that do not begin and end with tokens, so that it is unknown what "
        "their tokens are: {items}. Add `tokens` to the record, choose another --lang, or mend the "
        "spans."
    )
    ANNOTATIONS_ENTITY = (
        "{where}: left out spans without a label, or within a longer entity: {items}. Entities "
        "can't overlap."
    )
    ANNOTATIONS_TAG = (
        "{where}: left out tags of what is not exactly one token, or has a tag already: {items}."
    )
    ANNOTATIONS_ARC = (
        "{where}: left out relations that are no dependencies: {items}. Both ends must be single "
        "tokens, and each token has one head."
    )
    ANNOTATIONS_ANSWERS = (
        "{path}: left out records that are no gold: {reject} rejected, {ignore} ignored."
    )
    ANNOTATIONS_LOST = (
        "{where}: the JSONL of {format} has no place for some of the annotation, which {n} of "
        "{n_docs} Docs lose: {names}."
    )
    COMPARE_FEW_DOCS = (
        "The bootstrap resamples documents, and {n_docs} are few: treat its p-values with care."
    )
    SCALE_NO_RAY = (
        "Ray is not installed, so one process does all the work. To use {n}: pip install "
        "'spacy-perceptron[ray]'"
    )
    SCALE_ERRORS = (
        "{n} documents could not be annotated. They and the reasons are in the files "
        "*.errors.jsonl in {path}."
    )
    SCALE_FAILED = "There is no {path}: {reason} The next run tries it again."
    CORRECT_NOT_LEARNED = (
        "'{name}' took {n} steps, but still answers otherwise. Correct the saved pipeline once "
        "more, or with a larger --margin."
    )
    SERVE_NOT_LEARNED = (
        "'{name}' took {n} steps, but still answers otherwise. Correct it once more, or with a "
        "larger margin."
    )
    SERVE_OPEN = (
        "Whoever can reach {host} can use this server, read its texts and change its pipelines: it "
        "asks for no password."
    )
    CLI_LAST_COMPONENT = (
        "Asking '{name}', the last one of {names}. Choose another one with --component."
    )
    CALIBRATION_SKIPPED = (
        "Left '{name}' as it is: no token of the corpus has a gold label to calibrate it on."
    )
    CALIBRATION_NO_MATPLOTLIB = (
        "No plot: matplotlib is missing. Install it with: pip install spacy-perceptron[plots]"
    )
    SAVED_IN_PLACE = (
        "Can't replace '{path}' as a whole ({error}): its files are replaced one by one. If that "
        "is interrupted, save the pipeline again."
    )
    LAST_STEP_FAILED = (
        "The last step was not evaluated, or not saved as the best one ({error}). It is in "
        "model-last; model-best stays as it was."
    )
    LAST_STEP_AVERAGES = (
        "The last steps were not evaluated: with use_averages = true in [training.optimizer], only "
        "spaCy has the weights to evaluate. Make eval_frequency small, or set use_averages to "
        "false."
    )
    JACKKNIFE_CACHE_UNWRITABLE = (
        "Cannot keep the jackknifed corpus in '{path}' ({error}): the folds will be trained again "
        "next time. Set 'cache_dir' to a folder that can be written."
    )
    RERANK_NO_ANSWERS = (
        "'{name}' finds no n-best answers of '{base}' to choose from, and leaves docs as they are. "
        "Put '{base}' before it, with the setting nbest = {k}."
    )
