import type { Received } from '../target/validating-api.ts';
import type { DescribedOperation, DescribedParameter } from './described.ts';
import { fromPairs, fromText } from './styles.ts';
import { decoded, type Pairs, pairsOf, type Wire } from './values.ts';

export {
  describedOperations,
  type DescribedOperation,
  type DescribedParameter,
} from './described.ts';
export { nodeOf } from './described.ts';
export { readBody, type SentFile } from './bodies.ts';

/**
 * What a request gives a parameter, read by the description's rules. JSON is read as JSON.
 *
 * @param meant - its shape tells what to look for: a list, an object, a plain value
 */
export const readParameter = (
  operation: DescribedOperation,
  parameter: DescribedParameter,
  meant: unknown,
  { url, headers }: Received,
): unknown => {
  const [path = '', ...query] = url.split('?');
  const { name, isJson } = parameter;
  switch (parameter.in) {
    case 'path': {
      const raw = placeOf(operation.path, path, name);
      if (raw === undefined) return undefined;
      return isJson
        ? jsonIn(decodeURIComponent(raw))
        : fromText(parameter, meant, raw, decodeURIComponent);
    }
    case 'query':
      return inPairs(parameter, meant, pairsOf(query.join('?'), '&'), decoded);
    case 'cookie':
      return inPairs(parameter, meant, pairsOf(headers['cookie'] ?? '', '; '), decodeURIComponent);
    default: {
      const raw = headers[name.toLowerCase()];
      if (raw === undefined) return undefined;
      return isJson ? jsonIn(raw) : fromText(parameter, meant, raw, asItIs);
    }
  }
};

const inPairs = (
  parameter: DescribedParameter,
  meant: unknown,
  pairs: Pairs,
  decode: (raw: string) => string,
): unknown => {
  if (!parameter.isJson) return fromPairs(parameter, meant, pairs, decode);
  const text = fromPairs({ ...parameter, style: 'form' }, '', pairs, decode);
  return jsonIn(text as string | undefined);
};

/** What stands in the place of a path that has this name, as it was sent. */
const placeOf = (template: string, path: string, name: string): string | undefined => {
  const [literal = ''] = template.split(/[?#]/);
  const names: string[] = [];
  const pattern = literal.split(/\{([^{}]*)\}/).map((piece, index) => {
    if (index % 2 === 0) return piece.replace(/[^\w/-]/g, '(?:\\$&|%[0-9A-F]{2}|[^/])');
    names.push(piece);
    return '([^/]*)';
  });
  const found = new RegExp(`^${pattern.join('')}$`).exec(path);
  return found?.[names.indexOf(name) + 1];
};

const jsonIn = (text: string | undefined): Wire | undefined =>
  text === undefined ? undefined : JSON.parse(text);

const asItIs = (text: string): string => text;
