import { RouterRefusal } from '../domain/refusal.ts';
import { methodOf, type LoggedEvent, type RoutedEvent } from './event.ts';
import { type HttpReply, preflight } from './reply.ts';

export type Endpoint = (event: RoutedEvent) => Promise<HttpReply>;

/** HEAD goes to GET; the edge leaves the body out. */
export type Endpoints = Readonly<
  Partial<Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', Endpoint>>
>;

/** By paths with `{places}`. */
export type Routes = Readonly<Record<string, Endpoints>>;

/**
 * Finds the endpoint of a request. A trailing slash makes no difference; OPTIONS is answered
 * everywhere, as a preflight.
 *
 * @throws RouterRefusal not_found, method_not_allowed
 */
export const router = (routes: Routes) => {
  const table = Object.entries(routes).map(([path, endpoints]) => ({
    path,
    endpoints,
    pattern: patternOf(path),
  }));

  return async (event: LoggedEvent): Promise<HttpReply> => {
    const method = methodOf(event);
    if (method === 'OPTIONS') return preflight();

    for (const { path, endpoints, pattern } of table) {
      const match = pattern.exec(event.rawPath);
      if (!match) continue;
      event.logged.route = path;
      const endpoint = endpointOf(endpoints, method);
      if (!endpoint) throw methodNotAllowed(Object.keys(endpoints));
      const parameters = { ...match.groups };
      return endpoint({ ...event, parameters });
    }
    throw new RouterRefusal('not_found', 'There is nothing at this address.', {}, 'no such route');
  };
};

/** @param methods - those that there are, HEAD and OPTIONS beside */
export const methodNotAllowed = (methods: readonly string[]): RouterRefusal =>
  new RouterRefusal('method_not_allowed', 'This method is not supported here.', {
    allow: [...methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])), 'OPTIONS'],
  });

const endpointOf = (endpoints: Endpoints, method: string): Endpoint | undefined => {
  if (method === 'GET' || method === 'HEAD') return endpoints.GET;
  return Object.hasOwn(endpoints, method) ? endpoints[method as keyof Endpoints] : undefined;
};

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`);
