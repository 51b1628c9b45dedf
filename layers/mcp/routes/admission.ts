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

/** A request whose sender is known. */
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
    // Those were checked before: locally they are open to no page but of loopback.
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

/**
 * The steps of what only `oauth` deployments have: some clients start a login wherever they find
 * such a document.
 */
export const oauthOnly = (ports: RouterPorts): readonly Step<ServedEvent>[] => [
  ...publicSteps(ports),
  async ({ deployment: remembered }: ServedEvent) => {
    const { deployment } = await onCurrent(ports, remembered, checkOffersLogin);
    return { deployment };
  },
];

/** A request to a deployment that is there. */
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
 * Lets a request on unless it comes from a page that the deployment does not take; what such a page wanted is
 * put on record, since its user sees no more of it than a failed connection.
 *
 * @param check - given the page's origin, and those that the deployment's owner has listed
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

/** The refusal of the page is what it is to hear, however large its body is. */
const messagesOf = (event: RoutedEvent): readonly RpcMessage[] => {
  try {
    return readingOf(event)().messages().messages;
  } catch {
    return [];
  }
};

/** A request to a deployment, as far as counting it goes. */
type PublicEvent = Pick<HttpEvent, 'requestContext'> &
  Pick<Parameters<typeof chargeIfPublic>[1], 'deployment'>;

/**
 * Counts one request where the deployment is public; plans pay for what is carried out alone.
 * Source: docs/decisions/limits.md, "Public deployments".
 */
export const countAnonymousRequest = (
  ports: RouterPorts,
  { deployment, requestContext }: PublicEvent,
): Promise<void> => {
  const { sourceIp } = requestContext.http;
  return chargeIfPublic(ports, { deployment, sourceIp, answersTo: null });
};

/** Has a request count that is refused before it is read. */
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

/** An endpoint that says what is in a body; one that cannot be read is refused, and counts. */
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

/** A request whose body is read when somebody first asks for it, and then never again. */
interface ReadEvent extends RoutedEvent {
  /** @throws RouterRefusal payload_too_large */
  readonly sent: () => SentBody;
}

const readingOf = (event: RoutedEvent & Partial<ReadEvent>): ReadEvent['sent'] =>
  event.sent ?? once(() => sentBody(rpcText(event)));

/** With the methods that there are not, but for `OPTIONS`: refused, and counted. */
export const countingMethods = (ports: RouterPorts, endpoints: Endpoints): Endpoints => {
  const refused = refusing(ports, methodNotAllowed(Object.keys(endpoints)));
  return { ...endpoints, PUT: refused, PATCH: refused, DELETE: refused };
};

const refusing = (ports: RouterPorts, refusal: unknown): Endpoint =>
  endpoint(publicSteps(ports), async (event: ServedEvent) => {
    await countAnonymousRequest(ports, event);
    throw refusal;
  });
