export interface Pattern<Of> {
  readonly of: Of;
  readonly sequence: string;
}

/** Aho-Corasick automaton. Each state is a prefix of a pattern; state 0 is the empty one and also means "none". */
export interface Automaton<Of> {
  readonly patterns: readonly Pattern<Of>[];
  /** Trie: last code unit of a state, its first child, and its next sibling. */
  readonly unit: Uint16Array;
  readonly child: Int32Array;
  readonly sibling: Int32Array;
  /** Longest other state that is a suffix of this one. */
  readonly failure: Int32Array;
  /** Patterns that end in a state, as a linked list: head by state, next by pattern, both counted from 1. */
  readonly complete: Int32Array;
  readonly also: Int32Array;
  /** The state itself if a pattern ends in it, else its longest suffix in which one ends. */
  readonly ending: Int32Array;
  /** Whether a code unit can begin a pattern, by its lower eight bits: most cannot. */
  readonly isFirst: Uint8Array;
  readonly longest: number;
}

/** Source: Aho, Corasick, "Efficient string matching", 1975. */
export const automatonOf = <Of>(patterns: readonly Pattern<Of>[]): Automaton<Of> => {
  const states = 1 + patterns.reduce((sum, { sequence }) => sum + sequence.length, 0);
  const automaton: Automaton<Of> = {
    patterns,
    unit: new Uint16Array(states),
    child: new Int32Array(states),
    sibling: new Int32Array(states),
    failure: new Int32Array(states),
    complete: new Int32Array(states),
    also: new Int32Array(patterns.length + 1),
    ending: new Int32Array(states),
    isFirst: new Uint8Array(256),
    longest: Math.max(0, ...patterns.map(({ sequence }) => sequence.length)),
  };
  const { unit, child, sibling, complete, also, isFirst } = automaton;
  let count = 1;
  for (const [index, { sequence }] of patterns.entries()) {
    if (sequence === '') continue;
    isFirst[sequence.charCodeAt(0) & 255] = 1;
    let state = 0;
    for (let at = 0; at < sequence.length; at += 1) {
      const next = sequence.charCodeAt(at);
      let to = childOf(automaton, state, next);
      if (to === 0) {
        to = count;
        count += 1;
        unit[to] = next;
        sibling[to] = child[state] ?? 0;
        child[state] = to;
      }
      state = to;
    }
    also[index + 1] = complete[state] ?? 0;
    complete[state] = index + 1;
  }
  linkFailures(automaton);
  return automaton;
};

const childOf = <Of>({ unit, child, sibling }: Automaton<Of>, state: number, next: number) => {
  let at = child[state] ?? 0;
  while (at !== 0 && unit[at] !== next) at = sibling[at] ?? 0;
  return at;
};

/** Breadth first, since links of longer states are built from those of shorter ones. */
const linkFailures = <Of>(automaton: Automaton<Of>): void => {
  const { unit, child, sibling, failure, complete, ending } = automaton;
  const queue = [0];
  for (const state of queue) {
    for (let at = child[state] ?? 0; at !== 0; at = sibling[at] ?? 0) {
      const shorter = state === 0 ? 0 : stateAfter(automaton, failure[state] ?? 0, unit[at] ?? 0);
      failure[at] = shorter;
      ending[at] = complete[at] === 0 ? (ending[shorter] ?? 0) : at;
      queue.push(at);
    }
  }
};

const stateAfter = <Of>(automaton: Automaton<Of>, from: number, next: number): number => {
  let state = from;
  for (;;) {
    const to = childOf(automaton, state, next);
    if (to !== 0 || state === 0) return to;
    state = automaton.failure[state] ?? 0;
  }
};

/**
 * Matches patterns in a stream of code units. Matches of one pattern do not overlap. Every unit takes about the same
 * time, however many patterns there are.
 */
export const unitMatcher = <Of>(
  automaton: Automaton<Of>,
  found: (of: Of, start: number, end: number) => void,
) => {
  const { patterns, complete, also, ending, failure, isFirst, longest } = automaton;
  // Ring buffer of the positions of the last units; its size is a power of two.
  const starts = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(1, longest))));
  const mask = starts.length - 1;
  /** Number of units read when each pattern last matched. */
  const foundAt = new Uint32Array(patterns.length + 1);
  let [count, state] = [0, 0];

  return (unit: number, start: number, end: number): void => {
    starts[count & mask] = start;
    count += 1;
    if (state === 0 && isFirst[unit & 255] === 0) return;
    state = stateAfter(automaton, state, unit);
    for (let at = ending[state] ?? 0; at !== 0; at = ending[failure[at] ?? 0] ?? 0) {
      for (let number = complete[at] ?? 0; number !== 0; number = also[number] ?? 0) {
        const { of, sequence } = patterns[number - 1] as Pattern<Of>;
        const first = count - sequence.length;
        if (first < (foundAt[number] ?? 0)) continue;
        foundAt[number] = count;
        found(of, starts[first & mask] ?? 0, end);
      }
    }
  };
};
