/** What a template may name of a request. `path` and `query` are as they are sent, without what stands between them. */
export const HMAC_PARTS = [
  'method',
  'host',
  'path',
  'query',
  'target',
  'body',
  'body_hash',
  'timestamp',
  'timestamp_ms',
  'date',
  'nonce',
  'key_id',
] as const;

export type HmacPart = (typeof HMAC_PARTS)[number];

const PART = /\{([a-z_]+)\}/g;

/** The names in braces of a template: `method` and `path` of `{method} {path}`. */
export const partsOf = (template: string): readonly string[] =>
  [...template.matchAll(PART)].map(([, name = '']) => name);

/** A template with its names in braces replaced; what stands in their place is not looked at again. */
export const filled = (template: string, parts: Readonly<Record<string, string>>): string =>
  template.replace(PART, (whole, name: string) =>
    Object.hasOwn(parts, name) ? (parts[name] ?? '') : whole,
  );
