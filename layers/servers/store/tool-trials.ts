import type { ToolTrial, ToolTrialResult } from '../../openapi/tool-test.ts';
import * as z from 'zod/mini';
import { Fault } from '../../platform/rules/fault.ts';
import { type AwsAccess, faultOf } from '../../platform/aws/access.ts';
import { lambdaFunction } from '../../platform/lambda/client.ts';

/** Milliseconds. A target may take 25 s. */
const ANSWER_MS = 28_000;

const SIZE = { bytes: z.int(), tokens: z.int() };

const Answer = z.object({
  ok: z.literal(true),
  trial: z.object({
    result: z.exactOptional(z.unknown()),
    error: z.exactOptional(
      z.object({ code: z.string(), message: z.string(), data: z.exactOptional(z.unknown()) }),
    ),
    request: z.exactOptional(
      z.object({
        method: z.string(),
        url: z.string(),
        headers: z.record(z.string(), z.string()),
        body: z.exactOptional(z.string()),
        bodyBytes: z.int(),
      }),
    ),
    answer: z.exactOptional(
      z.object({ status: z.int(), headers: z.record(z.string(), z.string()), ...SIZE }),
    ),
    answerFields: z.exactOptional(
      z.object({
        missing: z.array(z.string()),
        chosen: z.object(SIZE),
        whole: z.object({ ...SIZE, text: z.string() }),
      }),
    ),
    durationMs: z.number(),
  }),
});

/**
 * Asks the router to try a tool, by invoking its function: this one cannot read credentials.
 *
 * @param functionName - of the router's alias: an ARN, or `name:alias`
 */
export const lambdaToolTrials = (access: AwsAccess, functionName: string) => {
  // Tried once: what a tool does may not bear repetition.
  const invoke = lambdaFunction(access, functionName, { answerMs: ANSWER_MS, maxAttempts: 1 });
  return {
    /** @throws Fault if the router cannot be had */
    run: async (trial: ToolTrial): Promise<ToolTrialResult> => {
      const event = { operator: 'try-tool', ...trial };
      const invoked = await invoke(event, Answer).catch(faultOf('lambda'));
      if ('problem' in invoked) throw new Fault('lambda', `the router ${invoked.problem}`);
      return invoked.answer.trial;
    },
  };
};

/** The way to the router, which alone may use credentials. */
export type ToolTrials = ReturnType<typeof lambdaToolTrials>;
