/** A filter behind `|` in a template. `fallback` is the text of `default 'text'`. */
export type Filter =
  | { readonly name: PlainFilterName }
  | { readonly name: 'default'; readonly fallback: string };

export type PlainFilterName = keyof typeof PLAIN_FILTERS;

export const isPlainFilter = (name: string): name is PlainFilterName =>
  Object.hasOwn(PLAIN_FILTERS, name);

export const filterNames = () => [...Object.keys(PLAIN_FILTERS), "default 'text'"].join(', ');

/** `json` writes the value as a JSON string, quotes included; `default` replaces an empty value. */
export const applyFilter = (filter: Filter, value: string): string =>
  filter.name === 'default' ? value || filter.fallback : PLAIN_FILTERS[filter.name](value);

const capitalize = (value: string): string => {
  const [first = ''] = value;
  return first.toUpperCase() + value.slice(first.length);
};

const PLAIN_FILTERS = {
  uppercase: (value: string) => value.toUpperCase(),
  lowercase: (value: string) => value.toLowerCase(),
  trim: (value: string) => value.trim(),
  capitalize,
  json: (value: string) => JSON.stringify(value),
} as const;
