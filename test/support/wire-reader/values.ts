/** Values as requests carry them: every plain value is a text. */
export type Wire = string | readonly Wire[] | { readonly [name: string]: Wire };

/** What of a value can be seen in a request: `null` and empty lists and objects are not sent. */
export const wireOf = (value: unknown): Wire | undefined => {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) {
    const items = value.map(wireOf).filter((item) => item !== undefined);
    return items.length > 0 ? items : undefined;
  }
  if (typeof value !== 'object') return String(value);
  const members = Object.entries(value).flatMap(([name, member]) => {
    const wire = wireOf(member);
    return wire === undefined ? [] : [[name, wire] as const];
  });
  return members.length > 0 ? Object.fromEntries(members) : undefined;
};

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Percent-decoded; a `+` is a space as in all queries and forms. */
export const decoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

/** Pairs of a query, a form or a cookie header, still encoded. */
export type Pairs = readonly (readonly [name: string, raw: string])[];

export const pairsOf = (text: string, separator: string): Pairs =>
  text === ''
    ? []
    : text.split(separator).map((pair) => {
        const [name = '', ...rest] = pair.split('=');
        return [name, rest.join('=')] as const;
      });
