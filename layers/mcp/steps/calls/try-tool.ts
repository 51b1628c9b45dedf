import { afterwards } from '../../../platform/rules/afterwards.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { isObject } from '../../../platform/rules/json/json.ts';
import { RpcRefusal } from '../../../platform/rules/refusal/rpc-refusal.ts';
import type { NoAnswerReason } from '../../../target/rules/target.ts';
import type { ToolTrial, ToolTrialResult } from '../../../openapi/tool-test.ts';
import { TOOL_SCOPES } from '../../../tokens/rules/authorization.ts';
import type { AnswerContent } from '../../../tools/answer/answer-content.ts';
import { resultTokens, type ToolResult } from '../../../tools/answer/tool-result.ts';
import { shownAnswer, shownRequest } from '../../../tools/masking/shown.ts';
import { estimateLongTokens } from '../../../openapi/model-apis/token-estimate.ts';
import type { PlatformPorts } from '../../../platform/ports.ts';
import { unsharedBudget } from './stored-replies.ts';
import { toolCallOf } from './call-tool.ts';
import { credentialsOf } from './call-credentials.ts';
import type { MethodPorts, RpcCall, RpcTrace, ToolCallResult } from '../rpc-call.ts';
import { parsedJson } from '../../../platform/rules/json/parsed-json.ts';

/**
 * Calls a tool for the server's owner exactly as a client's call goes, and shows request and answer with secrets
 * masked. The management function has counted the trial. Source: docs/decisions/management.md, "Trying a tool".
 */
export const tryTool = async (
  ports: MethodPorts & Pick<PlatformPorts, 'log'>,
  trial: ToolTrial,
): Promise<ToolTrialResult> => {
  const { clock, events, log } = ports;
  const { tool } = trial;
  const deployment = triedDeployment(trial);
  const caller = {
    kind: 'holder',
    subject: deployment.ownerId,
    plan: 'free',
    scopes: TOOL_SCOPES,
  } as const;
  const sender = { ...trial.sender, userAgent: trial.sender.userAgent };
  const trace: RpcTrace = { method: 'tools/call', outcome: 'ok' };
  const tried: NonNullable<RpcCall['tried']> = {
    fields: trial.deployment.answerFields,
    headers: trial.deployment.answerHeaders,
  };
  const startedMs = clock.elapsedMs();
  const make = await toolCallOf(trial.isSearch ?? false);
  const call: RpcCall = {
    deployment,
    caller,
    sender,
    index: 0,
    credentials: credentialsOf(ports, deployment, caller, sender),
    params: { name: tool, arguments: trial.arguments },
    responseBudget: unsharedBudget,
    // Neither console nor command line can read the stored rest of an answer.
    canStoreRest: false,
    speaksMcp: true,
    traceContext: undefined,
    // The first MCP version with structured content.
    version: '2025-06-18',
    trace,
    isTrial: true,
    tried,
  };
  const end = await make(ports, call, ports.callLog.write).then(shownResult, refusalOf);
  const durationMs = Math.round(clock.elapsedMs() - startedMs);
  const { slug } = deployment;
  const outcome = 'error' in end ? end.error.code : trace.outcome;
  log.write({ message: 'tool_trial', request_id: sender.requestId, slug, tool, outcome });
  await afterwards(ports, 'events of a trial', events.flush);
  const secrets = tried.secrets?.() ?? [];
  const { answer, chosen, sent } = tried;
  return {
    ...end,
    ...(answer && {
      answer: { ...shownAnswer(answer, secrets, trial.arguments), ...resultSize(end) },
    }),
    ...(chosen && { answerFields: shownChoice(chosen) }),
    ...(sent && !wasWithheld(end) && { request: shownRequest(sent, secrets, trial.arguments) }),
    durationMs,
  };
};

/** The members of a deployment that a call needs. A plain credential is sent as its version alone. */
const triedDeployment = ({ deployment: { credential, ...rest } }: ToolTrial): Deployment =>
  ({
    publication: {},
    ...rest,
    ...(credential && { credential: { type: 'bearer', origins: [], ...credential } }),
  }) as unknown as Deployment;

/** Characters of the unfiltered answer that an owner sees beside the filtered one. */
const MOST_SHOWN = 40_000;

const shownChoice = ({
  whole,
  members,
}: NonNullable<AnswerContent['chosen']>): NonNullable<ToolTrialResult['answerFields']> => ({
  missing: members.missing,
  chosen: sizeOf(members.text),
  whole: { ...sizeOf(whole), text: whole.slice(0, MOST_SHOWN).toWellFormed() },
});

/** Of all content that a client gets, pictures in base64 included. */
const resultSize = (end: End) =>
  'result' in end
    ? {
        bytes: Buffer.byteLength(JSON.stringify(end.result.content)),
        tokens: resultTokens(end.result) ?? 0,
      }
    : { bytes: 0, tokens: 0 };

const sizeOf = (text: string) => ({
  bytes: Buffer.byteLength(text),
  tokens: estimateLongTokens(text),
});

type End =
  | { readonly result: ToolResult }
  | { readonly error: NonNullable<ToolTrialResult['error']> };

/** The text has the structured content, which `result` lacks. */
const shownResult = ({ text }: ToolCallResult): End => ({ result: parsedJson(text) as ToolResult });

const refusalOf = (error: unknown): End => {
  if (!(error instanceof RpcRefusal)) throw error;
  const { code, description: message, data } = error;
  return { error: { code, message, ...(data !== undefined && { data }) } };
};

/** The request was built but not sent: the credential is not for its host. */
const wasWithheld = (end: End): boolean =>
  'error' in end &&
  isObject(end.error.data) &&
  end.error.data['reason'] === ('credential_not_for_this_host' satisfies NoAnswerReason);
