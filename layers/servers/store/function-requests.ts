import type { FetchingDeployment } from '../../deployments/rules/fetching-deployment.ts';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import {
  type CredentialTrial,
  CredentialTrialResult,
} from '../../connections/rules/credential-trial.ts';
import type { ToolTrial, ToolTrialResult } from '../../openapi/tool-test.ts';
import { Fault } from '../../platform/rules/fault.ts';
import { type AwsAccess, faultOf } from '../../platform/aws/access.ts';
import { lambdaFunction } from '../../platform/lambda/client.ts';
import type { TargetAnswer } from '../../target/rules/target.ts';
import type { Random } from '../../platform/system/random.ts';

/** Milliseconds: a target may take 25 s. */
const ANSWER_MS = 28_000;

const SIZE = { bytes: z.int(), tokens: z.int() };

const Tried = z.object({
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
 * Tools are tried by the router: the management function cannot read credentials.
 *
 * @param functionName - of the router's alias: an ARN, or `name:alias`
 */
export const lambdaToolTrials = (access: AwsAccess, functionName: string) =>
  trials<ToolTrial, ToolTrialResult>(access, functionName, 'try-tool', Tried);

export type ToolTrials = ReturnType<typeof lambdaToolTrials>;

const CredentialTried = z.object({ ok: z.literal(true), trial: CredentialTrialResult });

/**
 * Credentials are tried by the router, which alone may invoke the functions that read them and obtain tokens.
 *
 * @param functionName - of the router's alias: an ARN, or `name:alias`
 */
export const lambdaCredentialTrials = (access: AwsAccess, functionName: string) =>
  trials<CredentialTrial, CredentialTrialResult>(
    access,
    functionName,
    'try-credential',
    CredentialTried,
  );

export type CredentialTrials = ReturnType<typeof lambdaCredentialTrials>;

const trials = <Trial extends object, Result>(
  access: AwsAccess,
  functionName: string,
  operator: string,
  schema: z.ZodMiniType<{ readonly trial: Result }>,
) => {
  // One attempt: a tool's effect may not bear repetition.
  const invoke = lambdaFunction(access, functionName, { answerMs: ANSWER_MS, maxAttempts: 1 });
  return {
    /** @throws Fault if the router does not answer */
    run: async (trial: Trial): Promise<Result> => {
      const invoked = await invoke({ operator, ...trial }, schema).catch(faultOf('lambda'));
      if ('problem' in invoked) throw new Fault('lambda', `the router ${invoked.problem}`);
      return invoked.answer.trial;
    },
  };
};

/** Bytes; the router reads no more of an answer. */
const MOST_BYTES = 16 * 1024 * 1024;

const Fetched = z.object({
  ok: z.literal(true),
  fetched: z.exactOptional(
    z.object({
      status: z.int(),
      contentType: z.exactOptional(z.string()),
      /** The document in gzip and base64. */
      body: z.string(),
    }),
  ),
});

/**
 * The router fetches descriptions that need a credential or a private network: it alone has both.
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
     * GET with the deployment's credential, which goes to its origins alone, or in its private network.
     *
     * @param headers - further ones, which go to that origin alone
     * @returns undefined if there was no answer, or the document is too long
     * @throws Fault if the router does not answer
     */
    fetch: async (
      deployment: FetchingDeployment,
      url: string,
      headers?: Readonly<Record<string, string>>,
    ): Promise<Pick<TargetAnswer, 'body' | 'headers' | 'status'> | undefined> => {
      const event = {
        operator: 'fetch-description',
        deployment,
        url,
        ...(headers && { headers }),
        requestId: random.id(),
      };
      const invoked = await invoke(event, Fetched).catch(faultOf('lambda'));
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

export type DescriptionFetches = ReturnType<typeof lambdaDescriptionFetches>;
