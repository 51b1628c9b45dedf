import { gunzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { Fault } from '../../platform/rules/fault.ts';
import type { DescriptionFetches, Random } from '../../ports.ts';
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
): DescriptionFetches => {
  const invoke = lambdaFunction(access, functionName, { answerMs: ANSWER_MS });
  return {
    fetch: async (deployment, url) => {
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
