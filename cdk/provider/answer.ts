import { setTimeout } from 'node:timers/promises';
import { applied, physicalId, type Reached } from './apply.ts';
import type { ServerRequest } from './event.ts';
import { Failure, toldOf } from './failure.ts';

interface Invocation {
  readonly logStreamName: string;
  getRemainingTimeInMillis(): number;
}

/** Milliseconds, of an invocation, for the answer to CloudFormation. */
const ANSWER_MS = 30_000;
/** Characters of a reason; the whole answer has at most 4,096 bytes. */
const MOST_REASON = 1000;
const PAUSES_MS = [1000, 5000];

/**
 * Does what a stack wants, and tells it in any case: a stack never waits for what will not come.
 *
 * @param pausesMs - before the second and the third try to tell it
 *
 * Source: AWS CloudFormation User Guide, "Custom resource response objects".
 */
export const answered = async (
  request: ServerRequest,
  invocation: Invocation,
  reached: Reached,
  pausesMs: readonly number[] = PAUSES_MS,
): Promise<void> => {
  const outcome = await Promise.race([
    applied(request, reached).then(
      (done) => ({ Status: 'SUCCESS', ...done }),
      (error: unknown) => failed(request, invocation, error),
    ),
    setTimeout(Math.max(0, invocation.getRemainingTimeInMillis() - ANSWER_MS), undefined, {
      ref: false,
    }).then(() => failed(request, invocation, new Failure('The service did not answer in time.'))),
  ]);
  const { StackId, RequestId, LogicalResourceId } = request;
  await send(
    request.ResponseURL,
    JSON.stringify({ ...outcome, StackId, RequestId, LogicalResourceId }),
    reached.fetch,
    pausesMs,
  );
};

/** The id is that of a later success, so that its removal finds what came to be all the same. */
const failed = (
  { PhysicalResourceId, ResourceProperties }: ServerRequest,
  { logStreamName }: Invocation,
  error: unknown,
) => {
  const message = toldOf(error);
  console.log(JSON.stringify({ level: 'ERROR', message }));
  return {
    Status: 'FAILED',
    Reason: `${message.slice(0, MOST_REASON)} (log stream ${logStreamName})`,
    PhysicalResourceId: PhysicalResourceId ?? physicalId(ResourceProperties),
  };
};

/** An address that is signed for one request without a content type. @throws Error if nobody takes it */
const send = async (
  url: string,
  body: string,
  fetch: Reached['fetch'],
  pausesMs: readonly number[],
): Promise<void> => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const headers = { 'content-type': '' };
      const answer = await fetch(url, { method: 'PUT', headers, body });
      if (answer.ok) return;
      throw new Error(`CloudFormation answered HTTP ${answer.status}`);
    } catch (error) {
      const pause = pausesMs[attempt];
      if (pause === undefined) throw error;
      await setTimeout(pause);
    }
  }
};
