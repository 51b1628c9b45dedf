import type { Addresses } from './addresses.ts';
import type { Mode } from './discovery.ts';
import type { Fault } from './step.ts';
import { statusFault, type Visited } from './visit.ts';

/**
 * What a gateway makes of `WWW-Authenticate`, and what the service sends beside it.
 * Source: docs/decisions/oauth.md, "Challenges".
 */
const OTHER_NAMES = ['x-amzn-remapped-www-authenticate', 'x-mcp-challenge'];

/**
 * What is wrong with the answer to a first request without a token: it is what tells a client how to
 * get one.
 *
 * Source: RFC 9728 §5.1; docs/decisions/oauth.md, "Challenges".
 */
export const challengeFault = (
  answer: Visited,
  mode: Mode,
  { messages, resourceForms }: Addresses,
): Fault | undefined => {
  if (mode === 'none') return openFault(answer);
  if (answer.status === 200) {
    return {
      what: 'a request without a token is answered',
      cause: 'The server was made public a moment ago, or a proxy adds a token.',
      hint: 'Wait 15 seconds and run this again; check what is in front of the service.',
    };
  }
  const wrongStatus = statusFault(answer, [401]);
  if (wrongStatus) return wrongStatus;

  const challenge = answer.header('www-authenticate');
  if (challenge === undefined) return missing(answer);
  if (!/^bearer\b/i.test(challenge)) {
    return {
      what: `the challenge is "${challenge}" and not for a Bearer token`,
      cause: 'A proxy in front of the service asks for its own login.',
      hint: 'Let requests to the service pass the proxy without a login.',
    };
  }
  const [, pointer] = /\bresource_metadata="([^"]*)"/.exec(challenge) ?? [];
  const expected = resourceForms.find(({ about }) => about === messages)?.url;
  if (mode === 'jwt') return pointer === undefined ? undefined : strayPointer(pointer);
  if (pointer === expected) return undefined;
  return {
    what:
      pointer === undefined
        ? 'the challenge names no resource_metadata'
        : `the challenge points at ${pointer} instead of ${expected}`,
    cause:
      pointer === undefined
        ? 'A gateway or proxy rewrites the header.'
        : 'The service was set up with another base URL than the one it is reached at.',
    hint: 'Clients that try the well-known paths still find it; others cannot log in.',
  };
};

const openFault = (answer: Visited): Fault | undefined =>
  answer.status === 401
    ? {
        what: 'the server says that it is public, but asks for a token',
        cause: 'It was changed a moment ago, or a proxy in front asks for its own login.',
        hint: 'Wait 15 seconds and run this again; check what is in front of the service.',
      }
    : statusFault(answer, [200]);

const missing = (answer: Visited): Fault => {
  const instead = OTHER_NAMES.find((name) => answer.header(name) !== undefined);
  return {
    what: 'the 401 has no WWW-Authenticate header, so clients do not know that they can log in',
    cause: instead
      ? `The gateway renames the header (${instead} is there).`
      : 'A proxy in front of the service removes the header.',
    hint: instead
      ? 'Map it back to WWW-Authenticate at the gateway (challenge_mapping in config/<stage>.json).'
      : 'Let the header pass.',
  };
};

const strayPointer = (pointer: string): Fault => ({
  what: `the challenge points at ${pointer}, though the server takes tokens of its owner only`,
  cause: 'The server was changed from oauth to jwt a moment ago.',
  hint: 'Wait 15 seconds and run this again.',
});
