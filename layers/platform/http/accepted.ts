import type { HttpEvent } from './event.ts';

/**
 * Whether a client takes an event stream, and whether it takes nothing but that. A client that says
 * nothing takes anything, and gets JSON.
 *
 * Source: RFC 9110 §12.5.1; docs/protocol.md, "Media types".
 */
export const acceptsEventStream = (event: HttpEvent): boolean =>
  acceptedTypes(event).includes(EVENT_STREAM);

export const acceptsOnlyEventStream = (event: HttpEvent): boolean => {
  const types = acceptedTypes(event);
  return types.includes(EVENT_STREAM) && !types.some((type) => JSON_RANGES.has(type));
};

const EVENT_STREAM = 'text/event-stream';

const JSON_RANGES: ReadonlySet<string> = new Set(['application/json', 'application/*', '*/*']);

const acceptedTypes = ({ headers }: HttpEvent): readonly string[] =>
  (headers['accept'] ?? '')
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .filter(([, ...parameters]) => !parameters.some((one) => REFUSED.test(one)))
    .map(([type = '']) => type);

/** A weight of zero means "not acceptable". */
const REFUSED = /^q\s*=\s*0(?:\.0*)?$/;
