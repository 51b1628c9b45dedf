import { type Json, type JsonObject, textMember } from '../../platform/rules/json/json.ts';
import { objectMember } from '../../platform/rules/json/members.ts';
import type { Description } from '../document.ts';

/**
 * Whether the value of a path parameter may span several segments, so that its slashes are not encoded: declared by
 * `x-multi-segment` (as GitHub does) or `allowReserved` (in a path of OpenAPI 3.2), or by a pattern that requires a
 * slash, as in Google's resource names.
 * Source: OpenAPI 3.2.0, "Parameter Object", `allowReserved`; AIP-127.
 */
export const isMultiSegment = (dialect: Description['dialect'], parameter: JsonObject): boolean => {
  if (parameter['x-multi-segment'] === true) return true;
  // See `AZURE_EXTENSIONS`.
  if (parameter['x-ms-skip-url-encoding'] === true) return true;
  if (dialect === 'openapi-3.2' && parameter['allowReserved'] === true) return true;
  return asksForSlash(valueIn(dialect, parameter)['pattern']);
};

/** Schema of a parameter; in Swagger 2.0 the parameter itself. */
const valueIn = (dialect: Description['dialect'], parameter: JsonObject): JsonObject => {
  return dialect === 'swagger-2.0' ? parameter : objectMember(parameter, 'schema');
};

/** Whether a pattern without alternatives requires a slash outside of classes, as `^projects/[^/]+$` does. */
const asksForSlash = (pattern: Json | undefined): boolean => {
  if (typeof pattern !== 'string' || pattern.length > MAX_PATTERN) return false;
  const plain = withoutClasses(pattern);
  const slash = plain.indexOf('/');
  const before = plain.slice(0, slash);
  const isSure = !OPTIONAL.some((mark) => before.includes(mark));
  return slash >= 0 && isSure && !plain.includes('|');
};

/** Marks that can make what is next to them optional. */
const OPTIONAL: readonly string[] = ['(', ')', '?', '*', '{', '}'];

/** Pattern with `.` for each character class, and without backslashes. */
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

/** A resource name such as `projects/{project}`. Paths begin with a slash and do not match. */
const FORM_OF_NAME = /(?:^|[^/\w-])[a-z][\w-]*\/(?:\{\w+\}|\[\w+\])/i;

/** Example with slashes, or description of a resource name, of a parameter that is one segment. */
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
