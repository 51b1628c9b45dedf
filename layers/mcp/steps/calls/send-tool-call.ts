import { CredentialUnavailable } from '../../../credentials/rules/credential-access.ts';
import { TokenUnavailable, withItsWords } from '../../../connections/rules/token-failure.ts';
import { TOKEN_FAILURES } from '../../../platform/rules/metrics/metrics.ts';
import { ToolRefusal } from '../../../platform/rules/refusal/tool-refusal.ts';
import { hasStructuredContent } from '../../../platform/rules/protocol-versions.ts';
import { readString, unknownName } from '../../rules/message.ts';
import {
  NoAnswer,
  type NoAnswerReason,
  SAFE,
  type TargetAnswer,
  type TargetRequest,
  trustOf,
} from '../../../target/rules/target.ts';
import { answerBudgetOf, ownSettings } from '../../../deployments/rules/apply-overrides.ts';
import { answerContent } from '../../../tools/answer/answer-content.ts';
import type { BudgetTerms } from '../../../tools/answer/continuation-note.ts';
import { buildRequest, withTraceHeaders } from '../../../tools/request/build-request.ts';
import { maskingOf } from '../../../tools/masking/mask-secrets.ts';
import { MOST_RESULT_BYTES } from '../../../tools/answer/result-continuation.ts';
import type { PreparedTool } from '../../../tools/prepare-tool.ts';
import { readArguments } from '../../../tools/arguments/read-arguments.ts';
import type { EventsPorts } from '../../../events/ports.ts';
import type { LimitsSettings } from '../../../limits/ports.ts';
import { callRecorder } from './call-account.ts';
import { credentialNote, RENEWED_NOTE, withNote } from './credential-notes.ts';
import { storeRest, storesRest } from './stored-replies.ts';
import { type HeldCredential, type RpcCall, type ToolCall, toolCallResult } from '../rpc-call.ts';
import { toolCatalog } from './tool-catalog.ts';

/**
 * `tools/call`: makes the HTTP request that the tool stands for.
 * @throws RpcRefusal invalid_params; server_error with `data.reason` if the credential is unavailable or the target
 *   gave no answer. Source: docs/decisions/mcp.md, "Failed calls"; docs/protocol.md, "Results of a call".
 */
export const sendToolCall: ToolCall = async (ports, call, write) => {
  const { credentials, deployment, params, responseBudget, trace, tried, version } = call;
  const name = readString(params, 'name');
  const tool = (await toolCatalog(ports, deployment)).find(name);
  if (!tool) throw unknownName('tool', name);
  trace.tool = name;

  const account = callRecorder(ports, call, { tool, method: tool.operation.method, write });
  const { held, request, requestWith } = await prepared(call, tool).catch(account.refused);
  const sending = account.sending(held);
  const carried = new Set(held.map(({ credential }) => credential));
  // All held credentials are masked: an API may repeat one that it got with another call.
  const secrets = () => [...new Set([...credentials.held(), ...carried])];
  const longAnswer = responseBudget.longAnswer();
  const send = async (sent: TargetRequest): Promise<TargetAnswer> => {
    if (tried) Object.assign(tried, { secrets, sent });
    const answer = await ports.targetApi.send(deployment.id, sent, longAnswer.begin);
    if (tried) tried.answer = answer;
    return answer;
  };
  let isLeft = false;
  const sendWithTokens = async (): Promise<TargetAnswer> => {
    const answer = await send(request);
    if (answer.status !== 401 || !held.some(({ renewed }) => renewed)) return answer;
    // Imported on demand, as structured results are: few targets refuse a token.
    const { mayRepeat, renewedCredentials } = await import('./renewed-call.ts');
    const others = await renewedCredentials(held);
    if (!others) return answer;
    for (const { credential } of others) carried.add(credential);
    isLeft = !mayRepeat(request);
    return isLeft ? answer : send(requestWith(others));
  };
  let status: number | undefined;
  const contentOf = (answer: TargetAnswer) => {
    ({ status } = answer);
    return answerContent(answer, {
      masking: maskingOf(secrets(), params['arguments']),
      operation: tool.operation,
      method: request.method,
      maxBytes: ports.settings.limits.target_response_max_bytes,
      maxWireBytes: storesRest(ports.settings, call) ? responseBudget.left() : MOST_RESULT_BYTES,
      ...chosenOf(call, tool),
      ...budgetOf(ports, call, tool),
    });
  };
  try {
    const content = await sendWithTokens()
      .then((answer) => sending.answered(answer, contentOf), sending.failed)
      .catch(refuseNoAnswer(ports, call, request));
    if (tried) tried.chosen = content.chosen;
    responseBudget.take(content.result);
    const stored = await storeRest(ports, call, content);
    const { kept } = stored;
    const note = isLeft
      ? RENEWED_NOTE
      : credentialNote(status, {
          isCarried: held.length > 0,
          slug: deployment.slug,
          security: tool.operation.security,
          args: params['arguments'],
        });
    const result = withNote(stored.result, note);
    if (result.isError) trace.outcome = 'target_error';
    if (!tool.output || !hasStructuredContent(version)) return toolCallResult(result);
    const { structuredResult } = await import('./structured-result.ts');
    return {
      result,
      text: await structuredResult(ports, call, tool.output, { content, result, kept }),
    };
  } finally {
    longAnswer.end();
  }
};

/** @throws RpcRefusal for arguments that the tool does not take, or a credential that is unavailable */
const prepared = async (call: RpcCall, tool: PreparedTool) => {
  const { deployment, params, traceContext } = call;
  const args = readArguments(tool, params['arguments'], {
    checks: ownSettings(tool, deployment).argumentChecks ?? deployment.argumentChecks,
  });
  const held = await call.credentials.of(tool.operation).catch(refuseCredentialFailure(call));
  const traced = deployment.traceContext === 'forwarded' ? traceContext : undefined;
  const requestWith = (carried: readonly HeldCredential[]): TargetRequest => {
    const credentials = carried.map(({ credential }) => credential);
    const { network, requestHeaders: headers } = deployment;
    const built = buildRequest(tool, args, { credentials, headers });
    return {
      ...withTraceHeaders(built, traced),
      ...(network !== undefined && { network }),
      ...trustOf(deployment),
    };
  };
  return { held, request: requestWith(held), requestWith };
};

/** Which parts of an answer are shown. Source: docs/tools.md, "Members of answers", "Headers of answers". */
const chosenOf = ({ deployment, tried }: RpcCall, tool: PreparedTool) => {
  const own = ownSettings(tool, deployment);
  const fields = tried?.fields ?? own.answerFields;
  const headers = tried?.headers ?? own.answerHeaders;
  return { ...(fields && { fields }), ...(headers && { headers }) };
};

/** How many tokens an answer may take. Source: docs/tools.md, "The budget for answers". */
const budgetOf = (
  { settings }: { readonly settings: LimitsSettings },
  { deployment }: RpcCall,
  tool: PreparedTool,
): { readonly budget?: BudgetTerms } => {
  const said = answerBudgetOf(tool, deployment);
  const budget = said === undefined ? settings.limits.answer_token_budget : said;
  return budget === null ? {} : { budget: { budget, narrowing: tool.narrowing } };
};

const FAILURES: Readonly<Record<NoAnswerReason, string>> = {
  invalid_request:
    'The arguments do not make a request that can be sent to the target API: try other ones. If none do, the owner of this server has to look at its description.',
  blocked_address:
    "The target API's address is not a public one, or the service's own: nothing was sent. Calling again does not help: the owner of this server has to give an address that may be called.",
  unknown_network:
    "This server's API is in a private network that the service does not have any more: its owner has to choose another one.",
  network_unavailable:
    "The private network of the target API cannot be reached now, or broke off before it answered. Where something is changed it may have been done all the same: look before you ask again. If that does not help, the service's operator has to look at it.",
  network_busy:
    'As many calls as the private network of this server takes at once are under way, so that nothing was sent. Try again in a few seconds, with fewer calls at a time.',
  host_not_in_network:
    "The private network of this server does not have this host in its list, so nothing was sent: the service's operator can add it, or the server's owner can choose another network.",
  address_not_in_network:
    "The target API's name leads to an address outside of the private network's ranges, so nothing was sent: the service's operator can add it.",
  too_large_for_network:
    'The request is too large for a private network, which takes 6 MB with all that stands around it: send less.',
  credential_not_for_this_host:
    "This server's credential is not meant for this host, so the request was not sent. Calling again does not help: the owner of this server can set the credential for this host, too.",
  dns_failure:
    "The target API's host name could not be resolved, so nothing was sent. If it stays so, the owner of this server has to look at the address (`api_base_url`).",
  connection_refused:
    'The target API refused the connection: it may not be running. Try again later. If it stays so, whoever runs the API has to look.',
  connection_failed:
    'The connection to the target API failed. It may have done what it was asked all the same: look before you ask again.',
  tls_failure:
    'No secure connection to the target API could be made. If it stays so, whoever runs the API has to look.',
  certificate_self_signed:
    "The target API's certificate is signed by itself, so that nothing was sent: the server's owner can add it (`certificate_authorities`), if it is the right one.",
  certificate_of_unknown_authority:
    "The target API's certificate is of an authority that is not a public one, or comes without the certificates between them, so that nothing was sent: the server's owner can add the authority (`certificate_authorities`), or whoever runs the API can send the whole chain.",
  certificate_expired:
    "The target API's certificate has expired, or is not valid yet, so that nothing was sent: whoever runs the API has to renew it.",
  certificate_of_another_host:
    "The target API's certificate is for another host name, so that nothing was sent: the server's owner can set the base address with a name that it is for, or whoever runs the API has to have it issued for this one.",
  client_certificate_refused:
    "The target API takes connections with a client certificate that it knows alone: the server's owner has to set it as a credential (`mutual_tls`), or whoever runs the API has to admit it.",
  timeout:
    'The target API did not answer in time. It may have done what it was asked all the same: look before you ask again, and ask for less if that is possible.',
  no_time_left: 'Too little time was left for this call, so nothing was sent. Send it again.',
  redirect_refused:
    'The target API redirected the request more than five times, so that nothing answered it: calling again does not help.',
  invalid_response:
    'The target API did not answer with valid HTTP. It may have done what it was asked all the same. Whoever runs the API has to look.',
  too_large:
    'The answer of the target API is too large to be shown. It may have done what it was asked all the same: look before you ask again, for less.',
};

/** For methods that only read, after which nobody has to look what was done. Source: RFC 9110 §9.2.1. */
const FAILED_READS: { readonly [Reason in NoAnswerReason]?: string } = {
  connection_failed:
    'The connection to the target API failed. The request was one that only reads: call again.',
  timeout:
    'The target API did not answer in time. The request was one that only reads: ask for less, or call again later.',
  invalid_response:
    'The target API did not answer with valid HTTP. Whoever runs the API has to look.',
  too_large:
    'The answer of the target API is too large. Ask for less: fewer items, a page, a filter.',
};

/**
 * Why no token could be had for the target, and who can mend it. Source: docs/decisions/credentials.md, "Tokens that
 * others give".
 */
const TOKEN_FAILURE_TEXTS: Readonly<Record<(typeof TOKEN_FAILURES)[number], string>> = {
  token_endpoint_failed:
    'The server that gives tokens for this API does not answer, or not with a token, so that nothing was sent. Try again later.',
  token_refused:
    "The server that gives tokens for this API refuses this server's client or login. Trying again does not help: the owner of this server has to mend its credential.",
  token_endpoint_refused:
    'The server that gives tokens for this API is not where it was when the credential was set, so that it was asked for none. Trying again does not help: the owner of this server has to set the credential again.',
  login_answer_unusable:
    'The login of this API was answered without a token where it should be, so that nothing was sent. Trying again does not help: the owner of this server has to look where the answer has it.',
  role_not_listed:
    'The AWS role that calls of this server are signed as may not be assumed any more. Trying again does not help: the operator of the service has to list it, or the owner of this server to set another one.',
  role_refused:
    "The account of the AWS role that calls of this server are signed as does not let this service assume it. Trying again does not help: the role's trust policy has to allow it, as the owner of this server was shown.",
  role_not_permitted:
    "This service's own policies do not permit it to assume the AWS role that calls of this server are signed as. Trying again does not help: the operator of the service has to allow it, in the permissions boundary or the policy of its role.",
};

const refuseCredentialFailure =
  ({ trace }: RpcCall) =>
  (error: unknown): never => {
    if (error instanceof TokenUnavailable) {
      const failure = TOKEN_FAILURES.find((one) => one === error.reason);
      if (failure !== undefined) {
        trace.why = error.message;
        const { code, said } = error;
        const data = { reason: failure, ...(code !== undefined && { error: code }) };
        const text = withItsWords(TOKEN_FAILURE_TEXTS[failure], said);
        throw new ToolRefusal('target', 'server_error', text, data, error.message);
      }
    } else if (!(error instanceof CredentialUnavailable)) throw error;
    trace.why = error.message;
    const [reason, message] =
      error.reason === 'missing'
        ? [
            'credential_missing',
            "This server's credential for its target API is not stored any more. Trying again does not help: its owner has to set the credential again.",
          ]
        : [
            'credential_unavailable',
            "This server's credential for its target API is not available now. Try again later.",
          ];
    throw new ToolRefusal('target', 'server_error', message, { reason }, error.message);
  };

const refuseNoAnswer =
  (
    { events }: Pick<EventsPorts, 'events'>,
    { deployment: { id: deploymentId, slug }, caller }: RpcCall,
    { method }: TargetRequest,
  ) =>
  (error: unknown): never => {
    if (!(error instanceof NoAnswer)) throw error;
    const { reason } = error;
    if (reason === 'blocked_address') {
      const event = 'blocked_target_address';
      const { subject } = caller;
      events.record({ type: 'security', event, deploymentId, slug, subject, why: reason });
    }
    const text = (SAFE.has(method) && FAILED_READS[reason]) || FAILURES[reason];
    throw new ToolRefusal('target', 'server_error', text, { reason }, reason);
  };
