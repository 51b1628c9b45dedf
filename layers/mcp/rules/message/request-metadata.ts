import { isObject } from '../../../platform/rules/json/json.ts';
import type { RpcRefusal } from '../../../platform/rules/refusal/rpc-refusal.ts';
import { isLogLevel } from './log-level.ts';
import { invalidParam } from './params.ts';

/** Names in `_meta` that MCP gives a meaning to. Source: MCP 2026-07-28, "Base Protocol", "_meta". */
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const CLIENT = 'io.modelcontextprotocol/clientInfo';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

/** What a request says of itself in each message. */
export interface RequestMetadata {
  readonly version: string;
  /** As the client calls itself, for the log alone. */
  readonly client: string | undefined;
}

/** What stands where a request names its version; undefined if nothing does. */
export const versionIn = (params: unknown): unknown => metaOf(params)?.[VERSION];

/** @throws RpcRefusal invalid_params, which names the member. Source: MCP 2026-07-28, "Base Protocol". */
export const readMetadata = (params: unknown): RequestMetadata => {
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
    meta[name] === undefined ? 'is required' : `must be ${form}`,
  );

const PRINTABLE = /[^\x20-\x7e]/g;
const MOST_CHARACTERS = 64;

/** What it says is its own affair: nothing is decided by it, and a wrong one is no fault. */
export const clientName = (info: unknown): string | undefined => {
  const name = isObject(info) ? info['name'] : undefined;
  if (typeof name !== 'string') return undefined;
  return name.slice(0, MOST_CHARACTERS).replaceAll(PRINTABLE, '?') || undefined;
};
