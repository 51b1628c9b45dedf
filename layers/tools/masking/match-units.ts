/** A sequence of code units that is looked for, with how much of it may still match where one unit does not. */
export interface Pattern<Of> {
  readonly of: Of;
  readonly units: Uint16Array;
  readonly fallback: Uint16Array;
}

/** Source: Knuth, Morris, Pratt, "Fast pattern matching in strings", 1977. */
export const patternOf = <Of>(of: Of, sequence: string): Pattern<Of> => {
  const units = Uint16Array.from(sequence.split(''), (unit) => unit.charCodeAt(0));
  const fallback = new Uint16Array(units.length);
  let matched = 0;
  for (let index = 1; index < units.length; index += 1) {
    while (matched > 0 && units[index] !== units[matched]) matched = fallback[matched - 1] ?? 0;
    if (units[index] === units[matched]) matched += 1;
    fallback[index] = matched;
  }
  return { of, units, fallback };
};

/**
 * Takes code units one after the other, each with its place in a text, and says where patterns stand. Those of
 * one pattern do not overlap. Every unit takes about the same time, whatever came before.
 */
export const unitMatcher = <Of>(
  patterns: readonly Pattern<Of>[],
  found: (of: Of, start: number, end: number) => void,
) => {
  const longest = Math.max(1, ...patterns.map(({ units }) => units.length));
  // Where each of the last units began; a power of two, so that a place in it is a mask away.
  const starts = new Uint32Array(2 ** Math.ceil(Math.log2(longest)));
  const mask = starts.length - 1;
  const matched = new Uint16Array(patterns.length);
  let [count, begun] = [0, 0];
  /** By their last eight bits: most units begin nothing. */
  const isFirst = new Uint8Array(256);
  for (const { units } of patterns) isFirst[(units[0] ?? 0) & 255] = 1;

  return (unit: number, start: number, end: number): void => {
    starts[count & mask] = start;
    count += 1;
    if (begun === 0 && isFirst[unit & 255] === 0) return;
    begun = 0;
    for (let index = 0; index < patterns.length; index += 1) {
      const { of, units, fallback } = patterns[index] as Pattern<Of>;
      let length = matched[index] ?? 0;
      while (length > 0 && units[length] !== unit) length = fallback[length - 1] ?? 0;
      if (units[length] === unit) length += 1;
      if (length === units.length) {
        found(of, starts[(count - length) & mask] ?? 0, end);
        length = 0;
      }
      matched[index] = length;
      begun += length;
    }
  };
};
