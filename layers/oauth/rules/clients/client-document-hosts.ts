import { parsedJson } from '../../../platform/rules/json/parsed-json.ts';

/**
 * Hosts whose client metadata documents the operator accepts. `*.example.com` matches every host below `example.com`,
 * but not itself. Source: MCP 2026-07-28, "Security Considerations", "Client ID Metadata Documents";
 * docs/decisions/oauth.md, "Client metadata documents".
 */
export type ClientDocumentHosts =
  | 'all'
  | { readonly allow: readonly string[] }
  | { readonly deny: readonly string[] };

/** Lower-case ASCII, as in a parsed URL. */
const PATTERN = /^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

/**
 * @param text - JSON of `client_document_hosts` in a stage's file; empty: all @throws Error in words for the operator
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

/** @param url - the client's id, normalized */
export const takesDocumentOf = (hosts: ClientDocumentHosts, url: string): boolean => {
  if (hosts === 'all') return true;
  // `example.com.` and `example.com` are the same host to the DNS.
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
