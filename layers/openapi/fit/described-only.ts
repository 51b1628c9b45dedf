import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { definitionOf } from '../../platform/rules/json/pointer.ts';
import { describedAsRequired, sentences } from '../schema/texts.ts';

const MAPS = ['properties', 'patternProperties'];
const LISTS = ['prefixItems', 'anyOf', 'allOf'];
const SINGLES = ['additionalProperties', 'items'];

/**
 * Replaces `required` inside the named arguments, and in definitions they refer to, with words in descriptions.
 * @param names - arguments in the body of a PATCH, which need not have all that the body requires
 */
export const describedOnly = (names: readonly string[], inputSchema: JsonObject): JsonObject => {
  const { properties, $defs } = inputSchema;
  if (names.length === 0 || !isObject(properties)) return inputSchema;
  const definitions = isObject($defs) ? $defs : {};
  const reached = new Map<string, Json>();
  const open: string[] = [];
  const visit = (schema: Json): Json => {
    const reference = isObject(schema) ? definitionOf(schema['$ref']) : undefined;
    if (reference !== undefined) open.push(reference);
    return isObject(schema) && !isFileObject(schema) ? inWords(schema, visit) : schema;
  };
  const shown = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      names.includes(name) ? visit(schema) : schema,
    ]),
  );
  for (const name of open) {
    const definition = member(definitions, name);
    if (definition === undefined || reached.has(name)) continue;
    reached.set(name, true);
    reached.set(name, visit(definition));
  }
  return {
    ...inputSchema,
    properties: shown,
    ...(reached.size > 0 && { $defs: { ...definitions, ...Object.fromEntries(reached) } }),
  };
};

/** File objects keep `required`: a file without bytes is none. */
const isFileObject = ({ properties }: JsonObject): boolean => {
  const data = isObject(properties) ? member(properties, 'data') : undefined;
  return isObject(data) && data['contentEncoding'] === 'base64';
};

const inWords = (
  { required, ...schema }: JsonObject,
  visit: (schema: Json) => Json,
): JsonObject => {
  const names = Array.isArray(required) ? required.map(String) : [];
  const { description } = schema;
  const said = typeof description === 'string' ? description : undefined;
  const told =
    names.length > 0 ? { description: sentences(said, describedAsRequired(names)) ?? '' } : {};
  const inside = Object.entries(schema).map(([keyword, value]): [string, Json] => {
    if (MAPS.includes(keyword) && isObject(value)) {
      const entries = Object.entries(value).map(([name, part]) => [name, visit(part)] as const);
      return [keyword, Object.fromEntries(entries)];
    }
    if (LISTS.includes(keyword) && Array.isArray(value)) return [keyword, value.map(visit)];
    return [keyword, SINGLES.includes(keyword) ? visit(value) : value];
  });
  return { ...Object.fromEntries(inside), ...told };
};
