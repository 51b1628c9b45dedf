import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import { trimmedEnd } from '../../platform/rules/text.ts';
import { type Dialect, target } from '../document.ts';
import {
  NAMELESS,
  replacePlaces,
  withoutRouterEnds,
  type WrittenPlace,
} from '../frameworks/path-notations.ts';
import type { Warnings } from './findings.ts';
import { isExtension } from './openapi-fields.ts';

/** No server takes a longer one; it is refused later on. */
const MAX_PATH = 2000;

/** `{id}`, and whatever else stands in braces. */
const PLACE = /\{((?:[^{}]|\{[^{}]*\})*)\}/g;

/** `{?limit,page}`, the query of a URI template. Source: RFC 6570 §3.2.8, §3.2.9. */
const QUERY = /\{[?&]([\w.,*$[\]-]+)\}/g;

/** Paths without any of these have no places. */
const MAY_HAVE_PLACES = /[{:<[*$]|\(\?/;

/**
 * Writes places of a path as OpenAPI does where they stand as routers have them (`/pets/:id`,
 * `/pets/{id:[0-9]+}`, `/pets/{ ID }`), and the query of a URI template (`{?page,size}`) as parameters. Where the path
 * that comes of it stands there already, a fragment keeps the two apart, and no request has it.
 */
export const repairPlaces = (root: JsonObject, dialect: Dialect, warnings: Warnings): void => {
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
    const { bare, query } = withoutQuery(path);
    const places = withPlaces(bare, declared.path);
    if (places.path === path) return [path, node];
    const repaired = taken.has(places.path) ? apart(places.path, path, query) : places.path;
    if (taken.has(repaired)) return [path, node];
    taken.add(repaired);
    isChanged = true;
    const what = `places of the path are not written as in OpenAPI; read as ${places.path}`;
    warnings.add(pointerTo('paths', path), what, 'Write `{name}`, and its query as parameters.');
    const added = [
      ...query.filter((name) => !declared.query.all.has(name)).map(inQuery),
      ...places.multi.filter((name) => !markMulti(declared.path, name)).map(inSegments),
      ...places.sure
        .filter((name) => !declared.path.all.has(name) && !places.multi.includes(name))
        .map(inPath),
    ].map((parameter) => typed(parameter, dialect));
    return [repaired, added.length > 0 && isObject(item) ? withParameters(item, added) : node];
  });
  if (isChanged) (root as Record<string, Json>)['paths'] = Object.fromEntries(entries);
};

/** What several operations of one path differ in, behind `#`: their queries, or how the path was written. */
const apart = (repaired: string, path: string, query: readonly string[]): string =>
  `${repaired}#${query.length > 0 ? query.join(',') : path.replaceAll(/[{}#]/g, '')}`;

const inQuery = (name: string) => ({ name, in: 'query' });
const inPath = (name: string) => ({ name, in: 'path', required: true });
const inSegments = (name: string) => ({ ...inPath(name), 'x-multi-segment': true });

const typed = (parameter: JsonObject, dialect: Dialect): JsonObject =>
  dialect === 'swagger-2.0'
    ? { ...parameter, type: 'string' }
    : { ...parameter, schema: { type: 'string' } };

/** Of a path item that thousands of paths may share; to longer lists nothing is added. */
const MOST_PARAMETERS = 100;

const withParameters = (item: JsonObject, added: readonly JsonObject[]): JsonObject => {
  const list = member(item, 'parameters');
  const own = Array.isArray(list) ? list : [];
  return own.length > MOST_PARAMETERS ? item : { ...item, parameters: [...own, ...added] };
};

/**
 * Lets the value of a parameter keep its slashes, as the router reads it.
 *
 * @returns whether it is declared
 */
const markMulti = ({ nodes }: Names, name: string): boolean => {
  const parameters = nodes.get(name) ?? (name === NAMELESS ? nodes.get('*') : undefined) ?? [];
  for (const parameter of parameters as readonly Record<string, Json>[]) {
    parameter['name'] = name;
    parameter['x-multi-segment'] = true;
  }
  return parameters.length > 0;
};

/** The parameters of all operations of a path. */
interface Declared {
  readonly path: Names;
  readonly query: Names;
}

interface Names {
  readonly all: ReadonlySet<string>;
  /** By how they are spelled in lower case. */
  readonly spelled: ReadonlyMap<string, readonly string[]>;
  readonly nodes: ReadonlyMap<string, readonly JsonObject[]>;
}

const declaredIn = (root: JsonObject, item: Json): Declared => {
  const holders = isObject(item) ? [item, ...Object.values(item).filter(isObject)] : [];
  const parameters = holders
    .map((holder) => member(holder, 'parameters'))
    .flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]) : []))
    .map((entry) => target(root, entry))
    .filter((parameter) => isObject(parameter));
  const namesIn = (place: string): Names => {
    const named = parameters.flatMap((parameter) => {
      const name = member(parameter, 'in') === place ? member(parameter, 'name') : undefined;
      return typeof name === 'string' && /^[^{}/]+$/.test(name) ? [{ name, parameter }] : [];
    });
    const all = new Set(named.map(({ name }) => name));
    return {
      all,
      spelled: Map.groupBy(all, (name) => name.toLowerCase()),
      nodes: new Map(
        [...Map.groupBy(named, ({ name }) => name)].map(([name, its]) => [
          name,
          its.map(({ parameter }) => parameter),
        ]),
      ),
    };
  };
  return { path: namesIn('path'), query: namesIn('query') };
};

/** The path without the query of a URI template, and the names in that. */
const withoutQuery = (
  path: string,
): { readonly bare: string; readonly query: readonly string[] } => {
  const query: string[] = [];
  const bare = path.replaceAll(QUERY, (_, names: string) => {
    query.push(...names.split(',').map((name) => name.replace(/\*$/, '')));
    return '';
  });
  return { bare, query };
};

const withPlaces = (
  path: string,
  declared: Names,
): {
  readonly path: string;
  readonly sure: readonly string[];
  readonly multi: readonly string[];
} => {
  const taken = new Set([...path.matchAll(PLACE)].map(([, place]) => place ?? ''));
  const sure: string[] = [];
  const multi: string[] = [];
  const placed = (written: string, place: string, known?: WrittenPlace): string => {
    if (written === `{${place}}` && declared.all.has(place)) return written;
    const found = meant(place, declared, taken);
    const name = found ?? (known && !taken.has(known.name) ? known.name : undefined);
    if (name === undefined) return written;
    taken.add(name);
    if (`{${name}}` !== written) sure.push(name);
    if (known?.isMulti === true) multi.push(name);
    return `{${name}}`;
  };
  const read = replacePlaces(withoutRouterEnds(path), (written, place) =>
    placed(written, place.name, place),
  ).replaceAll(PLACE, (written, place: string) => placed(written, place));
  return { path: read, sure, multi };
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
