// The only file that loads the YAML library, which tells the places of what it reads, and writes.
import {
  type Document,
  type ErrorCode,
  isMap,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml';

export { type Document, isMap, isScalar };
export { stringify } from 'yaml';

export interface YamlFault {
  /** Characters from the beginning of the text. */
  readonly offset: number;
  readonly what: string;
}

export interface YamlText {
  readonly document: Document.Parsed;
  /** Faults in our words: the library's messages quote the text, which may have secrets. */
  readonly faults: readonly YamlFault[];
  /** Line and column of an offset, as in `12:5`. */
  placeOf(offset: number): string;
}

/** YAML 1.2 without aliases, or JSON. It never throws: errors are in `faults`. */
export const readYaml = (text: string): YamlText => {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    uniqueKeys: true,
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const faults = document.errors.map(({ code, pos }) => ({ offset: pos[0], what: FAULTS[code] }));
  return {
    document,
    faults: faults.length > 0 ? faults : aliasesIn(document),
    placeOf: (offset) => {
      const { line, col } = lines.linePos(offset);
      return `${line}:${col}`;
    },
  };
};

/** @throws NotYaml */
export const yamlValue = (text: string): unknown => {
  const { document, faults, placeOf } = readYaml(text);
  const [first] = faults;
  if (first) throw new NotYaml(`${first.what} at ${placeOf(first.offset)}`);
  return document.toJS();
};

/** A YAML error with its place that quotes nothing of the text. */
export class NotYaml extends Error {
  override readonly name = 'NotYaml';
}

/** Aliases are faults: they make large values of small files, and an unquoted secret that begins with `*` is one. */
const aliasesIn = (document: Document.Parsed): readonly YamlFault[] => {
  const faults: YamlFault[] = [];
  visit(document, {
    Alias: (_, { range }) => {
      faults.push({ offset: range?.[0] ?? 0, what: ALIAS });
    },
  });
  return faults;
};

const ALIAS = 'an alias: write out what is meant, in quotes if it is a text that begins with `*`';

const FAULTS: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: ALIAS,
  BAD_ALIAS: ALIAS,
  BAD_COLLECTION_TYPE: 'a tag that does not fit what follows it',
  BAD_DIRECTIVE: 'a directive that is none of YAML 1.2',
  BAD_DQ_ESCAPE: 'an escape that YAML does not know, in a text in double quotes',
  BAD_INDENT: 'a line that is indented otherwise than those it belongs to',
  BAD_PROP_ORDER: 'an anchor or tag in the wrong place',
  BAD_SCALAR_START: 'a text that begins with a character that needs quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a list or map where a key or its value should be; is a quote missing?',
  BLOCK_IN_FLOW: 'a block within brackets',
  DUPLICATE_KEY: 'a key that stands there already',
  IMPOSSIBLE: 'a form that cannot be read',
  KEY_OVER_1024_CHARS: 'a key of more than 1,024 characters',
  MISSING_CHAR: 'a character is missing: a comma, colon, quote, bracket or blank',
  MULTILINE_IMPLICIT_KEY: 'a key without its colon, or one of several lines',
  MULTIPLE_ANCHORS: 'two anchors of one value',
  MULTIPLE_DOCS: 'a second document',
  MULTIPLE_TAGS: 'two tags of one value',
  NON_STRING_KEY: 'a key that is no text',
  RESOURCE_EXHAUSTION: 'more levels than can be read',
  TAB_AS_INDENT: 'a tab where blanks should be',
  TAG_RESOLVE_FAILED: 'a value that its tag does not allow',
  UNEXPECTED_TOKEN: 'something that cannot stand there; is a quote or a bracket missing?',
};
