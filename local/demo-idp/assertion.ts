import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { claimsOf, type DemoPerson } from './people.ts';
import type { DemoState } from './state.ts';

/** Seconds that a client has to show it. */
const LIFE_SECONDS = 300;

export interface WantedAssertion {
  readonly issuer: string;
  /** The issuer of the service, which reads it. */
  readonly audience: string;
  /** As the service knows the client that shows it. */
  readonly clientId: string;
  /** The address of a server; empty: the request of the client names it. */
  readonly resource: string;
}

/**
 * What the company says of somebody to a client that asks for them: an identity assertion.
 *
 * Source: draft-ietf-oauth-identity-assertion-authz-grant §3.1.
 */
export const signAssertion = (
  { key }: Pick<DemoState, 'key'>,
  person: DemoPerson,
  { issuer, audience, clientId, resource }: WantedAssertion,
  now: number,
): Promise<string> =>
  new SignJWT({
    ...claimsOf(person),
    client_id: clientId,
    ...(resource !== '' && { resource }),
    scope: 'mcp.tools.read mcp.tools.execute',
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'oauth-id-jag+jwt', kid: String(key['kid']) })
    .setIssuer(issuer)
    .setAudience(audience)
    .setJti(randomUUID())
    .setIssuedAt(now)
    .setExpirationTime(now + LIFE_SECONDS)
    .sign({ ...key, kty: 'RSA' });
