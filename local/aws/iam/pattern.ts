/** Whether a text is like a pattern, in which `*` stands for any characters and `?` for one. */
export type Pattern = (text: string) => boolean;

export const patternOf = (pattern: string): Pattern => {
  if (!/[*?]/.test(pattern)) return (text) => text === pattern;
  // Most patterns by far are a prefix.
  if (/^[^*?]*\*$/.test(pattern)) {
    const prefix = pattern.slice(0, -1);
    return (text) => text.startsWith(prefix);
  }
  const expression = new RegExp(
    `^${pattern
      .replace(/[\\^$.+()|{}[\]]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    's',
  );
  return (text) => expression.test(text);
};

export const anyOf = (patterns: readonly string[]): Pattern => {
  const compiled = patterns.map(patternOf);
  return (text) => compiled.some((one) => one(text));
};
