import {
  type CredentialRef,
  CredentialUnavailable,
  type CredentialUse,
} from '../rules/credential-access.ts';
import type { SentCredential } from '../../target/rules/credential.ts';
import { MAIN } from '../rules/credential-name.ts';
import { retrievalEvent } from '../rules/retrieval.ts';
import * as z from 'zod/mini';
import { type AwsAccess, errorName } from '../../platform/aws/access.ts';
import { SentSchema } from './credential-schema.ts';
import { throwIfDenied } from './denied.ts';
import { lambdaFunction } from '../../platform/lambda/client.ts';

/** Milliseconds that a call waits for the broker, whose function may run longer. */
const ANSWER_MS = 5000;

const Answer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), credential: SentSchema }),
  z.object({
    ok: z.literal(false),
    reason: z.enum(['limited', 'missing', 'denied', 'unavailable']),
  }),
]);

/** @param functionName - of the broker's alias: an ARN, or `name:alias` */
export const lambdaCredentialBroker = (
  access: AwsAccess,
  functionName: string,
  instance: string,
) => {
  const invoke = lambdaFunction(access, functionName, { answerMs: ANSWER_MS });

  return {
    /** @throws CredentialUnavailable */
    fetch: async (ref: CredentialRef, use: CredentialUse): Promise<SentCredential> => {
      const event = {
        ...retrievalEvent({ ref, use, instance }),
        ...(ref.name !== MAIN && { name: ref.name }),
      };
      const invoked = await invoke(event, Answer).catch(notInvoked);
      if ('problem' in invoked) throw unavailable(`the broker ${invoked.problem}`);
      const { answer } = invoked;
      if (!answer.ok) throw new CredentialUnavailable(answer.reason, 'the broker refused');
      return answer.credential;
    },
  };
};

export type CredentialBroker = ReturnType<typeof lambdaCredentialBroker>;

const notInvoked = (error: unknown): never => {
  throwIfDenied('lambda', ['AccessDeniedException'], error);
  throw unavailable(`lambda: ${errorName(error)}`);
};

const unavailable = (why: string) => new CredentialUnavailable('unavailable', why);
