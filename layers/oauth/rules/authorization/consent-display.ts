import { shownName } from '../../../platform/rules/shown-name.ts';
import type { Grant, Scope } from '../../../tokens/rules/oauth-records.ts';

/**
 * A client as events name it. Its id, by which an operator ends it, comes first and has no space: a name that
 * contains another client's id cannot be mistaken for that client.
 */
export const clientInWords = ({
  clientId,
  clientName,
}: Pick<Grant, 'clientId' | 'clientName'>): string => `${clientId} (${shownName(clientName)})`;

/** Where the browser goes after the decision. */
export interface RedirectTarget {
  readonly kind: 'website' | 'this_device';
  /** Host and port, or the scheme of an application on the device; always ASCII. */
  readonly name: string;
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** @param redirectUri - one that was registered */
export const redirectTarget = (redirectUri: string): RedirectTarget => {
  const { protocol, hostname, host } = new URL(redirectUri);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  if (!isWeb) return { kind: 'this_device', name: host === '' ? protocol : `${protocol}//${host}` };
  return { kind: LOOPBACK.has(hostname) ? 'this_device' : 'website', name: host };
};

/**
 * Whether all redirect URIs are on the user's device, where any program can impersonate the client. Source: MCP
 * 2026-07-28, "Security Considerations", "Client ID Metadata Documents".
 */
export const answersOnDevice = (redirectUris: readonly string[]): boolean =>
  redirectUris.every((uri) => redirectTarget(uri).kind === 'this_device');

/** Scopes in words for people. Source: docs/decisions/oauth.md, "Scopes", "Userinfo". */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'mcp.tools.read': 'See the tools, documents and prompts of this server',
  'mcp.tools.execute': 'Run its tools, which can read and change data in the service behind it',
  openid: 'Know you by an identifier of your account',
  email: 'See your e-mail address',
  profile: 'See your name',
};
