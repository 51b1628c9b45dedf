import type { DescribedParameter } from './described.ts';
import { isList, isMap, type Pairs, type Wire } from './values.ts';

type Decode = (raw: string) => string;

type Style = Pick<DescribedParameter, 'name' | 'style' | 'explode'>;

/**
 * Reads a parameter back from pairs by the rules of its style. What was meant tells only whether to
 * look for a list, an object or a plain value.
 *
 * Source: OpenAPI 3.1.1, "Style Examples".
 */
export const fromPairs = (
  { name, style, explode }: Style,
  meant: unknown,
  pairs: Pairs,
  decode: Decode,
): Wire | undefined => {
  if (style === 'deepObject' && typeof meant === 'object') return deepObject(name, pairs, decode);
  const all = pairs.filter(([key]) => decode(key) === name).map(([, raw]) => raw);
  if (isMap(meant) && explode) {
    const members = Object.entries(meant).flatMap(([key, member]) => {
      const found = pairs.filter(([sent]) => decode(sent) === key).map(([, raw]) => decode(raw));
      const [one] = found;
      if (one === undefined) return [];
      return [[key, isList(member) ? found : one] as const];
    });
    return members.length > 0 ? Object.fromEntries(members) : undefined;
  }
  const [raw] = all;
  if (raw === undefined) return undefined;
  if (isList(meant)) return (explode ? all : split(raw, style)).map(decode);
  return isMap(meant) ? alternating(split(raw, style), decode) : decode(raw);
};

/** Reads the text of a path segment or a header. */
export const fromText = (
  { name, style, explode }: Style,
  meant: unknown,
  raw: string,
  decode: Decode,
): Wire => {
  const isCompound = isList(meant) || isMap(meant);
  switch (style) {
    case 'label':
      return compound(meant, raw.slice(1), explode ? '.' : ',', explode, decode);
    case 'matrix': {
      const pieces = raw.slice(1).split(';');
      if (isMap(meant) && explode) return equated(pieces, decode);
      const values = pieces.map((piece) => {
        const [key = '', ...rest] = piece.split('=');
        return decode(key) === name ? rest.join('=') : `not ${name}`;
      });
      if (isList(meant) && explode) return values.map(decode);
      return compound(meant, values.join(), ',', false, decode);
    }
    default:
      return isCompound ? compound(meant, raw, delimiterOf(style), explode, decode) : decode(raw);
  }
};

const compound = (
  meant: unknown,
  raw: string,
  delimiter: string | RegExp,
  explode: boolean,
  decode: Decode,
): Wire => {
  if (isList(meant)) return raw.split(delimiter).map(decode);
  if (!isMap(meant)) return decode(raw);
  const parts = raw.split(delimiter);
  return explode ? equated(parts, decode) : alternating(parts, decode);
};

const equated = (parts: readonly string[], decode: Decode): Wire =>
  Object.fromEntries(
    parts.map((part) => {
      const [key = '', ...rest] = part.split('=');
      return [decode(key), decode(rest.join('='))];
    }),
  );

const alternating = (parts: readonly string[], decode: Decode): Wire =>
  Object.fromEntries(
    parts.flatMap((key, index) =>
      index % 2 === 0 ? [[decode(key), decode(parts[index + 1] ?? '')]] : [],
    ),
  );

const split = (raw: string, style: string): readonly string[] => raw.split(delimiterOf(style));

/** Raw, or encoded. */
const delimiterOf = (style: string): RegExp | string => {
  if (style === 'spaceDelimited') return /%20|\+| /;
  if (style === 'pipeDelimited') return /%7C|\|/i;
  return style === 'tabDelimited' ? /%09|\t/ : ',';
};

/** As qs reads it: `a[b][c]`, `a[]` for a list, `a[0][b]` for a list of objects. */
const deepObject = (name: string, pairs: Pairs, decode: Decode): Wire | undefined => {
  const paths = pairs.flatMap(([key, raw]) => {
    const sent = decode(key);
    if (!sent.startsWith(`${name}[`)) return [];
    return [{ keys: sent.slice(name.length + 1, -1).split(']['), value: decode(raw) }];
  });
  const [one] = paths;
  return one && grouped(paths);
};

interface Deep {
  readonly keys: readonly string[];
  readonly value: string;
}

const grouped = (paths: readonly Deep[]): Wire => {
  const [{ keys: [first] = [], value: only = '' } = {}] = paths;
  if (first === undefined) return only;
  if (first === '') return paths.map(({ value }) => value);
  const groups = Map.groupBy(paths, ({ keys: [key = ''] }) => key);
  const members = [...groups].map(([key, all]) => {
    const below = all.map(({ keys, value }) => ({ keys: keys.slice(1), value }));
    return [key, grouped(below)] as const;
  });
  return members.every(([key], index) => key === String(index))
    ? members.map(([, member]) => member)
    : Object.fromEntries(members);
};
