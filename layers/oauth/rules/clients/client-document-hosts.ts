import { parsedJson } from '../../../platform/rules/json/parsed-json.ts';

/**
 * Hosts whose client metadata documents an operator takes: all, some, or all but some. `*.example.com` are all below
 * it, and not itself.
 *
 * Source: MCP 2026-07-28, "Security Considerations", "Client ID Metadata Documents"; docs/decisions/oauth.md,
 * "Client metadata documents".
 */
export type ClientDocumentHosts =
  | 'all'
  | { readonly allow: readonly string[] }
  | { readonly deny: readonly string[] };

/** In lower case and ASCII, as a URL has it. */
const PATTERN = /^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

/**
 * @param text - JSON, as `client_document_hosts` of `config/<stage>.json`; all if empty
 * @throws Error that says what is wrong, in words for the operator
 */
export const readClientDocumentHosts = (text = ''): ClientDocumentHosts => {
  if (text.trim() === '') return 'all';
  let sent: unknown;
  try {
    sent = parsedJson(text);
  } catch {
    throw malformed();
  }
  if (typeof sent !== 'object' || sent === null || Object.keys(sent).length !== 1) {
    throw malformed();
  }
  const { allow, deny } = sent as Readonly<Record<string, unknown>>;
  if (isList(allow)) return { allow };
  if (isList(deny)) return { deny };
  throw malformed();
};

/** Whether the document of a client may be used. @param url - the client's id, in its normal form */
export const takesDocumentOf = (hosts: ClientDocumentHosts, url: string): boolean => {
  if (hosts === 'all') return true;
  // The same host to the DNS, with and without the dot at its end.
  const host = new URL(url).hostname.replace(/\.$/, '');
  const isAmong = (patterns: readonly string[]): boolean =>
    patterns.some((pattern) =>
      pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern,
    );
  return 'allow' in hosts ? isAmong(hosts.allow) : !isAmong(hosts.deny);
};

const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' && PATTERN.test(one));

const malformed = (): Error =>
  new Error('it must be {"allow": ["example.com", "*.example.com"]} or the same with "deny"');
