import { lineEnd, NotPlain, type Reader, SPACE, TAB, toContent } from './reader.ts';

const HEADER = /[|>](?:([+-]?)([1-9]?)|([1-9])([+-]))(?: +#.*| *)\n/y;

/**
 * Reads a scalar after `|` or `>`, all of whose lines are further in than `parent`, and leaves the
 * line. Source: YAML 1.2.2 §8.1.
 */
export const blockScalar = (reader: Reader, parent: number): string => {
  const { text } = reader;
  HEADER.lastIndex = reader.at;
  const header = HEADER.exec(text);
  if (header === null) throw new NotPlain();
  const isFolded = text.charAt(reader.at) === '>';
  const chomping = header[1] ?? header[4];
  const explicit = Number(header[2] ?? header[3]);
  const lines: string[] = [];
  /** Without the empty lines at the end. */
  let length = 0;
  let indent = explicit > 0 ? parent + explicit : -1;
  let deepestEmpty = 0;
  let lineStart = HEADER.lastIndex;
  while (lineStart < text.length) {
    let at = lineStart;
    while (text.charCodeAt(at) === SPACE && (indent === -1 || at - lineStart < indent)) at += 1;
    const end = lineEnd(text, at);
    const spaces = at - lineStart;
    const isTab = text.charCodeAt(at) === TAB && spaces !== indent;
    if (isTab || (at === end && end === text.length)) throw new NotPlain();
    if (at === end) {
      if (indent === -1) deepestEmpty = Math.max(deepestEmpty, spaces);
      lines.push('');
    } else {
      if (spaces <= parent || (indent !== -1 && spaces < indent)) break;
      if (indent === -1) indent = spaces;
      if (deepestEmpty > indent) throw new NotPlain();
      lines.push(text.slice(lineStart + indent, end));
      length = lines.length;
    }
    lineStart = end + 1;
  }
  reader.at = Math.min(lineStart - 1, text.length);
  toContent(reader);

  const empty = lines.length - length;
  if (length === 0) return chomping === '+' ? '\n'.repeat(empty) : '';
  lines.length = length;
  const words = isFolded ? folded(lines) : lines.join('\n');
  if (chomping === '-') return words;
  return words + '\n'.repeat(chomping === '+' ? empty + 1 : 1);
};

/** A line end is a space, each empty line a line end; around lines further in all of them are kept. */
const folded = (lines: readonly string[]): string => {
  let words = '';
  let empty = 0;
  let isFirst = true;
  let wasDeeper = false;
  for (const line of lines) {
    if (line === '') {
      empty += 1;
      continue;
    }
    const isDeeper = /^[ \t]/.test(line);
    if (isFirst) words += '\n'.repeat(empty);
    else if (isDeeper || wasDeeper) words += '\n'.repeat(empty + 1);
    else words += empty === 0 ? ' ' : '\n'.repeat(empty);
    words += line;
    empty = 0;
    isFirst = false;
    wasDeeper = isDeeper;
  }
  return words;
};
