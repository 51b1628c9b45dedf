import { NotPlain, QUOTE, type Reader } from './reader.ts';

/** Reads a scalar in quotes of either kind, whose further lines are further in than `parent`. */
export const quoted = (reader: Reader, parent: number): string => {
  const { text, at } = reader;
  const isDouble = text.charCodeAt(at) === QUOTE;
  const end = isDouble ? closingQuote(text, at + 1) : closingApostrophe(text, at + 1);
  const raw = text.slice(at + 1, end);
  reader.at = end + 1;
  if (!isDouble) {
    const line = raw.includes('\n') ? folded(raw, parent, false) : raw;
    return line.includes("'") ? line.replaceAll("''", "'") : line;
  }
  const line = raw.includes('\n') ? folded(raw, parent, true) : raw;
  return line.includes('\\') ? line.replaceAll(ESCAPE, unescaped) : line;
};

const closingApostrophe = (text: string, from: number): number => {
  for (let end = text.indexOf("'", from); end !== -1; end = text.indexOf("'", end + 2)) {
    if (text.charAt(end + 1) !== "'") return end;
  }
  throw new NotPlain();
};

const closingQuote = (text: string, from: number): number => {
  for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
    if (!isEscaped(text, from, end)) return end;
  }
  throw new NotPlain();
};

/** Whether an odd number of backslashes stands before a place. */
const isEscaped = (text: string, from: number, at: number): boolean => {
  let before = at - 1;
  while (before >= from && text.charAt(before) === '\\') before -= 1;
  return (at - 1 - before) % 2 === 1;
};

/** A text over several lines as one: a line end is a space, each empty line a line end. */
const folded = (raw: string, parent: number, hasEscapes: boolean): string => {
  if (raw.includes('\t')) throw new NotPlain();
  const lines = raw.split('\n');
  let words = '';
  let blankLines = 0;
  let isJoined = true;
  lines.forEach((line, index) => {
    const begin = index === 0 ? line : line.trimStart();
    const isLast = index === lines.length - 1;
    if (index > 0 && (begin !== '' || isLast) && line.length - begin.length <= parent) {
      throw new NotPlain();
    }
    if (begin === '' && index > 0 && !isLast) {
      blankLines += 1;
      return;
    }
    const isGoingOn = hasEscapes && !isLast && isEscaped(begin, 0, begin.length);
    const part = isGoingOn ? begin.slice(0, -1) : isLast ? begin : begin.trimEnd();
    // A blank that is escaped stays, though the line ends with it.
    const isBlankLost = part.length < begin.length && isEscaped(part, 0, part.length);
    if (hasEscapes && !isGoingOn && isBlankLost) throw new NotPlain();
    if (isJoined && blankLines > 0 && index > 0) throw new NotPlain();
    if (!isJoined) words += blankLines === 0 ? ' ' : '\n'.repeat(blankLines);
    words += part;
    blankLines = 0;
    isJoined = isGoingOn;
  });
  return words;
};

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([^]))/g;

/** Source: YAML 1.2.2 §5.7. */
const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\x07'],
  ['b', '\b'],
  ['t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\x1b'],
  [' ', ' '],
  ['"', '"'],
  ['/', '/'],
  ['\\', '\\'],
  ['N', '\x85'],
  ['_', '\xa0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);

const unescaped = (
  _: string,
  two: string | undefined,
  four: string | undefined,
  eight: string | undefined,
  character: string,
): string => {
  const digits = two ?? four;
  if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16));
  const point = eight === undefined ? undefined : Number.parseInt(eight, 16);
  const isPoint = point !== undefined && point <= 0x10ffff;
  const written = isPoint ? String.fromCodePoint(point) : ESCAPED.get(character);
  if (written === undefined) throw new NotPlain();
  return written;
};
