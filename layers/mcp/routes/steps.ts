import type { RoutedEvent } from '../../platform/http/event.ts';
import { rpcText } from '../../platform/http/rpc-body.ts';
import type { Step } from '../../platform/http/endpoint.ts';
import { addressees, readMessages } from '../rules/message/body.ts';
import { type PrefetchedToken, prefetchAccessToken } from '../steps/prefetch-access-token.ts';
import { authenticate } from '../steps/authentication/authenticate.ts';
import type { Caller } from '../steps/calls/caller.ts';
import { checkOffersLogin } from '../steps/find-deployment.ts';
import { checkOrigin } from '../../platform/rules/origin.ts';
import { onCurrent } from '../../servers/steps/current-deployment.ts';
import type { ResourceForm } from '../../platform/rules/addresses.ts';
import type { RouterPorts } from '../steps/ports.ts';
import type { Sender } from '../steps/calls/sender.ts';
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
