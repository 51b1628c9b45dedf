import { member } from '../../layers/platform/rules/json/json.ts';
import type { Api } from '../api/api.ts';
import { keysOf, valueAt } from '../descriptions/json-pointer.ts';
import { usageFailure } from '../failure.ts';
import { isJson, type Json, jsonOf, listOf, parsed, textOf, textsOf } from '../json.ts';

/**
 * Arguments as they are typed behind a tool: `name=value`, by the type that the schema of the tool gives it, and
 * `name:=json`. What the schema does not know, or cannot be, goes as text: refusing it is for the service.
 *
 * @throws Failure usage
 */
export const typedArguments = async (
  api: Api,
  { slug, tool }: { readonly slug: string; readonly tool: string },
  typed: readonly string[],
): Promise<Json> => {
  const pairs = typed.map(pairIn);
  if (pairs.length === 0) return {};
  const isRead = pairs.some(({ json }) => json === undefined);
  const schema = isRead ? await schemaOf(api, slug, tool) : {};
  return Object.fromEntries(
    [...Map.groupBy(pairs, ({ name }) => name)].map(([name, its]) => [
      name,
      valueOf(name, its, schemaAt(schema, jsonOf(schema.properties), name)),
    ]),
  );
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

const valueOf = (name: string, its: readonly Pair[], schema: Schema): unknown => {
  const [first, ...others] = its;
  if (schema.types.includes('array') && its.every(({ json }) => json === undefined)) {
    const whole = others.length === 0 ? parsed(first?.text ?? '') : undefined;
    return Array.isArray(whole) ? whole : its.map(({ text }) => asTyped(text, schema.items));
  }
  if (others.length > 0) throw usageFailure(`The argument ${name} is given twice, and is no list.`);
  if (first?.json !== undefined) return first.json;
  return asTyped(first?.text ?? '', schema.types);
};

/** As the first of the types that the text can be; a text where it may be one. */
const asTyped = (text: string, types: readonly string[]): unknown => {
  if (types.length === 0 || types.includes('string')) return text;
  const value = parsed(text);
  return value !== undefined && types.includes(typeOf(value)) ? value : text;
};

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
};

interface Schema {
  /** Of JSON Schema; an integer is a number here. None where it does not say. */
  readonly types: readonly string[];
  /** Of the elements of a list. */
  readonly items: readonly string[];
}

const schemaAt = (root: Json, within: Json, name: string): Schema => {
  const found = member(within, name);
  const types = typesOf(root, found);
  const lists = alternativesOf(root, found).filter(({ items }) => items !== undefined);
  return { types, items: typesOf(root, lists[0]?.items) };
};

const typesOf = (root: Json, schema: unknown): readonly string[] =>
  alternativesOf(root, schema)
    .flatMap(({ type }) => (typeof type === 'string' ? [type] : textsOf(type)))
    .map((type) => (type === 'integer' ? 'number' : type));

const DEEPEST = 5;

/** The schema itself, or what it refers to, and its alternatives. Tools have references to `$defs` alone. */
const alternativesOf = (root: Json, given: unknown, depth = 0): readonly Json[] => {
  const schema = jsonOf(given);
  if (depth > DEEPEST) return [];
  const keys = keysOf(textOf(schema.$ref)?.replace('#', '') ?? '-');
  const referred = keys === undefined ? [] : [valueAt(root, keys)];
  const others = [...referred, ...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  return [schema, ...others.flatMap((one) => alternativesOf(root, one, depth + 1))];
};

/** Of a tool, page by page; an empty one where there is no such tool, which the call says. */
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
