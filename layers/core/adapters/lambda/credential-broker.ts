import * as z from 'zod/mini';
import { CredentialUnavailable } from '../../domain/credential-access.ts';
import type { CredentialBroker } from '../../ports.ts';
import { type AwsAccess, nameOf } from '../aws/access.ts';
import { CredentialForm } from '../dynamodb/credential-form.ts';
import { lambdaClient } from './client.ts';

/** Milliseconds. The broker itself gives up before. */
const ANSWER_MS = 5000;

const Answer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), credential: CredentialForm }),
  z.object({
    ok: z.literal(false),
    reason: z.enum(['limited', 'missing', 'denied', 'unavailable']),
  }),
]);

/**
 * Asks the broker by invoking its function. The SDK is loaded at the first use: only deployments with
 * a credential need it.
 *
 * @param functionName - of the broker's alias: an ARN, or `name:alias`
 * @param instance - names this instance of the router
 */
export const lambdaCredentialBroker = (
  access: AwsAccess,
  functionName: string,
  instance: string,
): CredentialBroker => {
  const open = lambdaClient(access, { answerMs: ANSWER_MS, maxAttempts: 2 });

  return {
    fetch: async (ref, use) => {
      const { sdk, client } = await open();
      const event = {
        deployment_id: ref.deploymentId,
        owner_id: ref.ownerId,
        version: ref.version,
        instance,
        caller: {
          user: use.user,
          ip: use.ip,
          ...(use.userAgent !== undefined && { user_agent: use.userAgent }),
          request_id: use.requestId,
        },
      };
      const { FunctionError, Payload } = await client
        .send(new sdk.InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(event) }))
        .catch(notInvoked);
      if (FunctionError !== undefined) throw unavailable('the broker failed');
      const answer = answerIn(Payload);
      if (!answer) throw unavailable('the broker gave no readable answer');
      if (!answer.ok) throw new CredentialUnavailable(answer.reason, 'the broker refused');
      return answer.credential;
    },
  };
};

/** Errors of parsers quote what they read, so they go no further. */
const answerIn = (payload: Uint8Array = new Uint8Array()) => {
  try {
    return z.safeParse(Answer, JSON.parse(Buffer.from(payload).toString('utf8'))).data;
  } catch {
    return undefined;
  }
};

const notInvoked = (cause: unknown): never => {
  const name = nameOf(cause);
  throw name === 'AccessDeniedException'
    ? new CredentialUnavailable('denied', `lambda: ${name}`)
    : unavailable(`lambda: ${name}`);
};

const unavailable = (why: string) => new CredentialUnavailable('unavailable', why);
