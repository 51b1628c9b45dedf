import type { JsonObject } from '../../platform/rules/json/json.ts';

/** A parameter as the description declares it, and where it goes. */
export interface DeclaredParameter {
  readonly name: string;
  readonly location: string;
  readonly node: JsonObject;
}

interface PlacedParameters {
  /** As requests have it: without what parameters put into its query anyway. */
  readonly path: string;
  readonly parameters: readonly DeclaredParameter[];
  /** What was guessed, each with the way to say otherwise. */
  readonly guesses: readonly { readonly what: string; readonly hint: string }[];
  /** Parameters that no caller chooses. */
  readonly known: readonly { readonly what: string; readonly why: string }[];
}

/**
 * A path as it is called, without its fragment where that tells apart what is written as a template:
 * `/orders#?page&size` is `/orders?page&size`, and `/pets/{id}#/pets/:id` is `/pets/{id}`.
 */
export const shownPath = (path: string): string =>
  path.replace(/#(\?.*)$/s, '$1').replace(/#\/.*$/s, '');

/** How such a path was written, if not so. */
export const writtenPath = (path: string): string | undefined => /#(\/.*)$/s.exec(path)?.[1];

/** The names of the places of a path. */
export const placesOf = (path: string): ReadonlySet<string> =>
  new Set([...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? ''));

/**
 * Places of a path and the parameters that fill them, one for each place. The query of a path is no part of OpenAPI,
 * and descriptions that have one mean a query parameter by a place in it, by the name of either: in
 * `/upload?id={id}` there is one `id`. What such a query says without a place is as the path says it.
 *
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
      // `?name=` leaves the value open; `?name` is all that it says.
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
