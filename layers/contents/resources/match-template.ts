import { parseUriTemplate, type UriPart } from './uri-template.ts';

/** Longer URIs match nothing, so that a hostile one costs little. */
export const MAX_URI_LENGTH = 8192;

/**
 * Reads the variables of a template out of a URI, percent-decoded. Variables of optional forms (`{/a}`, `{?a}`, `{&a}`,
 * `{#a}`) may be missing and are then empty; `{a}` and `{+a}` have at least one character.
 *
 * `{a}` and `{/a}` end with their path segment or query parameter, and every value at the first place where what comes
 * next in the template occurs (the last place, if that is the template's end). There is no backtracking: the time is
 * linear in the URI for each variable.
 *
 * @returns undefined if the URI does not match, or the template has a form that is not supported
 * Source: RFC 6570 §1.4, §3.2.
 */
export const matchTemplate = (
  uriTemplate: string,
  uri: string,
): Readonly<Record<string, string>> | undefined => {
  const parts = parseUriTemplate(uriTemplate);
  if (!parts || uri.length > MAX_URI_LENGTH || /[{}]/.test(uri)) return undefined;

  const found: Variable[] = [];
  let rest = uri;
  for (const [index, part] of parts.entries()) {
    const taken = take(part, rest, { next: parts[index + 1], isLast: index + 2 >= parts.length });
    if (!taken) return undefined;
    found.push(...taken.found);
    rest = rest.slice(taken.length);
  }
  return rest === '' ? decoded(found) : undefined;
};

type Variable = readonly [name: string, value: string];
type ValuePart = UriPart & { readonly kind: 'value' };
type QueryPart = UriPart & { readonly kind: 'query' };

interface Following {
  readonly next: UriPart | undefined;
  /** Whether nothing comes after `next`. */
  readonly isLast: boolean;
}

interface Taken {
  readonly length: number;
  readonly found: readonly Variable[];
}

const take = (part: UriPart, rest: string, after: Following): Taken | undefined => {
  switch (part.kind) {
    case 'text':
      return rest.startsWith(part.text) ? { length: part.text.length, found: [] } : undefined;
    case 'value':
      return takeValue(part, rest, after);
    case 'query':
      return takeQuery(part, rest);
  }
};

const takeValue = (part: ValuePart, rest: string, after: Following): Taken | undefined => {
  const { name, prefix } = part;
  const text = rest.slice(prefix.length);
  const length = rest.startsWith(prefix) ? valueLength(part, text, after) : 0;
  if (length > 0) return { length: prefix.length + length, found: [[name, text.slice(0, length)]] };
  return prefix === '' ? undefined : { length: 0, found: [[name, '']] };
};

const valueLength = (
  { reserved }: ValuePart,
  text: string,
  { next, isLast }: Following,
): number => {
  const longest = reserved ? text.length : firstOf(text, '/?#&');
  switch (next?.kind) {
    case 'text': {
      const isEnd = isLast && text.endsWith(next.text);
      const length = isEnd ? text.length - next.text.length : text.indexOf(next.text, 1);
      return length <= longest ? length : 0;
    }
    case 'value':
      return Math.min(longest, firstOf(text, next.prefix));
    case 'query':
      return Math.min(longest, firstOf(text, `${next.start}#`));
    case undefined:
      return longest;
  }
};

const takeQuery = ({ start, names }: QueryPart, rest: string): Taken | undefined => {
  const length = firstOf(rest, '#');
  const absent = new Set(names);
  const found: Variable[] = [];
  if (length > 0) {
    if (!rest.startsWith(start)) return undefined;
    for (const parameter of rest.slice(1, length).split('&')) {
      const equals = firstOf(parameter, '=');
      const name = parameter.slice(0, equals);
      // Parameters that the template does not name, or repeated ones, make it the URI of another document.
      if (!absent.delete(name)) return undefined;
      found.push([name, parameter.slice(equals + 1)]);
    }
  }
  return { length, found: [...found, ...Array.from(absent, (name): Variable => [name, ''])] };
};

/** Index of the first of some characters, or the text's length. */
const firstOf = (text: string, characters: string): number => {
  const places = Array.from(characters, (character) => text.indexOf(character));
  return Math.min(text.length, ...places.filter((place) => place >= 0));
};

const decoded = (found: readonly Variable[]): Record<string, string> | undefined => {
  try {
    return Object.fromEntries(found.map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined;
  }
};
