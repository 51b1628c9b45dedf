import type { IndexedTool, WirePlace } from '../../openapi/tool-index.ts';
import { member } from '../../platform/rules/json/json.ts';
import { invalidArgument } from '../arguments/invalid-arguments.ts';
import { asIs, type Pair, parameterPairs } from './parameter-pairs.ts';

/** Wire names that only the owner or the description may set. */
export interface ReservedNames {
  has(place: WirePlace['in'], name: string): boolean;
}

/**
 * Wire names that no member of an argument may have: servers could prefer such a member to what the owner fixed or
 * withheld, or to the query of the described URL. Servers parse `a[b]` as a part of `a`; some treat `A` as `a`, PHP
 * treats `a.b` as `a_b`, and Spring and ASP.NET read `a.b` and `a[b]` alike. `_method` is reserved too: Rails, Laravel
 * and Symfony take it for the HTTP method, in any spelling that becomes it, such as `.method` in PHP.
 */
export const reservedNames = ({
  operation: { parameters, path, serverUrl, body },
  fixed = {},
  withheldPlaces = [],
}: Pick<IndexedTool, 'operation' | 'fixed' | 'withheldPlaces'>): ReservedNames => {
  // A fixed object may be sent as its members alone.
  const members = parameters.flatMap((parameter) =>
    parameterPairs(parameter.name, member(fixed, parameter.argument), parameter, asIs).map(
      ([name]): WirePlace => ({ in: parameter.in, name }),
    ),
  );
  const inAddress = [serverUrl, path]
    .flatMap(namesInQuery)
    .map((name): WirePlace => ({ in: 'query', name }));
  const all = [...withheldPlaces, ...members, ...inAddress];
  const reserved = new Set(all.map(propertyKeyOf));
  const isForm = body?.form === 'form' || body?.form === 'multipart';
  // JSON has members of its own, and dots in its names mean nothing.
  const isNested = (place: WirePlace['in']): boolean =>
    place === 'query' || (place === 'body' && isForm);
  const nested = new Set(
    all.filter((one) => isNested(one.in)).flatMap((one) => keysOfWholes(one).slice(-1)),
  );

  return {
    has: (place, name) =>
      isMethod(place, name) ||
      (reserved.size > 0 &&
        wholesOf(name).some((whole) => reserved.has(propertyKeyOf({ in: place, name: whole })))) ||
      (nested.size > 0 &&
        isNested(place) &&
        keysOfWholes({ in: place, name }).some((key) => nested.has(key))),
  };
};

export interface Reserved {
  readonly reservedNames: ReservedNames;
  readonly withheld: ReadonlySet<string>;
}

/**
 * Refuses an argument whose members have a reserved wire name.
 * @param name - the argument's own wire name, which it may always have
 * @param pairs - wire names and values of the argument
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

/** Whether servers may read a name as the reserved one, part or whole of it: for `key` also `KEY` and `key[0]`. */
export const spellingsOf = (place: WirePlace['in'], reserved: string) => {
  const inPlace = (name: string): string => keyOf({ in: place, name });
  const key = inPlace(reserved);
  const outer = new Set(wholesOf(reserved).map(inPlace));
  return (name: string): boolean =>
    outer.has(inPlace(name)) || wholesOf(name).some((whole) => inPlace(whole) === key);
};

const isMethod = (place: WirePlace['in'], name: string): boolean =>
  METHOD.has(keyOf({ in: place, name: name.trim() }));

const METHOD: ReadonlySet<string> = new Set(['body _method', 'query _method']);

/** Name as lenient servers compare it: CGI has `_` for `-` in headers (RFC 3875 §4.1.18), Go equates `ſ` and `s`. */
const keyOf = ({ in: place, name }: WirePlace): string => {
  const key = name.trimStart().normalize('NFKC').toUpperCase().toLowerCase();
  return `${place} ${key.replaceAll(place === 'header' ? /[-. ]/g : /[. ]/g, '_')}`;
};

/**
 * In bodies and queries names are read as properties of classes: ProtoJSON accepts `userId` for `user_id`, and PHP
 * reads a bracket that nothing closes as `_`.
 */
const propertyKeyOf = (place: WirePlace): string => {
  const key = keyOf(place);
  if (place.in !== 'body' && place.in !== 'query') return key;
  const isClosed = key.indexOf(']') > key.indexOf('[');
  return key.replaceAll(isClosed ? /[-_]/g : /[-_[]/g, '');
};

/** A name and the names it is a part of: `a[b][c]`, `a[b]`, `a`; of deeply nested names only the outer ones. */
const wholesOf = (name: string): readonly string[] => {
  const wholes = [name];
  for (let at = name.indexOf('['); at >= 0; at = name.indexOf('[', at + 1)) {
    if (wholes.push(name.slice(0, at)) > DEEPEST) break;
  }
  return wholes;
};

const DEEPEST = 20;

/** Keys of a nested name and of the names it is a part of, however it is written: `a.b[c]` has those of `a[b].c`. */
const keysOfWholes = ({ in: place, name }: WirePlace): readonly string[] => {
  const parts = name.split(/[.[\]]+/, DEEPEST).filter((part) => part.trim() !== '');
  const keys = parts.map((part) => propertyKeyOf({ in: place, name: part }));
  return keys.map((_, index) => keys.slice(0, index + 1).join('.'));
};

const namesInQuery = (url: string): readonly string[] => {
  const [address = ''] = url.split('#', 1);
  const mark = address.indexOf('?');
  return mark < 0 ? [] : [...new URLSearchParams(address.slice(mark)).keys()];
};

/** Whether a name is a spelling of the one under which a credential is sent. */
export type IsCredentialName = (name: string) => boolean;
