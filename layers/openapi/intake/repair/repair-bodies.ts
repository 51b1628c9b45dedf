import {
  isObject,
  type Json,
  type JsonObject,
  member,
  textMember,
} from '../../../platform/rules/json/json.ts';
import { target } from '../../document.ts';
import type { Warnings } from '../findings.ts';
import type { Mutable } from './places.ts';

export interface Repair {
  readonly root: JsonObject;
  readonly warnings: Warnings;
}

export interface PlacedOperation {
  readonly operation: JsonObject;
  /** Its JSON pointer. */
  readonly at: string;
}

/** OpenAPI 3: `in: body` and `in: formData`, of the path and its operations, become a `requestBody`. */
export const withBodyParameters = (
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
    if (!isThere) (operation as Mutable)['requestBody'] = bodyOf(root, operation, parameters);
  }
};

/** Swagger 2.0: several parameters `in: body` become one, whose fields they are. */
export const withOneBody = (
  { root, warnings }: Repair,
  { operation, at }: PlacedOperation,
): void => {
  const list = listOf(operation);
  const read = list.map((node) => target(root, node));
  const bodies = read.filter(isInBody).filter((one) => member(one, 'in') === 'body');
  const whole = wholeBody(bodies);
  if (whole === undefined || bodies.length === 1) return;
  const others = list.filter((_, index) => !bodies.includes(read[index] as JsonObject));
  (operation as Mutable)['parameters'] = [...others, whole];
  const what = 'more than one parameter `in: body`; read as the fields of one object';
  warnings.add(`${at}/parameters`, what, 'Write one, whose `schema` is an object.');
};

/** Swagger 2.0: a `requestBody` becomes the parameter `in: body`. */
export const withRequestBody = (
  { root, warnings }: Repair,
  item: JsonObject,
  { operation, at }: PlacedOperation,
): void => {
  const body = target(root, member(operation, 'requestBody') ?? null);
  const content = isObject(body) ? member(body, 'content') : undefined;
  if (!isObject(body) || !isObject(content)) return;
  const own = listOf(operation);
  if ([...listOf(item), ...own].some((node) => isInBody(target(root, node)))) return;
  const types = Object.keys(content);
  const type = types.find((one) => /[/+]json\b/i.test(one)) ?? types[0];
  const media = type === undefined ? undefined : target(root, content[type] ?? null);
  if (type === undefined || !isObject(media)) return;
  const { description, required } = body;
  const members = operation as Mutable;
  members['consumes'] = [type];
  members['parameters'] = [
    ...own,
    {
      name: 'body',
      in: 'body',
      required: required === true,
      ...(description === undefined ? {} : { description }),
      schema: member(media, 'schema') ?? {},
    },
  ];
  const what = '`requestBody`, as in OpenAPI 3; read as a parameter `in: body`';
  warnings.add(`${at}/requestBody`, what, 'Write a parameter `in: body`.');
};

const listOf = (holder: JsonObject): readonly Json[] => {
  const list = member(holder, 'parameters');
  return Array.isArray(list) ? list : [];
};

const isInBody = (parameter: Json | undefined): parameter is JsonObject =>
  isObject(parameter) && ['body', 'formData'].includes(textMember(parameter, 'in'));

/** The parameters of a list that are sent in the body, which are in it no more. */
const takeFrom = (root: JsonObject, holder: JsonObject): readonly JsonObject[] => {
  const list = listOf(holder);
  const taken = list.map((node) => target(root, node)).filter(isInBody);
  if (taken.length > 0) {
    (holder as Mutable)['parameters'] = list.filter((node) => !isInBody(target(root, node)));
  }
  return taken;
};

const bodyOf = (
  root: JsonObject,
  operation: JsonObject,
  parameters: readonly JsonObject[],
): JsonObject => {
  const types = [member(operation, 'consumes'), member(root, 'consumes')].find(Array.isArray) ?? [];
  const consumes = types.filter((type: Json) => typeof type === 'string');
  const whole = wholeBody(parameters.filter((one) => member(one, 'in') === 'body'));
  if (whole) {
    const { description, required = false, schema = {} } = whole;
    const content = consumes.length > 0 ? consumes : ['application/json'];
    return {
      required,
      ...(description === undefined ? {} : { description }),
      content: Object.fromEntries(content.map((type) => [type, { schema }])),
    };
  }
  const schema = objectOf(parameters);
  const isFile = ({ type, format }: JsonObject) => type === 'file' || format === 'binary';
  const hasFile = parameters.map(fieldOf).some(isFile);
  const form = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  const type = consumes.find((one) => (hasFile ? /^multipart\//i : FORM).test(one)) ?? form;
  return { required: schema.required.length > 0, content: { [type]: { schema } } };
};

/** The parameter that is the body; several of them are its fields. */
const wholeBody = (parameters: readonly JsonObject[]): JsonObject | undefined => {
  if (parameters.length < 2) return parameters[0];
  const schema = objectOf(parameters);
  return { name: 'body', in: 'body', required: schema.required.length > 0, schema };
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

/** Its schema, with what is said of it beside that. */
const fieldOf = (parameter: JsonObject): JsonObject => {
  const schema = member(parameter, 'schema');
  const description = member(parameter, 'description');
  if (!isObject(schema)) return description === undefined ? {} : { description };
  return description === undefined || typeof member(schema, '$ref') === 'string'
    ? schema
    : { description, ...schema };
};
