import { isObject } from '../../platform/rules/json/json.ts';
import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';
import { trimmed } from '../../platform/rules/text.ts';

export type RpcParams = Readonly<Record<string, unknown>>;

/**
 * @throws RpcRefusal invalid_params unless they are absent or an object. Source: JSON-RPC 2.0 §4.2;
 * docs/protocol.md, "Params".
 */
export const readParams = (sent: unknown): RpcParams => {
  if (sent === undefined) return {};
  if (!isObject(sent)) throw invalidParam('', '"params"', 'must be an object');
  return sent;
};

/** @throws RpcRefusal invalid_params that names the member */
export const readString = (params: RpcParams, name: string): string => {
  const value = params[name];
  if (typeof value === 'string') return value;
  const fault = value === undefined ? 'is required' : 'must be a string';
  throw invalidParam(`/${name}`, `"${name}"`, fault);
};

/**
 * Lists come in one piece: a cursor is checked and ignored. Source: docs/protocol.md, "Cursors".
 */
export const checkCursor = (params: RpcParams): void => {
  if (params['cursor'] !== undefined) readString(params, 'cursor');
};

/**
 * Whoever sends a cursor has it from elsewhere: we never gave one.
 *
 * @throws RpcRefusal invalid_params
 *
 * Source: MCP 2026-07-28, "Pagination"; docs/protocol.md, "Cursors".
 */
export const refuseCursor = (params: RpcParams): void => {
  if (params['cursor'] === undefined) return;
  readString(params, 'cursor');
  throw invalidParam(
    '/cursor',
    '"cursor"',
    'is none that this server gave: lists come in one piece',
  );
};

/** @param path - a JSON pointer into the params @param subject - what stands there, in words */
export const invalidParam = (path: string, subject: string, message: string): RpcRefusal =>
  new RpcRefusal('invalid_params', `Invalid params: ${subject} ${message}.`, {
    errors: [{ path, message }],
  });

const MESSAGE_MAX_NAME = 100;

/**
 * What `params.name` asks for is not there.
 * Source: docs/protocol.md, "Arguments of a call", "Prompts".
 */
export const unknownName = (kind: 'tool' | 'prompt', name: string): RpcRefusal =>
  new RpcRefusal('invalid_params', `Unknown ${kind}: ${name.slice(0, MESSAGE_MAX_NAME)}`, {
    errors: [{ path: '/name', message: `names no ${kind} of this server` }],
  });

/** Source: RFC 5424 §6.2.1; MCP 2025-03-26, "Logging". */
const LEVELS: ReadonlySet<unknown> = new Set([
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]);

export const isLogLevel = (level: unknown): boolean => LEVELS.has(level);

/** @throws RpcRefusal invalid_params. Source: docs/protocol.md, "Log levels". */
export const checkLogLevel = ({ level }: RpcParams): void => {
  if (isLogLevel(level)) return;
  throw invalidParam('/level', '"level"', `must be one of ${[...LEVELS].join(', ')}`);
};

/** Where a request stands in a trace of its sender's, both members in the form of their headers. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/**
 * The trace context of a message: of its `_meta`, or else of the HTTP request that carried it. `baggage` is
 * never read: it is made to hold what belongs in no log.
 *
 * Source: MCP 2026-07-28, "Base Protocol", "_meta"; docs/decisions/mcp.md, "Traces".
 */
export const traceContextOf = (
  params: RpcParams,
  ofRequest: TraceContext | undefined,
): TraceContext | undefined =>
  (isObject(params['_meta']) ? readTraceContext(params['_meta']) : undefined) ?? ofRequest;

/**
 * What can be read of a trace context. A malformed `traceparent` is none, whatever stands beside it; a malformed
 * `tracestate` is dropped alone.
 *
 * @param sent - headers by their lower-case names, or members of `_meta`
 *
 * Source: W3C Trace Context, "Processing Model".
 */
export const readTraceContext = (
  sent: Readonly<Record<string, unknown>>,
): TraceContext | undefined => {
  const traceparent = readTraceparent(sent['traceparent']);
  if (traceparent === undefined) return undefined;
  const tracestate = readTracestate(sent['tracestate']);
  return { traceparent, ...(tracestate !== undefined && { tracestate }) };
};

const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:$|-)/;

/** Later versions may say more; what they are bound to keep is said in the first one's form. */
const readTraceparent = (text: unknown): string | undefined => {
  const parts = typeof text === 'string' ? TRACEPARENT.exec(text) : null;
  if (!parts) return undefined;
  const [whole, version = '', trace = '', parent = '', flags = ''] = parts;
  if (version === 'ff' || /^0+$/.test(trace) || /^0+$/.test(parent)) return undefined;
  if (version === '00') return whole === text ? text : undefined;
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  return `00-${trace}-${parent}-${isSampled ? '01' : '00'}`;
};

/** What every system must pass on. Source: W3C Trace Context, "tracestate Limits". */
const TRACESTATE_CHARACTERS = 512;
const TRACESTATE_MEMBERS = 32;

/** Source: W3C Trace Context Level 2, "tracestate Header Field Values". */
const MEMBER =
  /^([a-z\d][a-z\d_\-*/@]{0,255})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

const readTracestate = (text: unknown): string | undefined => {
  if (typeof text !== 'string' || text.length > TRACESTATE_CHARACTERS) return undefined;
  const members = text
    .split(',')
    .map((member) => trimmed(member, /[\t ]/))
    .filter((member) => member !== '');
  const keys = members.map((member) => MEMBER.exec(member)?.[1]);
  const isList =
    members.length > 0 &&
    members.length <= TRACESTATE_MEMBERS &&
    !keys.includes(undefined) &&
    new Set(keys).size === keys.length;
  return isList ? members.join(',') : undefined;
};
