import { isLoopback } from '../api/base-url.ts';
import { type Json, jsonOf, textOf, textsOf } from '../json.ts';
import type { Addresses, Form } from './addresses.ts';
import type { Fault } from './step.ts';
import { statusFault, type Visited } from './visit.ts';

export const ANOTHER_BASE =
  'The service was set up with another base URL than the one it is reached at.';

/** Source: RFC 9728 §2, §3.3. */
export const resourceFault = (answer: Visited, { about }: Form): Fault | undefined => {
  const unreadable = documentFault(answer);
  if (unreadable) return unreadable;
  const { resource, authorization_servers: servers } = answer.json ?? {};
  if (resource !== about) {
    return {
      what: `resource is ${textOf(resource) ?? 'missing'} instead of ${about}`,
      cause: ANOTHER_BASE,
      hint: 'Clients must refuse this: give them the address that the service names.',
    };
  }
  return textsOf(servers).some((server) => URL.canParse(server))
    ? undefined
    : {
        what: 'it names no authorization server',
        cause: 'The service is not completely set up.',
        hint: 'Deploy it again.',
      };
};

/** Clients may start a login wherever one is offered. Source: docs/decisions/oauth.md, "Metadata routes". */
export const offeredFault = (answer: Visited): Fault | undefined =>
  answer.status === 404
    ? undefined
    : (statusFault(answer, [404, 200]) ?? {
        what: 'it is there, though this server has no login',
        cause: 'The server was changed from oauth a moment ago.',
        hint: 'Wait 15 seconds and run this again.',
      });

const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'jwks_uri',
] as const;

/** Values that clients require. Source: RFC 8414 §2, §3.3; RFC 7636 §4.2. */
const VALUES = [
  ['response_types_supported', 'code'],
  ['grant_types_supported', 'authorization_code'],
  ['code_challenge_methods_supported', 'S256'],
  ['token_endpoint_auth_methods_supported', 'none'],
] as const;

/** Source: RFC 8414 §3.3. */
export const serverFault = (answer: Visited, issuer: string): Fault | undefined => {
  const unreadable = documentFault(answer);
  if (unreadable) return unreadable;
  const document: Json = answer.json ?? {};
  if (document.issuer !== issuer) {
    return {
      what: `issuer is ${textOf(document.issuer) ?? 'missing'} instead of ${issuer}`,
      cause: ANOTHER_BASE,
      hint: 'The two must be the same byte for byte: set the base URL of the service.',
    };
  }
  const endpoint = ENDPOINTS.find((name) => !isUsable(document[name]));
  if (endpoint !== undefined) {
    return {
      what: `${endpoint} is ${textOf(document[endpoint]) ?? 'missing'}`,
      cause: 'Clients take https addresses only, except on this machine.',
      hint: 'Set the base URL of the service to its https address.',
    };
  }
  const lacking = VALUES.find(([name, value]) => !textsOf(document[name]).includes(value));
  return (
    lacking && {
      what: `${lacking[0]} lacks ${lacking[1]}`,
      cause: 'An older version of the service, or another authorization server.',
      hint: 'Update the service.',
    }
  );
};

export const keysFault = (answer: Visited): Fault | undefined => {
  const unreadable = documentFault(answer);
  if (unreadable) return unreadable;
  const { keys } = answer.json ?? {};
  return Array.isArray(keys) && keys.length > 0
    ? undefined
    : {
        what: 'it lists no key',
        cause: 'The signing key of the service is missing or disabled.',
        hint: 'Look at the key in KMS.',
      };
};

const documentFault = (answer: Visited): Fault | undefined => {
  if (answer.status === 404) {
    return {
      what: 'HTTP 404 instead of 200',
      cause: 'A gateway or proxy does not lead this path to the service.',
      hint: 'Paths under /.well-known/ at the root of the host must lead there, too.',
    };
  }
  const wrongStatus = statusFault(answer, [200]);
  if (wrongStatus || answer.json) return wrongStatus;
  return {
    what: 'it is no JSON',
    cause: 'Something else answers in its place: a website at the root of the host, or a proxy.',
    hint: 'Paths under /.well-known/ at the root of the host must lead to the service, too.',
  };
};

const isUsable = (given: unknown): boolean => {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined;
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
};

export type Mode = 'none' | 'oauth' | 'jwt';

/** Authentication mode in the discovery document; undefined if missing. */
export const modeOf = ({ json }: Visited): Mode | undefined => {
  const { required, methods } = jsonOf(json?.authentication);
  if (required === false) return 'none';
  return (['oauth', 'jwt'] as const).find((mode) => textsOf(methods).includes(mode));
};

/** Source: docs/protocol.md, "Discovery document". */
export const discoveryFault = (
  answer: Visited,
  { messages, slug }: Addresses,
): Fault | undefined => {
  if (answer.status === 404) {
    return {
      what: `there is no server "${slug}"`,
      cause: 'The name is wrong, or the server is paused or removed.',
      hint: 'Its owner sees with npx --no-install hosted-mcp ls; npx --no-install hosted-mcp resume opens a paused one.',
    };
  }
  const wrongStatus = statusFault(answer, [200]);
  if (wrongStatus) return wrongStatus;
  if (!answer.json) {
    return {
      what: 'the discovery document is no JSON',
      cause: 'Something else answers at this address: a proxy, a login page, another service.',
      hint: 'Open the address in a browser to see what it is.',
    };
  }
  if (!modeOf(answer)) {
    return {
      what: 'the discovery document does not say how clients authenticate',
      cause: 'Another kind of server answers at this address.',
      hint: 'Check the address.',
    };
  }
  const named = textOf(jsonOf(answer.json.endpoints).messages);
  if (named === messages) return undefined;
  return {
    what: `the discovery document names ${named ?? 'no address'} instead of ${messages}`,
    cause: ANOTHER_BASE,
    hint: 'Use the address that it names, or set its base URL (domain in config/<stage>.json).',
  };
};

/** Clients learn from the 401 how to get a token. Source: RFC 9728 §5.1; docs/decisions/oauth.md, "Challenges". */
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
  const wrong = bearerFault(answer);
  if (wrong) return wrong;
  const [, pointer] =
    /\bresource_metadata="([^"]*)"/.exec(answer.header('www-authenticate') ?? '') ?? [];
  const expected = resourceForms.find(({ about }) => about === messages)?.url;
  if (mode === 'jwt') return pointer === undefined ? undefined : strayPointer(pointer);
  if (pointer === expected) return undefined;
  return {
    what:
      pointer === undefined
        ? 'the challenge names no resource_metadata'
        : `the challenge points at ${pointer} instead of ${expected}`,
    cause: pointer === undefined ? 'A gateway or proxy rewrites the header.' : ANOTHER_BASE,
    hint: 'Clients that try the well-known paths still find it; others cannot sign in.',
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

const strayPointer = (pointer: string): Fault => ({
  what: `the challenge points at ${pointer}, though the server takes tokens of its owner only`,
  cause: 'The server was changed from oauth to jwt a moment ago.',
  hint: 'Wait 15 seconds and run this again.',
});

/** API Gateway's new name for a function's WWW-Authenticate header. */
const REMAPPED = 'x-amzn-remapped-www-authenticate';

/** The service repeats a challenge in X-Mcp-Challenge. Source: RFC 6750 §3; docs/decisions/oauth.md, "Challenges". */
export const bearerFault = (answer: Visited): Fault | undefined => {
  const wrongStatus = statusFault(answer, [401]);
  if (wrongStatus) return wrongStatus;
  const challenge = answer.header('www-authenticate');
  if (challenge !== undefined) {
    if (/^bearer\b/i.test(challenge)) return undefined;
    return {
      what: `the challenge is "${challenge}" and not for a Bearer token`,
      cause: 'A proxy in front of the service asks for its own login.',
      hint: 'Let requests to the service pass the proxy without a login.',
    };
  }
  const isRemapped = answer.header(REMAPPED) !== undefined;
  const isBeside = answer.header('x-mcp-challenge') !== undefined;
  return {
    what: `the 401 has no WWW-Authenticate header, so clients do not know that they can sign in${isRemapped ? `: the gateway has renamed it to ${REMAPPED}` : ''}`,
    cause: isRemapped
      ? 'API Gateway renames this header of functions.'
      : isBeside
        ? 'Something in front of the service removes the header; X-Mcp-Challenge, which says the same, is there.'
        : 'Something in front of the service removes the header.',
    hint:
      isRemapped || isBeside
        ? 'Set "challenge_mapping": true in config/<stage>.json, or leave it out, and deploy again.'
        : 'Let the header pass as it is: clients learn from it how to sign in.',
  };
};
