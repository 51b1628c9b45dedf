import { apiFailure } from '../platform/http/failures/api-failure.ts';
import { type Endpoint, methodNotAllowed, type Routes, serve } from '../platform/http/endpoint.ts';
import { checkToken } from './check-token.ts';
import { type HttpReply, sendable } from '../platform/http/reply.ts';
import type { RoutedEvent } from '../platform/http/event.ts';
import { countWork } from '../limits/steps/count-work.ts';
import { idempotently } from './steps/idempotency.ts';
import { checkManaged } from './steps/check-managed.ts';
import { leased } from './steps/leased.ts';
import { recordChange } from './steps/record-change.ts';
import { requireOperator } from '../accounts/steps/operator/require-operator.ts';
import { type Caller, requireCaller } from '../accounts/steps/require-session.ts';
import { permissionOf, PERSONS } from '../accounts/rules/permission.ts';
import type { User } from '../accounts/rules/user.ts';
import { idempotencyKey, readQuery, requestHash } from './request.ts';
import type { ApiRoute } from './route.ts';
import type { PortsOf } from '../platform/ports.ts';

const MANAGEMENT = '/v1/mcp-management';

type FramePorts = PortsOf<
  | typeof requireOperator
  | typeof checkManaged
  | typeof idempotently
  | typeof leased
  | typeof recordChange
  | typeof requireCaller
  | typeof serve
  | typeof countWork
>;

export const serveRoutes = (ports: FramePorts, routes: readonly ApiRoute[]) =>
  serve(ports, routeTable(ports, routes), apiFailure);

const routeTable = (ports: FramePorts, routes: readonly ApiRoute[]): Routes =>
  Object.fromEntries(
    [...Map.groupBy(routes, ({ path }) => path)].map(([path, methods]) => [
      `${MANAGEMENT}${path}`,
      {
        ...Object.fromEntries(methods.map((route) => [route.method, endpointOf(ports, route)])),
        ...(methods.some(({ isHidden }) => isHidden) && { others: otherMethods(ports, methods) }),
      },
    ]),
  );

/** Only operators learn the methods of a hidden path. */
const otherMethods =
  (ports: FramePorts, methods: readonly ApiRoute[]): Endpoint =>
  async (event) => {
    await requireOperator(ports, event.headers['authorization']);
    throw methodNotAllowed(methods.map(({ method }) => method));
  };

/** Authenticates first: nothing else of a stranger's request is read. */
const endpointOf =
  (ports: FramePorts, route: ApiRoute): Endpoint =>
  async (event) => {
    const caller = await callerOf(ports, route, event.headers['authorization']);
    const user = caller?.user;
    if (user) await countWork(ports, 'management_requests_per_minute_per_user', user.id);
    const { slug } = event.parameters;
    if (slug !== undefined && /^[a-z][a-z0-9-]{2,62}$/.test(slug)) event.logged.slug = slug;
    if (caller?.token) checkToken(caller.token, route, slug);
    const read = {
      event,
      user,
      session: caller?.token ? undefined : caller?.session,
      slugs: caller?.token?.slugs,
      may: caller?.token ? permissionOf(caller.token) : PERSONS,
      parameters: event.parameters,
      query: readQuery(event, route.query),
      body: route.body?.read(event),
    };
    const asks = isChange(route) && route.whileManaged?.(read.body, read.query) !== true;
    const before =
      user && slug !== undefined && asks
        ? await checkManaged(ports, user, slug, event.headers[OVERRIDE])
        : undefined;
    const answer = async (attempt: string): Promise<HttpReply> => {
      const reply = sendable(await route.handle({ ...read, attempt }));
      if (user && slug !== undefined && isChange(route) && route.isUnrecorded !== true) {
        const change = {
          slug,
          operation: route.operationId,
          members: membersOf(read.body),
          before,
        };
        await recordChange(ports, user, change);
      }
      return reply;
    };
    const handle =
      user && route.compiles?.(read.body)
        ? (attempt: string) =>
            leased(ports, 'compilations_at_once_per_user', user.id, () => answer(attempt))
        : answer;
    const key = route.idempotent && idempotencyKey(event);
    return user && key !== undefined
      ? onceOnly(ports, event, user, key, handle)
      : handle(ports.random.id());
  };

/** Header: `true` makes a change although a declaration manages the deployment. */
const OVERRIDE = 'override-manager';

const isChange = ({ method, isHidden }: ApiRoute): boolean => method !== 'GET' && isHidden !== true;

const membersOf = (body: unknown): readonly string[] => {
  if (typeof body !== 'object' || body === null) return [];
  const { fields = body } = body as { readonly fields?: unknown };
  return typeof fields === 'object' && fields !== null && !Array.isArray(fields)
    ? Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name]))
    : [];
};

const callerOf = async (
  ports: FramePorts,
  { isPublic, isHidden }: ApiRoute,
  authorization: string | undefined,
): Promise<Caller | undefined> => {
  if (isPublic) return undefined;
  if (!isHidden) return requireCaller(ports, authorization);
  return { user: await requireOperator(ports, authorization) };
};

const onceOnly = async (
  ports: FramePorts,
  event: RoutedEvent,
  user: User,
  key: string,
  handle: (attempt: string) => Promise<HttpReply>,
): Promise<HttpReply> => {
  const wanted = { userId: user.id, key, requestHash: requestHash(event) };
  const { answer, replayed } = await idempotently(ports, wanted, handle);
  return replayed
    ? { ...answer, headers: { ...answer.headers, 'idempotency-replayed': 'true' } }
    : { ...answer, headers: answer.headers };
};
