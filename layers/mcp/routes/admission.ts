import {
  addressees,
  readTraceContext,
  type RpcMessage,
  type SentBody,
  sentBody,
} from '../rules/message.ts';
import type { PrefetchedToken } from '../steps/authentication/accept.ts';
import { authenticate, prefetchAccessToken } from '../steps/authentication/authenticate.ts';
import { chargeIfPublic } from '../steps/authentication/charge.ts';
import { recordRefusedPage } from '../steps/calls/refused-calls.ts';
import {
  checkOffersLogin,
  findDeployment,
  onCurrent,
} from '../../deployments/steps/current-deployment.ts';
import type { RouterPorts } from '../steps/ports.ts';
import type { Caller, Sender } from '../steps/rpc-call.ts';
import { type HttpEvent, type RoutedEvent, rpcText } from '../../platform/http/event.ts';
import {
  type Endpoint,
  endpoint,
  type Endpoints,
  methodNotAllowed,
  type Step,
} from '../../platform/http/endpoint.ts';
import { endingOf, type ResourceForm } from '../../platform/rules/addresses.ts';
import { once } from '../../platform/rules/once.ts';
import { checkLocalOrigin, checkOrigin } from '../../platform/rules/origin.ts';
import { RouterRefusal } from '../../platform/rules/refusal/router-refusal.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';

export interface AdmittedEvent extends ServedEvent, ReadEvent {
  readonly prefetched: PrefetchedToken;
  readonly caller: Caller;
  readonly sender: Sender;
}

export const protectedSteps = (
  ports: RouterPorts,
  form: ResourceForm,
): readonly Step<AdmittedEvent>[] => [
  (event: RoutedEvent) => {
    const { headers, parameters, requestContext } = event;
    const { sourceIp } = requestContext.http;
    return {
      sent: readingOf(event),
      prefetched: prefetchAccessToken(
        ports,
        parameters['slug'] ?? '',
        headers['authorization'],
        sourceIp,
      ),
    };
  },
  ...publicSteps(ports),
  async (event: ServedEvent) => {
    const { authMethod } = event.deployment;
    // Checked by `publicSteps`: in the local run only loopback pages and listed origins may use
    // them.
    if (authMethod === 'none' && ports.settings.localOrigins) return {};
    return fromAllowedOrigin(ports, event, checkOrigin);
  },
  async (event: AdmittedEvent) => {
    const { headers, requestContext, deployment, prefetched, sent } = event;
    const { authorization } = headers;
    const answersTo = () => addressees(sent().messages());
    const { sourceIp } = requestContext.http;
    const ending = endingOf(event);
    const presented = { deployment, authorization, sourceIp, form, ending, prefetched, answersTo };
    const { requestId } = requestContext;
    const sender: Sender = { ip: sourceIp, userAgent: headers['user-agent'], requestId };
    const admitted = await countingRefusals(ports, event, () => authenticate(ports, presented));
    return { ...admitted, sender };
  },
];

/** Steps for documents of `oauth` deployments only: some clients start a login wherever they find one. */
export const oauthOnly = (ports: RouterPorts): readonly Step<ServedEvent>[] => [
  ...publicSteps(ports),
  async ({ deployment: remembered }: ServedEvent) => {
    const { deployment } = await onCurrent(ports, remembered, checkOffersLogin);
    return { deployment };
  },
];

export interface ServedEvent extends RoutedEvent {
  readonly deployment: Deployment;
}

export const publicSteps = (ports: RouterPorts): readonly Step<ServedEvent>[] => [
  async ({ parameters, logged }: RoutedEvent) => {
    const deployment = await findDeployment(ports, parameters['slug'] ?? '');
    logged.slug = deployment.slug;
    return { deployment };
  },
  async (event: ServedEvent) => {
    const { localOrigins } = ports.settings;
    if (event.deployment.authMethod !== 'none' || !localOrigins) return {};
    return fromAllowedOrigin(ports, event, (origin, allowed) =>
      checkLocalOrigin(origin, [...localOrigins, ...allowed]),
    );
  },
];

/**
 * Refuses a request of a web page (`Origin`) that the deployment does not allow, and records the
 * refused call: the page's user sees nothing but a failed connection.
 * @param check - gets the page's origin, and those that the deployment's owner has listed
 */
const fromAllowedOrigin = async (
  ports: RouterPorts,
  event: RoutedEvent & { readonly deployment: Deployment },
  check: (origin: string | undefined, allowed: readonly string[]) => void,
): Promise<{ readonly deployment: Deployment }> => {
  const origin = event.headers['origin'];
  try {
    const { deployment } = await countingRefusals(ports, event, () =>
      onCurrent(ports, event.deployment, ({ allowedOrigins }) => check(origin, allowedOrigins)),
    );
    return { deployment };
  } catch (error) {
    const isOfPage = error instanceof RouterRefusal && error.code === 'forbidden_origin';
    if (isOfPage && origin !== undefined) await recordPage(ports, event, origin);
    throw error;
  }
};

const recordPage = async (
  ports: RouterPorts,
  event: RoutedEvent & { readonly deployment: Deployment },
  origin: string,
): Promise<void> => {
  const { http, requestId } = event.requestContext;
  if (http.method !== 'POST') return;
  const sender = { ip: http.sourceIp, userAgent: event.headers['user-agent'], requestId };
  await recordRefusedPage(ports, {
    deployment: event.deployment,
    sender,
    traceContext: readTraceContext(event.headers),
    origin,
    messages: messagesOf(event),
  });
};

/** A body that cannot be read is recorded as one without messages: the caller gets the refusal of its origin. */
const messagesOf = (event: RoutedEvent): readonly RpcMessage[] => {
  try {
    return readingOf(event)().messages().messages;
  } catch {
    return [];
  }
};

type PublicEvent = Pick<HttpEvent, 'requestContext'> &
  Pick<Parameters<typeof chargeIfPublic>[1], 'deployment'>;

/**
 * Counts one request to a public deployment. Others have plans, which count only requests that are
 * carried out. Source: docs/decisions/limits.md, "Public deployments".
 */
export const countAnonymousRequest = (
  ports: RouterPorts,
  { deployment, requestContext }: PublicEvent,
): Promise<void> => {
  const { sourceIp } = requestContext.http;
  return chargeIfPublic(ports, { deployment, sourceIp, answersTo: null });
};

/** Counts requests that are refused before their body is read. */
export const countingRefusals = async <Found>(
  ports: RouterPorts,
  event: PublicEvent,
  act: () => Found | Promise<Found>,
): Promise<Found> => {
  try {
    return await act();
  } catch (error) {
    if (error instanceof RouterRefusal) await countAnonymousRequest(ports, event);
    throw error;
  }
};

/** An endpoint that the body chooses. A body that cannot be read is refused, and counted. */
export const dispatchOnBody =
  (ports: RouterPorts, choose: (sent: SentBody) => Endpoint): Endpoint =>
  async (event) => {
    const read: ReadEvent = { ...event, sent: readingOf(event) };
    let body: SentBody;
    try {
      body = read.sent();
    } catch (refusal) {
      return refusing(ports, refusal)(event);
    }
    return choose(body)(read);
  };

/** A request whose body is parsed at most once, when it is first asked for. */
interface ReadEvent extends RoutedEvent {
  /** @throws RouterRefusal payload_too_large */
  readonly sent: () => SentBody;
}

const readingOf = (event: RoutedEvent & Partial<ReadEvent>): ReadEvent['sent'] =>
  event.sent ?? once(() => sentBody(rpcText(event)));

/** Adds the methods that are refused with 405, so that they are counted. `OPTIONS` stays free. */
export const countingMethods = (ports: RouterPorts, endpoints: Endpoints): Endpoints => {
  const refused = refusing(ports, methodNotAllowed(Object.keys(endpoints)));
  return { ...endpoints, PUT: refused, PATCH: refused, DELETE: refused };
};

const refusing = (ports: RouterPorts, refusal: unknown): Endpoint =>
  endpoint(publicSteps(ports), async (event: ServedEvent) => {
    await countAnonymousRequest(ports, event);
    throw refusal;
  });
