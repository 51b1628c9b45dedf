import { Fault } from '../domain/fault.ts';
import { authorizationResponse } from '../domain/oauth/index.ts';
import {
  type OAuthCode,
  OAuthRefusal,
  type RouterCode,
  RouterRefusal,
  type RouterRefusalDetails,
  type RpcCode,
  type RpcIds,
  RpcRefusal,
} from '../domain/refusal.ts';
import { errorOf, errorText } from '../domain/rpc/index.ts';
import { type Headers, type HttpReply, json, jsonText, seeOther } from './reply.ts';

/** How an error is answered, and what the log says about it. */
export interface Failure {
  readonly reply: HttpReply;
  readonly outcome: string;
  readonly level: 'info' | 'error';
  /** For the log only. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Statuses of refusals, and the names that clients read in `error`. Source: D3, D5; RFC 6750 §3.1; T5, T7, T8, T9. */
const ROUTER: Readonly<Record<RouterCode, readonly [status: number, error: string]>> = {
  bad_request: [400, 'invalid_request'],
  missing_token: [401, 'invalid_token'],
  invalid_token: [401, 'invalid_token'],
  insufficient_scope: [403, 'insufficient_scope'],
  forbidden_origin: [403, 'forbidden_origin'],
  not_found: [404, 'not_found'],
  method_not_allowed: [405, 'method_not_allowed'],
  payload_too_large: [413, 'payload_too_large'],
  unsupported_media_type: [415, 'unsupported_media_type'],
  rate_limited: [429, 'rate_limited'],
  unavailable: [503, 'unavailable'],
};

/** Where JSON-RPC refusals end a plain HTTP request: the legacy endpoint. Source: D16. */
const RPC: Readonly<Record<RpcCode, number>> = {
  parse_error: 400,
  invalid_request: 400,
  invalid_params: 400,
  method_not_found: 404,
  resource_not_found: 404,
  server_error: 502,
};

/** Source: D23. */
const OAUTH: Readonly<Record<OAuthCode, number>> = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  access_denied: 400,
  interaction_required: 400,
  too_many_requests: 429,
  temporarily_unavailable: 503,
  server_error: 500,
};

const RETRY_AFTER_FAULT_SECONDS = 5;

/** The one place that turns errors into HTTP. What is neither refusal nor fault is a bug, a bare 500. */
export const failure = (error: unknown): Failure => {
  if (error instanceof RouterRefusal) return refused(error);
  if (error instanceof OAuthRefusal) {
    const { code, why } = error;
    return { reply: oauthReply(error), outcome: code, level: 'info', detail: { why } };
  }
  if (error instanceof RpcRefusal) {
    const reply = json(RPC[error.code], { error: errorOf(error) });
    return { reply, outcome: error.code, level: 'info', detail: {} };
  }
  if (error instanceof Fault) {
    return {
      reply: refused(unavailable()).reply,
      outcome: 'fault',
      level: 'error',
      detail: { neighbour: error.neighbour, fault: error.message, cause: nameOf(error.cause) },
    };
  }
  return {
    reply: json(500, { error: 'internal_error', error_description: 'Something went wrong here.' }),
    outcome: 'bug',
    level: 'error',
    detail: { error: nameOf(error), at: framesOf(error) },
  };
};

const refused = ({ code, description, details, why }: RouterRefusal): Failure => {
  const [status, error] = ROUTER[code];
  const headers = { ...challengeHeaders(code, details), ...retryHeaders(details) };
  const reply =
    code === 'rate_limited'
      ? jsonText(status, rateLimitText(description, details), headers)
      : json(status, { error, error_description: description, ...pointer(details) }, headers);
  return { reply, outcome: code, level: 'info', detail: { why } };
};

/** Only a refusal that says so leaves for the client's redirect URI. Source: RFC 6749 §4.1.2.1, §5.2; D24. */
const oauthReply = ({ code, description, details }: OAuthRefusal): HttpReply => {
  const body = { error: code, error_description: description };
  const { challenge, returnTo } = details;
  if (returnTo) return seeOther(authorizationResponse(returnTo, body));
  return json(OAUTH[code], body, {
    pragma: 'no-cache',
    ...retryHeaders(details),
    ...(challenge && challenged(`${challenge} realm="mcp"`)),
  });
};

const unavailable = () =>
  new RouterRefusal('unavailable', 'The service is busy. Try again in a moment.', {
    retryAfterSeconds: RETRY_AFTER_FAULT_SECONDS,
  });

const pointer = ({ resourceMetadataUrl }: RouterRefusalDetails) =>
  resourceMetadataUrl === undefined ? {} : { resource_metadata: resourceMetadataUrl };

const retryHeaders = ({
  retryAfterSeconds,
  allow,
}: Pick<RouterRefusalDetails, 'retryAfterSeconds' | 'allow'>): Headers => ({
  ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  ...(allow && { allow: allow.join(', ') }),
});

/** Source: RFC 6750 §3; RFC 9728 §5.1. */
const challengeHeaders = (code: RouterCode, details: RouterRefusalDetails): Headers => {
  const [status, error] = ROUTER[code];
  if (status !== 401 && code !== 'insufficient_scope') return {};
  const { resourceMetadataUrl, scopes } = details;
  const challenge = [
    'Bearer realm="mcp"',
    ...(code === 'missing_token' ? [] : [`error="${error}"`]),
    ...(resourceMetadataUrl === undefined ? [] : [`resource_metadata="${resourceMetadataUrl}"`]),
    ...(scopes ? [`scope="${scopes.join(' ')}"`] : []),
  ].join(', ');
  return challenged(challenge);
};

/**
 * Sent twice, since some API types are reported to rename `WWW-Authenticate`; the integration can
 * map it back. Source: D3.
 */
const challenged = (challenge: string): Headers => ({
  'www-authenticate': challenge,
  'x-mcp-challenge': challenge,
});

/** A 429 speaks JSON-RPC, one error for each request that it refuses. Source: D5. */
const rateLimitText = (
  description: string,
  { answersTo = null, retryAfterSeconds }: RouterRefusalDetails,
) => {
  const refusal = new RpcRefusal('server_error', description, {
    reason: 'rate_limited',
    retry_after_seconds: retryAfterSeconds,
  });
  return isList(answersTo)
    ? `[${answersTo.map((id) => errorText(id, refusal)).join(',')}]`
    : errorText(answersTo, refusal);
};

const isList = (ids: RpcIds): ids is readonly (string | number | null)[] => Array.isArray(ids);

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** Where it happened, without the message: messages of parsers quote what they read. */
const framesOf = (error: unknown): readonly string[] =>
  error instanceof Error
    ? (error.stack ?? '').split('\n').flatMap((line) => /^\s+at (.*)$/.exec(line)?.[1] ?? [])
    : [];
