import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { claimsOf, type DemoPerson } from './people.ts';
import type { DemoState } from './state.ts';

/** Seconds in which a client can use an assertion. */
const LIFE_SECONDS = 300;

export interface WantedAssertion {
  readonly issuer: string;
  /** Issuer of the service that reads it. */
  readonly audience: string;
  /** Id of the client at the service. */
  readonly clientId: string;
  /** Address of an MCP server; empty if the client's request names it. */
  readonly resource: string;
}

/** What the company says of a person to a client. Source: draft-ietf-oauth-identity-assertion-authz-grant §3.1. */
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
