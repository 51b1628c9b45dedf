import { isLoopback } from '../api/base-url.ts';
import { type Json, textOf, textsOf } from '../json.ts';
import type { Form } from './addresses.ts';
import type { Fault } from './step.ts';
import { statusFault, type Visited } from './visit.ts';

const ANOTHER_BASE = 'The service was set up with another base URL than the one it is reached at.';

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

/**
 * A deployment without a login must not offer one: some clients start it wherever they find it.
 * Source: docs/decisions/oauth.md, "Metadata routes".
 */
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

/** What clients insist on. Source: RFC 8414 §2, §3.3; RFC 7636 §4.2. */
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
  if (document['issuer'] !== issuer) {
    return {
      what: `issuer is ${textOf(document['issuer']) ?? 'missing'} instead of ${issuer}`,
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
