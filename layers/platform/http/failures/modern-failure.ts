import { isModern } from '../../rules/protocol-versions.ts';
import { modernErrorBody } from '../../rules/json-rpc.ts';
import { RouterRefusal } from '../../rules/refusal/router-refusal.ts';
import type { Translate } from '../endpoint.ts';
import { failure } from '../errors.ts';
import { methodOf } from '../event.ts';
import { jsonText } from '../reply.ts';

/** HTTP statuses with which the transport refuses a request. */
const OWN_CODES: ReadonlySet<number> = new Set([413, 429, 503]);

/**
 * Errors for MCP versions without a handshake, if the header names one: statuses 413, 429 and 503 become JSON-RPC
 * errors with the status as code, since error codes of a server's own choice have no meaning in these versions. Answers
 * with 401 and 403 stay as in RFC 6750.
 * Source: MCP 2026-07-28, "Base Protocol", "Error Codes"; docs/decisions/mcp.md, "HTTP statuses".
 */
export const modernFailure: Translate = (error, event) => {
  const failed = failure(error);
  const { statusCode, headers } = failed.reply;
  const isRpc =
    methodOf(event) === 'POST' && isModern(event.headers['mcp-protocol-version']?.trim());
  if (!isRpc || !OWN_CODES.has(statusCode)) return failed;
  const { answersTo } = error instanceof RouterRefusal ? error.details : {};
  const id = typeof answersTo === 'string' || typeof answersTo === 'number' ? answersTo : undefined;
  const seconds = headers['retry-after'];
  const data = seconds === undefined ? undefined : { retry_after_seconds: Number(seconds) };
  const text = modernErrorBody(id, statusCode, failed.description, data);
  return { ...failed, reply: jsonText(statusCode, text, headers) };
};
