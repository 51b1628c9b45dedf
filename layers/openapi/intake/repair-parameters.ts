import {
  isObject,
  type Json,
  type JsonObject,
  member,
  textMember,
} from '../../platform/rules/json/json.ts';
import { listMember, objectMember } from '../../platform/rules/json/members.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import { type Dialect, target } from '../document.ts';
import { guesserOfNumbers, withText } from '../frameworks/described-types.ts';
import { isEnumName } from '../frameworks/enum-names.ts';
import { hasSamples, isSample } from '../frameworks/placeholders.ts';
import type { Warnings } from './findings.ts';
import { methodFields } from './openapi-fields.ts';
import { listParameters } from './repair-lists.ts';

/** Keywords of a value: in Swagger 2.0 siblings of its name, later in its `schema`. */
const VALUE_FIELDS =
  'type format items enum default maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems multipleOf nullable properties additionalProperties allOf anyOf oneOf'.split(
    ' ',
  );

/**
 * Converts parameters and bodies of another dialect to the description's own: `type` beside a name in OpenAPI 3,
 * `schema` in Swagger 2.0, `in: body` and `in: formData` in OpenAPI 3, `requestBody` in Swagger 2.0. Authors copy such
 * parts from elsewhere, and their meaning is clear.
 */
export const repairParameters = (root: JsonObject, dialect: Dialect, warnings: Warnings): void => {
  const done = new Set<Json>();
  const hasOnlySamples = hasSamples(root);
  const guesser = guesserOfNumbers(root);
  const repair = (node: Json, pointer: string): void => {
    if (!isObject(node) || done.has(node) || typeof member(node, '$ref') === 'string') return;
    done.add(node);
    correctPlace(node, pointer, warnings);
    if (hasOnlySamples) withoutSample(node);
    if (guesser !== undefined) takeText(node, guesser, pointer, warnings);
    if (dialect === 'swagger-2.0') correctFile(node, pointer, warnings);
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
  for (const [path, node] of Object.entries(objectMember(root, 'paths'))) {
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
      listParameters(holder, pointer, warnings);
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

const withoutSample = (parameter: JsonObject): void => {
  for (const node of [parameter, member(parameter, 'schema')]) {
    if (isObject(node) && isSample(node)) delete (node as Mutable)['enum'];
  }
};

/** Takes text as well in a path parameter that a framework types as `number` without knowing its type. */
const takeText = (
  parameter: JsonObject,
  guesser: string,
  pointer: string,
  warnings: Warnings,
): void => {
  const schema = withText(parameter);
  if (!schema) return;
  (parameter as Mutable)['schema'] = schema;
  const what = `${guesser} writes number for any part of a path; text is taken as well`;
  warnings.add(`${pointer}/schema/type`, what, 'Write `type: integer` where it is one.');
};

const correctPlace = (parameter: JsonObject, pointer: string, warnings: Warnings): void => {
  const place = member(parameter, 'in');
  if (typeof place !== 'string' || PLACES.includes(place)) return;
  const meant = PLACES.find((one) => one.toLowerCase() === place.trim().toLowerCase());
  if (meant === undefined) return;
  (parameter as Mutable)['in'] = meant;
  warnings.add(`${pointer}/in`, `read as ${meant}`, `Write \`in: ${meant}\`.`);
};

/** A file can only be sent in a form. Source: Swagger 2.0, "Parameter Object", `type`. */
const correctFile = (parameter: JsonObject, pointer: string, warnings: Warnings): void => {
  if (member(parameter, 'type') !== 'file' || member(parameter, 'in') === 'formData') return;
  (parameter as Mutable)['in'] = 'formData';
  const what = 'a file that is not in a form; read as `in: formData`';
  warnings.add(`${pointer}/in`, what, 'Write `in: formData`.');
};

const collectSchema = (parameter: JsonObject, pointer: string, warnings: Warnings): void => {
  if (member(parameter, 'content') !== undefined) return;
  withNames(parameter);
  const given = member(parameter, 'schema');
  const fields = VALUE_FIELDS.filter((field) => member(parameter, field) !== undefined);
  const format = member(parameter, 'collectionFormat');
  const isUnread = fields.length === 0 && (typeof format !== 'string' || given === undefined);
  if (isUnread || (given !== undefined && !isObject(given))) return;
  const members = parameter as Mutable;
  const moved = Object.fromEntries(fields.map((field) => [field, parameter[field] ?? null]));
  members['schema'] = isObject(given) ? joined(moved, given) : moved;
  for (const field of fields) delete members[field];
  if (typeof format === 'string' && member(parameter, 'style') === undefined) {
    const style = DELIMITED.get(format);
    if (style !== undefined && member(parameter, 'in') === 'query') members['style'] = style;
    members['explode'] = format === 'multi';
  }
  delete members['collectionFormat'];
  const [first] = fields;
  const what =
    first === undefined
      ? 'collectionFormat is of Swagger 2.0; read as `style` and `explode`'
      : `${first} stands beside the name, as in Swagger 2.0; read as its schema`;
  const hint = first === undefined ? 'Write these.' : 'Write it into `schema`.';
  warnings.add(pointer, what, hint);
};

/** Moves names of enum values into the schema, or into its items for a list. */
const withNames = (parameter: JsonObject): void => {
  const schema = member(parameter, 'schema');
  const fields = Object.keys(parameter).filter(isEnumName);
  if (fields.length === 0 || !isObject(schema)) return;
  const names = Object.fromEntries(
    fields.map((field) => [field, member(parameter, field) ?? null]),
  );
  const items = member(schema, 'items');
  (parameter as Mutable)['schema'] = isObject(items)
    ? { ...schema, items: joined(names, items) }
    : joined(names, schema);
};

/** Merges a schema with keywords beside it, as rswag writes both; the schema has precedence. */
const joined = (beside: JsonObject, schema: JsonObject): JsonObject =>
  typeof member(schema, '$ref') === 'string'
    ? { ...beside, allOf: [schema] }
    : { ...beside, ...schema };

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

/** Drops parameters without a name: empty rows of an editor's table in exported collections. */
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

interface Repair {
  readonly root: JsonObject;
  readonly warnings: Warnings;
}

interface PlacedOperation {
  readonly operation: JsonObject;
  readonly at: string;
}

/** OpenAPI 3: turns `in: body` and `in: formData` of a path and its operations into a `requestBody`. */
const withBodyParameters = (
  { root, warnings }: Repair,
  item: JsonObject,
  operations: readonly PlacedOperation[],
): void => {
  const common = takeFrom(root, item);
  for (const { operation, at } of operations) {
    const parameters = [...common, ...takeFrom(root, operation)];
    if (parameters.length === 0) continue;
    const isThere = isObject(member(operation, 'requestBody'));
    const what = 'parameters in the body, as in Swagger 2.0; ';
    warnings.add(
      at,
      what + (isThere ? 'ignored, since there is a `requestBody`' : 'read as the `requestBody`'),
      'Write a `requestBody`.',
    );
    if (isThere) continue;
    (operation as Mutable)['requestBody'] = bodyOf(
      { root, warnings },
      { operation, at },
      parameters,
    );
  }
};

/** Swagger 2.0: merges several parameters `in: body` into one. */
const withOneBody = ({ root, warnings }: Repair, { operation, at }: PlacedOperation): void => {
  const list = listMember(operation, 'parameters');
  const read = list.map((node) => target(root, node));
  const bodies = read.filter(isInBody).filter((one) => member(one, 'in') === 'body');
  if (bodies.length < 2) return;
  const whole = wholeBody({ root, warnings }, at, bodies);
  if (whole === undefined) return;
  const others = list.filter((_, index) => !bodies.includes(read[index] as JsonObject));
  (operation as Mutable)['parameters'] = [...others, whole];
};

/** Swagger 2.0: turns a `requestBody` into a parameter `in: body`. */
const withRequestBody = (
  { root, warnings }: Repair,
  item: JsonObject,
  { operation, at }: PlacedOperation,
): void => {
  const body = target(root, member(operation, 'requestBody') ?? null);
  const content = isObject(body) ? member(body, 'content') : undefined;
  if (!isObject(body) || !isObject(content)) return;
  const own = listMember(operation, 'parameters');
  if ([...listMember(item, 'parameters'), ...own].some((node) => isInBody(target(root, node))))
    return;
  const types = Object.keys(content);
  const type = types.find((one) => /[/+]json\b/i.test(one)) ?? types[0];
  const media = type === undefined ? undefined : target(root, member(content, type) ?? null);
  if (type === undefined || !isObject(media)) return;
  const { description, required } = body;
  const members = operation as Mutable;
  members['consumes'] = [type];
  members['parameters'] = [
    ...own,
    {
      name: 'body',
      in: 'body',
      ...(required === undefined ? {} : { required }),
      ...(description === undefined ? {} : { description }),
      schema: member(media, 'schema') ?? {},
    },
  ];
  const what = '`requestBody`, as in OpenAPI 3; read as a parameter `in: body`';
  warnings.add(`${at}/requestBody`, what, 'Write a parameter `in: body`.');
};

const isInBody = (parameter: Json | undefined): parameter is JsonObject =>
  isObject(parameter) && ['body', 'formData'].includes(textMember(parameter, 'in'));

/** Removes body parameters from a list, and returns them. */
const takeFrom = (root: JsonObject, holder: JsonObject): readonly JsonObject[] => {
  const list = listMember(holder, 'parameters');
  const taken = list.map((node) => target(root, node)).filter(isInBody);
  if (taken.length > 0) {
    (holder as Mutable)['parameters'] = list.filter((node) => !isInBody(target(root, node)));
  }
  return taken;
};

const bodyOf = (
  { root, warnings }: Repair,
  { operation, at }: PlacedOperation,
  parameters: readonly JsonObject[],
): JsonObject => {
  const types = [member(operation, 'consumes'), member(root, 'consumes')].find(Array.isArray) ?? [];
  const consumes = types.filter((type: Json) => typeof type === 'string');
  const whole = wholeBody(
    { root, warnings },
    at,
    parameters.filter((one) => member(one, 'in') === 'body'),
  );
  if (whole) {
    const { description, required, schema = {} } = whole;
    const content = consumes.length > 0 ? consumes : ['application/json'];
    return {
      ...(required === undefined ? {} : { required }),
      ...(description === undefined ? {} : { description }),
      content: Object.fromEntries(content.map((type) => [type, { schema }])),
    };
  }
  const schema = objectOf(parameters);
  const isFile = ({ type, format }: JsonObject) => type === 'file' || format === 'binary';
  const hasFile = parameters.map(fieldOf).some(isFile);
  const form = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  const type = consumes.find((one) => (hasFile ? /^multipart\//i : FORM).test(one)) ?? form;
  const needed = schema.required.length > 0 ? { required: true } : {};
  return { ...needed, content: { [type]: { schema } } };
};

/**
 * The body parameter. Several become the properties of one; if some have a schema that is not of bytes, the others are
 * dropped.
 */
const wholeBody = (
  { root, warnings }: Repair,
  at: string,
  parameters: readonly JsonObject[],
): JsonObject | undefined => {
  const [first] = parameters;
  if (parameters.length < 2) return first;
  const described = parameters.filter((one) => isDescribed(root, one));
  const fields = described.length > 0 ? described : parameters;
  const others = parameters.filter((one) => !fields.includes(one));
  const named = (some: readonly JsonObject[]) => some.map((one) => textMember(one, 'name'));
  const other = `${named(others).join(', ')} without a schema is the body in another form, which no tool sends`;
  const isPlain = others.length === 0;
  const asFields = `${isPlain ? '' : 'the others are '}read as the fields of one object`;
  const readings = [...(isPlain ? [] : [other]), ...(fields.length > 1 ? [asFields] : [])];
  warnings.add(
    `${at}/parameters`,
    `more than one parameter \`in: body\`; ${readings.join('; ')}`,
    isPlain
      ? 'Write one, whose `schema` is an object.'
      : 'Leave only the one that is to be sent, or give each a `schema`, if they are fields.',
  );
  if (fields.length === 1) return fields[0];
  const schema = objectOf(fields);
  const needed = schema.required.length > 0 ? { required: true } : {};
  return { name: 'body', in: 'body', ...needed, schema };
};

const isDescribed = (root: JsonObject, parameter: JsonObject): boolean => {
  const schema = target(root, member(parameter, 'schema') ?? null);
  if (!isObject(schema)) return false;
  const isBytes = schema['type'] === 'file' || schema['format'] === 'binary';
  return Object.keys(schema).length > 0 && !isBytes;
};

const objectOf = (parameters: readonly JsonObject[]) => {
  const named = parameters.map((one) => [textMember(one, 'name'), one] as const);
  return {
    type: 'object',
    properties: Object.fromEntries(named.map(([name, one]) => [name, fieldOf(one)])),
    required: named.filter(([, { required }]) => required === true).map(([name]) => name),
  };
};

const FORM = /^(?:multipart\/|application\/x-www-form-urlencoded\b)/i;

/** Schema of a parameter with the description beside it. */
const fieldOf = (parameter: JsonObject): JsonObject => {
  const schema = member(parameter, 'schema');
  const description = member(parameter, 'description');
  if (!isObject(schema)) return description === undefined ? {} : { description };
  return description === undefined || typeof member(schema, '$ref') === 'string'
    ? schema
    : { description, ...schema };
};

const PLACES: readonly string[] = 'path query header cookie body formData querystring'.split(' ');

/** A node that is changed in place, before other code has seen it. */
type Mutable = Record<string, Json>;
