import type { Throttle } from './throttle.ts';

/** A route of the gateway; `key` is a route key of the manifest. */
export interface Route {
  readonly key: string;
  readonly functionName: string;
  /** Limit on the requests to this route; none if omitted. */
  readonly throttle?: Throttle;
}

export interface MatchedRoute extends Route {
  readonly pathParameters: Readonly<Record<string, string>>;
}

/**
 * The routes of an HTTP API: `METHOD /path`, where a segment may be `{name}` and the last one
 * `{name+}`, which takes the rest of the path but never nothing; and `$default`, which takes what no other does.
 *
 * Where several match, literal segments beat parameters, those beat greedy ones, and a method beats
 * `ANY`. Source: API Gateway, "Routing API requests".
 */
export const routeTable = (routes: readonly Route[]) => {
  const compiled = routes.map(compile).sort((one, other) => (one.rank < other.rank ? -1 : 1));

  /** @param path - decoded, without the query */
  return (method: string, path: string): MatchedRoute | undefined => {
    for (const { route, routeMethod, pattern } of compiled) {
      if (routeMethod !== 'ANY' && routeMethod !== method) continue;
      const match = pattern.exec(path);
      if (match) return { ...route, pathParameters: { ...match.groups } };
    }
    return undefined;
  };
};

const compile = (route: Route) => {
  if (route.key === '$default') return { route, routeMethod: 'ANY', pattern: /^/, rank: LAST };
  const [routeMethod = '', path = ''] = route.key.split(' ');
  const segments = path.split('/').slice(1);
  const pattern = new RegExp(`^/${segments.map(segmentPattern).join('/')}$`, 's');
  const rank = segments.map(segmentRank).join('') + (routeMethod === 'ANY' ? '1' : '0');
  return { route, routeMethod, pattern, rank };
};

/** Rank after those of all paths. */
const LAST = '9';

const segmentPattern = (segment: string): string => {
  if (!segment.startsWith('{')) return segment.replaceAll(/[^\w-]/g, '\\$&');
  const name = segment.slice(1, -1);
  return name.endsWith('+') ? `(?<${name.slice(0, -1)}>.+)` : `(?<${name}>[^/]+)`;
};

const segmentRank = (segment: string): string => {
  if (!segment.startsWith('{')) return '0';
  return segment.endsWith('+}') ? '2' : '1';
};
