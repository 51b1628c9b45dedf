import { createHash, timingSafeEqual } from 'node:crypto';
import { isAddress } from '../rules/subject.ts';
import { RouterRefusal } from '../rules/refusal/router-refusal.ts';
import type { HttpEvent } from './event.ts';

/** What the distribution tells whom it stands before. Source: docs/edge.md, "What passes". */
export const ORIGIN_SECRET_HEADER = 'x-hosted-mcp-origin-secret';
export const VIEWER_HEADER = 'true-client-ip';

/**
 * The request as the distribution before the gateway has got it: from the viewer's address, without what
 * the distribution has added. Where there is none, nothing that a header says of an address counts.
 *
 * @param originSecrets - which of them the distribution may show; undefined where there is no distribution
 * @throws RouterRefusal forbidden, for what has gone round it
 */
export const asViewed = <Event extends Pick<HttpEvent, 'headers' | 'requestContext'>>(
  event: Event,
  originSecrets: readonly string[] | undefined,
): Event => {
  if (originSecrets === undefined) return event;
  const {
    [ORIGIN_SECRET_HEADER]: secret = '',
    [VIEWER_HEADER]: viewer = '',
    ...headers
  } = event.headers;
  if (!originSecrets.map((one) => isSame(one, secret)).includes(true)) {
    throw refusal('no origin secret, or a wrong one');
  }
  // Its address alone is what limits count by: without one they would count the distribution's.
  if (!isAddress(viewer)) throw refusal('the distribution sent no address');
  const { requestContext } = event;
  const http = { ...requestContext.http, sourceIp: viewer };
  return { ...event, headers, requestContext: { ...requestContext, http } };
};

/** Of the same length first, so that the time tells nothing of where two differ. */
const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(digestOf(one), digestOf(other));

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

const refusal = (why: string): RouterRefusal =>
  new RouterRefusal(
    'forbidden',
    'Requests are served at the public address of this service only.',
    {},
    why,
  );
