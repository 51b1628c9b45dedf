import * as z from 'zod/mini';
import type { CredentialRef, CredentialUse } from '../../credentials/rules/credential-access.ts';
import { retrievalEvent } from '../../credentials/rules/retrieval.ts';
import { SentSchema } from '../../credentials/store/credential-schema.ts';
import { type AwsAccess, errorName } from '../../platform/aws/access.ts';
import { lambdaFunction } from '../../platform/lambda/client.ts';
import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import type { ConnectedKind } from '../../target/rules/credential.ts';
import { type Trust, trustOf } from '../../target/rules/target.ts';
import type { Bearer } from '../rules/token-source.ts';
import { TOKEN_FAILURE_REASONS, TokenUnavailable } from '../rules/token-failure.ts';

/** Milliseconds: timeout of the function `connections`. */
const ANSWER_MS = 20_000;

const Answer = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    credential: SentSchema,
    until: z.int(),
    expires_at: z.int(),
    scopes: z.exactOptional(z.array(z.string())),
    client_auth: z.exactOptional(z.enum(['basic', 'post'])),
  }),
  z.object({
    ok: z.literal(false),
    reason: z.enum(TOKEN_FAILURE_REASONS),
    code: z.exactOptional(z.string().check(z.regex(/^[\w.-]{1,64}$/))),
    said: z.exactOptional(z.string().check(z.maxLength(400))),
  }),
]);

export interface WantedToken {
  readonly ref: CredentialRef;
  readonly kind: ConnectedKind;
  readonly use: CredentialUse;
  readonly perCaller?: boolean;
  /** The caller's access token, which proves who they are: needed where tokens are issued in their name. */
  readonly bearer?: Bearer | undefined;
  /** Fingerprint of a token that the target refused. */
  readonly not?: Fingerprint | undefined;
  readonly trust?: Trust;
}

/** @param functionName - of the alias of `connections`: an ARN, or `name:alias` */
export const lambdaTokenBroker = (access: AwsAccess, functionName: string, instance: string) => {
  const invoke = lambdaFunction(access, functionName, { answerMs: ANSWER_MS });

  return {
    /** @throws TokenUnavailable */
    fetch: async ({ ref, kind, use, perCaller, bearer, not, trust }: WantedToken) => {
      const { certificateAuthorities } = trustOf(trust);
      const event = {
        ...retrievalEvent({ ref, use, instance }),
        name: ref.name,
        kind,
        ...(perCaller && { per_caller: true, ...(bearer && { token: bearer() }) }),
        ...(not !== undefined && { not }),
        ...(certificateAuthorities && { certificate_authorities: certificateAuthorities }),
      };
      const invoked = await invoke(event, Answer).catch(notInvoked);
      if ('problem' in invoked) throw unavailable(`the function ${invoked.problem}`);
      const { answer } = invoked;
      if (answer.ok) {
        const {
          credential,
          until,
          expires_at: expiresAt,
          scopes,
          client_auth: clientAuth,
        } = answer;
        return { credential, until, expiresAt, scopes, clientAuth };
      }
      const { reason, code, said } = answer;
      throw new TokenUnavailable(reason, 'the function refused', code, said);
    },
  };
};

export type TokenBroker = ReturnType<typeof lambdaTokenBroker>;

const notInvoked = (error: unknown): never => {
  const name = errorName(error);
  throw name === 'AccessDeniedException'
    ? new TokenUnavailable('denied', `lambda: ${name}`)
    : unavailable(`lambda: ${name}`);
};

const unavailable = (why: string) => new TokenUnavailable('unavailable', why);
