import type { JsonObject } from '../../platform/rules/json/json.ts';

export interface DeclaredParameter {
  readonly name: string;
  readonly location: string;
  readonly node: JsonObject;
}

interface PlacedParameters {
  /** Path without the parts of its query that parameters write. */
  readonly path: string;
  readonly parameters: readonly DeclaredParameter[];
  readonly guesses: readonly { readonly what: string; readonly hint: string }[];
  /** Parameters with a value that callers cannot choose. */
  readonly known: readonly { readonly what: string; readonly why: string }[];
}

/**
 * Path as people know it, without a fragment that only distinguishes operations: `/pets/{id}` for
 * `/pets/{id}#/pets/:id`, and `/orders?page&size` for `/orders#?page&size`.
 */
export const shownPath = (path: string): string =>
  path.replace(/#(\?.*)$/s, '$1').replace(/#\/.*$/s, '');

/** The original notation of a repaired path. */
export const writtenPath = (path: string): string | undefined => /#(\/.*)$/s.exec(path)?.[1];

export const placesOf = (path: string): ReadonlySet<string> =>
  new Set([...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? ''));

/**
 * Assigns parameters to path variables. OpenAPI knows no query in a path; where one has a variable, it means a query
 * parameter with the name of either side: `/upload?id={id}` has one, `id`. The rest of the query is sent as it is.
 * Source: docs/tools.md, "Parameters as arguments".
 */
export const parametersInPlace = (
  path: string,
  declared: readonly DeclaredParameter[],
  isCredential: (name: string, location: string) => boolean,
): PlacedParameters => {
  const mark = path.indexOf('?');
  const address = mark < 0 ? path : path.slice(0, mark);
  const named = (location: string) =>
    new Set(declared.filter((one) => one.location === location).map(({ name }) => name));
  const inPath = named('path');
  const inQuery = named('query');
  const isOnlyInQuery = (name: string): boolean => !inPath.has(name) && inQuery.has(name);

  const moved = new Set([...placesOf(address)].filter(isOnlyInQuery));
  const guesses = [...moved].map((name) => ({
    what: `parameter ${JSON.stringify(name)} is \`in: query\`, and the path has a place {${name}}; it fills that`,
    hint: 'Write `in: path`, or declare both.',
  }));
  const renamed = new Map<string, string>();
  const fixed = new Map<string, string>();
  const kept = (mark < 0 ? [] : path.slice(mark + 1).split('&')).filter((pair) => {
    const [[key, value] = ['', '']] = new URLSearchParams(pair);
    if (isCredential(key, 'query')) return false;
    const places = [...placesOf(value)];
    if (places.length === 0) {
      if (!inQuery.has(key)) return true;
      // `?name=` leaves the value open, while `?name` is a complete parameter.
      if (pair.endsWith('=')) return false;
      fixed.set(key, value);
      return true;
    }
    const [place = ''] = places;
    if (value !== `{${place}}`) {
      for (const name of places.filter(isOnlyInQuery)) moved.add(name);
      return true;
    }
    if (inPath.has(place)) return true;
    if (inQuery.has(key)) return false;
    if (!inQuery.has(place)) return true;
    renamed.set(place, key);
    return false;
  });

  return {
    path: kept.length > 0 ? `${address}?${kept.join('&')}` : address,
    parameters: declared.flatMap((one) => {
      if (one.location !== 'query') return [one];
      if (fixed.has(one.name)) return [];
      if (moved.has(one.name)) return [{ ...one, location: 'path' }];
      return [{ ...one, name: renamed.get(one.name) ?? one.name }];
    }),
    guesses: [...guesses, ...[...fixed].map(asFixed)],
    known: [...fixed.keys()].map((name) => ({
      what: `query parameter ${name} is no argument`,
      why: 'the path says its value',
    })),
  };
};

const asFixed = ([name, value]: readonly [string, string]) => ({
  what: `the path has ${name}=${value} in its query, which is sent with every call; parameter ${JSON.stringify(name)} is no argument`,
  hint: 'Take it out of the path, if callers are to choose it.',
});
