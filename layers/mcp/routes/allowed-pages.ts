import type { RoutedEvent } from '../../platform/http/event.ts';
import { rpcText } from '../../platform/http/rpc-body.ts';
import { RouterRefusal } from '../../platform/rules/refusal/router-refusal.ts';
import { onCurrent } from '../../servers/steps/current-deployment.ts';
import { recordRefusedPage } from '../steps/calls/refused-calls.ts';
import type { RouterPorts } from '../steps/ports.ts';
import { countingRefusals } from './count-public.ts';

type Deployment = Parameters<typeof recordRefusedPage>[1]['deployment'];

/**
 * Lets a request on unless it comes from a page that the deployment does not take; what such a page wanted is
 * put on record, since its user sees no more of it than a failed connection.
 *
 * @param check - given the page's origin, and those that the deployment's owner has listed
 */
export const ofAllowedPages = async (
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
    origin,
    text: textOf(event),
  });
};

/** The refusal of the page is what it is to hear, however large its body is. */
const textOf = (event: RoutedEvent): string | undefined => {
  try {
    return rpcText(event);
  } catch {
    return undefined;
  }
};
