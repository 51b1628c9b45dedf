import {
  constructFromEvents,
  CORE_SCHEMA,
  EVENT_ID,
  type Event,
  mergeTag,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
} from 'js-yaml';
import { ApiRefusal } from '../../refusal.ts';
import type { Json } from '../../json-schema/json.ts';
import { finding, type Warnings } from './findings.ts';
import { preserveScalarText } from './preserve-scalar-text.ts';
import { MAX_NESTING, tooManyValues } from './check-tree.ts';

const OPTIONS = {
  // Dates, `yes` and `on` stay texts, as they are in JSON; `<<` merges, as most YAML tools do.
  schema: CORE_SCHEMA.withTags(mergeTag),
  maxTotalMergeKeys: 100_000,
};

/** Twice as many as the densest honest description of 5 MB has; all of them are read within a second. */
const MAX_MARKS = 600_000;

const JSON_LITERAL = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/;

/**
 * Reads one YAML document. Of keys that stand twice the last one counts, with a warning.
 *
 * @throws ApiRefusal `description_not_parseable`, `description_too_deep`, `alias_expansion`
 */
export const parseYaml = (given: string, warnings: Warnings): Json => {
  const { source, events } = indentedEvents(given, warnings);
  return constructed(source, events, warnings);
};

/**
 * Reads what was meant to be JSON but breaks its rules, as far as YAML gives it the same meaning.
 * Bare words are refused, although YAML would take them for texts: `tru` is a slip, not a text.
 */
export const parseLooseJson = (source: string, warnings: Warnings): Json => {
  const events = eventsOf(source);
  if (/^\s*\{\s*"/.test(source)) refuseBareWords(source, events);
  const tree = constructed(source, events, warnings);
  warnings.add('', 'not strict JSON; it was read as YAML', 'Check it with a JSON validator.');
  return tree;
};

/** Characters that are read again in all, for lines that are mended. */
const MOST_READ_AGAIN = 6_000_000;
const DEFICIENT = 'deficient indentation';

/**
 * The events of a source, with lines mended that js-yaml 5 alone refuses: those of a flow collection (`{`, `[`) that
 * are indented too little are moved to the right, which YAML 1.2 §8.1 asks for and js-yaml 4, yaml 2 and PyYAML, with
 * which descriptions are written, do not; and tabs become spaces in those where they separate tokens of one.
 */
const indentedEvents = (given: string, warnings: Warnings): { source: string; events: Event[] } => {
  let source = given;
  const mended = new Set<string>();
  for (let left = MOST_READ_AGAIN; ; left -= source.length) {
    try {
      return { source, events: eventsOf(source) };
    } catch (error) {
      const fault = error instanceof ApiRefusal ? badLine(source, error) : undefined;
      // Once for each line: what that does not mend is another fault.
      if (!fault || left < 0 || mended.has(`${fault.kind} ${fault.line}`)) throw error;
      mended.add(`${fault.kind} ${fault.line}`);
      if (source === given) {
        const { what, hint } = MENDED[fault.kind];
        warnings.add(`line ${fault.line}`, what, hint);
      }
      source =
        fault.kind === 'indent' ? indented(source, fault.line) : untabbed(source, fault.line);
    }
  }
};

const MENDED = {
  indent: {
    what: 'this line is indented less than YAML 1.2 asks for within brackets; it was read as most tools read it',
    hint: 'Indent it further than the line that opens the bracket; there may be more such lines.',
  },
  tab: {
    what: 'this line has a tab between brackets and words; it was read as a space',
    hint: 'Write spaces; there may be more such lines.',
  },
} as const;

interface BadLine {
  readonly kind: keyof typeof MENDED;
  /** Counted from 1. */
  readonly line: number;
}

const badLine = (source: string, { findings: [fault] }: ApiRefusal): BadLine | undefined => {
  const [, number] = /^line (\d+),/.exec(fault?.where ?? '') ?? [];
  if (!fault || number === undefined) return undefined;
  const line = Number(number);
  const [start, end] = boundsOf(source, line);
  const text = source.slice(start, end);
  if (untabbedText(text) !== text && (text.includes('[') || text.includes('{')))
    return { kind: 'tab', line };
  return fault.what.startsWith(DEFICIENT) ? { kind: 'indent', line } : undefined;
};

/** Where a line begins and ends. @param line - counted from 1 */
const boundsOf = (source: string, line: number): [start: number, end: number] => {
  let start = 0;
  for (let at = 1; at < line; at += 1) start = source.indexOf('\n', start) + 1;
  const end = source.indexOf('\n', start);
  return [start, end === -1 ? source.length : end];
};

const untabbed = (source: string, line: number): string => {
  const [start, end] = boundsOf(source, line);
  return source.slice(0, start) + untabbedText(source.slice(start, end)) + source.slice(end);
};

/** Tabs within quotes belong to the text. */
const untabbedText = (text: string): string => {
  let quote = '';
  let made = '';
  for (const character of text) {
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    made += character === '\t' && quote === '' ? ' ' : character;
  }
  return made;
};

/** With the line further to the right than the one before, which is indented enough or opens the bracket. */
const indented = (source: string, line: number): string => {
  let start = 0;
  let before = 0;
  for (let at = 1; at < line; at += 1) {
    before = start;
    start = source.indexOf('\n', start) + 1;
  }
  const indent = (from: number): number => {
    let end = from;
    while (source[end] === ' ') end += 1;
    return end - from;
  };
  const missing = Math.max(1, indent(before) + 1 - indent(start));
  return source.slice(0, start) + ' '.repeat(missing) + source.slice(start);
};

const eventsOf = (source: string): Event[] => {
  checkMarks(source);
  try {
    // One level more than `checkTree` allows: here the texts at the end count as a level too.
    return parseEvents(source, { maxDepth: MAX_NESTING + 1 });
  } catch (error) {
    throw refused(error);
  }
};

/**
 * Counts line ends, brackets, commas, `- ` and `? `, without which no value begins: a few letters each make
 * a value that takes hundreds of bytes here.
 */
const checkMarks = (source: string): void => {
  let marks = 0;
  for (let index = 0; index < source.length; index += 1) {
    if (!isMark(source, index)) continue;
    marks += 1;
    if (marks > MAX_MARKS) throw tooManyValues(placeOf(source, index));
  }
};

const isMark = (source: string, index: number): boolean => {
  switch (source.charCodeAt(index)) {
    case 0x0a: // Line feed, and below carriage return, comma and brackets.
    case 0x2c:
    case 0x5b:
    case 0x7b:
      return true;
    case 0x0d:
      return source.charCodeAt(index + 1) !== 0x0a;
    case 0x2d: // A hyphen, or a question mark, before a blank.
    case 0x3f:
      return source.charCodeAt(index + 1) === 0x20 || source.charCodeAt(index + 1) === 0x09;
    default:
      return false;
  }
};

const constructed = (source: string, events: Event[], warnings: Warnings): Json => {
  refuseOtherThanOne(source, events);
  preserveScalarText(source, events);
  try {
    return constructFromEvents(events, { ...OPTIONS, source })[0] as Json;
  } catch (error) {
    if (!(error instanceof YAMLException && error.reason === 'duplicated mapping key')) {
      throw refused(error);
    }
    warnings.add(
      markOf(error),
      'this key occurs twice in one object, and the last one counts; there may be more such keys',
      'Remove or rename one of the two.',
    );
  }
  try {
    return constructFromEvents(events, { ...OPTIONS, source, json: true })[0] as Json;
  } catch (error) {
    throw refused(error);
  }
};

const refuseOtherThanOne = (source: string, events: readonly Event[]): void => {
  const documents = events.filter(({ type }) => type === EVENT_ID.DOCUMENT).length;
  if (documents === 1) return;
  if (documents === 0) throw notParseable('', 'the description is empty');
  const second = events.findIndex(({ type }, index) => index > 0 && type === EVENT_ID.DOCUMENT);
  const start = events[second + 1];
  throw notParseable(
    start !== undefined && 'start' in start ? placeOf(source, start.start) : '',
    `${documents} YAML documents in one`,
  );
};

const refuseBareWords = (source: string, events: readonly Event[]): void => {
  let end = 0;
  for (const event of events) {
    if (event.type !== EVENT_ID.SCALAR) continue;
    const word = source.slice(event.valueStart, event.valueEnd);
    if (event.style === SCALAR_STYLE.PLAIN && !JSON_LITERAL.test(word)) {
      // A value that is missing altogether has no place of its own.
      throw notParseable(
        placeOf(source, Math.max(event.valueStart, end)),
        'a JSON value was expected',
      );
    }
    end = event.valueEnd;
  }
};

const refused = (error: unknown): ApiRefusal => {
  // The library asks to catch everything, its own exceptions or not.
  if (!(error instanceof YAMLException)) return notParseable('', 'neither JSON nor YAML');
  if (error.reason.startsWith('nesting exceeded')) {
    const what = `nested more than ${MAX_NESTING} levels deep`;
    return new ApiRefusal('description_too_deep', `The description is ${what}.`, [
      finding(markOf(error), what, 'Flatten it: move nested parts into components.'),
    ]);
  }
  if (error.reason.startsWith('merge keys exceeded')) {
    return new ApiRefusal('alias_expansion', 'The merge keys of the description explode.', [
      finding(markOf(error), 'merges too many keys', 'Write the merged keys out.'),
    ]);
  }
  return notParseable(markOf(error), error.reason);
};

const notParseable = (where: string, what: string): ApiRefusal =>
  new ApiRefusal('description_not_parseable', 'The description is not valid JSON or YAML.', [
    finding(where, what, 'Mend the syntax at this place; a JSON or YAML linter shows it.'),
  ]);

const markOf = ({ mark }: YAMLException): string =>
  mark === undefined ? '' : `line ${mark.line + 1}, column ${mark.column + 1}`;

const placeOf = (source: string, offset: number): string => {
  const lines = source.slice(0, offset).split(/\r\n|\r|\n/);
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
};
