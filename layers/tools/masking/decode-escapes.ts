/** Receives one decoded UTF-16 code unit with the position of its escape in the text: `start` to `end`, exclusive. */
type TakeUnit = (unit: number, start: number, end: number) => void;

/**
 * Decodes all escapes in a text, however deeply nested: JSON and JavaScript (`\u003d`, `\x3d`, `\/`, `\"`), HTML
 * (`&amp;`, `&#x3d;`), URLs (`%3D`, `%253D`), and UTF-8 read as Latin-1. Incomplete escapes stay as they are. Linear
 * time: each character is pushed and popped once.
 * @param from - index to begin at
 * @param to - index to end at, exclusive
 * Source: RFC 8259 §7; ECMAScript, "String Literals"; HTML, "Named character references"; RFC 3986 §2.1; RFC 3629 §3.
 */
export const decodeEscapes = (text: string, from: number, to: number, take: TakeUnit): void => {
  const open = openEscapes();
  for (let at = from; at < to; at += 1) {
    const unit = text.charCodeAt(at);
    if (open.size > 0) {
      open.push(unit, at, at + 1);
      if (!continues(open.top)) open.passAll(take);
      else if (open.size === MOST_OPEN) open.passFirst(take);
    } else if (begins(unit)) {
      open.push(unit, at, at + 1);
    } else {
      take(unit, at, at + 1);
    }
  }
  open.passAll(take);
};

export const decodedText = (text: string): string => {
  if (isPlain(text)) return text;
  let decoded = '';
  decodeEscapes(text, 0, text.length, (unit) => {
    decoded += String.fromCharCode(unit);
  });
  return decoded;
};

export const isPlain = (text: string): boolean => !/[\\%&\u00c2-\u00f4]/.test(text);

const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
const HASH = 0x23;
const [SMALL_U, SMALL_X] = [0x75, 0x78];

/** Whether an escape, or a UTF-8 character read as Latin-1, can begin with a code unit. */
const begins = (unit: number): boolean =>
  unit === BACKSLASH || unit === PERCENT || unit === AMPERSAND || (unit >= 0xc2 && unit <= 0xf4);

/** Whether a code unit can occur inside an escape. */
const continues = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) ||
  (unit >= 0x30 && unit <= 0x39) ||
  (unit >= 0x41 && unit <= 0x5a) ||
  unit === HASH ||
  (unit >= 0x80 && unit <= 0xbf) ||
  begins(unit);

/** Nested escapes longer than this are not decoded. */
const MOST_OPEN = 128;

/** Stack of code units at the end of the text read so far that may belong to an incomplete escape. */
const openEscapes = () => {
  const units = new Uint32Array(MOST_OPEN);
  const starts = new Uint32Array(MOST_OPEN);
  const ends = new Uint32Array(MOST_OPEN);
  let size = 0;

  /** Replaces the last `count` units with one character. */
  const replace = (count: number, codePoint: number): void => {
    const end = ends[size - 1] ?? 0;
    size -= count;
    const start = starts[size] ?? 0;
    for (const half of halvesOf(codePoint)) {
      [units[size], starts[size], ends[size]] = [half, start, end];
      size += 1;
    }
  };
  const last = (back: number): number => (back <= size ? (units[size - back] ?? 0) : 0);

  const digits = (count: number): number => {
    let value = 0;
    for (let back = count; back > 0; back -= 1) {
      const digit = hexDigit(last(back));
      if (digit < 0) return -1;
      value = value * 16 + digit;
    }
    return value;
  };

  /** @returns whether the last units were an escape, which is now decoded */
  const undo = (): boolean => {
    const unit = last(1);
    if (last(2) === BACKSLASH && unit !== SMALL_U && unit !== SMALL_X) {
      replace(2, unit);
      return true;
    }
    if (hexDigit(unit) >= 0) return undoDigits();
    if (unit === SEMICOLON) return undoReference();
    return unit >= 0x80 && unit <= 0xbf && undoUtf8();
  };

  const undoDigits = (): boolean => {
    const isHex = last(3) === PERCENT || (last(3) === SMALL_X && last(4) === BACKSLASH);
    const two = isHex ? digits(2) : -1;
    if (two >= 0) {
      replace(last(3) === PERCENT ? 3 : 4, two);
      return true;
    }
    const isUnicode = last(5) === SMALL_U && (last(6) === BACKSLASH || last(6) === PERCENT);
    const four = isUnicode ? digits(4) : -1;
    if (four < 0) return false;
    replace(6, four);
    return true;
  };

  const undoReference = (): boolean => {
    let back = 2;
    while (back <= size && isReference(last(back))) back += 1;
    if (last(back) !== AMPERSAND) return false;
    const codePoint = referenced(units.subarray(size - back + 1, size - 1));
    if (codePoint === undefined) return false;
    replace(back, codePoint);
    return true;
  };

  const undoUtf8 = (): boolean => {
    for (let length = 2; length <= 4; length += 1) {
      const first = last(length);
      if (first >= 0x80 && first <= 0xbf) continue;
      const [least, most] = FIRST_BYTES[length] ?? [0, 0];
      if (first < least || first > most) return false;
      let codePoint = first & (0x7f >> length);
      for (let back = length - 1; back > 0; back -= 1) {
        codePoint = codePoint * 64 + (last(back) & 0x3f);
      }
      if (codePoint > 0x10_ffff) return false;
      replace(length, codePoint);
      return true;
    }
    return false;
  };

  const pass = (take: TakeUnit, count: number): void => {
    for (let index = 0; index < count; index += 1) {
      take(units[index] ?? 0, starts[index] ?? 0, ends[index] ?? 0);
    }
  };

  return {
    get size() {
      return size;
    },
    get top() {
      return last(1);
    },
    push: (unit: number, start: number, end: number): void => {
      [units[size], starts[size], ends[size]] = [unit, start, end];
      size += 1;
      while (size > 1 && undo());
    },
    passAll: (take: TakeUnit): void => {
      pass(take, size);
      size = 0;
    },
    passFirst: (take: TakeUnit): void => {
      const half = MOST_OPEN / 2;
      pass(take, half);
      for (const list of [units, starts, ends]) list.copyWithin(0, half, size);
      size -= half;
    },
  };
};

const FIRST_BYTES: Readonly<Record<number, readonly [number, number]>> = {
  2: [0xc2, 0xdf],
  3: [0xe0, 0xef],
  4: [0xf0, 0xf4],
};

const halvesOf = (codePoint: number): readonly number[] =>
  codePoint <= 0xffff
    ? [codePoint]
    : [0xd800 + ((codePoint - 0x1_0000) >> 10), 0xdc00 + ((codePoint - 0x1_0000) & 0x3ff)];

/** @returns -1 for any other character */
const hexDigit = (unit: number): number => {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const small = unit | 0x20;
  return small >= 0x61 && small <= 0x66 ? small - 0x57 : -1;
};

const isReference = (unit: number): boolean =>
  unit === HASH || (unit < 0x80 && unit !== SEMICOLON && continues(unit) && !begins(unit));

/** Character of an HTML reference by what stands between `&` and `;`. */
const referenced = (name: Uint32Array): number | undefined => {
  if (name[0] !== HASH) {
    return name.length <= MOST_NAME_CHARACTERS
      ? NAMES.get(String.fromCharCode(...name))
      : undefined;
  }
  const isHex = ((name[1] ?? 0) | 0x20) === SMALL_X;
  const radix = isHex ? 16 : 10;
  let codePoint = 0;
  for (let at = isHex ? 2 : 1; at < name.length; at += 1) {
    const digit = hexDigit(name[at] ?? 0);
    if (digit < 0 || digit >= radix) return undefined;
    codePoint = Math.min(codePoint * radix + digit, NO_CHARACTER);
  }
  return codePoint > 0 && codePoint < NO_CHARACTER ? codePoint : undefined;
};

const NO_CHARACTER = 0x11_0000;

/** Source: HTML, "Named character references", for ASCII. */
const ASCII: Readonly<Record<string, string>> = {
  '!': 'excl',
  '"': 'quot QUOT',
  '#': 'num',
  $: 'dollar',
  '%': 'percnt',
  '&': 'amp AMP',
  "'": 'apos',
  '(': 'lpar',
  ')': 'rpar',
  '*': 'ast midast',
  '+': 'plus',
  ',': 'comma',
  '.': 'period',
  '/': 'sol',
  ':': 'colon',
  ';': 'semi',
  '<': 'lt LT',
  '=': 'equals',
  '>': 'gt GT',
  '?': 'quest',
  '@': 'commat',
  '[': 'lsqb lbrack',
  '\\': 'bsol',
  ']': 'rsqb rbrack',
  '^': 'Hat',
  _: 'lowbar UnderBar',
  '`': 'grave DiacriticalGrave',
  '{': 'lcub lbrace',
  '|': 'verbar vert VerticalLine',
  '}': 'rcub rbrace',
};

/** Entities from U+00A0 on, in order. Source: HTML 4.01 §24.2. */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
  'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring ' +
  'AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml ' +
  'times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil ' +
  'egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ' +
  'ugrave uacute ucirc uuml yacute thorn yuml';

const NAMES: ReadonlyMap<string, number> = new Map([
  ...Object.entries(ASCII).flatMap(([character, names]) =>
    names.split(' ').map((name) => [name, character.charCodeAt(0)] as const),
  ),
  ...LATIN_1.split(' ').map((name, index) => [name, 0xa0 + index] as const),
]);

const MOST_NAME_CHARACTERS = 16;
