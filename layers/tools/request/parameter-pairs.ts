import type { ParameterStyle } from '../../openapi/tool-index.ts';
import { isObject, type JsonObject, jsonText } from '../../platform/rules/json/json.ts';

/** Name, not yet encoded, and encoded value. */
export type Pair = readonly [name: string, value: string];

export interface Written {
  readonly style: ParameterStyle;
  readonly explode: boolean;
  /** Whether nested objects of an exploded one are written as `a[b]=1`; default: JSON. */
  readonly brackets?: true;
  /** Whether nested objects of an exploded one are written as `a.b=1`. */
  readonly dots?: true;
}

/**
 * Name and value pairs of a parameter in a query, cookie or form.
 *
 * Null, empty lists and empty objects are not sent (RFC 6570 §2.3), nor are null members and items. What a style cannot
 * express, such as an object in a list, is JSON.
 * Source: OpenAPI 3.1.1, "Style Examples". `explode` with a delimited style, which the table leaves out, repeats the
 * name as `form` does.
 */
export const parameterPairs = (
  name: string,
  value: unknown,
  { style, explode, brackets, dots }: Written,
  encode: Encode,
): readonly Pair[] => {
  if (value === null || value === undefined) return [];
  if (style === 'deepObject' && typeof value === 'object') {
    return nestedPairs(bareName(name, value), value, IN_BRACKETS, encode);
  }
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
      if (brackets && isNested) return nestedPairs(key, member, IN_BRACKETS, encode);
      if (dots && isNested) return nestedPairs(key, member, WITH_DOTS, encode);
      const items = Array.isArray(member) ? present(member) : [member];
      return items.map((item): Pair => [key, encode(valueText(item))]);
    });
  }
  return [[name, encode(valueText(value))]];
};

/** Text of a value; objects and lists as JSON. */
export const valueText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? jsonText(value) : String(value);
};

/** A value with 1 and 0 for the booleans in it, as PHP frameworks check them. */
export const inDigits = (value: unknown): unknown => {
  if (typeof value === 'boolean') return Number(value);
  if (Array.isArray(value)) return value.map(inDigits);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inDigits(one)]));
};

export const present = (items: readonly unknown[]): readonly unknown[] =>
  items.filter((item) => item !== null && item !== undefined);

export const presentMembers = (object: JsonObject): readonly (readonly [string, unknown])[] =>
  Object.entries(object).filter(([, member]) => member !== null && member !== undefined);

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

/** Names of nested values. An index is only needed in lists of objects, whose members would be mixed up without. */
export interface NestedNames {
  readonly ofMember: (name: string, key: string) => string;
  /** @param isNested - whether the list has objects or lists */
  readonly ofItem: (name: string, index: number, isNested: boolean) => string;
}

/** A list may be called `tags[]` already. */
export const bareName = (name: string, value: unknown): string =>
  Array.isArray(value) && name.endsWith('[]') ? name.slice(0, -2) : name;

/** `deepObject` of any depth, as qs, PHP, Rack and Stripe parse it: `a[b][c]=1`, `a[]=1&a[]=2`, `a[0][b]=1`. */
export const IN_BRACKETS: NestedNames = {
  ofMember: (name, key) => `${name}[${key}]`,
  ofItem: (name, index, isNested) => `${name}[${isNested ? index : ''}]`,
};

/**
 * Nested properties as Spring and ASP.NET bind them to objects: `a.b=1`, `a=1&a=2`, `a[0].b=1`.
 * Source: Spring Framework, "Data Binding", nested properties of beans; ASP.NET Core, "Model binding", Collections.
 */
export const WITH_DOTS: NestedNames = {
  ofMember: (name, key) => `${name}.${key}`,
  ofItem: (name, index, isNested) => (isNested ? `${name}[${index}]` : name),
};

/**
 * Nested serializers as Django REST framework parses them in forms: `a.b=1`, `a[0]b=1`, `a[0]b[0]=1`.
 * Source: Django REST framework, rest_framework/utils/html.py, `parse_html_list`, `parse_html_dict`.
 */
export const AS_DJANGO: NestedNames = {
  ofMember: (name, key) => `${name}${name.endsWith(']') ? '' : '.'}${key}`,
  ofItem: (name, index) => `${name}[${index}]`,
};

export const nestedPairs = (
  name: string,
  value: unknown,
  names: NestedNames,
  encode: Encode,
): readonly Pair[] => {
  if (Array.isArray(value)) {
    const items = present(value);
    const nested = items.some((item) => typeof item === 'object');
    return items.flatMap((item, index) =>
      nestedPairs(names.ofItem(name, index, nested), item, names, encode),
    );
  }
  if (isObject(value)) {
    return presentMembers(value).flatMap(([key, member]) =>
      nestedPairs(names.ofMember(name, key), member, names, encode),
    );
  }
  return [[name, encode(valueText(value))]];
};

export type Encode = (text: string) => string;

/** Encodes all but unreserved characters. Source: RFC 3986 §2.3; RFC 6570 §3.2.1. */
export const percentEncode: Encode = (text) =>
  encodeURIComponent(text).replace(/[!'()*]/g, percentByte);

/**
 * `allowReserved` in a query: keeps reserved characters and percent-encoded triples, except those that would end the
 * value (`&`, `#`, `;` for older servers), mean a space (`+`) or are invalid in a query (`[`, `]`): encoded, these
 * mean the same to the target.
 * Source: OpenAPI 3.1.1, Parameter Object, "allowReserved"; RFC 6570 §3.2.3.
 */
export const reservedInQuery: Encode = (text) =>
  text.replace(/%[\dA-Fa-f]{2}|[^\w.~:/?@!$'()*,=-]/gu, exceptTriples);

/** `allowReserved` in a path, where `/`, `?` and `#` are still encoded. Source: OpenAPI 3.1.1, "in". */
export const reservedInPath: Encode = (text) =>
  text.replace(/%[\dA-Fa-f]{2}|[^\w.~:@!$&'()*+,;=-]/gu, exceptTriples);

/** Source: WHATWG URL, "application/x-www-form-urlencoded serializing". */
export const formEncode: Encode = (text) =>
  encodeURIComponent(text)
    .replace(/[!'()~]/g, percentByte)
    .replaceAll('%20', '+');

export const reservedInForm: Encode = (text) => reservedInQuery(text).replaceAll('%20', '+');

export const asIs: Encode = (text) => text;

/** Encodes only what no URL may contain, for parts that the description wrote. */
export const encodeTemplate: Encode = (text) =>
  text.replace(/%[\dA-Fa-f]{2}|[^\w.~:/?@!$&'()*+,;=[\]-]/gu, exceptTriples);

const exceptTriples = (found: string): string =>
  found.length === 3 && found.startsWith('%') ? found : percentEncode(found);

const percentByte = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
