/** Where in a JSON text something was left out, and what of it is there. */
export interface JsonCut {
  /** Valid JSON: the text without what was left out. */
  readonly shown: string;
  /** The list, object or string that was cut. Source: RFC 6901. */
  readonly pointer: string;
  readonly of: 'elements' | 'members' | 'characters';
  readonly shownCount: number;
  readonly totalCount: number;
  /** What follows, in pieces of about so many characters: each is JSON of the same kind as what was cut. */
  pieces(characters: number): readonly string[];
}

/** Between the brackets of a list or object, or between the quotation marks of a string. */
interface Place {
  readonly pointer: string;
  readonly start: number;
  /** Behind its last character. */
  readonly end: number;
}

/** A child of a list or object, with its name where it has one. */
interface Child {
  readonly start: number;
  /** Where its value begins; the same as `start` in a list. */
  readonly value: number;
  readonly end: number;
}

/**
 * Cuts a JSON text at whole elements: of the list that most of it is, or where no list is, whole members of an
 * object, or characters of a string. What is shown is as the API sent it.
 *
 * @param most - characters that may be shown
 * @returns undefined for what is no JSON, or cannot be cut so
 *
 * Source: docs/tools.md, "The budget for answers".
 */
export const cutJson = (text: string, most: number): JsonCut | undefined => {
  const place = placeToCut(text, most);
  if (!place) return undefined;
  const isString = text[place.start] === '"';
  const cut = isString ? cutString(text, place, most) : cutChildren(text, place, most);
  return isJson(cut.shown) ? cut : undefined;
};

/** Deeper, nobody would understand a pointer. */
const MOST_STEPS = 12;

/** From the root down, as long as one child is so much of the whole that the rest can be shown. */
const placeToCut = (text: string, most: number): Place | undefined => {
  const start = skipBlanks(text, 0);
  let place: Place = { pointer: '', start, end: text.trimEnd().length };
  for (let steps = 0; steps < MOST_STEPS && isContainer(text, place.start); steps += 1) {
    const children = childrenOf(text, place);
    if (!children) return undefined;
    const largest = children.reduce(
      (one, other) => (sizeOf(other) > sizeOf(one) ? other : one),
      children[0] ?? { start: 0, value: 0, end: 0 },
    );
    const around = text.length - (largest.end - largest.value);
    const canBeCut = isContainer(text, largest.value) || text[largest.value] === '"';
    if (!canBeCut || around > most / 2) break;
    const name = nameOf(text, children.indexOf(largest), largest);
    const token = name.replaceAll('~', '~0').replaceAll('/', '~1');
    place = { pointer: `${place.pointer}/${token}`, start: largest.value, end: largest.end };
  }
  return isContainer(text, place.start) || text[place.start] === '"' ? place : undefined;
};

const sizeOf = ({ value, end }: Child): number => end - value;

const nameOf = (text: string, index: number, { start, value }: Child): string =>
  start === value ? String(index) : JSON.parse(text.slice(start, valueEnd(text, start)));

const cutChildren = (text: string, place: Place, most: number): JsonCut => {
  const children = childrenOf(text, place) ?? [];
  const shown = shownOf(children, text[place.start] === '[', most - (text.length - sizeIn(place)));
  const kept = new Set(shown);
  const left = children.filter((child) => !kept.has(child));
  const [open, close] = [text.charAt(place.start), text.charAt(place.end - 1)];
  const listed = (some: readonly Child[]): string =>
    open + some.map(({ start, end }) => text.slice(start, end)).join(',') + close;
  return {
    shown: text.slice(0, place.start) + listed(shown) + text.slice(place.end),
    pointer: place.pointer,
    of: open === '[' ? 'elements' : 'members',
    shownCount: shown.length,
    totalCount: children.length,
    pieces: (characters) => {
      const pieces: Child[][] = [];
      let size = Infinity;
      for (const child of left) {
        size += child.end - child.start + 1;
        if (size > characters) {
          pieces.push([]);
          size = child.end - child.start;
        }
        pieces.at(-1)?.push(child);
      }
      return pieces.map(listed);
    },
  };
};

const sizeIn = ({ start, end }: Place): number => end - start;

/** As many as fit, in their order; of an object without those members that would take most of the room. */
const shownOf = (children: readonly Child[], isList: boolean, room: number): readonly Child[] => {
  const shown: Child[] = [];
  let left = room - 2;
  for (const child of children) {
    const size = child.end - child.start + 1;
    if (size <= left) {
      shown.push(child);
      left -= size;
    } else if (isList || size <= room / 4) {
      break;
    }
  }
  return shown;
};

const cutString = (text: string, { pointer, start, end }: Place, most: number): JsonCut => {
  const room = Math.max(0, most - (text.length - (end - start)));
  const shownEnd = wholeCharacters(text, start + 1, Math.min(end - 1, start + 1 + room));
  const charactersOf = (from: number, to: number): number =>
    (JSON.parse(`"${text.slice(from, to)}"`) as string).length;
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

/** @returns `to`, or a little before, where it is within an escape or between two surrogates */
const wholeCharacters = (text: string, from: number, to: number): number => {
  // The longest that belongs together is a pair of escapes: `\ud83d\ude00`.
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

/** Whether the backslash there is itself escaped. */
const isEscaped = (text: string, at: number, from: number): boolean => {
  let before = 0;
  while (at - 1 - before >= from && text.charCodeAt(at - 1 - before) === BACKSLASH) before += 1;
  return before % 2 === 1;
};

/** @returns undefined where they do not end with what they are in */
const childrenOf = (text: string, { start, end }: Place): readonly Child[] | undefined => {
  const isList = text[start] === '[';
  const children: Child[] = [];
  for (let at = skipBlanks(text, start + 1); at < end - 1;) {
    const afterName = isList ? at : skipBlanks(text, valueEnd(text, at));
    const value = isList ? at : skipBlanks(text, afterName + 1);
    const valuesEnd = valueEnd(text, value);
    if (valuesEnd <= value || valuesEnd >= end) return undefined;
    children.push({ start: at, value, end: valuesEnd });
    const comma = skipBlanks(text, valuesEnd);
    if (text[comma] !== ',') return comma === end - 1 ? children : undefined;
    at = skipBlanks(text, comma + 1);
  }
  return children;
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const isContainer = (text: string, at: number): boolean => text[at] === '[' || text[at] === '{';

const skipBlanks = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return at;
};

/** Behind the value that begins there; -1 if it has no end. What is between brackets is not looked at closely. */
const valueEnd = (text: string, start: number): number => {
  if (text.charCodeAt(start) === QUOTE) return stringEnd(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at) - 1;
      if (at < 0) return -1;
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
    } else if (code === 0x5d || code === 0x7d) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (code === 0x2c || code <= 0x20)) {
      return at;
    }
  }
  return depth === 0 ? text.length : -1;
};

const stringEnd = (text: string, start: number): number => {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    if (text.charCodeAt(at - 1) !== BACKSLASH || !isEscaped(text, at, start + 1)) return at + 1;
  }
  return -1;
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
