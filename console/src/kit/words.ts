import { jsonOrUndefined } from '../../../layers/platform/rules/json/parsed-json.ts';

/** `1 tool`, `2 tools`, `1,024 tools` */
export const count = (number: number, noun: string): string =>
  `${numbered(number)} ${noun}${number === 1 ? '' : 's'}`;

export const numbered = (number: number): string => number.toLocaleString('en');

const STEPS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
] as const;

/** `3 minutes ago`, `in 2 hours` */
export const ago = (iso: string, now: number): string => {
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  let left = (Date.parse(iso) - now) / 1000;
  for (const [unit, size] of STEPS) {
    if (Math.abs(left) < size) return format.format(Math.round(left), unit);
    left /= size;
  }
  return format.format(Math.round(left), 'year');
};

/** `22 Nov 2026, 14:05` in the reader's own time. */
export const moment = (iso: string): string =>
  new Date(iso).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export const bytes = (size: number): string =>
  size < 1024
    ? `${size} B`
    : size < 1024 * 1024
      ? `${Math.round(size / 1024)} KB`
      : `${(size / 1024 / 1024).toFixed(1)} MB`;

export const duration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;

/** The order matters: most user agents also name the browsers that stand below theirs here. */
const BROWSERS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /Edg(?:e|A|iOS)?\//],
  ['Opera', /OPR\//],
  ['Firefox', /(?:Firefox|FxiOS)\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Safari\//],
];
const SYSTEMS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['iOS', /iPhone|iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
];

/** `Firefox on Windows`; the user agent itself unless both browser and system are known. */
export const browserOf = (agent: string): string => {
  if (agent.startsWith('hosted-mcp/')) return 'command line (hosted-mcp)';
  const [browser, system] = [BROWSERS, SYSTEMS].map(
    (all) => all.find(([, mark]) => mark.test(agent))?.[0],
  );
  return browser !== undefined && system !== undefined ? `${browser} on ${system}` : agent;
};

/** `Claude, OpenAI and Gemini` */
export const listed = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names);

/** Indents JSON, and leaves other texts as they are. */
export const indented = (text: string): string => {
  const value = jsonOrUndefined(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
};

/** Trimmed lines of a text, without the empty ones. */
export const filledLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Splits at white space, commas and semicolons. */
export const linesOf = (text: string): readonly string[] => text.split(/[\s,;]+/).filter(Boolean);

/** Control characters, bidirectional overrides, and characters that only models read. */
const UNSEEN = /[\p{Cc}\u200B\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu;

/** Shows characters that an owner would not see, so that what a model reads is what stands here: `[U+202E]`. */
export const withUnseen = (text: string): string =>
  text.replace(UNSEEN, (character) =>
    /\s/.test(character) && character !== '\uFEFF'
      ? character
      : `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
