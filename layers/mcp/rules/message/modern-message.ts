import { isModern } from '../../../platform/rules/protocol-versions.ts';
import { RpcRefusal } from '../../../platform/rules/refusal/rpc-refusal.ts';
import type { RpcBody } from './body.ts';
import { checkHeaders, checkNamedHeaders, type RpcHeaders } from './modern-headers.ts';
import { invalidRequest, type RpcMessage } from './message.ts';
import type { RpcId } from '../../../platform/rules/json-rpc/answer.ts';
import { readParams, type RpcParams } from './params.ts';
import { readMetadata, type RequestMetadata, versionIn } from './request-metadata.ts';

/** What one message of a version without a handshake turned out to be. */
export type ModernMessage =
  | (RequestMetadata & {
      readonly kind: 'request';
      readonly id: RpcId;
      readonly method: string;
      readonly params: RpcParams;
    })
  | { readonly kind: 'notification' }
  | {
      readonly kind: 'refused';
      /** Undefined where none can be read: there is no null among the ids of these versions. */
      readonly id: RpcId | null | undefined;
      readonly refusal: RpcRefusal;
    };

type RpcRequest = Extract<RpcMessage, { readonly kind: 'request' }>;

/**
 * The message of a body in a version without a handshake, which the body itself or its header names. Nothing
 * is remembered: each request is told by itself. Never throws.
 *
 * @param served - the versions of that kind that are served
 * @returns undefined for a body of the versions before
 *
 * Source: MCP 2026-07-28, "Versioning", "Streamable HTTP"; docs/decisions/mcp.md, "Protocol versions".
 */
export const readModern = (
  { batch, messages }: RpcBody,
  headers: RpcHeaders,
  served: readonly string[],
): ModernMessage | undefined => {
  if (served.length === 0) return undefined;
  const isNamed = isModern(headers.version?.trim());
  const [message] = messages;
  if (batch || !message) {
    if (!isNamed && !messages.some((one) => one.kind === 'request' && namesVersion(one))) {
      return undefined;
    }
    const refusal = invalidRequest('this version has no batches');
    return { kind: 'refused', id: isNamed ? undefined : null, refusal };
  }
  if (message.kind === 'request') {
    return isModernRequest(message, isNamed) ? readRequest(message, headers, served) : undefined;
  }
  if (!isNamed) return undefined;
  switch (message.kind) {
    case 'notification':
      return message;
    case 'response':
      return refused(undefined, invalidRequest('nothing was asked that a response could answer'));
    case 'invalid':
      return refused(message.id ?? undefined, message.refusal);
  }
};

const namesVersion = ({ params }: RpcRequest): boolean => versionIn(params) !== undefined;

/** A handshake belongs to the versions before, whatever it asks for, unless the request itself is no part of one. */
const isModernRequest = (message: RpcRequest, isNamed: boolean): boolean => {
  if (message.method !== 'initialize') return isNamed || namesVersion(message);
  const version = versionIn(message.params);
  return typeof version === 'string' && isModern(version);
};

const readRequest = (
  { id, method, params }: RpcRequest,
  headers: RpcHeaders,
  served: readonly string[],
): ModernMessage => {
  try {
    const metadata = readMetadata(params);
    const request = { id, method, params: readParams(params), ...metadata };
    checkHeaders(headers, request);
    if (!served.includes(metadata.version)) throw unsupported(metadata.version, served);
    checkNamedHeaders(headers, request);
    return { kind: 'request', ...request };
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
    return refused(id, error);
  }
};

const refused = (id: RpcId | undefined, refusal: RpcRefusal): ModernMessage => ({
  kind: 'refused',
  id,
  refusal,
});

const MESSAGE_MAX_NAME = 100;

const unsupported = (requested: string, supported: readonly string[]): RpcRefusal =>
  new RpcRefusal(
    'unsupported_protocol_version',
    `Unsupported protocol version: ${requested.slice(0, MESSAGE_MAX_NAME)}. Supported: ${supported.join(', ')}.`,
    { supported, requested: requested.slice(0, MESSAGE_MAX_NAME) },
    'unsupported protocol version',
  );
