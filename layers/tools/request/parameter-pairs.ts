import type { ParameterStyle } from '../../openapi/tool-index.ts';
import { isObject, type JsonObject, jsonText } from '../../platform/rules/json/json.ts';

/** A name as it is, and a value as the place takes it. */
export type Pair = readonly [name: string, value: string];

export interface Written {
  readonly style: ParameterStyle;
  readonly explode: boolean;
  /** Whether objects within an exploded one are written as `a[b]=1`; they are JSON text otherwise. */
  readonly brackets?: true;
  /** Whether they are written as `a.b=1`. */
  readonly dots?: true;
}

/**
 * The name and value pairs that a parameter is written as in a query, a cookie or a form.
 *
 * `null` and empty lists and objects are undefined values, which are not sent (RFC 6570 §2.3); members
 * and items that are `null` likewise. What a style cannot say (an object within a list) is JSON text.
 *
 * Source: OpenAPI 3.1.1, "Style Examples". `explode` with a delimited style, which the table leaves
 * out, repeats the name as `form` does.
 */
export const parameterPairs = (
  name: string,
  value: unknown,
  { style, explode, brackets, dots }: Written,
  encode: Encode,
): readonly Pair[] => {
  if (value === null || value === undefined) return [];
  if (style === 'deepObject' && typeof value === 'object') return deepPairs(name, value, encode);
  if (Array.isArray(value)) {
    const items = present(value);
    if (explode) return items.map((item) => [name, encode(valueText(item))]);
    return joined(name, items, style, encode);
  }
  if (isObject(value)) {
    const members = presentMembers(value);
    if (!explode) return joined(name, members.flat(), style, encode);
    return members.flatMap(([key, member]) => {
      const isNested = isObject(member) || (Array.isArray(member) && member.some(isObject));
      if (brackets && isNested) return deepPairs(key, member, encode);
      if (dots && isNested) return dottedPairs(key, member, encode);
      const items = Array.isArray(member) ? present(member) : [member];
      return items.map((item): Pair => [key, encode(valueText(item))]);
    });
  }
  return [[name, encode(valueText(value))]];
};

/** A value as one text; objects and lists as JSON. */
export const valueText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? jsonText(value) : String(value);
};

/** What counts of a list. */
export const present = (items: readonly unknown[]): readonly unknown[] =>
  items.filter((item) => item !== null && item !== undefined);

export const presentMembers = (object: JsonObject): readonly (readonly [string, unknown])[] =>
  Object.entries(object).filter(([, member]) => member !== null && member !== undefined);

/** What stands between the items of a list that is one text. */
export const delimiterOf = (style: ParameterStyle): string => DELIMITERS[style];

const DELIMITERS: Readonly<Record<ParameterStyle, string>> = {
  matrix: ',',
  label: ',',
  simple: ',',
  form: ',',
  deepObject: ',',
  spaceDelimited: ' ',
  pipeDelimited: '|',
  tabDelimited: '\t',
};

const joined = (
  name: string,
  items: readonly unknown[],
  style: ParameterStyle,
  encode: Encode,
): readonly Pair[] => {
  if (items.length === 0) return [];
  const delimiter = delimiterOf(style);
  const texts = items.map((item) => encode(valueText(item)));
  return [[name, texts.join(delimiter === ',' ? delimiter : encode(delimiter))]];
};

/**
 * `deepObject` beyond one level, which OpenAPI leaves undefined, as the common servers (qs, PHP, Rack,
 * Stripe) read it: `a[b][c]=1`; a list of plain values `a[]=1&a[]=2`; a list that holds objects, whose
 * members would run together, with indices: `a[0][b]=1&a[1][b]=2`.
 */
const deepPairs = (name: string, value: unknown, encode: Encode): readonly Pair[] => {
  if (Array.isArray(value)) {
    const items = present(value);
    const nested = items.some((item) => typeof item === 'object');
    return items.flatMap((item, index) =>
      deepPairs(`${name}[${nested ? index : ''}]`, item, encode),
    );
  }
  if (isObject(value)) {
    return presentMembers(value).flatMap(([key, member]) =>
      deepPairs(`${name}[${key}]`, member, encode),
    );
  }
  return [[name, encode(valueText(value))]];
};

/**
 * Members of beans as Spring binds them: `a.b=1`, `a.b[0].c=1`; a list of plain values repeats its name.
 *
 * Source: Spring Framework, "Data Binding", nested properties of beans.
 */
const dottedPairs = (name: string, value: unknown, encode: Encode): readonly Pair[] => {
  if (Array.isArray(value)) {
    const items = present(value);
    const nested = items.some((item) => typeof item === 'object');
    return items.flatMap((item, index) =>
      dottedPairs(nested ? `${name}[${index}]` : name, item, encode),
    );
  }
  if (isObject(value)) {
    return presentMembers(value).flatMap(([key, member]) =>
      dottedPairs(`${name}.${key}`, member, encode),
    );
  }
  return [[name, encode(valueText(value))]];
};

/** Writes a text so that a place in a request can hold it. */
export type Encode = (text: string) => string;

/** All but unreserved characters encoded. Source: RFC 3986 §2.3; RFC 6570 §3.2.1. */
export const percentEncode: Encode = (text) =>
  encodeURIComponent(text).replace(/[!'()*]/g, percentByte);

/**
 * For `allowReserved` in a query: reserved characters and percent-encoded triples stay. Encoded all
 * the same is what would end the value (`&`, `#`, and `;` for older servers), mean a space (`+`) or
 * not stand in a query (`[`, `]`); they mean the same to the target.
 *
 * Source: OpenAPI 3.1.1, Parameter Object, "allowReserved"; RFC 6570 §3.2.3.
 */
export const reservedInQuery: Encode = (text) =>
  text.replace(/%[\dA-Fa-f]{2}|[^\w.~:/?@!$'()*,=-]/gu, exceptTriples);

/** For `allowReserved` in a path, where `/`, `?` and `#` are never allowed. Source: OpenAPI 3.1.1, "in". */
export const reservedInPath: Encode = (text) =>
  text.replace(/%[\dA-Fa-f]{2}|[^\w.~:@!$&'()*+,;=-]/gu, exceptTriples);

/** As browsers write form bodies. Source: WHATWG URL, "application/x-www-form-urlencoded serializing". */
export const formEncode: Encode = (text) =>
  encodeURIComponent(text)
    .replace(/[!'()~]/g, percentByte)
    .replaceAll('%20', '+');

/** `allowReserved` in a form body. */
export const reservedInForm: Encode = (text) => reservedInQuery(text).replaceAll('%20', '+');

/** For places that are not part of a URL. */
export const asIs: Encode = (text) => text;

/** A part of a URL as the description has it: only what no URL may hold is encoded. */
export const encodeTemplate: Encode = (text) =>
  text.replace(/%[\dA-Fa-f]{2}|[^\w.~:/?@!$&'()*+,;=[\]-]/gu, exceptTriples);

const exceptTriples = (found: string): string =>
  found.length === 3 && found.startsWith('%') ? found : percentEncode(found);

const percentByte = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
