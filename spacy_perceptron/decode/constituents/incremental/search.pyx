"""Incremental parsing with a beam (Collins & Roark 2004).

A hypothesis is a connected tree over the words so far, of which only the right edge matters from
now on: a stack of open nodes (`cells`). To take in the next word, the search walks up the edge. At
each node it can open a chain of nodes that ends in the word (the paper's ADV), or close the node
and go on with its parent. With `wraps` in the grammar, it can also put a new parent in the place of
the child just closed (attach-juxtapose, Yang & Deng 2020); chains then have at most one node, since
nodes that begin with a phrase come into being when their second child does.

Every closing, opening and wrapping is an event with a score. After the last word everything is
closed. The beam compares hypotheses over the same words; FILTER keeps the one of rank k, counted
from 0, only if it is at most gamma / k ** exponent behind the best.

If no hypothesis can take in a word within the grammar, the word is attached as it is, wherever that
scores best, and `is_partial` says so. Cost: O(n * width * depth of the edge).
"""

from libc.math cimport INFINITY, pow
from libc.stdint cimport int32_t, uint64_t
from libcpp.algorithm cimport partial_sort, sort
from libcpp.vector cimport vector

from ....errors import Errors
from ....features.hashing cimport mix
from ....learn.mira cimport Feature
from ...search.beam cimport BeamSearch, Candidate, State
from .cells cimport NO_HEAD, NONE, Cell, open_cell
from .grammar cimport Grammar
from .input cimport IncrementalInput
from .scorer cimport ATTACH, CLOSE, FIRST_OPEN, EventScorer

cdef enum:
    ROOT = 0
    CHAIN_BITS = 16
    # Longer chains do not occur: nodes that open at one word.
    MAX_CHAIN = 64
    # How many wrappings are pursued, for each hypothesis of the beam.
    WRAPPINGS = 2


cdef bint _is_outer_or_before(const Phrase& a, const Phrase& b) noexcept nogil:
    """Pre-order: of phrases over the same words, the outer one was closed later."""
    if a.start == b.start and a.end == b.end:
        return a.order > b.order
    return comes_before(a, b)


cdef bint _scores_above(const Wrapping& a, const Wrapping& b) noexcept nogil:
    if a.score != b.score:
        return a.score > b.score
    if a.s != b.s:
        return a.s < b.s
    if a.action.n_closed != b.action.n_closed:
        return a.action.n_closed < b.action.n_closed
    if a.action.place != b.action.place:
        return a.action.place < b.action.place
    return a.action.wrapping < b.action.wrapping


cdef class IncrementalSearch(BeamSearch):
    """Builds trees word by word.

    scorer (EventScorer): Scores events.
    grammar (Grammar): What can be built.
    tag_events (bool): Whether tags are events of their own under the nodes of a chain.
    gamma, exponent (float): How far behind hypotheses may be. The unit of gamma is a typical score of
        an event, so that it does not depend on the scale of the weights.
    """

    def __init__(
        self, EventScorer scorer, Grammar grammar, *, bint tag_events=False,
        double gamma=INFINITY, double exponent=3.0
    ):
        super().__init__()
        cdef size_t c
        cdef int n_outcomes = FIRST_OPEN + grammar.n_symbols + grammar.n_phrases
        if scorer.n_symbols != grammar.n_symbols or <int>scorer.outcomes.size() != n_outcomes:
            raise ValueError(Errors.GRAMMAR_DAMAGED)
        self.scorer = scorer
        self.grammar = grammar
        self.tag_events = tag_events
        self.gamma = gamma
        self.exponent = exponent
        self.scale = 0
        self.has_gold = False
        self.bonus = 0
        self.forbidden_position = NONE
        self.logs = False
        self.pending.resize(MAX_CHAIN + 1)
        self.empty_chain = NONE
        for c in range(grammar.chains.size()):
            if grammar.chains[c].empty():
                self.empty_chain = <int>c
        assert self.empty_chain != NONE

    cdef void start(self, IncrementalInput words, int width) noexcept nogil:
        """Start with a root without words. The scorer has loaded the words."""
        cdef Cell root
        cdef int i
        self.n_words = words.n_words
        self.position = 0
        self.is_partial = False
        self.tags.resize(words.tags.shape[0])
        for i in range(words.tags.shape[0]):
            self.tags[i] = words.tags[i]
        self.firsts.resize(words.n_words + 1)
        for i in range(words.n_words + 1):
            self.firsts[i] = words.starts[i]
        self.open(width)
        self.cells.clear()
        self.history.clear()
        open_cell(&root, NONE, 0, ROOT, 0)
        self.cells.push_back(root)
        self.states[0].payload = 0
        self.followed.payload = 0
        self.reading_scores.assign(words.tags.shape[0], 0)
        if self.scorer.scores_readings:
            for i in range(words.tags.shape[0]):
                self._see_reading(self.scorer.positions[i], i)
                self.scorer.choose(1)
                self.reading_scores[i] = self.scorer.score(ATTACH)

    cdef void _see_reading(self, int position, int32_t place) noexcept nogil:
        """Look at a reading alone: the root, without children, tells nothing."""
        cdef Cell root
        open_cell(&root, NONE, 0, ROOT, 0)
        self.scorer.see(self.cells.data(), root, position, place, 0)

    cdef void forbid(
        self, int position, int n_closed, int wrapping, int chain, int place
    ) noexcept nogil:
        """Do not add a word in one way."""
        self.forbidden_position = position
        self.forbidden.n_closed = n_closed
        self.forbidden.wrapping = wrapping
        self.forbidden.chain = chain
        self.forbidden.place = place

    # --- One step -----------------------------------------------------------------------------

    cdef bint step(self) noexcept nogil:
        if self.position > self.n_words:
            return False
        self.beam.reset(self.width)
        self._offer_all()
        if self.beam.items.empty():
            # What is built against the grammar would teach nothing.
            if self.has_gold:
                return False
            self.is_partial = True
            self.is_relaxed = True
            self._offer_all()
            self.is_relaxed = False
        self._filter()
        return True

    cdef void _offer_all(self) noexcept nogil:
        cdef int s
        cdef int32_t place
        cdef size_t w, n_kept
        self.wrappings.clear()
        for s in range(<int>self.states.size()):
            if self.position == self.n_words:
                self._offer_end(s)
            else:
                for place in range(self.firsts[self.position], self.firsts[self.position + 1]):
                    self._offer(s, place)
        n_kept = min(self.wrappings.size(), <size_t>(WRAPPINGS * self.width))
        partial_sort(
            self.wrappings.begin(), self.wrappings.begin() + n_kept, self.wrappings.end(),
            &_scores_above
        )
        for w in range(n_kept):
            self._offer_wrapping(self.wrappings[w])

    cdef void _offer(self, int s, int32_t place) noexcept nogil:
        """Offer all ways to take in a reading of the next word, and list wrappings."""
        cdef Cell cell = self.cells[<size_t>self.states[s].payload]
        cdef double score = self.states[s].score + self.reading_scores[place], close_score
        cdef Wrapping wrapping
        # Whether the node just closed can stay a child of the present one without a new parent.
        cdef bint is_child = True
        wrapping.s = s
        wrapping.action.n_closed = 0
        wrapping.action.wrapping = NONE
        wrapping.action.place = place
        while True:
            self.scorer.see(
                self.cells.data(), cell, self.position, place, wrapping.action.n_closed
            )
            self.scorer.choose(0)
            close_score = score + self.scorer.score(CLOSE)
            if self.grammar.wraps and wrapping.action.n_closed and not self.is_relaxed:
                self._list_wrappings(cell, score, wrapping)
            if is_child:
                self._open(s, cell, score, wrapping.action)
            if cell.parent == NONE or not is_child or not self._allows_end(cell):
                return
            wrapping.closed = cell
            wrapping.parent = cell.parent
            wrapping.action.n_closed += 1
            cell = self.cells[cell.parent]
            is_child = self._allows(cell, wrapping.closed.symbol)
            self.grammar.add_cell(&cell, wrapping.closed)
            score = close_score

    cdef void _list_wrappings(
        self, const Cell& cell, double score, Wrapping& wrapping
    ) noexcept nogil:
        """List the new parents that the last child of a node can get; the scorer looks at it."""
        cdef const vector[int32_t]* symbols = &self.grammar.wrappings[cell.kids[0]]
        cdef Wrapping found = wrapping
        cdef size_t w
        for w in range(symbols.size()):
            found.action.wrapping = symbols[0][w]
            if self.grammar.can_open(cell.symbol, cell.kids[1], found.action.wrapping):
                found.score = score + self.scorer.score(
                    FIRST_OPEN + self.grammar.n_symbols + found.action.wrapping
                )
                self.wrappings.push_back(found)

    cdef void _offer_wrapping(self, const Wrapping& wrapping) noexcept nogil:
        """Offer all ways to go on after a wrapping."""
        cdef Cell cell
        open_cell(
            &cell, wrapping.parent, self.cells[wrapping.parent].depth + 1,
            wrapping.action.wrapping, wrapping.closed.start
        )
        self.grammar.add_cell(&cell, wrapping.closed)
        self.scorer.see(
            self.cells.data(), cell, self.position, wrapping.action.place,
            wrapping.action.n_closed
        )
        self.scorer.choose(0)
        self._open(wrapping.s, cell, wrapping.score, wrapping.action)

    cdef void _open(
        self, int s, const Cell& site, double score, const Action& action
    ) noexcept nogil:
        """Offer all chains below a node; the scorer is looking at it."""
        cdef Action own = action
        cdef int tag = self.tags[action.place]
        cdef int32_t node = self.grammar.roots[tag - self.grammar.n_phrases], index
        cdef int before = site.kids[0]
        cdef Pending pending
        cdef size_t p
        self.pending[0].clear()
        if not self.is_relaxed:
            while node != NONE:
                pending.symbol = self.grammar.nodes[node].symbol
                if self.grammar.can_open(site.symbol, before, pending.symbol):
                    pending.node = node
                    pending.score = score + self.scorer.score(FIRST_OPEN + pending.symbol)
                    self.pending[0].push_back(pending)
                node = self.grammar.nodes[node].next
        if self.is_relaxed or (
            self.grammar.bare[tag - self.grammar.n_phrases]
            and self.grammar.allows(site.symbol, before, tag)
        ):
            own.chain = self.empty_chain
            # In two steps: C++ may call the operands of a sum in any order, and the word's score
            # makes the scorer look at other features.
            score += self._tag_score(tag)
            self._push(s, score + self._word_score(), own)
        if self.pending[0].empty():
            return
        index = <int32_t>self.cells.size()
        self.cells.push_back(site)
        for p in range(self.pending[0].size()):
            self._descend(
                s, index, self.pending[0][p].node, self.pending[0][p].score, action, 1
            )
        self.cells.pop_back()

    cdef void _descend(
        self, int s, int32_t parent, int32_t node, double score, const Action& action, int level
    ) noexcept nogil:
        """Offer the chains that go through a node just opened."""
        cdef Action own = action
        cdef Cell cell
        cdef int32_t below = self.grammar.nodes[node].first, index
        cdef int tag = self.tags[action.place]
        cdef Pending pending
        cdef size_t p
        own.chain = self.grammar.nodes[node].chain
        if not self.tag_events and below == NONE and not self._sees_words():
            self._push(s, score, own)
            return
        open_cell(
            &cell, parent, self.cells[parent].depth + 1, self.grammar.nodes[node].symbol,
            self.position
        )
        self.scorer.see(self.cells.data(), cell, self.position, action.place, action.n_closed)
        self.scorer.choose(0)
        self.pending[level].clear()
        while below != NONE and level < MAX_CHAIN:
            pending.symbol = self.grammar.nodes[below].symbol
            pending.node = below
            pending.score = score + self.scorer.score(FIRST_OPEN + pending.symbol)
            self.pending[level].push_back(pending)
            below = self.grammar.nodes[below].next
        if own.chain != NONE:
            if self.tag_events:
                score += self._tag_score(tag)
            self._push(s, score + self._word_score(), own)
        if self.pending[level].empty():
            return
        index = <int32_t>self.cells.size()
        self.cells.push_back(cell)
        for p in range(self.pending[level].size()):
            self._descend(
                s, index, self.pending[level][p].node, self.pending[level][p].score, action,
                level + 1
            )
        self.cells.pop_back()

    cdef double _tag_score(self, int tag) noexcept nogil:
        """The score of a tag under the node that the scorer is looking at."""
        return self.scorer.score(FIRST_OPEN + tag if self.tag_events else ATTACH)

    cdef bint _sees_words(self) noexcept nogil:
        """Whether the scores of words depend on the nodes above them."""
        return self.scorer.scores_words and not self.scorer.scores_readings

    cdef double _word_score(self) noexcept nogil:
        """The score of the word under its tag."""
        if not self._sees_words():
            return 0
        self.scorer.choose(1)
        return self.scorer.score(ATTACH)

    cdef void _offer_end(self, int s) noexcept nogil:
        """Offer to close everything."""
        cdef int32_t index = <int32_t>self.states[s].payload
        cdef Cell cell = self.cells[index], closed
        cdef double score = self.states[s].score
        cdef Action action
        action.n_closed = cell.depth + 1
        action.wrapping = NONE
        action.chain = END
        action.place = self.scorer.n_readings
        while True:
            if not self._allows_end(cell):
                return
            self.scorer.see(self.cells.data(), cell, self.position, action.place, 0)
            self.scorer.choose(0)
            score += self.scorer.score(CLOSE)
            if cell.parent == NONE:
                break
            closed = cell
            cell = self.cells[closed.parent]
            if not self._allows(cell, closed.symbol):
                return
            self.grammar.add_cell(&cell, closed)
        self._push(s, score, action)

    cdef bint _allows(self, const Cell& cell, int symbol) noexcept nogil:
        """Whether a symbol can be the next child of a node."""
        return self.is_relaxed or self.grammar.allows(cell.symbol, cell.kids[0], symbol)

    cdef bint _allows_end(self, const Cell& cell) noexcept nogil:
        """Whether a node can be closed."""
        return self._allows(cell, self.grammar.n_symbols)

    cdef void _push(self, int s, double score, const Action& action) noexcept nogil:
        cdef Candidate candidate
        cdef bint differs
        if self.position == self.forbidden_position and self._same(action, self.forbidden):
            return
        if self.has_gold and self.bonus:
            differs = not self._same(action, self.gold[self.position])
            score += self.bonus if differs else 0
        if self.beam.refuses(score):
            return
        candidate.score = score
        candidate.parent = s
        candidate.position = action.n_closed
        candidate.label = ((action.wrapping + 1) << CHAIN_BITS) + action.chain + 1
        candidate.row = action.place
        candidate.signature = mix(
            self.states[s].signature
            ^ mix((<uint64_t>action.n_closed << 48) ^ (<uint64_t>action.place << 24))
            ^ <uint64_t>candidate.label
        )
        candidate.correct = self.is_gold(self.states[s], action)
        self.beam.push(candidate)

    cdef bint has_filter(self) noexcept nogil:
        return self.gamma != INFINITY

    cdef void scale_filter(self) noexcept nogil:
        """Adapt the filter to the weights. As long as they are all 0 it keeps everything."""
        if self.has_filter():
            self.scale = self.scorer.typical_score()

    cdef void _filter(self) noexcept nogil:
        """Drop hypotheses that are too far behind."""
        cdef size_t k
        if not self.has_filter() or self.scale == 0:
            return
        for k in range(1, self.beam.items.size()):
            if self.beam.items[k].score < (
                self.beam.items[0].score - self.gamma * self.scale / pow(k, self.exponent)
            ):
                self.beam.items.resize(k)
                return

    cdef void advance(self) noexcept nogil:
        cdef size_t c
        cdef State state
        self.next_states.clear()
        for c in range(self.beam.items.size()):
            state = self.states[self.beam.items[c].parent]
            self.apply(&state, self.beam.items[c])
            self.next_states.push_back(state)
        self.states.swap(self.next_states)
        self.position = self.position + 1

    cdef int32_t record(self, const State& state, const Candidate& candidate) noexcept nogil:
        cdef Step step
        cdef Action action = unpack(candidate)
        step.previous = state.history
        step.before = <int32_t>state.payload
        step.position = self.position
        step.action = action
        step.after = self.replay(step.before, self.position, action, NULL, NULL, 0)
        self.history.push_back(step)
        return <int32_t>self.history.size() - 1

    cdef void apply(self, State* state, const Candidate& candidate) noexcept nogil:
        BeamSearch.apply(self, state, candidate)
        state.payload = <uint64_t>self.history[state.history].after

    # --- Single actions -----------------------------------------------------------------------

    cdef int32_t replay(
        self, int32_t top, int position, const Action& action, double* score,
        vector[Feature]* features, float value
    ) noexcept nogil:
        """Carry out an action, whether the grammar allows it or not.

        top: The lowest open node. score: Gets the scores of all events; NULL for none. features:
        Gets their features, times value; NULL for none.
        RETURNS (int32_t): The lowest open node after it.
        """
        cdef int32_t index = top
        cdef Cell cell = self.cells[top], closed, wrapping
        cdef bint sees = score != NULL or features != NULL
        cdef int k, tag, symbol
        cdef const vector[int32_t]* chain
        for k in range(action.n_closed):
            if sees:
                self.scorer.see(
                    self.cells.data(), cell, position, action.place,
                    0 if action.chain == END else k
                )
                self.scorer.choose(0)
                self._event(CLOSE, score, features, value)
            if cell.parent == NONE:
                break
            closed = cell
            index = cell.parent
            cell = self.cells[index]
            self.grammar.add_cell(&cell, closed)
        if action.chain == END:
            return index
        if sees:
            self.scorer.see(self.cells.data(), cell, position, action.place, action.n_closed)
            self.scorer.choose(0)
        if action.wrapping != NONE:
            if sees:
                self._event(
                    FIRST_OPEN + self.grammar.n_symbols + action.wrapping, score, features, value
                )
            open_cell(
                &wrapping, index, self.cells[index].depth + 1, action.wrapping, closed.start
            )
            self.grammar.add_cell(&wrapping, closed)
            cell = wrapping
            if sees:
                self.scorer.see(self.cells.data(), cell, position, action.place, action.n_closed)
                self.scorer.choose(0)
        tag = self.tags[action.place]
        chain = &self.grammar.chains[action.chain]
        for k in range(<int>chain.size()):
            symbol = chain[0][k]
            if sees:
                self._event(FIRST_OPEN + symbol, score, features, value)
            self.cells.push_back(cell)
            index = <int32_t>self.cells.size() - 1
            open_cell(&cell, index, cell.depth + 1, symbol, position)
            if sees:
                self.scorer.see(self.cells.data(), cell, position, action.place, action.n_closed)
                self.scorer.choose(0)
        if sees:
            if chain.empty() or self.tag_events:
                self._event(
                    FIRST_OPEN + tag if self.tag_events else ATTACH, score, features, value
                )
            if self.scorer.scores_words:
                if self.scorer.scores_readings:
                    self._see_reading(position, action.place)
                self.scorer.choose(1)
                self._event(ATTACH, score, features, value)
        self.grammar.add_kid(&cell, tag, action.place, position, NO_HEAD)
        self.cells.push_back(cell)
        return <int32_t>self.cells.size() - 1

    cdef void _event(
        self, int outcome, double* score, vector[Feature]* features, float value
    ) noexcept nogil:
        if score != NULL:
            score[0] += self.scorer.score(outcome)
        if features != NULL:
            self.scorer.collect(outcome, value, features[0])
        if self.logs:
            self._log(outcome)

    cdef void _log(self, int outcome) noexcept nogil:
        cdef Event event
        cdef size_t k
        event.position = self.position
        event.outcome = outcome
        event.group = self.scorer.group
        event.sight = self.scorer.sight
        self.log.push_back(event)
        for k in range(self.scorer.groups[event.group].seeds.size()):
            self.logged_weights.push_back(self.scorer.weight(outcome, <int>k))

    # --- Correct actions, for training ----------------------------------------------------------

    cdef int take_gold(
        self, IncrementalInput sentence, const int32_t[:, ::1] actions
    ) except -1:
        """Take the correct actions, checked: they must not lead out of the tree."""
        cdef int i, n = sentence.n_words, depth = 0
        cdef Action action
        cdef bint is_sound
        cdef int n_chains = <int>self.grammar.chains.size()
        if actions.shape[0] != n or actions.shape[1] != 4:
            raise ValueError(Errors.INCREMENTAL_ACTIONS)
        self.gold.clear()
        for i in range(n):
            action.n_closed = actions[i, 0]
            action.wrapping = actions[i, 1]
            action.chain = actions[i, 2]
            action.place = actions[i, 3]
            is_sound = 0 <= action.n_closed <= depth and 0 <= action.chain < n_chains
            is_sound = is_sound and NONE <= action.wrapping < self.grammar.n_phrases
            is_sound = is_sound and (action.wrapping == NONE or action.n_closed > 0)
            is_sound = is_sound and sentence.starts[i] <= action.place < sentence.starts[i + 1]
            if not is_sound:
                raise ValueError(Errors.INCREMENTAL_ACTIONS)
            depth -= action.n_closed
            depth += (action.wrapping != NONE) + <int>self.grammar.chains[action.chain].size()
            self.gold.push_back(action)
        action.n_closed = depth + 1
        action.wrapping = NONE
        action.chain = END
        action.place = sentence.starts[n]
        self.gold.push_back(action)
        return 0

    cdef bint _same(self, const Action& a, const Action& b) noexcept nogil:
        return (
            a.n_closed == b.n_closed
            and a.wrapping == b.wrapping
            and a.chain == b.chain
            and a.place == b.place
        )

    cdef bint is_gold(self, const State& state, const Action& action) noexcept nogil:
        return (
            self.has_gold and state.correct and self._same(action, self.gold[self.position])
        )

    cdef void try_correct(
        self, const State& state, int parent, Candidate* best
    ) noexcept nogil:
        cdef Action action = self.gold[self.position]
        cdef double score = state.score
        cdef size_t n_cells = self.cells.size()
        self.replay(<int32_t>state.payload, self.position, action, &score, NULL, 0)
        self.cells.resize(n_cells)
        if score > best.score:
            best.score = score
            best.parent = parent
            best.position = action.n_closed
            best.label = ((action.wrapping + 1) << CHAIN_BITS) + action.chain + 1
            best.row = action.place

    cdef void detach(self, State* state) noexcept nogil:
        pass

    # --- Answers --------------------------------------------------------------------------------

    cdef void read_phrases(self, int32_t last, vector[Phrase]& phrases) noexcept nogil:
        """Phrases of a finished hypothesis in pre-order, without the root."""
        cdef vector[int32_t] path
        cdef vector[Phrase] open
        cdef Phrase phrase
        cdef Step step
        cdef int k, i
        cdef size_t c
        phrases.clear()
        while last >= 0:
            path.push_back(last)
            last = self.history[last].previous
        for i in range(<int>path.size() - 1, -1, -1):
            step = self.history[path[i]]
            for k in range(step.action.n_closed):
                if open.empty():
                    break
                phrase = open.back()
                open.pop_back()
                phrase.end = step.position
                phrase.order = <int32_t>phrases.size()
                phrases.push_back(phrase)
            if step.action.chain == END:
                break
            if step.action.wrapping != NONE:
                phrase.symbol = step.action.wrapping
                phrase.start = phrases.back().start
                open.push_back(phrase)
            for c in range(self.grammar.chains[step.action.chain].size()):
                phrase.symbol = self.grammar.chains[step.action.chain][c]
                phrase.start = step.position
                open.push_back(phrase)
        sort(phrases.begin(), phrases.end(), &_is_outer_or_before)

    cdef void read_places(self, int32_t last, int32_t* places) noexcept nogil:
        """The readings of words in a finished hypothesis."""
        while last >= 0:
            if self.history[last].action.chain != END:
                places[self.history[last].position] = self.history[last].action.place
            last = self.history[last].previous


cdef inline Action unpack(const Candidate& candidate) noexcept nogil:
    cdef Action action
    action.n_closed = candidate.position
    action.wrapping = (candidate.label >> CHAIN_BITS) - 1
    action.chain = (candidate.label & ((1 << CHAIN_BITS) - 1)) - 1
    action.place = candidate.row
    return action
