import { methodNamed } from './methods.ts';
import {
  invalidParam,
  invalidRequest,
  isLogLevel,
  MESSAGE_MAX_NAME,
  readParams,
  type RpcBody,
  type RpcMessage,
  type RpcParams,
} from './message.ts';
import { oneOfCopies } from '../../platform/rules/header-copies.ts';
import type { RpcId } from '../../platform/rules/json-rpc.ts';
import { member, isObject } from '../../platform/rules/json/json.ts';
import { isModern } from '../../platform/rules/protocol-versions.ts';
import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';
import { trimmed } from '../../platform/rules/text.ts';

/** One message of an MCP version without the handshake, as classified. */
export type ModernMessage =
  | (RequestMetadata & {
      readonly kind: 'request';
      readonly id: RpcId;
      readonly method: string;
      readonly params: RpcParams;
    })
  | { readonly kind: 'notification' }
  | {
      readonly kind: 'invalid';
      /** Undefined where no id can be read: these versions have no null id. */
      readonly id: RpcId | null | undefined;
      readonly refusal: RpcRefusal;
    };

type RpcRequest = Extract<RpcMessage, { readonly kind: 'request' }>;

/**
 * Reads a body as a message of an MCP version without the handshake. The body or its header names the version in each
 * request; no state is kept. Never throws.
 * @param served - the versions of that kind that are served
 * @returns undefined for a body of earlier versions
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
    return { kind: 'invalid', id: isNamed ? undefined : null, refusal };
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

/** `initialize` belongs to earlier versions, whichever it asks for, unless its `_meta` names a modern one. */
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
  kind: 'invalid',
  id,
  refusal,
});

const unsupported = (requested: string, supported: readonly string[]): RpcRefusal =>
  new RpcRefusal(
    'unsupported_protocol_version',
    `Unsupported protocol version: ${requested.slice(0, MESSAGE_MAX_NAME)}. Supported: ${supported.join(', ')}.`,
    { supported, requested: requested.slice(0, MESSAGE_MAX_NAME) },
    'unsupported protocol version',
  );

/** Keys of `_meta` that MCP defines. Source: MCP 2026-07-28, "Base Protocol", "_meta". */
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const CLIENT = 'io.modelcontextprotocol/clientInfo';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

interface RequestMetadata {
  readonly version: string;
  /** Name that the client gives itself; for the log alone. */
  readonly client: string | undefined;
}

const versionIn = (params: unknown): unknown => metaOf(params)?.[VERSION];

/** @throws RpcRefusal invalid_params that names the member. Source: MCP 2026-07-28, "Base Protocol". */
const readMetadata = (params: unknown): RequestMetadata => {
  const meta = metaOf(params) ?? {};
  const version = meta[VERSION];
  if (typeof version !== 'string') throw faulty(meta, VERSION, 'a string');
  if (!isObject(meta[CAPABILITIES])) throw faulty(meta, CAPABILITIES, 'an object');
  if (meta[LOG_LEVEL] !== undefined && !isLogLevel(meta[LOG_LEVEL])) {
    throw faulty(meta, LOG_LEVEL, 'a level of RFC 5424');
  }
  return { version, client: clientName(meta[CLIENT]) };
};

const metaOf = (params: unknown): Readonly<Record<string, unknown>> | undefined =>
  isObject(params) && isObject(params['_meta']) ? params['_meta'] : undefined;

const faulty = (meta: Readonly<Record<string, unknown>>, name: string, form: string): RpcRefusal =>
  invalidParam(
    `/_meta/${name.replaceAll('/', '~1')}`,
    `"_meta" member "${name}"`,
    member(meta, name) === undefined ? 'is required' : `must be ${form}`,
  );

const PRINTABLE = /[^\x20-\x7e]/g;
const MOST_CHARACTERS = 64;

/** Nothing is decided by the client's name, so a malformed one is no error. */
export const clientName = (info: unknown): string | undefined => {
  const name = isObject(info) ? info['name'] : undefined;
  if (typeof name !== 'string') return undefined;
  return name.slice(0, MOST_CHARACTERS).replaceAll(PRINTABLE, '?') || undefined;
};

/** `MCP-Protocol-Version`, `Mcp-Method` and `Mcp-Name`. They repeat the body, so that gateways need not parse it. */
export interface RpcHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

interface Said {
  readonly version: string;
  readonly method: string;
  readonly params: RpcParams;
}

/**
 * Headers that are present must agree with the body: a gateway that decides by the header must not be deceived by
 * another body.
 * @throws RpcRefusal header_mismatch. Source: MCP 2026-07-28, "Streamable HTTP", "Standard Request Headers".
 */
const checkHeaders = (headers: RpcHeaders, said: Said): void => {
  if (headers.version !== undefined) {
    checkSame('MCP-Protocol-Version', headers.version, said.version, 'the version in "_meta"');
  }
  if (headers.method !== undefined) {
    checkSame('Mcp-Method', headers.method, said.method, '"method"');
  }
};

/** Requires all headers. @throws RpcRefusal header_mismatch */
const checkNamedHeaders = (headers: RpcHeaders, said: Said): void => {
  if (headers.version === undefined) throw missing('MCP-Protocol-Version');
  if (headers.method === undefined) throw missing('Mcp-Method');
  const member = methodNamed(said.method)?.namedBy;
  const name = member === undefined ? undefined : said.params[member];
  // The method itself refuses params that lack the member.
  if (member === undefined || typeof name !== 'string') return;
  if (headers.name === undefined) throw missing('Mcp-Name');
  checkSame('Mcp-Name', headers.name, name, `"params.${member}"`);
};

const checkSame = (header: string, value: string, said: string, where: string): void => {
  const text = headerText(value);
  if (text === said || headerText(oneOfCopies(value)) === said) return;
  throw mismatch(
    text === undefined
      ? `the ${header} header is no valid base64 of UTF-8`
      : `the ${header} header is not what ${where} is`,
  );
};

const missing = (header: string): RpcRefusal => mismatch(`the ${header} header is required`);

const mismatch = (what: string): RpcRefusal =>
  new RpcRefusal('header_mismatch', `Header mismatch: ${what}.`);

const ENCODED = /^=\?base64\?(?<base64>.*)\?=$/s;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const BLANK = /[ \t]/;

/**
 * Decodes a header that repeats part of the body: `=?base64?…?=` for text that a header cannot hold.
 * @returns undefined for malformed base64 or UTF-8. Source: MCP 2026-07-28, "Streamable HTTP", "Value Encoding".
 */
export const headerText = (value: string): string | undefined => {
  const text = trimmed(value, BLANK);
  const base64 = ENCODED.exec(text)?.groups?.['base64'];
  if (base64 === undefined) return text;
  if (!BASE64.test(base64)) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  // Only the canonical base64 passes, so that one body has one header.
  if (bytes.toString('base64') !== base64) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};
