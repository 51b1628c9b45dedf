import {
  isObject,
  type Json,
  type JsonObject,
  member,
  textMember,
} from '../../platform/rules/json/json.ts';
import { listMember } from '../../platform/rules/json/members.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import { trimmedEnd } from '../../platform/rules/text.ts';
import { type Dialect, target } from '../document.ts';
import {
  NAMELESS,
  replacePlaces,
  withoutRouterEnds,
  type WrittenPlace,
} from '../frameworks/path-notations.ts';
import { expandTemplate } from '../frameworks/uri-templates.ts';
import type { Warnings } from './findings.ts';
import { isExtension } from './openapi-fields.ts';

/** Longer paths are refused later. */
const MAX_PATH = 2000;

const PLACE = /\{((?:[^{}]|\{[^{}]*\})*)\}/g;

/** Characters without which a path has no variables. */
const MAY_HAVE_PLACES = /[{}:<[*$(]|%7b/i;

/**
 * Rewrites path variables in notations of routers (`/pets/:id`, `/pets/{id:[0-9]+}`, `/pets/{ ID }`), of URI templates
 * (`{?page,size}`) or with a slip (`/pets/{id`) as `{name}`. If the resulting path exists already, a fragment, which is
 * never sent, distinguishes the two.
 */
export const repairPlaces = (root: JsonObject, dialect: Dialect, warnings: Warnings): void => {
  const paths = member(root, 'paths');
  if (!isObject(paths)) return;
  const taken = new Set(Object.keys(paths));
  // Cache: thousands of paths may share one path item.
  const known = new Map<Json, Declared>();
  let isChanged = false;
  const entries = Object.entries(paths).map(([path, node]): readonly [string, Json] => {
    if (isExtension(path) || path.length > MAX_PATH || !MAY_HAVE_PLACES.test(path))
      return [path, node];
    const item = target(root, node) ?? null;
    const declared = known.get(item) ?? declaredIn(root, item);
    known.set(item, declared);
    const template = expandTemplate(withOurBraces(path), (name) => styleOf(declared.path, name));
    const { query } = template;
    const bare = withQueryPlaces(balanced(template.path, declared.path));
    const places = withPlaces(bare, declared.path);
    const names = placesOf(places.path);
    const twice = names.find((name, at) => names.indexOf(name) < at);
    if (twice !== undefined) {
      const what = `the path has the place {${twice}} more than once; each gets the same value`;
      warnings.add(pointerTo('paths', path), what, 'Give places that differ names that differ.');
    }
    if (places.path === path) return [path, node];
    const repaired = taken.has(places.path) ? apart(places.path, path, query) : places.path;
    if (taken.has(repaired)) return [path, node];
    taken.add(repaired);
    isChanged = true;
    nameAsPlaces(declared.path, names);
    const what = `places of the path are not written as in OpenAPI; read as ${places.path}`;
    warnings.add(pointerTo('paths', path), what, 'Write `{name}`, and its query as parameters.');
    const added = [
      ...query.filter((name) => !declared.query.all.has(name)).map(inQuery),
      ...places.multi
        .filter((name) => !markMulti(declared.path, name, places.forms.get(name)))
        .map((name) => inSegments(name, places.forms.get(name))),
      ...[...new Set(names)]
        .filter((name) => !isDeclared(declared, name) && !places.multi.includes(name))
        .map(inPath),
    ]
      .map((parameter) => typed(parameter, dialect))
      .map((parameter) =>
        places.optional.includes(textMember(parameter, 'name'))
          ? { ...parameter, required: false }
          : parameter,
      );
    for (const name of places.optional) markOptional(declared.path, name);
    return [repaired, added.length > 0 && isObject(item) ? withParameters(item, added) : node];
  });
  if (isChanged) (root as Record<string, Json>)['paths'] = Object.fromEntries(entries);
};

/**
 * Appends queries, or the path as written, as a fragment that distinguishes operations of one path: see `shownPath`.
 */
const apart = (repaired: string, path: string, query: readonly string[]): string =>
  query.length > 0
    ? `${repaired}#?${query.join('&')}`
    : `${repaired}#/${path.replaceAll(/[{}#]/g, '').replace(/^\//, '')}`;

const isDeclared = ({ path, query }: Declared, name: string): boolean =>
  path.all.has(name) || query.all.has(name);

const inQuery = (name: string) => ({ name, in: 'query' });
const inPath = (name: string) => ({ name, in: 'path', required: true });
const inSegments = (name: string, form: string | undefined) => ({
  ...inPath(name),
  'x-multi-segment': true,
  ...(form === undefined ? {} : { description: formOf(form) }),
});
const formOf = (form: string): string => `In the form ${form}.`;

const typed = (parameter: JsonObject, dialect: Dialect): JsonObject =>
  dialect === 'swagger-2.0'
    ? { ...parameter, type: 'string' }
    : { ...parameter, schema: { type: 'string' } };

/** Parameters are only added to shorter lists, since thousands of paths may share a path item. */
const MOST_PARAMETERS = 100;

const withParameters = (item: JsonObject, added: readonly JsonObject[]): JsonObject => {
  const own = listMember(item, 'parameters');
  return own.length > MOST_PARAMETERS ? item : { ...item, parameters: [...own, ...added] };
};

/** Marks a parameter whose value keeps its slashes. @returns whether it is declared */
const markMulti = ({ nodes }: Names, name: string, form: string | undefined): boolean => {
  const parameters = nodes.get(name) ?? (name === NAMELESS ? nodes.get('*') : undefined) ?? [];
  for (const parameter of parameters as readonly Record<string, Json>[]) {
    parameter['name'] = name;
    parameter['x-multi-segment'] = true;
    if (form !== undefined) parameter['description'] ??= formOf(form);
  }
  return parameters.length > 0;
};

/** Lets a parameter be left out, as the router reads it. */
const markOptional = ({ nodes }: Names, name: string): void => {
  for (const parameter of (nodes.get(name) ?? []) as readonly Record<string, Json>[]) {
    parameter['required'] = false;
  }
};

interface Declared {
  readonly path: Names;
  readonly query: Names;
}

interface Names {
  readonly all: ReadonlySet<string>;
  /** Names by their lower-case spelling. */
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
      const isName = typeof name === 'string' && /^[^{}/]+$/.test(name);
      return isName ? [{ name: place === 'path' ? withoutMarks(name) : name, parameter }] : [];
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

/** Removes router marks: `*rest`, `...rest` and `rest+` become `rest`; a bare `*` stays. */
const withoutMarks = (name: string): string => {
  const bare = trimmedEnd(name.replace(/^[*+.]+/, ''), /[*+?]/);
  return bare === '' ? name : bare;
};

const nameAsPlaces = ({ nodes }: Names, places: readonly string[]): void => {
  for (const place of places) {
    for (const node of (nodes.get(place) ?? []) as readonly Record<string, Json>[]) {
      node['name'] = place;
    }
  }
};

const styleOf = ({ all, nodes }: Names, name: string): string | undefined => {
  if (!all.has(name)) return undefined;
  const styles = (nodes.get(name) ?? []).map((node) => member(node, 'style'));
  return styles.find((style) => typeof style === 'string') ?? 'simple';
};

const placesOf = (path: string): readonly string[] =>
  [...path.matchAll(PLACE)].map(([, place]) => place ?? '');

/** Braces of other template languages, `{{id}}`, `${id}`, `#{id}`, and percent-encoded ones. */
const OTHER_BRACES = /\{\{\s*([\w.-]+)\s*\}\}|[$#]\{([\w.-]+)\}|%7b([\w.-]+)%7d/gi;

const withOurBraces = (path: string): string =>
  path.replaceAll(
    OTHER_BRACES,
    (_, double = '', script = '', encoded = '') => `{${double}${script}${encoded}}`,
  );

/** A segment that is a variable with unbalanced braces. */
const LOOSE_BRACES = /^(?:\{+([\w.-]+)\}*|([\w.-]+)\}+)$/;

const balanced = (path: string, declared: Names): string => {
  if (path.split('{').length === path.split('}').length) return path;
  const segments = path.split('/').map((segment) => {
    const [, opened, closed = ''] = LOOSE_BRACES.exec(segment) ?? [];
    if (opened === undefined && !declared.all.has(closed)) return segment;
    return `{${opened ?? closed}}`;
  });
  return segments.join('/');
};

/** A variable in a query: `?name=:name`, `?name=[name]`. */
const QUERY_PLACE = /^([^=]*)=(?::([A-Za-z_]\w*)|\[([A-Za-z_]\w*)\])$/;

const withQueryPlaces = (path: string): string => {
  const [address = '', ...query] = path.split('?');
  if (query.length !== 1) return path;
  const pairs = query
    .join()
    .split('&')
    .map((pair) =>
      pair.replace(
        QUERY_PLACE,
        (_, key: string, one = '', other = '') => `${key}={${one}${other}}`,
      ),
    );
  return `${address}?${pairs.join('&')}`;
};

/** Characters that authors put around a name instead of braces. */
const AROUND = /[$()[\]<>:?!|]/g;

/** Lists of parameters up to this length are searched for the only unused one. */
const MOST_DECLARED = 100;

/** The declared path parameter without a variable, if there is exactly one. */
const onlyOpen = ({ all }: Names, placed: ReadonlySet<string>): string | undefined => {
  if (all.size > MOST_DECLARED) return undefined;
  const open = [...all].filter((name) => !placed.has(name));
  return open.length === 1 ? open[0] : undefined;
};

/** Adds variables that are evidently meant: `/pets/(id)`, or a second `{id}` beside one unused parameter. */
const withOpen = (path: string, declared: Names): string => {
  const placed = new Set(placesOf(path));
  const read = path.split('/').map((segment) => {
    const name = segment.replaceAll(AROUND, '');
    if (name === segment || segment.includes('{') || placed.has(name)) return segment;
    if (!declared.all.has(name)) return segment;
    placed.add(name);
    return `{${name}}`;
  });
  const seen = new Set<string>();
  return read.join('/').replaceAll(PLACE, (written, place: string) => {
    const only = seen.has(place) ? onlyOpen(declared, placed) : undefined;
    seen.add(place);
    if (only === undefined) return written;
    placed.add(only);
    return `{${only}}`;
  });
};

type NamedPlace = WrittenPlace & { readonly name: string };

const withPlaces = (
  path: string,
  declared: Names,
): {
  readonly path: string;
  readonly multi: readonly string[];
  readonly optional: readonly string[];
  readonly forms: ReadonlyMap<string, string>;
} => {
  const taken = new Set([...path.matchAll(PLACE)].map(([, place]) => place ?? ''));
  const multi: string[] = [];
  const optional: string[] = [];
  const forms = new Map<string, string>();
  const nameless = (isMulti: boolean): string => {
    const name = onlyNamed(declared, taken) ?? firstFree(NAMELESS, taken);
    taken.add(name);
    if (isMulti) multi.push(name);
    return `{${name}}`;
  };
  const placed = (written: string, place: string, known?: NamedPlace): string => {
    if (written === `{${place}}` && declared.all.has(place)) return written;
    // `{path}*` is a variable already, with a mark behind it.
    const isThere =
      known !== undefined && written.length > place.length + 2 && written.startsWith(`{${place}}`);
    const found = isThere ? place : meant(place, declared, taken);
    const named = place === '' ? 'id' : known?.name;
    const name = found ?? (named !== undefined && !taken.has(named) ? named : undefined);
    if (name === undefined) return written;
    taken.add(name);
    if (known?.isMulti === true) multi.push(name);
    if (known?.isOptional === true) optional.push(name);
    if (known?.form !== undefined) forms.set(name, known.form);
    return `{${name}}`;
  };
  const read = replacePlaces(withoutRouterEnds(path), (written, place) =>
    place.name === undefined
      ? nameless(place.isMulti)
      : placed(written, place.name, { ...place, name: place.name }),
  ).replaceAll(PLACE, (written, place: string) => placed(written, place));
  return { path: withOpen(read, declared), multi, optional, forms };
};

const onlyNamed = (declared: Names, taken: ReadonlySet<string>): string | undefined => {
  const open = onlyOpen(declared, taken);
  return open !== undefined && /\w/.test(open) ? open : undefined;
};

const firstFree = (name: string, taken: ReadonlySet<string>, count = 1): string => {
  const numbered = count === 1 ? name : `${name}_${count}`;
  return taken.has(numbered) ? firstFree(name, taken, count + 1) : numbered;
};

/** The only unused parameter that a variable can mean, apart from router marks and case. */
const meant = (place: string, declared: Names, taken: ReadonlySet<string>): string | undefined => {
  if (place === '') return onlyOpen(declared, taken);
  const { all, spelled } = declared;
  const name = place.replace(/[:=].*$/s, '').replace(/^[\s*+.]+/, '');
  const bare = trimmedEnd(name, /[\s*+?]/);
  if (all.has(bare) && !taken.has(bare)) return bare;
  const open = (spelled.get(bare.toLowerCase()) ?? []).filter((one) => !taken.has(one));
  return open.length === 1 ? open[0] : undefined;
};
