import { RpcRefusal } from '../../../platform/rules/refusal/rpc-refusal.ts';
import { headerText } from './header-value.ts';
import type { RpcParams } from './params.ts';

/** Headers that repeat what a body says, so that what stands between need not read it. */
export interface RpcHeaders {
  /** `MCP-Protocol-Version` */
  readonly version: string | undefined;
  /** `Mcp-Method` */
  readonly method: string | undefined;
  /** `Mcp-Name` */
  readonly name: string | undefined;
}

interface Said {
  readonly version: string;
  readonly method: string;
  readonly params: RpcParams;
}

/**
 * Whether the headers that there are say what the body says: whoever decides by the one must not be led
 * astray by the other.
 *
 * @throws RpcRefusal header_mismatch
 *
 * Source: MCP 2026-07-28, "Streamable HTTP", "Standard Request Headers".
 */
export const checkHeaders = (headers: RpcHeaders, said: Said): void => {
  if (headers.version !== undefined) {
    checkSame('MCP-Protocol-Version', headers.version, said.version, 'the version in "_meta"');
  }
  if (headers.method !== undefined) {
    checkSame('Mcp-Method', headers.method, said.method, '"method"');
  }
};

/** Whether all are there, and name what is asked for. @throws RpcRefusal header_mismatch */
export const checkNamedHeaders = (headers: RpcHeaders, said: Said): void => {
  if (headers.version === undefined) throw missing('MCP-Protocol-Version');
  if (headers.method === undefined) throw missing('Mcp-Method');
  const member = NAMED.get(said.method);
  const name = member === undefined ? undefined : said.params[member];
  // What is missing in the params is for the method to say.
  if (member === undefined || typeof name !== 'string') return;
  if (headers.name === undefined) throw missing('Mcp-Name');
  checkSame('Mcp-Name', headers.name, name, `"params.${member}"`);
};

const NAMED: ReadonlyMap<string, 'name' | 'uri'> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

const checkSame = (header: string, value: string, said: string, where: string): void => {
  const text = headerText(value);
  if (text === said) return;
  throw mismatch(
    text === undefined
      ? `the ${header} header is no valid base64 of UTF-8`
      : `the ${header} header is not what ${where} is`,
  );
};

const missing = (header: string): RpcRefusal => mismatch(`the ${header} header is required`);

const mismatch = (what: string): RpcRefusal =>
  new RpcRefusal('header_mismatch', `Header mismatch: ${what}.`);
