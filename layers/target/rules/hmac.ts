/** Parts of a request that a template may name. `path` and `query` are as sent, without the `?` between them. */
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

/** `method` and `path` for `{method} {path}`. */
export const partsOf = (template: string): readonly string[] =>
  [...template.matchAll(PART)].map(([, name = '']) => name);

/** Fills a template once: braces in the inserted values stay as they are. */
export const filled = (template: string, parts: Readonly<Record<string, string>>): string =>
  template.replace(PART, (whole, name: string) =>
    Object.hasOwn(parts, name) ? (parts[name] ?? '') : whole,
  );
