import * as z from 'zod/mini';
import { CREDENTIAL_NAME } from '../../credentials/rules/credential-name.ts';
import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';
import type { Ports } from '../../ports.ts';
import { CONNECTED_KINDS, type SentCredential } from '../../target/rules/credential.ts';
import { TokenUnavailable, type TokenFailureReason } from '../rules/token-failure.ts';
import { giveToken, type GiveTokenPorts, type TokenRequest } from '../steps/give-token.ts';

export type ConnectionsPorts = GiveTokenPorts & Pick<Ports, 'log'>;

export type ConnectionsAnswer =
  | {
      readonly ok: true;
      readonly credential: SentCredential;
      /** Epoch seconds. */
      readonly until: number;
      /** Epoch seconds. */
      readonly expires_at: number;
      readonly scopes?: readonly string[];
    }
  | { readonly ok: false; readonly reason: TokenFailureReason; readonly code?: string };

const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most));

/** What the router sends. Keys of tables and names of secrets are made of it. */
const Event = z.pipe(
  z.strictObject({
    deployment_id: z.string().check(z.regex(/^[\w-]{1,64}$/)),
    owner_id: text(128),
    name: z.string().check(z.regex(CREDENTIAL_NAME)),
    version: z.string().check(z.regex(/^[\w-]{32,64}$/)),
    kind: z.enum(CONNECTED_KINDS),
    instance: z.string().check(z.regex(/^[\w-]{1,64}$/)),
    caller: z.strictObject({
      user: text(4096),
      ip: text(64),
      user_agent: z.exactOptional(z.string()),
      request_id: text(256),
    }),
    /** Each caller has tokens of its own. */
    per_caller: z.exactOptional(z.literal(true)),
    /** Fingerprint of the token that was refused. */
    not: z.exactOptional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
  }),
  z.transform((sent): TokenRequest => ({
    ref: {
      deploymentId: sent.deployment_id,
      ownerId: sent.owner_id,
      name: sent.name,
      from: 'connections',
      version: sent.version,
    },
    kind: sent.kind,
    use: {
      user: sent.caller.user,
      ip: sent.caller.ip,
      userAgent: sent.caller.user_agent,
      requestId: sent.caller.request_id,
      ...(sent.per_caller && { subject: fingerprint(sent.caller.user) }),
    },
    instance: sent.instance,
    not: sent.not as Fingerprint | undefined,
  })),
);

/**
 * The function that asks others for what calls carry, on given ports: no route leads here, the router's role alone may
 * invoke it.
 *
 * @throws Error for an event that is none of the router's
 *
 * Source: docs/decisions/credentials.md, "Tokens that others give".
 */
export const server =
  (ports: ConnectionsPorts) =>
  async (event: unknown): Promise<ConnectionsAnswer> => {
    const request = readEvent(event);
    const answer = await answerTo(ports, request);
    // The log has the event in any case.
    await ports.events.flush().catch(() =>
      ports.log.write({
        message: 'events_lost',
        level: 'error',
        request_id: request.use.requestId,
      }),
    );
    return answer;
  };

const answerTo = async (
  ports: ConnectionsPorts,
  request: TokenRequest,
): Promise<ConnectionsAnswer> => {
  try {
    const { credential, until, expiresAt, scopes } = await giveToken(ports, request);
    return { ok: true, credential, until, expires_at: expiresAt, ...(scopes && { scopes }) };
  } catch (error) {
    if (!(error instanceof TokenUnavailable)) throw error;
    const { reason, code } = error;
    return { ok: false, reason, ...(code !== undefined && { code }) };
  }
};

const readEvent = (event: unknown): TokenRequest => {
  const { success, data, error } = z.safeParse(Event, event);
  if (success) return data;
  const where = error.issues.map(({ path }) => path.join('.') || 'the event').join(', ');
  throw new Error(`not a request for a token: ${where}`);
};
