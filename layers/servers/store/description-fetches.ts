import type { TargetAnswer } from '../../target/rules/target.ts';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { Fault } from '../../platform/rules/fault.ts';
import type { Random } from '../../platform/system/random.ts';
import { type AwsAccess, faultOf } from '../../platform/aws/access.ts';
import { lambdaFunction } from '../../platform/lambda/client.ts';

/** Milliseconds. A target may take 25 s. */
const ANSWER_MS = 28_000;
/** Bytes; the router reads no more of an answer. */
const MOST_BYTES = 16 * 1024 * 1024;

const Answer = z.object({
  ok: z.literal(true),
  fetched: z.exactOptional(
    z.object({
      status: z.int(),
      contentType: z.exactOptional(z.string()),
      /** Gzip, in base64. */
      body: z.string(),
    }),
  ),
});

/**
 * Asks the router to fetch a description with a credential, by invoking its function: this one cannot read any.
 *
 * @param functionName - of the router's alias: an ARN, or `name:alias`
 */
export const lambdaDescriptionFetches = (
  access: AwsAccess,
  functionName: string,
  random: Pick<Random, 'id'>,
) => {
  const invoke = lambdaFunction(access, functionName, { answerMs: ANSWER_MS });
  return {
    /**
     * GET with the credential of a deployment, which goes to the hosts that it is meant for alone.
     *
     * @returns undefined where nobody answered, or the document is longer than answers are read
     * @throws Fault if the router cannot be had
     */
    fetch: async (
      deployment: CredentialOwner,
      url: string,
    ): Promise<Pick<TargetAnswer, 'body' | 'headers' | 'status'> | undefined> => {
      const event = { operator: 'fetch-description', deployment, url, requestId: random.id() };
      const invoked = await invoke(event, Answer).catch(faultOf('lambda'));
      if ('problem' in invoked) throw new Fault('lambda', `the router ${invoked.problem}`);
      const { fetched } = invoked.answer;
      if (!fetched) return undefined;
      const { status, contentType, body } = fetched;
      return {
        status,
        headers: contentType === undefined ? {} : { 'content-type': contentType },
        body: gunzipSync(Buffer.from(body, 'base64'), { maxOutputLength: MOST_BYTES }),
      };
    },
  };
};

/** The way to the router, which alone may use credentials. */
export type DescriptionFetches = ReturnType<typeof lambdaDescriptionFetches>;

/** Whose credential it is, and which version. */
export interface CredentialOwner {
  readonly id: string;
  readonly slug: string;
  readonly ownerId: string;
  readonly version: string;
}
