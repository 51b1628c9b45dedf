import {
  isObject,
  type Json,
  type JsonObject,
  member,
  textMember,
} from '../../platform/rules/json/json.ts';
import type { Description } from '../document.ts';

/**
 * Whether a value of a path parameter may have several segments, whose slashes stay: it says so (`x-multi-segment`, as
 * GitHub writes it; `allowReserved`, of which 3.2 makes that in a path), or its pattern asks for a slash, as names of
 * resources have them at Google.
 *
 * Source: OpenAPI 3.2.0, "Parameter Object", `allowReserved`; AIP-127.
 */
export const isMultiSegment = (dialect: Description['dialect'], parameter: JsonObject): boolean => {
  if (parameter['x-multi-segment'] === true) return true;
  if (dialect === 'openapi-3.2' && parameter['allowReserved'] === true) return true;
  return asksForSlash(valueIn(dialect, parameter)['pattern']);
};

/** What a parameter says of its value where that stands. */
const valueIn = (dialect: Description['dialect'], parameter: JsonObject): JsonObject => {
  const schema = dialect === 'swagger-2.0' ? parameter : member(parameter, 'schema');
  return isObject(schema) ? schema : {};
};

/** `^projects/[^/]+$`: a slash outside of brackets, before which nothing is optional, and no choice anywhere. */
const asksForSlash = (pattern: Json | undefined): boolean => {
  if (typeof pattern !== 'string' || pattern.length > MAX_PATTERN) return false;
  const plain = withoutClasses(pattern);
  const slash = plain.indexOf('/');
  const before = plain.slice(0, slash);
  const isSure = !OPTIONAL.some((mark) => before.includes(mark));
  return slash >= 0 && isSure && !plain.includes('|');
};

/** What may make optional what stands before it, or behind. */
const OPTIONAL: readonly string[] = ['(', ')', '?', '*', '{', '}'];

/** A pattern with `.` for each class, and its escapes as what they stand for. */
const withoutClasses = (pattern: string): string => {
  let plain = '';
  let isInClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    if (character === '\\') at += 1;
    if (isInClass) isInClass = character !== ']';
    else if (character === '[') {
      isInClass = true;
      plain += '.';
    } else plain += character === '\\' ? pattern.charAt(at) : character;
  }
  return plain;
};

const MAX_PATTERN = 500;

/** `projects/{project}`, as resources are named in descriptions: no path, which begins with a slash. */
const FORM_OF_NAME = /(?:^|[^/\w-])[a-z][\w-]*\/(?:\{\w+\}|\[\w+\])/i;

/** An example with slashes of a value that is described as one segment, or a description with the form of such a value. */
export const exampleWithSlash = (
  dialect: Description['dialect'],
  parameter: JsonObject,
): string | undefined => {
  const schema = valueIn(dialect, parameter);
  const examples = [parameter['example'], schema['example'], schema['examples']].flat();
  const example = examples.find(
    (one): one is string => typeof one === 'string' && /[^/]\/[^/]/.test(one) && !/^\w+:/.test(one),
  );
  const text = textMember(parameter, 'description');
  return example ?? (FORM_OF_NAME.test(text) && !text.includes('://') ? text : undefined);
};
