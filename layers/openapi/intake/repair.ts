import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { type Dialect, target } from '../document.ts';
import type { Warnings } from './findings.ts';
import { repairParameters } from './repair-parameters.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import { isExtension, methodFields } from './openapi-fields.ts';
import { trimmedEnd } from '../../platform/rules/text.ts';

/**
 * Writes what leaves no doubt about the request as the description's dialect has it, with a warning each,
 * so that all later reading knows one form of it.
 */
export const repair = (root: JsonObject, dialect: Dialect, warnings: Warnings): void => {
  repairPaths(root, dialect, warnings);
  repairParameters(root, dialect, warnings);
  repairPlaces(root, warnings);
};

/**
 * Puts slips right that leave no doubt about the request: a path without its first slash, a method in
 * capitals. Where what would come of it stands there already, both are left as they are, to be refused.
 */
const repairPaths = (root: JsonObject, dialect: Dialect, warnings: Warnings): void => {
  const paths = member(root, 'paths');
  if (!isObject(paths)) return;
  const methods = new Set(methodFields(dialect));
  const repaired = new Map<JsonObject, JsonObject>();
  let isChanged = false;

  const entries = Object.entries(paths).map(([path, item]): readonly [string, Json] => {
    if (isExtension(path) || !isObject(item)) return [path, item];
    const lacksSlash = !path.startsWith('/') && !Object.hasOwn(paths, `/${path}`);
    const key = lacksSlash ? `/${path}` : path;
    const newItem = repaired.get(item) ?? withMethods(item, methods);
    repaired.set(item, newItem);
    if (lacksSlash) {
      const what = `the path does not start with a slash; read as ${key}`;
      warnings.add(pointerTo('paths', path), what, 'Begin it with a slash.');
    }
    if (newItem !== item) {
      const what = 'methods in capitals; read as those in lower case';
      warnings.add(pointerTo('paths', path), what, 'Write methods in lower case.');
    }
    isChanged ||= lacksSlash || newItem !== item;
    return [key, newItem];
  });
  if (isChanged) (root as Record<string, Json>)['paths'] = Object.fromEntries(entries);
};

const withMethods = (item: JsonObject, methods: ReadonlySet<string>): JsonObject => {
  const isSlip = (key: string): boolean => {
    const lower = key.toLowerCase();
    return lower !== key && methods.has(lower) && !Object.hasOwn(item, lower);
  };
  const slips = Object.keys(item).filter(isSlip);
  const lower = new Set(slips.map((key) => key.toLowerCase()));
  // `GET` and `Get` could both be meant.
  if (slips.length === 0 || lower.size < slips.length) return item;
  return Object.fromEntries(
    Object.entries(item).map(([key, value]) => [isSlip(key) ? key.toLowerCase() : key, value]),
  );
};

/** No server takes a longer one; it is refused later on. */
const MAX_PATH = 2000;

/** `{id}`, and `{id:[0-9]{2}}` or `{id=things/*}` as routers write it. */
const PLACE = /\{((?:[^{}]|\{[^{}]*\})*)\}/g;

/** A whole segment `:id`, `:id(\d+)` or `<int:id>`, as routers write places. */
const ROUTER_PLACE =
  /(?<=\/)(?::([A-Za-z_]\w*)(?:\([^()/]*\))?\??|<(?:[A-Za-z_]\w*:)?([A-Za-z_]\w*)>)(?=\/|$)/g;

/** `{?limit,page}`, the query of a URI template. Source: RFC 6570 §3.2.8. */
const QUERY = /\{[?&]([\w.,*-]+)\}/g;

/**
 * Writes places of a path as OpenAPI does where they stand as routers have them (`/pets/:id`,
 * `/pets/{id:[0-9]+}`, `/pets/{ ID }`) and a declared path parameter, which has no place otherwise, says
 * what is meant.
 */
export const repairPlaces = (root: JsonObject, warnings: Warnings): void => {
  const paths = member(root, 'paths');
  if (!isObject(paths)) return;
  const taken = new Set(Object.keys(paths));
  // Thousands of paths may share one item by reference.
  const known = new Map<Json, Declared>();
  let isChanged = false;
  const entries = Object.entries(paths).map(([path, node]): readonly [string, Json] => {
    if (isExtension(path) || path.length > MAX_PATH || !MAY_HAVE_PLACES.test(path))
      return [path, node];
    const item = target(root, node) ?? null;
    const declared = known.get(item) ?? declaredIn(root, item);
    known.set(item, declared);
    const repaired = withPlaces(withoutQuery(path, declared.query), declared.path);
    if (repaired === path || taken.has(repaired)) return [path, node];
    taken.add(repaired);
    isChanged = true;
    const what = `places of the path are not written as in OpenAPI; read as ${repaired}`;
    warnings.add(pointerTo('paths', path), what, 'Write `{name}`, as the parameter is named.');
    return [repaired, node];
  });
  if (isChanged) (root as Record<string, Json>)['paths'] = Object.fromEntries(entries);
};

/** Paths without any of these have no places. */
const MAY_HAVE_PLACES = /[{:<]/;

/** The parameters of all operations of a path. */
interface Declared {
  readonly path: Names;
  readonly query: Names;
}

interface Names {
  readonly all: ReadonlySet<string>;
  /** By how they are spelled in lower case. */
  readonly spelled: ReadonlyMap<string, readonly string[]>;
}

const declaredIn = (root: JsonObject, item: Json): Declared => {
  const holders = isObject(item) ? [item, ...Object.values(item).filter(isObject)] : [];
  const parameters = holders
    .map((holder) => member(holder, 'parameters'))
    .flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]) : []))
    .map((entry) => target(root, entry))
    .filter((parameter) => isObject(parameter));
  const namesIn = (place: string): Names => {
    const names = parameters
      .filter((parameter) => member(parameter, 'in') === place)
      .map((parameter) => member(parameter, 'name'))
      .filter((name) => typeof name === 'string' && /^[^{}/]+$/.test(name))
      .map(String);
    const all = new Set(names);
    return { all, spelled: Map.groupBy(all, (name) => name.toLowerCase()) };
  };
  return { path: namesIn('path'), query: namesIn('query') };
};

/** What its parameters say already. */
const withoutQuery = (path: string, { all }: Names): string =>
  path.replaceAll(QUERY, (written, names: string) =>
    names.split(',').every((name) => all.has(name.replace(/\*$/, ''))) ? '' : written,
  );

const withPlaces = (path: string, declared: Names): string => {
  const taken = new Set([...path.matchAll(PLACE)].map(([, place]) => place ?? ''));
  const filled = (written: string, place: string): string => {
    const name = meant(place, declared, taken);
    if (name === undefined) return written;
    taken.add(name);
    return `{${name}}`;
  };
  return path
    .replaceAll(PLACE, (written, place: string) =>
      declared.all.has(place) ? written : filled(written, place),
    )
    .replaceAll(ROUTER_PLACE, (written, colon?: string, angled?: string) =>
      filled(written, colon ?? angled ?? ''),
    );
};

/**
 * The only parameter without a place that one can stand for, apart from what routers add to names, and
 * from case.
 */
const meant = (
  place: string,
  { all, spelled }: Names,
  taken: ReadonlySet<string>,
): string | undefined => {
  const name = place.replace(/[:=].*$/s, '').replace(/^[\s*+.]+/, '');
  const bare = trimmedEnd(name, /[\s*+?]/);
  if (all.has(bare) && !taken.has(bare)) return bare;
  const open = (spelled.get(bare.toLowerCase()) ?? []).filter((one) => !taken.has(one));
  return open.length === 1 ? open[0] : undefined;
};
