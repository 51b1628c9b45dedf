import type { SearchedOperation, SearchIndex } from './search-index.ts';
import type { CompiledTool, ListedTool } from '../openapi/tool-index.ts';
import { isObject } from '../platform/rules/json/json.ts';
import { ranked, type RankedTexts } from './ranked.ts';

/** An operation's tool, and what only the description says of it. */
export interface Searchable {
  readonly tool: CompiledTool;
  readonly tags: readonly string[];
  /** Words by which its owner wants it found. */
  readonly keywords?: readonly string[];
}

/** Characters that are read of a description: its beginning says what it is about. */
const MAX_DESCRIPTION = 600;
const MAX_PATH = 400;
const MAX_ARGUMENTS = 60;
const MAX_VALUES = 60;
const MAX_VALUE = 40;
const MAX_AREAS = 5;
const MAX_AREA = 60;
const MAX_SUMMARY = 120;

/**
 * What a search finds of these operations, and their words, ranked.
 * Source: docs/search-mode.md, "How the search works".
 */
export const buildSearchIndex = (searchables: readonly Searchable[]): SearchIndex => {
  const hasTags = searchables.some(({ tags }) => tags.length > 0);
  const read = searchables.map(({ tool, tags, keywords = [] }) => {
    const areas = (hasTags ? tags : firstPart(tool.operation.path)).map(oneLine);
    return { tool, keywords, areas: [...new Set(areas)].filter(Boolean).slice(0, MAX_AREAS) };
  });
  return {
    format: 1,
    operations: read.map(searched),
    isReadOnly: read.every(({ tool }) => tool.listed.annotations.readOnlyHint === true),
    ranked: ranked(read.map(textsOf)),
  };
};

interface Read {
  readonly tool: CompiledTool;
  readonly areas: readonly string[];
  readonly keywords: readonly string[];
}

const searched = ({ tool: { name, operation, listed }, areas }: Read): SearchedOperation => ({
  name,
  method: operation.method,
  path: operation.path,
  summary: summaryOf(listed),
  areas,
});

/** The title, or how the description begins. */
const summaryOf = ({ annotations, description = '' }: ListedTool): string => {
  const text = annotations.title ?? /^[^\n]*?(?:[.!?](?=\s)|$)/m.exec(description)?.[0] ?? '';
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_SUMMARY ? `${line.slice(0, MAX_SUMMARY - 1).toWellFormed()}…` : line;
};

const textsOf = (
  { tool: { name, operation, listed }, areas, keywords }: Read,
  id: number,
): RankedTexts => {
  const { method, path, operationId = '' } = operation;
  const { annotations, description = '', inputSchema } = listed;
  return {
    id,
    name: operationId === name ? name : `${name} ${operationId.slice(0, MAX_PATH)}`,
    summary: annotations.title ?? summaryOf(listed),
    subject: (fixedParts(path).at(-1) ?? '').slice(0, MAX_PATH),
    path: fixedParts(path).join(' ').slice(0, MAX_PATH),
    keywords: keywords.join(' '),
    areas: areas.join(' '),
    verbs: `${method} ${verbsOf(method, path)}`,
    arguments: Object.keys(inputSchema['properties'] ?? {})
      .slice(0, MAX_ARGUMENTS)
      .join(' '),
    values: valuesOf(inputSchema['properties']),
    description: description.slice(0, MAX_DESCRIPTION),
  };
};

/** What arguments may be, where that is a list of words. */
const valuesOf = (properties: unknown): string =>
  Object.values(isObject(properties) ? properties : {})
    .flatMap((schema) => (isObject(schema) && Array.isArray(schema['enum']) ? schema['enum'] : []))
    .filter((value) => typeof value === 'string' && value.length <= MAX_VALUE)
    .slice(0, MAX_VALUES)
    .join(' ');

/** What people say for a method. */
const verbsOf = (method: string, path: string): string => {
  const isOne = path.lastIndexOf('}') > path.lastIndexOf('/');
  switch (method) {
    case 'GET':
    case 'HEAD':
    case 'QUERY':
      return isOne ? 'show read find fetch retrieve one' : 'list show find fetch all search';
    case 'POST':
      return isOne ? 'update change set edit' : 'create add new make send start run';
    case 'PUT':
      return 'update change set edit replace';
    case 'PATCH':
      return 'update change set edit modify';
    case 'DELETE':
      return 'remove cancel';
    default:
      return '';
  }
};

/** Where a path begins, without what every path begins with. */
const firstPart = (path: string): readonly string[] =>
  fixedParts(path)
    .filter((part) => !/^(?:api|rest|v\d[\d.]*)$/i.test(part))
    .slice(0, 1);

/** A path without its variables. */
const fixedParts = (path: string): readonly string[] =>
  path.split('/').filter((part) => part !== '' && !part.includes('{'));

const oneLine = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_AREA)
    .toWellFormed();
