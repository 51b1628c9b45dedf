import type { IndexedTool, WirePlace } from '../tool-index.ts';
import { invalidArgument } from './invalid-arguments.ts';
import { own } from './json.ts';
import { type Pair, parameterPairs } from './parameter-pairs.ts';
import { asIs } from './percent-encode.ts';

/** Whether a name in a part of the request is the owner's or the description's alone. */
export type IsKept = (place: WirePlace['in'], name: string) => boolean;

/**
 * Names on the wire that members of an argument may not have: they would stand beside, and with many
 * servers instead of, what the owner fixed or took away, and what the address itself says. Servers read
 * `a[b]` as a part of `a`; some take `A` for `a`, and PHP takes `a.b` for `a_b`.
 */
export const keptPlaces = ({
  operation: { parameters, path, serverUrl },
  fixed = {},
  withheldPlaces = [],
}: Pick<IndexedTool, 'operation' | 'fixed' | 'withheldPlaces'>): IsKept => {
  // A fixed object may stand in the request by its members alone.
  const members = parameters.flatMap((parameter) =>
    parameterPairs(parameter.name, own(fixed, parameter.argument), parameter, asIs).map(
      ([name]): WirePlace => ({ in: parameter.in, name }),
    ),
  );
  const inAddress = [serverUrl, path]
    .flatMap(namesInQuery)
    .map((name): WirePlace => ({ in: 'query', name }));
  const kept = new Set([...withheldPlaces, ...members, ...inAddress].map(keyOf));

  if (kept.size === 0) return () => false;
  return (place, name) => wholesOf(name).some((one) => kept.has(keyOf({ in: place, name: one })));
};

/** What may be written into a request. */
export interface Keeper {
  readonly isKept: IsKept;
  readonly withheld: ReadonlySet<string>;
}

/**
 * The pairs that an argument is written as.
 *
 * @param name - its own, which it may always have
 * @throws RpcRefusal if a member of it would stand where nothing of a call may stand
 */
export const outsideKept = (
  { isKept, withheld }: Keeper,
  place: WirePlace['in'],
  { argument, name }: { readonly argument: string; readonly name: string },
  pairs: readonly Pair[],
): readonly Pair[] => {
  const [stray] = pairs.find(([member]) => member !== name && isKept(place, member)) ?? [];
  if (stray === undefined || withheld.has(argument)) return pairs;
  throw invalidArgument([argument, stray], 'stands for what callers may not set');
};

const keyOf = ({ in: place, name }: WirePlace): string =>
  `${place} ${name.trimStart().toLowerCase().replaceAll(/[. ]/g, '_')}`;

/** What a name is a part of, and itself: `a`, `a[b]` and `a[b][c]`; of names that nest deeper, the outer ones. */
const wholesOf = (name: string): readonly string[] => {
  const wholes = [name];
  for (let at = name.indexOf('['); at >= 0; at = name.indexOf('[', at + 1)) {
    if (wholes.push(name.slice(0, at)) > DEEPEST) break;
  }
  return wholes;
};

const DEEPEST = 20;

const namesInQuery = (url: string): readonly string[] => {
  const [address = ''] = url.split('#', 1);
  const mark = address.indexOf('?');
  return mark < 0 ? [] : [...new URLSearchParams(address.slice(mark)).keys()];
};
