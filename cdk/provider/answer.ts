import { setTimeout } from 'node:timers/promises';
import { applied, type Course, idOfFailed, type Reached } from './apply.ts';
import type { ServerRequest } from './event.ts';
import { Failure, toldOf } from './failure.ts';

interface Invocation {
  readonly logStreamName: string;
  getRemainingTimeInMillis(): number;
}

/** Time kept back of each invocation for the answer to CloudFormation. */
const ANSWER_MS = 30_000;
/** Most characters of a reason; CloudFormation takes at most 4,096 bytes for the whole answer. */
const MOST_REASON = 1000;
const PAUSES_MS = [1000, 5000];

/**
 * Answers CloudFormation in any case: a stack would wait until its timeout. Source: AWS CloudFormation User Guide,
 * "Custom resource response objects".
 * @param pausesMs - before the second and the third attempt to answer
 */
export const answered = async (
  request: ServerRequest,
  invocation: Invocation,
  reached: Reached,
  pausesMs: readonly number[] = PAUSES_MS,
): Promise<void> => {
  const remainingMs = () => invocation.getRemainingTimeInMillis() - ANSWER_MS;
  const timeIsUp = new AbortController();
  const course: Course = { mayHaveMade: false };
  const tell = (error: unknown) => failed(request, invocation, course, error);
  const outcome = await Promise.race([
    applied({ request, reached, until: { remainingMs, signal: timeIsUp.signal } }, course).then(
      (done) => ({ Status: 'SUCCESS', ...done }),
      tell,
    ),
    setTimeout(Math.max(0, remainingMs()), undefined, { ref: false }).then(() =>
      tell(new Failure('The service did not answer in time.')),
    ),
  ]);
  timeIsUp.abort();
  const { StackId, RequestId, LogicalResourceId } = request;
  await send(
    request.ResponseURL,
    JSON.stringify({ ...outcome, StackId, RequestId, LogicalResourceId }),
    reached.fetch,
    pausesMs,
  );
};

const failed = (
  request: ServerRequest,
  { logStreamName }: Invocation,
  course: Course,
  error: unknown,
) => {
  const message = toldOf(error);
  console.log(JSON.stringify({ level: 'ERROR', message }));
  return {
    Status: 'FAILED',
    Reason: `${message.slice(0, MOST_REASON)} (log stream ${logStreamName})`,
    PhysicalResourceId: idOfFailed(request, course),
  };
};

/** PUTs to the presigned URL, which is signed for an empty content type. @throws Error after the last attempt */
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
