import type { Addresses } from './addresses.ts';
import { judged, type Step, warning } from './step.ts';
import type { Visit } from './visit.ts';

const ORIGIN = 'https://inspector.example';
const HEADERS = ['authorization', 'content-type', 'mcp-protocol-version'];

/**
 * What a browser asks before a page of another origin may send a request.
 * Source: Fetch, "CORS protocol"; docs/protocol.md, "Browser clients".
 */
export const preflightStep = async (visit: Visit, { messages }: Addresses): Promise<Step> => {
  const answer = await visit.preflight(messages, {
    origin: ORIGIN,
    'access-control-request-method': 'POST',
    'access-control-request-headers': HEADERS.join(','),
  });
  const origin = answer.header('access-control-allow-origin');
  const headers = (answer.header('access-control-allow-headers') ?? '').toLowerCase();
  const missing = HEADERS.filter((name) => !headers.includes(name));
  const isGood =
    answer.status >= 200 &&
    answer.status < 300 &&
    (origin === '*' || origin === ORIGIN) &&
    missing.length === 0;
  if (isGood) return judged('preflight', undefined, 'pages of other origins are let in');
  return warning('preflight', {
    what: 'pages of other origins are not let in',
    cause: 'The server allows certain origins only, or a proxy answers OPTIONS requests itself.',
    hint: 'Only clients in a browser mind, such as the Inspector: allow their origin.',
  });
};
