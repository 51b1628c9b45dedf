import { isObject, type Json, type JsonObject, member } from '../../../platform/rules/json/json.ts';
import { pointerTo } from '../../../platform/rules/json/pointer.ts';
import { type Dialect, target } from '../../document.ts';
import type { Warnings } from '../findings.ts';
import { methodFields } from '../unknown-fields.ts';
import { withBodyParameters, withOneBody, withRequestBody } from './repair-bodies.ts';
import { type Mutable, PLACES } from './places.ts';

/** What Swagger 2.0 says of a value beside its name, and later dialects in its `schema`. */
const VALUE_FIELDS =
  'type format items enum default maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems multipleOf nullable properties additionalProperties allOf anyOf oneOf'.split(
    ' ',
  );

/**
 * Reads what stands in the fields of another dialect as what it is in the description's own: parameters
 * with a `type` in OpenAPI 3, with a `schema` in Swagger 2.0, `in: body` and `in: formData` in OpenAPI 3,
 * `requestBody` in Swagger 2.0. The parts of a description that its author copied from elsewhere leave no
 * doubt about what they mean.
 */
export const repairParameters = (root: JsonObject, dialect: Dialect, warnings: Warnings): void => {
  const done = new Set<Json>();
  const repair = (node: Json, pointer: string): void => {
    if (!isObject(node) || done.has(node) || typeof member(node, '$ref') === 'string') return;
    done.add(node);
    correctPlace(node, pointer, warnings);
    if (dialect === 'swagger-2.0') spreadSchema(root, node, pointer, warnings);
    else collectSchema(node, pointer, warnings);
  };
  const repairAll = (nodes: Json | undefined, pointer: string): void => {
    if (typeof nodes !== 'object' || nodes === null) return;
    for (const [key, node] of Object.entries(nodes)) repair(node, pointer + pointerTo(key));
  };

  const components = member(root, 'components');
  repairAll(member(root, 'parameters'), '/parameters');
  if (isObject(components)) repairAll(member(components, 'parameters'), '/components/parameters');
  const paths = member(root, 'paths');
  for (const [path, node] of Object.entries(isObject(paths) ? paths : {})) {
    const item = target(root, node);
    if (!isObject(item) || done.has(item)) continue;
    done.add(item);
    const at = pointerTo('paths', path);
    const operations = methodFields(dialect).flatMap((method) => {
      const operation = member(item, method);
      return isObject(operation) ? [{ operation, at: at + pointerTo(method) }] : [];
    });
    for (const [holder, pointer] of [
      [item, at] as const,
      ...operations.map((one) => [one.operation, one.at] as const),
    ]) {
      leaveOutEmpty(holder, pointer, warnings);
      repairAll(member(holder, 'parameters'), `${pointer}/parameters`);
    }
    const context = { root, warnings };
    if (dialect !== 'swagger-2.0') withBodyParameters(context, item, operations);
    else {
      for (const one of operations) {
        withOneBody(context, one);
        withRequestBody(context, item, one);
      }
    }
  }
};

/** `in: Query` */
const correctPlace = (parameter: JsonObject, pointer: string, warnings: Warnings): void => {
  const place = member(parameter, 'in');
  if (typeof place !== 'string' || PLACES.includes(place)) return;
  const meant = PLACES.find((one) => one.toLowerCase() === place.trim().toLowerCase());
  if (meant === undefined) return;
  (parameter as Mutable)['in'] = meant;
  warnings.add(`${pointer}/in`, `read as ${meant}`, `Write \`in: ${meant}\`.`);
};

const collectSchema = (parameter: JsonObject, pointer: string, warnings: Warnings): void => {
  if (member(parameter, 'schema') !== undefined || member(parameter, 'content') !== undefined) {
    return;
  }
  const fields = VALUE_FIELDS.filter((field) => member(parameter, field) !== undefined);
  if (fields.length === 0) return;
  const members = parameter as Mutable;
  members['schema'] = Object.fromEntries(fields.map((field) => [field, parameter[field] ?? null]));
  for (const field of fields) delete members[field];
  const format = member(parameter, 'collectionFormat');
  if (typeof format === 'string' && member(parameter, 'style') === undefined) {
    const style = DELIMITED.get(format);
    if (style !== undefined && member(parameter, 'in') === 'query') members['style'] = style;
    members['explode'] = format === 'multi';
  }
  delete members['collectionFormat'];
  const what = `${fields[0]} stands beside the name, as in Swagger 2.0; read as its schema`;
  warnings.add(pointer, what, 'Write it into `schema`.');
};

const DELIMITED: ReadonlyMap<string, string> = new Map([
  ['ssv', 'spaceDelimited'],
  ['pipes', 'pipeDelimited'],
]);

const spreadSchema = (
  root: JsonObject,
  parameter: JsonObject,
  pointer: string,
  warnings: Warnings,
): void => {
  const given = member(parameter, 'schema');
  const members = parameter as Mutable;
  if (member(parameter, 'in') === 'body') {
    if (given === undefined) collectSchema(parameter, pointer, warnings);
    return;
  }
  const schema = given === undefined ? undefined : target(root, given);
  if (!isObject(schema) || member(parameter, 'type') !== undefined) return;
  delete members['schema'];
  for (const field of Object.keys(schema)) {
    if (member(parameter, field) === undefined) members[field] = schema[field] ?? null;
  }
  const what = 'its schema stands in `schema`, as in OpenAPI 3; read as beside its name';
  warnings.add(pointer, what, 'Write `type` and the like beside `name`.');
};

/** An empty line of an editor's table, as collections of requests have them. */
const leaveOutEmpty = (holder: JsonObject, pointer: string, warnings: Warnings): void => {
  const list = member(holder, 'parameters');
  if (!Array.isArray(list)) return;
  const kept = list.filter((node: Json, index) => {
    const isEmpty = isObject(node) && member(node, 'name') === '' && node['required'] !== true;
    if (!isEmpty || member(node, 'in') === 'body') return true;
    const at = `${pointer}/parameters${pointerTo(index)}`;
    warnings.add(at, 'a parameter with an empty name; it is left out', 'Remove it.');
    return false;
  });
  if (kept.length < list.length) (holder as Mutable)['parameters'] = kept;
};
