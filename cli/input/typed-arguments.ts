import { basename } from 'node:path';
import { member } from '../../layers/platform/rules/json/json.ts';
import type { Api } from '../api/api.ts';
import { keysOf, valueAt } from '../descriptions/json-pointer.ts';
import { usageFailure } from '../failure.ts';
import { STANDARD } from '../files.ts';
import { type Ask, bytesFrom } from './ask.ts';
import { isJson, type Json, jsonOf, listOf, parsed, textOf, textsOf } from '../json.ts';

/**
 * Reads arguments typed as `name=value` (by the schema's type), `name=@path` (a file) or `name:=json`. A value that
 * does not fit the schema is sent as text, and the service refuses it.
 * @throws Failure usage, file_unreadable
 */
export const typedArguments = async (
  { api, ask }: { readonly api: Api; readonly ask: Ask },
  { slug, tool }: { readonly slug: string; readonly tool: string },
  typed: readonly string[],
): Promise<Json> => {
  const pairs = typed.map(pairIn);
  if (pairs.length === 0) return {};
  const isRead = pairs.some(({ json }) => json === undefined);
  const schema = isRead ? await schemaOf(api, slug, tool) : {};
  const values: [name: string, value: unknown][] = [];
  for (const [name, its] of Map.groupBy(pairs, (pair) => pair.name)) {
    values.push([name, await valueOf(ask, its, schemaAt(schema, jsonOf(schema.properties), name))]);
  }
  return Object.fromEntries(values);
};

interface Pair {
  readonly name: string;
  readonly text: string;
  readonly json?: unknown;
}

const pairIn = (word: string): Pair => {
  const equals = word.indexOf('=');
  const isJsonText = word[equals - 1] === ':';
  const name = word.slice(0, isJsonText ? equals - 1 : Math.max(equals, 0));
  const text = word.slice(equals + 1);
  if (name === '') {
    throw usageFailure(`An argument is NAME=VALUE or NAME:=JSON, not "${word}".`);
  }
  if (!isJsonText) return { name, text };
  const json = parsed(text);
  if (json === undefined) throw usageFailure(`"${word}" has no JSON behind the :=.`);
  return { name, text, json };
};

const valueOf = async (ask: Ask, its: readonly Pair[], schema: Schema): Promise<unknown> => {
  const [{ name, text, json } = { name: '', text: '', json: undefined }, ...others] = its;
  if (schema.items !== undefined && its.every((pair) => pair.json === undefined)) {
    const whole = others.length === 0 ? parsed(text) : undefined;
    if (Array.isArray(whole)) return whole;
    const elements: unknown[] = [];
    for (const pair of its) elements.push(await asTyped(ask, pair, schema.items));
    return elements;
  }
  if (others.length > 0) throw usageFailure(`The argument ${name} is given twice, and is no list.`);
  return json === undefined ? asTyped(ask, { name, text }, schema) : json;
};

/** Converts a text to a type that it fits; text and files take precedence. */
const asTyped = async (ask: Ask, { name, text }: Pair, { types, file }: Kind): Promise<unknown> => {
  if (file !== undefined && text.startsWith('@')) return fileAt(ask, name, text.slice(1), file);
  if (types.length === 0 || types.includes('string')) return text;
  const value = parsed(text);
  return value !== undefined && types.includes(typeOf(value)) ? value : text;
};

const fileAt = async (
  ask: Ask,
  name: string,
  path: string,
  form: 'object' | 'text',
): Promise<unknown> => {
  if (path === '') throw usageFailure(`${name}=@ names no file: ${name}=@PATH.`);
  const data = Buffer.from(await bytesFrom(ask, path)).toString('base64');
  if (form === 'text') return data;
  return path === STANDARD ? { data } : { data, filename: basename(path) };
};

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
};

interface Kind {
  /** JSON Schema types, with integer as number; empty where the schema has none. */
  readonly types: readonly string[];
  /** How a file is sent, if it may be one: as base64 text, or as an object with text and file name. */
  readonly file?: 'object' | 'text';
}

interface Schema extends Kind {
  /** Type of the elements, if it may be a list. */
  readonly items?: Kind;
}

const schemaAt = (root: Json, within: Json, name: string): Schema => {
  const found = member(within, name);
  const kind = kindOf(root, found);
  if (!kind.types.includes('array')) return kind;
  const list = alternativesOf(root, found).find(({ items }) => items !== undefined);
  return { ...kind, items: kindOf(root, list?.items) };
};

const kindOf = (root: Json, schema: unknown): Kind => {
  const alternatives = alternativesOf(root, schema);
  const isObject = alternatives.some(({ properties }) =>
    isBase64(jsonOf(member(jsonOf(properties), 'data'))),
  );
  const file = isObject ? 'object' : alternatives.some(isBase64) ? 'text' : undefined;
  return { types: typesOf(root, schema), ...(file && { file }) };
};

/** Schema of binary content, as in layers/openapi/operation/files.ts. */
const isBase64 = ({ contentEncoding }: Json): boolean => contentEncoding === 'base64';

const typesOf = (root: Json, schema: unknown): readonly string[] =>
  alternativesOf(root, schema)
    .flatMap(({ type }) => (typeof type === 'string' ? [type] : textsOf(type)))
    .map((type) => (type === 'integer' ? 'number' : type));

const DEEPEST = 5;

/** A schema with its reference's target and its alternatives. Tools have only references to `$defs`. */
const alternativesOf = (root: Json, given: unknown, depth = 0): readonly Json[] => {
  const schema = jsonOf(given);
  if (depth > DEEPEST) return [];
  const keys = keysOf(textOf(schema.$ref)?.replace('#', '') ?? '-');
  const referred = keys === undefined ? [] : [valueAt(root, keys)];
  const others = [...referred, ...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  return [schema, ...others.flatMap((one) => alternativesOf(root, one, depth + 1))];
};

/** Input schema of a tool, searched page by page; empty for an unknown tool, which the call reports. */
const schemaOf = async (api: Api, slug: string, tool: string): Promise<Json> => {
  let cursor: string | undefined;
  do {
    const page = await api.call('GET /deployments/{slug}/tools', {
      path: { slug },
      query: { cursor },
    });
    const found = listOf(page.items).find(({ name }) => name === tool);
    if (found) return isJson(found.input_schema) ? found.input_schema : {};
    cursor = textOf(page.next_cursor);
  } while (cursor !== undefined);
  return {};
};
