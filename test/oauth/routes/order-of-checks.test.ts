import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type {
  AuthorizationCode,
  Grant,
  OAuthClient,
} from '../../../layers/tokens/rules/oauth-records.ts';
import {
  anOAuthService,
  BASE_URL,
  CHALLENGE,
  NOON,
  REDIRECT_URI,
  type TestOAuth,
} from '../../support/oauth/oauth.ts';
import { exchangeOf, form, oauth } from '../../support/oauth/oauth-requests.ts';
import { anEvent } from '../../support/mcp/router-events.ts';

let service: TestOAuth;
let client: OAuthClient;
let other: OAuthClient;

beforeAll(async () => {
  const limits = { authorize_per_hour_per_ip: 100_000, authorize_per_minute_per_client: 100_000 };
  service = await anOAuthService({ limits });
  client = await service.client();
  other = await service.client();
});
afterAll(() => service.stop());

type Sent = Readonly<Record<string, string>>;

/** Something that is wrong with a request, and the reason that the log gives for its refusal. */
interface Mistake {
  readonly why: string;
  readonly sent?: () => Sent;
  readonly code?: Partial<AuthorizationCode>;
  readonly grant?: Partial<Grant>;
}

/** Each mistake with each that is checked for later. */
const pairs = (mistakes: readonly Mistake[]) =>
  mistakes.flatMap((first, at) =>
    mistakes.slice(at + 1).map((second) => [first.why, second.why, first, second] as const),
  );

const lastReason = () => service.lines.at(-1)?.['why'];

/** In the order of the checks. */
const OF_CODES: readonly Mistake[] = [
  {
    why: 'The grant_type must be authorization_code or refresh_token.',
    sent: () => ({ grant_type: 'password' }),
  },
  { why: 'not a client assertion of a known type', sent: () => ({ client_assertion: 'x' }) },
  { why: 'unknown client', sent: () => ({ client_id: 'mcp_nobody' }) },
  { why: 'another method than registered', sent: () => ({ client_secret: 'x' }) },
  {
    why: 'The code_verifier must have 43 to 128 characters out of A-Z, a-z, 0-9 and -._~',
    sent: () => ({ code_verifier: 'short' }),
  },
  { why: 'unknown code', sent: () => ({ code: 'mcp_code_unknown' }) },
  { why: 'code of another client', sent: () => ({ client_id: other.id }) },
  { why: 'redirect_uri differs', sent: () => ({ redirect_uri: `${REDIRECT_URI}/` }) },
  { why: 'verifier does not match', sent: () => ({ code_verifier: 'v'.repeat(43) }) },
  {
    why: 'The resource is not the one that access was granted to.',
    sent: () => ({ resource: `${BASE_URL}/mcp-router/elsewhere` }),
  },
  { why: 'code used before', code: { usedAt: NOON } },
  { why: 'code expired', code: { expiresAt: NOON } },
  { why: 'user removed', grant: { userId: 'nobody' } },
];

describe('exchanging an authorization code with two mistakes', () => {
  test.each(pairs(OF_CODES))(
    'is refused for "%s" before "%s" is looked at',
    async (why, _, first, second) => {
      const code = await service.code(
        { ...second.code, ...first.code },
        { clientId: client.id, ...second.grant, ...first.grant },
      );
      await service.send(
        form('/token', exchangeOf(code, { ...second.sent?.(), ...first.sent?.() })),
      );

      expect(lastReason()).toBe(why);
    },
  );
});

/** In the order of the checks. */
const OF_AUTHORIZATIONS: readonly Mistake[] = [
  { why: 'unknown client', sent: () => ({ client_id: 'mcp_nobody' }) },
  {
    why: 'The address that the application wants your answer at is not one that it registered.',
    sent: () => ({ redirect_uri: 'https://elsewhere.example.com/' }),
  },
  { why: 'The state is too long.', sent: () => ({ state: 's'.repeat(4097) }) },
  { why: 'The response type must be code.', sent: () => ({ response_type: 'token' }) },
  {
    why: 'The code challenge method must be S256.',
    sent: () => ({ code_challenge_method: 'plain' }),
  },
  {
    why: 'The nonce is too long.',
    sent: () => ({ scope: 'openid', nonce: 'n'.repeat(1025) }),
  },
  { why: 'The user must sign in and approve.', sent: () => ({ prompt: 'none' }) },
  {
    why: 'The resource is no server that one can sign in to.',
    sent: () => ({ resource: `${BASE_URL}/mcp-router/elsewhere` }),
  },
];

describe('an authorization request with two mistakes', () => {
  test.each(pairs(OF_AUTHORIZATIONS))(
    'is refused for "%s" before "%s" is looked at',
    async (why, _, first, second) => {
      const query = new URLSearchParams({
        client_id: client.id,
        redirect_uri: REDIRECT_URI,
        response_type: 'code',
        code_challenge: CHALLENGE,
        code_challenge_method: 'S256',
        ...second.sent?.(),
        ...first.sent?.(),
      });
      await service.send({
        ...anEvent('GET', oauth('/authorize')),
        rawQueryString: query.toString(),
      });

      expect(lastReason()).toBe(why);
    },
  );
});
