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
