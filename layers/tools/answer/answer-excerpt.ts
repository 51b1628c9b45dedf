import { estimateLongTokens, estimateTokens } from '../../openapi/model-apis/token-estimate.ts';
import { elementEnds, type StreamForm } from '../../target/rules/stream-elements.ts';
import { BACKSLASH, isContainer, isEscaped, isJson, skipBlanks, valueEnd } from './json-text.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

export interface AnswerExcerpt {
  /** JSON where the answer is JSON, else its first elements (of a stream) or lines. */
  readonly shown: string;
  readonly isJson: boolean;
  /** `18 of 500 elements of "/data"`, `the first 200 of 4000 characters`. */
  readonly howMuch: string;
  /** Whether not a single element or member fits. */
  readonly isEmpty: boolean;
  /** All that is not shown, in pieces of about the size of `shown`. */
  pieces(): readonly string[];
}

/** Highest number of tokens for one character: single digits between punctuation. */
const MOST_TOKENS_PER_CHARACTER = 1.6;

/** Beyond this number of pieces, pieces become larger than `shown`. */
const MOST_PIECES = 50;

const TRIES = 4;

/**
 * The beginning of a text that exceeds its budget, cut between whole elements.
 * @param budget - tokens, estimated
 * @param form - of a stream
 * @returns undefined for a text within its budget
 * Source: docs/tools.md, "The budget for answers".
 */
export const answerExcerpt = (
  text: string,
  budget: number,
  form?: StreamForm,
): AnswerExcerpt | undefined => {
  if (text.length * MOST_TOKENS_PER_CHARACTER <= budget) return undefined;
  const density = Math.max(estimateLongTokens(text) / text.length, 0.01);
  if (text.length * density <= budget) return undefined;

  let most = Math.floor(budget / density);
  let excerpt = excerptOf(text, most, form);
  // The beginning may have more tokens per character than the whole text.
  for (let tries = 1; tries < TRIES; tries += 1) {
    const tokens = estimateTokens(excerpt.shown);
    if (tokens <= budget) break;
    most = Math.floor(most * (budget / tokens) * 0.95);
    excerpt = excerptOf(text, most, form);
  }
  return excerpt;
};

const excerptOf = (text: string, most: number, form: StreamForm | undefined): AnswerExcerpt => {
  const perPiece = Math.max(most, Math.ceil(text.length / MOST_PIECES));
  if (form) return elementsOf(text, most, perPiece, form) ?? linesOf(text, most, perPiece);
  const cut = cutJson(text, most);
  if (!cut) return linesOf(text, most, perPiece);
  const { shown, pointer, of, shownCount, totalCount } = cut;
  const whose = pointer === '' ? '' : ` of ${JSON.stringify(pointer)}`;
  return {
    shown,
    isJson: true,
    howMuch: `${shownCount} of ${totalCount} ${of}${whose}`,
    isEmpty: shownCount === 0,
    pieces: () => cut.pieces(perPiece),
  };
};

/** @returns undefined where not even the first element fits */
const elementsOf = (
  text: string,
  most: number,
  perPiece: number,
  form: StreamForm,
): AnswerExcerpt | undefined => {
  const ends = elementEnds(text, form);
  // What follows the last whole element counts as an element too.
  if (text.slice(ends.at(-1) ?? 0).trim() !== '') ends.push(text.length);
  const shownCount = ends.findLastIndex((end) => end <= most) + 1;
  if (shownCount === 0) return undefined;
  const shownEnd = ends[shownCount - 1] ?? 0;
  return {
    shown: text.slice(0, shownEnd),
    isJson: false,
    howMuch: `the first ${shownCount} of ${ends.length} ${form}`,
    isEmpty: false,
    pieces: () => {
      const pieces: string[] = [];
      let from = shownEnd;
      for (let at = shownCount; at < ends.length; at += 1) {
        const isLast = at === ends.length - 1;
        if (!isLast && (ends[at + 1] ?? 0) - from <= perPiece) continue;
        const to = isLast ? text.length : (ends[at] ?? text.length);
        pieces.push(text.slice(from, to));
        from = to;
      }
      return pieces;
    },
  };
};

const linesOf = (text: string, most: number, perPiece: number): AnswerExcerpt => {
  const end = lineEnd(text, 0, most);
  return {
    shown: text.slice(0, end),
    isJson: false,
    howMuch: `the first ${end} of ${text.length} characters`,
    isEmpty: false,
    pieces: () => {
      const pieces: string[] = [];
      for (let from = end; from < text.length;) {
        const to = lineEnd(text, from, perPiece);
        pieces.push(text.slice(from, to));
        from = to;
      }
      return pieces;
    },
  };
};

/** End of the last line that fits; a line longer than half of `most` is cut. */
const lineEnd = (text: string, from: number, most: number): number => {
  const to = from + Math.max(most, 1);
  if (to >= text.length) return text.length;
  const end = text.lastIndexOf('\n', to - 1) + 1;
  if (end > from + most / 2) return end;
  const code = text.charCodeAt(to - 1);
  // A surrogate pair is not split.
  return code >= 0xd800 && code <= 0xdbff ? to + 1 : to;
};

/** A JSON text cut at one place. */
interface JsonCut {
  /** Valid JSON, without the elements that were left out. */
  readonly shown: string;
  /** JSON pointer (RFC 6901) to the list, object or string that was cut. */
  readonly pointer: string;
  readonly of: 'elements' | 'members' | 'characters';
  readonly shownCount: number;
  readonly totalCount: number;
  /** What was left out, in pieces of about so many characters, each JSON of the same type as what was cut. */
  pieces(characters: number): readonly string[];
}

/** Position of a list, object or string in a JSON text, brackets or quotation marks included. */
interface Place {
  readonly pointer: string;
  readonly start: number;
  /** Index after the last character. */
  readonly end: number;
}

/** Positions of all elements or members of a list or object, in typed arrays: a long answer may have millions. */
interface Children {
  readonly count: number;
  /** Where each member's name begins; in a list, where the element begins. */
  readonly starts: Uint32Array;
  /** Where values begin; in a list the same as `starts`. */
  readonly values: Uint32Array;
  readonly ends: Uint32Array;
}

/**
 * Cuts a JSON text between whole elements of the list that makes up most of it; without such a list, between members of
 * an object or characters of a string. What is shown is written as the API sent it.
 * @param most - characters that may be shown
 * @returns undefined for what is not JSON, or cannot be cut this way
 * Source: docs/tools.md, "The budget for answers".
 */
export const cutJson = (text: string, most: number): JsonCut | undefined => {
  const found = placeToCut(text, most);
  if (!found) return undefined;
  const { place, children } = found;
  const cut = children ? cutChildren(text, place, children, most) : cutString(text, place, most);
  return isJson(cut.shown) ? cut : undefined;
};

/** Limit for the depth of a cut: nobody understands a longer pointer. */
const MOST_STEPS = 12;

/** A place to cut, and its children unless it is a string. */
interface Found {
  readonly place: Place;
  readonly children?: Children | undefined;
}

/** Descends from the root while one child is so large that all around it can be shown. */
const placeToCut = (text: string, most: number): Found | undefined => {
  const start = skipBlanks(text, 0);
  let place: Place = { pointer: '', start, end: text.trimEnd().length };
  for (let steps = 0; ; steps += 1) {
    if (!isContainer(text, place.start)) return text[place.start] === '"' ? { place } : undefined;
    const children = childrenOf(text, place);
    if (!children) return undefined;
    const largest = largestOf(children);
    const value = children.values[largest] ?? 0;
    const end = children.ends[largest] ?? 0;
    const around = text.length - (end - value);
    const canBeCut = isContainer(text, value) || text[value] === '"';
    if (!canBeCut || around > most / 2 || steps === MOST_STEPS) return { place, children };
    const name = memberName(text, largest, children);
    const token = name.replaceAll('~', '~0').replaceAll('/', '~1');
    place = { pointer: `${place.pointer}/${token}`, start: value, end };
  }
};

const largestOf = ({ count, values, ends }: Children): number => {
  let [largest, most] = [0, -1];
  for (let index = 0; index < count; index += 1) {
    const size = (ends[index] ?? 0) - (values[index] ?? 0);
    if (size > most) [largest, most] = [index, size];
  }
  return largest;
};

const memberName = (text: string, index: number, { starts, values }: Children): string => {
  const start = starts[index] ?? 0;
  return start === values[index]
    ? String(index)
    : (parsedJson(text.slice(start, valueEnd(text, start))) as string);
};

const cutChildren = (text: string, place: Place, children: Children, most: number): JsonCut => {
  const [open, close] = [text.charAt(place.start), text.charAt(place.end - 1)];
  const room = most - (text.length - (place.end - place.start));
  const { shown, left } = divided(children, open === '[', room);
  const listed = (runs: readonly Run[]): string => open + excerptText(text, children, runs) + close;
  return {
    shown: text.slice(0, place.start) + listed(shown) + text.slice(place.end),
    pointer: place.pointer,
    of: open === '[' ? 'elements' : 'members',
    shownCount: shown.reduce((sum, { from, to }) => sum + to - from, 0),
    totalCount: children.count,
    pieces: (characters) => {
      const pieces: Run[][] = [];
      let size = Infinity;
      for (const { from, to } of left) {
        for (let index = from; index < to; index += 1) {
          size += sizeOf(children, index);
          if (size > characters) {
            pieces.push([]);
            size = sizeOf(children, index);
          }
          add(pieces.at(-1) ?? [], index);
        }
      }
      return pieces.map(listed);
    },
  };
};

/** Neighbouring children, by index. */
interface Run {
  readonly from: number;
  /** Index after the last child. */
  to: number;
}

const add = (runs: Run[], index: number): void => {
  const last = runs.at(-1);
  if (last?.to === index) last.to += 1;
  else runs.push({ from: index, to: index + 1 });
};

const excerptText = (text: string, { starts, ends }: Children, runs: readonly Run[]): string =>
  runs.map(({ from, to }) => text.slice(starts[from], ends[to - 1])).join(',');

/** Characters of a child with the blanks and comma before it. */
const sizeOf = ({ starts, ends }: Children, index: number): number =>
  (ends[index] ?? 0) - (index === 0 ? (starts[0] ?? 1) - 1 : (ends[index - 1] ?? 0));

/** Chooses children in order until one does not fit; of an object, members over a quarter of the room are skipped. */
const divided = (children: Children, isList: boolean, room: number) => {
  const shown: Run[] = [];
  const left: Run[] = [];
  let free = room - 2;
  for (let index = 0; index < children.count; index += 1) {
    const size = sizeOf(children, index);
    if (size <= free) {
      add(shown, index);
      free -= size;
    } else if (isList || size <= room / 4) {
      left.push({ from: index, to: children.count });
      break;
    } else {
      add(left, index);
    }
  }
  return { shown, left };
};

const cutString = (text: string, { pointer, start, end }: Place, most: number): JsonCut => {
  const room = Math.max(0, most - (text.length - (end - start)));
  const shownEnd = wholeCharacters(text, start + 1, Math.min(end - 1, start + 1 + room));
  const charactersOf = (from: number, to: number): number =>
    (parsedJson(`"${text.slice(from, to)}"`) as string).length;
  const shownCount = charactersOf(start + 1, shownEnd);
  return {
    shown: `${text.slice(0, shownEnd)}"${text.slice(end)}`,
    pointer,
    of: 'characters',
    shownCount,
    totalCount: shownCount + charactersOf(shownEnd, end - 1),
    pieces: (characters) => {
      const pieces: string[] = [];
      for (let from = shownEnd; from < end - 1;) {
        const to = wholeCharacters(text, from, Math.min(end - 1, from + Math.max(characters, 16)));
        pieces.push(`"${text.slice(from, to)}"`);
        from = to;
      }
      return pieces;
    },
  };
};

/** @returns `to`, or a little before where that is inside an escape or a surrogate pair */
const wholeCharacters = (text: string, from: number, to: number): number => {
  // The longest unit is an escaped surrogate pair of 12 characters: `\ud83d\ude00`.
  for (let at = Math.max(from, to - 12); at < to;) {
    const next = at + characterLength(text, at, from);
    if (next > to) return at;
    at = next;
  }
  return to;
};

const characterLength = (text: string, at: number, from: number): number => {
  const code = text.charCodeAt(at);
  if (code === BACKSLASH && !isEscaped(text, at, from)) {
    if (text[at + 1] !== 'u') return 2;
    return /^\\u[dD][89abAB]/.test(text.slice(at, at + 4)) && text[at + 6] === '\\' ? 12 : 6;
  }
  return code >= 0xd800 && code <= 0xdbff ? 2 : 1;
};

/** @returns undefined where list or object does not end at `end`: the text is not JSON */
const childrenOf = (text: string, { start, end }: Place): Children | undefined => {
  const isList = text[start] === '[';
  let starts = new Uint32Array(1024);
  let values = isList ? starts : new Uint32Array(1024);
  let ends = new Uint32Array(1024);
  let count = 0;
  const done = (): Children => ({ count, starts, values, ends });
  for (let at = skipBlanks(text, start + 1); at < end - 1;) {
    const afterName = isList ? at : skipBlanks(text, valueEnd(text, at));
    const value = isList ? at : skipBlanks(text, afterName + 1);
    const valuesEnd = valueEnd(text, value);
    if (valuesEnd <= value || valuesEnd >= end) return undefined;
    if (count === starts.length) {
      starts = doubled(starts);
      values = isList ? starts : doubled(values);
      ends = doubled(ends);
    }
    starts[count] = at;
    values[count] = value;
    ends[count] = valuesEnd;
    count += 1;
    const comma = skipBlanks(text, valuesEnd);
    if (text[comma] !== ',') return comma === end - 1 ? done() : undefined;
    at = skipBlanks(text, comma + 1);
  }
  return done();
};

const doubled = (numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
  const more = new Uint32Array(2 * numbers.length);
  more.set(numbers);
  return more;
};
