import { nothingThere, RouterRefusal } from '../rules/refusal/router-refusal.ts';
import { methodOf, type LoggedEvent, type RoutedEvent } from './event.ts';
import { type HttpReply, preflight } from './reply.ts';

export type Endpoint = (event: RoutedEvent) => Promise<HttpReply>;

/** HEAD goes to GET; the edge leaves the body out. */
export type Endpoints = Readonly<
  Partial<Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', Endpoint>>
> & {
  /** Has a say before any method is refused: an address may be hidden from whoever asks. */
  readonly others?: Endpoint;
};

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
    throw nothingThere('no such route');
  };
};

/** @param methods - those that there are, HEAD and OPTIONS beside */
export const methodNotAllowed = (methods: readonly string[]): RouterRefusal =>
  new RouterRefusal('method_not_allowed', 'This method is not supported here.', {
    allow: [...methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])), 'OPTIONS'],
  });

const endpointOf = (endpoints: Endpoints, method: string): Endpoint | undefined => {
  const name = method === 'HEAD' ? 'GET' : method;
  return name !== 'others' && Object.hasOwn(endpoints, name)
    ? endpoints[name as keyof Endpoints]
    : endpoints.others;
};

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`);
