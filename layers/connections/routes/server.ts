import * as z from 'zod/mini';
import { CREDENTIAL_NAME } from '../../credentials/rules/credential-name.ts';
import { readEvent, retrievalMembers, retrievalOf } from '../../credentials/rules/retrieval.ts';
import { storeEvents } from '../../credentials/steps/account-for-retrieval.ts';
import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';
import { isAccessToken } from '../../oauth/rules/tokens/tokens.ts';
import type { PlatformPorts, PortsOf } from '../../platform/ports.ts';
import { CONNECTED_KINDS, written, type WrittenCredential } from '../../target/rules/credential.ts';
import { trustOf } from '../../target/rules/target.ts';
import { TokenUnavailable, type TokenFailureReason } from '../rules/token-failure.ts';
import type { SecretPlace } from '../rules/token-source.ts';
import { giveToken, type TokenRequest } from '../steps/give-token.ts';

type ServerPorts = PortsOf<typeof giveToken> & Pick<PlatformPorts, 'log'>;

export type ConnectionsAnswer =
  | {
      readonly ok: true;
      readonly credential: WrittenCredential;
      /** Epoch seconds after which the router has to ask again. */
      readonly until: number;
      readonly expires_at: number;
      readonly scopes?: readonly string[];
      readonly client_auth?: SecretPlace;
    }
  | {
      readonly ok: false;
      readonly reason: TokenFailureReason;
      readonly code?: string;
      /** The issuer's own words for its refusal. */
      readonly said?: string;
    };

/** Event by which the router invokes this function. */
const Event = z.pipe(
  z.strictObject({
    ...retrievalMembers,
    name: z.string().check(z.regex(CREDENTIAL_NAME)),
    kind: z.enum(CONNECTED_KINDS),
    per_caller: z.exactOptional(z.literal(true)),
    /** Access token that the caller presented to a server of mode `oauth`; only its fingerprint goes further. */
    token: z.exactOptional(
      z.pipe(z.string().check(z.refine(isAccessToken)), z.transform(fingerprint)),
    ),
    /** Fingerprint of a token that the target refused: another one is wanted. */
    not: z.exactOptional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
    /** The deployment's own CA certificates in PEM, which the issuer's TLS certificate may be signed by. */
    certificate_authorities: z.exactOptional(z.array(z.string())),
  }),
  z.transform((sent): TokenRequest => {
    return {
      ...retrievalOf(sent, sent.name, 'connections'),
      kind: sent.kind,
      perCaller: sent.per_caller === true,
      token: sent.token,
      not: sent.not as Fingerprint | undefined,
      trust: trustOf({
        ...(sent.certificate_authorities && {
          certificateAuthorities: sent.certificate_authorities,
        }),
      }),
    };
  }),
);

/**
 * The `connections` function, which obtains tokens from their issuers. It has no HTTP route: the router's role alone
 * may invoke it.
 *
 * @throws Error for an event that the router does not send
 * Source: docs/decisions/credentials.md, "Tokens that others give".
 */
export const server =
  (ports: ServerPorts) =>
  async (event: unknown): Promise<ConnectionsAnswer> => {
    const request = readEvent(Event, event, 'a request for a token');
    const answer = await answerTo(ports, request);
    await storeEvents(ports, request);
    return answer;
  };

const answerTo = async (ports: ServerPorts, request: TokenRequest): Promise<ConnectionsAnswer> => {
  try {
    const { credential, until, expiresAt, scopes, clientAuth } = await giveToken(ports, request);
    return {
      ok: true,
      credential: written(credential),
      until,
      expires_at: expiresAt,
      ...(scopes && { scopes }),
      ...(clientAuth && { client_auth: clientAuth }),
    };
  } catch (error) {
    if (!(error instanceof TokenUnavailable)) throw error;
    const { reason, code, said } = error;
    return {
      ok: false,
      reason,
      ...(code !== undefined && { code }),
      ...(said !== undefined && { said }),
    };
  }
};
