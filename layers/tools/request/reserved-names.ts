import type { IndexedTool, WirePlace } from '../../openapi/tool-index.ts';
import { member } from '../../platform/rules/json/json.ts';
import { invalidArgument } from '../arguments/invalid-arguments.ts';
import { asIs, type Pair, parameterPairs } from './parameter-pairs.ts';

/** Names in the parts of a request that are the owner's or the description's alone. */
export interface ReservedNames {
  has(place: WirePlace['in'], name: string): boolean;
}

/**
 * Names on the wire that members of an argument may not have: they would stand beside, and with many
 * servers instead of, what the owner fixed or took away, and what the address itself says. Servers read
 * `a[b]` as a part of `a`; some take `A` for `a`, and PHP takes `a.b` for `a_b`. Nor may they choose another method than
 * that of the tool, as forms do with `_method` at Rails, Laravel and Symfony.
 */
export const reservedNames = ({
  operation: { parameters, path, serverUrl },
  fixed = {},
  withheldPlaces = [],
}: Pick<IndexedTool, 'operation' | 'fixed' | 'withheldPlaces'>): ReservedNames => {
  // A fixed object may stand in the request by its members alone.
  const members = parameters.flatMap((parameter) =>
    parameterPairs(parameter.name, member(fixed, parameter.argument), parameter, asIs).map(
      ([name]): WirePlace => ({ in: parameter.in, name }),
    ),
  );
  const inAddress = [serverUrl, path]
    .flatMap(namesInQuery)
    .map((name): WirePlace => ({ in: 'query', name }));
  const reserved = new Set([...withheldPlaces, ...members, ...inAddress].map(propertyKeyOf));

  return {
    has: (place, name) =>
      isMethod(place, name) ||
      (reserved.size > 0 &&
        wholesOf(name).some((whole) => reserved.has(propertyKeyOf({ in: place, name: whole })))),
  };
};

export interface Reserved {
  readonly reservedNames: ReservedNames;
  readonly withheld: ReadonlySet<string>;
}

/**
 * Refuses an argument with a member that would stand under a reserved name.
 *
 * @param name - the argument's own on the wire, which it may always have
 * @param pairs - what the argument is written as
 * @throws RpcRefusal `invalid_params`
 */
export const rejectReserved = (
  { reservedNames, withheld }: Reserved,
  place: WirePlace['in'],
  { argument, name }: { readonly argument: string; readonly name: string },
  pairs: readonly Pair[],
): void => {
  if (withheld.has(argument)) return;
  for (const [member] of pairs) {
    if (member !== name && reservedNames.has(place, member)) {
      throw invalidArgument([argument, member], 'names something that callers may not set');
    }
  }
};

/**
 * Tells the names that common servers take for this one, for a part of it, or for the whole that it is a
 * part of: of `key` also `KEY`, `key[]` and `key[0]`, of `f[key]` also `f`.
 */
export const spellingsOf = (place: WirePlace['in'], reserved: string) => {
  const inPlace = (name: string): string => keyOf({ in: place, name });
  const key = inPlace(reserved);
  const outer = new Set(wholesOf(reserved).map(inPlace));
  return (name: string): boolean =>
    outer.has(inPlace(name)) || wholesOf(name).some((whole) => inPlace(whole) === key);
};

const isMethod = (place: WirePlace['in'], name: string): boolean =>
  (place === 'body' || place === 'query') && name.trim().toLowerCase() === '_method';

/**
 * In the environment of CGI programs, headers have `_` for `-` (RFC 3875 §4.1.18). Go takes every letter for one that folds
 * to the same: `ſ` for `s`.
 */
const keyOf = ({ in: place, name }: WirePlace): string => {
  const key = name.trimStart().normalize('NFKC').toUpperCase().toLowerCase();
  return `${place} ${key.replaceAll(place === 'header' ? /[-. ]/g : /[. ]/g, '_')}`;
};

/** Members of bodies and queries are read as properties of classes: ProtoJSON takes `userId` for `user_id`. */
const propertyKeyOf = (place: WirePlace): string =>
  place.in === 'body' || place.in === 'query' ? keyOf(place).replaceAll(/[-_]/g, '') : keyOf(place);

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

/** Whether the credential is sent under this name, in any spelling, so that no argument may be. */
export type IsCredentialName = (name: string) => boolean;
