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
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { Json } from '../../platform/rules/json/json.ts';
import { finding, type Warnings } from './findings.ts';
import { preserveScalarText } from './preserve-scalar-text.ts';
import { MAX_NESTING, tooManyValues } from './check-tree.ts';

const OPTIONS = {
  // Dates, `yes` and `on` stay strings as in JSON; `<<` merges as in most YAML tools.
  schema: CORE_SCHEMA.withTags(mergeTag),
  maxTotalMergeKeys: 100_000,
};

/** Line ends, brackets and commas in a YAML source: twice as many as in the densest real description of 5 MB. */
const MAX_MARKS = 600_000;

const JSON_LITERAL = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/;

/**
 * Parses one YAML document. Of duplicate keys the last counts, with a warning.
 * @throws ApiRefusal `description_not_parseable`, `description_too_deep`, `alias_expansion`
 */
export const parseYaml = (given: string, warnings: Warnings): Json => {
  const { source, events } = indentedEvents(given, warnings);
  return constructed(source, events, warnings);
};

/** Parses invalid JSON as YAML, where it means the same. Bare words are refused: `tru` is a typing error. */
export const parseLooseJson = (source: string, warnings: Warnings): Json => {
  const events = eventsOf(source);
  if (/^\s*\{\s*"/.test(source)) refuseBareWords(source, events);
  const tree = constructed(source, events, warnings);
  warnings.add('', 'not strict JSON; it was read as YAML', 'Check it with a JSON validator.');
  return tree;
};

/** Characters that may be parsed again after corrections. */
const MOST_READ_AGAIN = 6_000_000;
const DEFICIENT = 'deficient indentation';

/** Corrections of one line, each of which indents it further. */
const MOST_TIMES_A_LINE = 100;

/**
 * YAML events of a source. Lines in a flow collection (`{`, `[`) with too little indentation are moved right: YAML 1.2
 * §8.1 requires it, but js-yaml 4, yaml 2 and PyYAML, which write descriptions, do not. Tabs inside become blanks: YAML
 * 1.2 §6.2 allows them, while the parser takes them for indentation.
 */
const indentedEvents = (given: string, warnings: Warnings): { source: string; events: Event[] } => {
  let mended: Mended = { source: given, tabs: [] };
  let fault = { line: 0, times: 0, error: undefined as unknown };
  for (let left = MOST_READ_AGAIN; ; left -= mended.source.length) {
    const { source } = mended;
    try {
      const events = eventsOf(source);
      return { source: withTabsOfTexts(mended, events), events };
    } catch (error) {
      const place = error instanceof ApiRefusal && deficientPlace(error);
      if (!place) throw error;
      const { line, column } = place;
      // The reported position refers to the source as given.
      fault =
        line === fault.line ? { ...fault, times: fault.times + 1 } : { line, times: 1, error };
      if (left < 0 || fault.times > MOST_TIMES_A_LINE) throw fault.error;
      const next = withoutTabs(mended, line, column) ?? indented(mended, line);
      if (source === given) warnings.add(`line ${line}`, ...warningOf(next));
      mended = next;
    }
  }
};

/** A corrected source, and positions where blanks replaced tabs. */
interface Mended {
  readonly source: string;
  readonly tabs: readonly number[];
}

const warningOf = ({ tabs }: Mended): [what: string, hint: string] =>
  tabs.length > 0
    ? [
        'this line has a tab between brackets and words; it was read as a space',
        'Write spaces; there may be more such lines.',
      ]
    : [
        'this line is indented less than YAML 1.2 asks for within brackets; it was read as most tools read it',
        'Indent it further than the line that opens the bracket; there may be more such lines.',
      ];

/** Line and column, from 1. */
const deficientPlace = ({
  findings: [fault],
}: ApiRefusal): { line: number; column: number } | undefined => {
  const [, line, column] =
    /^line (\d+), column (\d+)/.exec(fault?.what.startsWith(DEFICIENT) ? fault.where : '') ?? [];
  return line === undefined ? undefined : { line: Number(line), column: Number(column) };
};

/** Replaces tabs before a column with blanks; undefined if there are none. */
const withoutTabs = (
  { source, tabs }: Mended,
  line: number,
  column: number,
): Mended | undefined => {
  const start = startOf(source, line);
  const end = start + column - 1;
  const before = source.slice(start, end);
  const found = [...before.matchAll(/\t/g)].map(({ index }) => start + index);
  return found.length === 0
    ? undefined
    : {
        source: source.slice(0, start) + before.replaceAll('\t', ' ') + source.slice(end),
        tabs: [...tabs, ...found],
      };
};

/** Restores tabs inside scalars: only the tabs outside had to go. */
const withTabsOfTexts = ({ source, tabs }: Mended, events: readonly Event[]): string => {
  if (tabs.length === 0) return source;
  const wanted = new Set(tabs);
  const characters = source.split('');
  for (const event of events) {
    if (event.type !== EVENT_ID.SCALAR) continue;
    for (let at = event.valueStart; at < event.valueEnd; at += 1) {
      if (wanted.has(at)) characters[at] = '\t';
    }
  }
  return characters.join('');
};

/** Indents a line further than the previous one, which is indented enough or opens the bracket. */
const indented = ({ source, tabs }: Mended, line: number): Mended => {
  const start = startOf(source, line);
  const indent = (from: number): number => {
    let end = from;
    while (source[end] === ' ') end += 1;
    return end - from;
  };
  const missing = Math.max(1, indent(startOf(source, line - 1)) + 1 - indent(start));
  return {
    source: source.slice(0, start) + ' '.repeat(missing) + source.slice(start),
    tabs: tabs.map((tab) => (tab < start ? tab : tab + missing)),
  };
};

/** Index of a line. @param line - counted from 1 */
const startOf = (source: string, line: number): number => {
  let start = 0;
  for (let at = 1; at < line; at += 1) start = source.indexOf('\n', start) + 1;
  return start;
};

const eventsOf = (source: string): Event[] => {
  checkMarks(source);
  try {
    // One level more than in `checkTree`: the parser counts scalars as a level.
    return parseEvents(source, { maxDepth: MAX_NESTING + 1 });
  } catch (error) {
    throw unreadable(error);
  }
};

/** Limits the marks of which one begins each YAML value: even a short value takes hundreds of bytes of memory. */
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
      throw unreadable(error);
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
    throw unreadable(error);
  }
};

const refuseOtherThanOne = (source: string, events: readonly Event[]): void => {
  const documents = events.filter(({ type }) => type === EVENT_ID.DOCUMENT).length;
  if (documents === 1) return;
  if (documents === 0)
    throw notParseable('', 'the description is empty', 'Give the text that describes the API.');
  const second = events.findIndex(({ type }, index) => index > 0 && type === EVENT_ID.DOCUMENT);
  const start = events[second + 1];
  throw notParseable(
    start !== undefined && 'start' in start ? placeOf(source, start.start) : '',
    `${documents} YAML documents in one`,
    'Give one of them.',
  );
};

const refuseBareWords = (source: string, events: readonly Event[]): void => {
  let end = 0;
  for (const event of events) {
    if (event.type !== EVENT_ID.SCALAR) continue;
    const word = source.slice(event.valueStart, event.valueEnd);
    if (event.style === SCALAR_STYLE.PLAIN && !JSON_LITERAL.test(word)) {
      // A missing value has no position of its own.
      throw notParseable(
        placeOf(source, Math.max(event.valueStart, end)),
        'a JSON value was expected',
      );
    }
    end = event.valueEnd;
  }
};

const unreadable = (error: unknown): ApiRefusal => {
  // js-yaml may throw errors of other classes too.
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

const notParseable = (
  where: string,
  what: string,
  hint = 'Mend the syntax at this place; a JSON or YAML linter shows it.',
): ApiRefusal =>
  new ApiRefusal('description_not_parseable', 'The description is not valid JSON or YAML.', [
    finding(where, what, hint),
  ]);

const markOf = ({ mark }: YAMLException): string =>
  mark === undefined ? '' : `line ${mark.line + 1}, column ${mark.column + 1}`;

const placeOf = (source: string, offset: number): string => {
  const lines = source.slice(0, offset).split(/\r\n|\r|\n/);
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
};
