import { type RoutedEvent, rpcText, type Step } from '@hosted-mcp/core/http';
import {
  addressees,
  type PrefetchedToken,
  authenticate,
  type Caller,
  checkOffersLogin,
  checkOrigin,
  onCurrent,
  prefetchAccessToken,
  readMessages,
  type ResourceForm,
  type RouterPorts,
  type Sender,
} from '@hosted-mcp/core/router';
import { ofAllowedPages } from './allowed-pages.ts';
import { countingRefusals } from './count-public.ts';
import { open, type ServedEvent } from './served.ts';

/** A request whose sender is known. */
export interface AdmittedEvent extends ServedEvent {
  readonly prefetched: PrefetchedToken;
  readonly caller: Caller;
  readonly sender: Sender;
}

/** The steps of what a deployment protects, each in its own mode. */
export const guarded = (ports: RouterPorts, form: ResourceForm): readonly Step<AdmittedEvent>[] => [
  ({ headers, parameters, requestContext }: RoutedEvent) => {
    const { sourceIp } = requestContext.http;
    return {
      prefetched: prefetchAccessToken(
        ports,
        parameters['slug'] ?? '',
        headers['authorization'],
        sourceIp,
      ),
    };
  },
  ...open(ports),
  async (event: ServedEvent) => {
    const { authMethod } = event.deployment;
    // Those were checked before: locally they are open to no page but of loopback.
    if (authMethod === 'none' && ports.settings.localOrigins) return {};
    return ofAllowedPages(ports, event, checkOrigin);
  },
  async (event: AdmittedEvent) => {
    const { headers, requestContext, deployment, prefetched } = event;
    const { authorization } = headers;
    const answersTo = () => addressees(readMessages(rpcText(event)));
    const { sourceIp } = requestContext.http;
    const presented = { deployment, authorization, sourceIp, form, prefetched, answersTo };
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
  ...open(ports),
  async ({ deployment: remembered }: ServedEvent) => {
    const { deployment } = await onCurrent(ports, remembered, checkOffersLogin);
    return { deployment };
  },
];
