import type { SearchedOperation, SearchIndex } from './search-index.ts';
import type { CompiledTool, ListedTool } from '../openapi/tool-index.ts';
import { isObject, type JsonObject } from '../platform/rules/json/json.ts';
import { objectMember } from '../platform/rules/json/members.ts';
import { resolveFragment } from '../platform/rules/json/pointer.ts';
import { rank, type RankedTexts } from './rank.ts';

/** A tool, with the tags and keywords that its listing does not contain. */
export interface Searchable {
  readonly tool: CompiledTool;
  readonly tags: readonly string[];
  /** Words by which the owner of the deployment wants the operation found. */
  readonly keywords?: readonly string[];
}

/** Characters of a description that are indexed: its beginning says what it is about. */
const MAX_DESCRIPTION = 600;
const MAX_PATH = 400;
const MAX_ARGUMENTS = 60;
const MAX_VALUES = 60;
const MAX_VALUE = 40;
/** Characters that are indexed of one argument's description, and of all of an operation's. */
const MAX_HINT = 120;
const MAX_HINTS = 900;
/** Levels of nested arguments that are indexed. */
const MAX_DEPTH = 3;
const MAX_AREAS = 5;
const MAX_AREA = 60;
const MAX_SUMMARY = 120;

/** The search index of a deployment's operations. Source: docs/search-mode.md, "How the search works". */
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
    ranked: rank(read.map(textsOf)),
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

/** Title, else the first sentence of the description. */
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
  const { values, hints } = textsOfArguments(inputSchema);
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
    values: values.join(' '),
    hints: hints.join(' ').slice(0, MAX_HINTS),
    description: description.slice(0, MAX_DESCRIPTION),
  };
};

/** Nested members are read too: what an operation can do often stands in one of them alone. */
const textsOfArguments = (inputSchema: ListedTool['inputSchema']) => {
  const values: string[] = [];
  const hints: string[] = [];
  let level: readonly unknown[] = Object.values(propertiesIn(inputSchema, inputSchema));
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    const next: unknown[] = [];
    for (const schema of level.slice(0, MAX_ARGUMENTS)) {
      const { description, enum: list, items } = resolvedIn(inputSchema, schema);
      if (typeof description === 'string') hints.push(description.slice(0, MAX_HINT));
      if (Array.isArray(list)) values.push(...list.filter(isWord).slice(0, MAX_VALUES));
      next.push(...Object.values(propertiesIn(inputSchema, schema)).slice(0, MAX_ARGUMENTS));
      if (items !== undefined) next.push(items);
    }
    level = next;
  }
  return { values: values.slice(0, MAX_VALUES), hints };
};

const isWord = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_VALUE;

const resolvedIn = (root: ListedTool['inputSchema'], schema: unknown) => {
  if (!isObject(schema)) return {};
  const target =
    typeof schema['$ref'] === 'string' ? resolveFragment(root, schema['$ref']) : undefined;
  return isObject(target) ? { ...target, ...schema } : schema;
};

const propertiesIn = (root: ListedTool['inputSchema'], schema: unknown): JsonObject => {
  return objectMember(resolvedIn(root, schema), 'properties');
};

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

/** First part of a path, without prefixes such as `api` and `v1`. */
const firstPart = (path: string): readonly string[] =>
  fixedParts(path)
    .filter((part) => !/^(?:api|rest|v\d[\d.]*)$/i.test(part))
    .slice(0, 1);

const fixedParts = (path: string): readonly string[] =>
  path.split('/').filter((part) => part !== '' && !part.includes('{'));

const oneLine = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_AREA)
    .toWellFormed();
