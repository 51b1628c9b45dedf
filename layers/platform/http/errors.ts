import { errorDetail } from '../rules/error-detail.ts';
import { DeadlineExceeded, Fault, Paused } from '../rules/fault.ts';
import type { LogLevel } from '../rules/log-level.ts';
import { authorizationResponse } from './authorization-response.ts';
import { ApiRefusal } from '../rules/refusal/api-refusal.ts';
import { OAuthRefusal } from '../rules/refusal/oauth-refusal.ts';
import { PageRefusal } from '../rules/refusal/page-refusal.ts';
import {
  type RouterCode,
  RouterRefusal,
  type RouterRefusalDetails,
  type RpcIds,
} from '../rules/refusal/router-refusal.ts';
import { RpcRefusal } from '../rules/refusal/rpc-refusal.ts';
import { errorOf, errorText } from '../rules/json-rpc.ts';
import { problem } from './failures/problem.ts';
import { type Headers, type HttpReply, json, jsonText, seeOther } from './reply.ts';
import { API, OAUTH, PAGE, ROUTER, RPC } from './failures/statuses.ts';

export interface Failure {
  readonly reply: HttpReply;
  readonly outcome: string;
  readonly level: LogLevel;
  /** Public. */
  readonly description: string;
  /** Fields for the log only. */
  readonly detail: Readonly<Record<string, unknown>>;
}

const RETRY_AFTER_FAULT_SECONDS = 5;

/** The only place that maps errors to HTTP. Errors other than refusals and faults are bugs and become a bare 500. */
export const failure = (error: unknown): Failure => {
  if (error instanceof RouterRefusal) return refusalFailure(error, routerReply(error));
  if (error instanceof OAuthRefusal) return refusalFailure(error, oauthReply(error));
  if (error instanceof ApiRefusal) return refusalFailure(error, apiReply(error));
  if (error instanceof PageRefusal) {
    const { code, description } = error;
    return refusalFailure(error, json(PAGE[code], { error: code, error_description: description }));
  }
  if (error instanceof RpcRefusal) {
    const { code, description } = error;
    const reply = json(RPC[code], { error: errorOf(error) });
    return { reply, outcome: code, level: 'warn', description, detail: {} };
  }
  const { outcome, detail } = errorDetail(error);
  if (error instanceof Fault) {
    const refusal = unavailable(error);
    const { description } = refusal;
    return { reply: routerReply(refusal), outcome, level: 'error', description, detail };
  }
  return {
    reply: json(500, { error: 'internal_error', error_description: BUG }),
    outcome,
    level: 'error',
    description: BUG,
    detail,
  };
};

const BUG = 'Something went wrong here.';

const refusalFailure = (
  { code, description, why }: RouterRefusal | OAuthRefusal | ApiRefusal | PageRefusal,
  reply: HttpReply,
): Failure => ({ reply, outcome: code, level: 'warn', description, detail: { why } });

const routerReply = ({ code, description, details }: RouterRefusal): HttpReply => {
  const [status, error] = ROUTER[code];
  const headers = { ...challengeHeaders(code, details), ...retryHeaders(details) };
  return code === 'rate_limited'
    ? jsonText(status, rateLimitText(description, details), headers)
    : json(status, { error, error_description: description, ...pointer(details) }, headers);
};

/** Source: RFC 9457; docs/decisions/management.md, "Errors of the management API". */
const apiReply = ({ code, description, findings, details }: ApiRefusal): HttpReply => {
  const { limit, signInAt } = details;
  return problem(API[code], code, description, {
    headers: {
      ...retryHeaders(details),
      ...(API[code] === 401 && challenged('Bearer realm="management"')),
    },
    ...(findings.length > 0 && { findings }),
    ...(limit !== undefined && { limit }),
    ...(signInAt !== undefined && { sign_in_at: signInAt }),
  });
};

/**
 * Only a refusal with `returnTo` is sent to the client's redirect URI.
 * Source: RFC 6749 §4.1.2.1, §5.2; docs/decisions/oauth.md, "Errors of an authorization request".
 */
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

const unavailable = (fault: Fault) =>
  new RouterRefusal('unavailable', fault instanceof DeadlineExceeded ? LATE : BUSY, {
    retryAfterSeconds:
      fault instanceof Paused ? fault.retryAfterSeconds : RETRY_AFTER_FAULT_SECONDS,
  });

const BUSY = 'The service is busy. Try again in a moment.';
const LATE = 'This took the service too long and was given up. Try again in a moment.';

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
 * Sent under two names, since some API types of the gateway rename `WWW-Authenticate`; the integration can map it back.
 * Source: docs/decisions/oauth.md, "Challenges".
 */
const challenged = (challenge: string): Headers => ({
  'www-authenticate': challenge,
  'x-mcp-challenge': challenge,
});

/** A 429 contains JSON-RPC errors, one for each refused request. Source: docs/decisions/mcp.md, "HTTP statuses". */
const rateLimitText = (
  description: string,
  { answersTo = null, retryAfterSeconds }: RouterRefusalDetails,
) => {
  const refusal = new RpcRefusal('server_error', description, {
    reason: 'rate_limited',
    retry_after_seconds: retryAfterSeconds,
  });
  return isList(answersTo) && answersTo.length > 0
    ? `[${answersTo.map((id) => errorText(id, refusal)).join(',')}]`
    : errorText(isList(answersTo) ? null : answersTo, refusal);
};

const isList = (ids: RpcIds): ids is readonly (string | number | null)[] => Array.isArray(ids);
