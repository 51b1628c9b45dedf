import type { HttpEvent } from '../../platform/http/event.ts';
import { RouterRefusal } from '../../platform/rules/refusal/router-refusal.ts';
import { chargeAnybody } from '../steps/authentication/charge.ts';
import type { RouterPorts } from '../steps/ports.ts';

/** A request to a deployment, as far as counting it goes. */
type PublicEvent = Pick<HttpEvent, 'requestContext'> &
  Pick<Parameters<typeof chargeAnybody>[1], 'deployment'>;

/**
 * Counts one request where the deployment is public; plans pay for what is carried out alone.
 * Source: docs/decisions/limits.md, "Public deployments".
 */
export const countPublic = (
  ports: RouterPorts,
  { deployment, requestContext }: PublicEvent,
): Promise<void> => {
  const { sourceIp } = requestContext.http;
  return chargeAnybody(ports, { deployment, sourceIp, answersTo: null });
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
    if (error instanceof RouterRefusal) await countPublic(ports, event);
    throw error;
  }
};
