import type { PropertyEncoding } from '../../openapi/tool-index.ts';
import { isJsonType } from './accept.ts';
import { type BodyProperty, sentAs } from './body-properties.ts';
import { jsonText, member } from '../../platform/rules/json/json.ts';
import { rejectReserved, type Reserved } from './reserved-names.ts';
import { type Pair, parameterPairs, textOf, type Written } from './parameter-pairs.ts';
import { formEncode, reservedInForm } from './percent-encode.ts';

export type Encodings = Readonly<Record<string, PropertyEncoding>> | undefined;

/**
 * A body of `application/x-www-form-urlencoded`. A property whose encoding names a style, `explode` or
 * `allowReserved` is written like a query parameter; otherwise lists repeat the name, and objects are
 * JSON.
 *
 * Source: OpenAPI 3.1.1, "Encoding Object", "Encoding the x-www-form-urlencoded Media Type".
 */
export const formBody = (
  tool: Reserved,
  properties: readonly BodyProperty[],
  encodings: Encodings,
): string =>
  properties
    .flatMap((property) => {
      const pairs = pairsOf(property, encodingOf(encodings, property.name));
      rejectReserved(tool, 'body', sentAs(property), pairs);
      return pairs;
    })
    .map(([name, value]) => `${formEncode(name)}=${value}`)
    .join('&');

export const encodingOf = (encodings: Encodings, name: string): PropertyEncoding =>
  (member(encodings ?? {}, name) as PropertyEncoding | undefined) ?? {};

/** How a property is written if its encoding says so in the manner of a parameter. */
export const writtenAs = (encoding: PropertyEncoding): Written | undefined => {
  const { style, explode, allowReserved } = encoding;
  if (style === undefined && explode === undefined && allowReserved === undefined) return undefined;
  return { style: style ?? 'form', explode: explode ?? (style ?? 'form') === 'form' };
};

const pairsOf = ({ name, value }: BodyProperty, encoding: PropertyEncoding): readonly Pair[] => {
  const written = writtenAs(encoding);
  const encode = encoding.allowReserved ? reservedInForm : formEncode;
  if (written) return parameterPairs(name, value, written, encode);
  if (isJsonType(encoding.contentType ?? '')) return [[name, formEncode(jsonText(value))]];
  return [value]
    .flat()
    .filter((item) => item !== null && item !== undefined)
    .map((item) => [name, formEncode(textOf(item))]);
};
