import { isModern } from '../../rules/protocol-versions.ts';
import { modernErrorBody } from '../../rules/json-rpc.ts';
import { RouterRefusal } from '../../rules/refusal/router-refusal.ts';
import type { Translate } from '../endpoint.ts';
import { failure } from '../errors.ts';
import { methodOf } from '../event.ts';
import { jsonText } from '../reply.ts';

/** Those in which the transport refuses a request that JSON-RPC would else answer. */
const OWN_CODES: ReadonlySet<number> = new Set([413, 429, 503]);

/**
 * Failures in the words of versions without a handshake, where the header names one: too large, too many and
 * out of order are JSON-RPC errors, whose code is the status, since the codes that servers chose themselves
 * have lost their meaning. What asks for a login or denies stays as RFC 6750 has it.
 *
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
