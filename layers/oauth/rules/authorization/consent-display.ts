import type { Grant, Scope } from '../../../tokens/rules/oauth-records.ts';

const MAX_CHARACTERS = 80;
const NAMELESS = 'An application without a name';

/** Invisible characters, and those that change how the text around them looks (bidirectional controls). */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const BREAKS = /[\s\p{Z}]+/gu;
/** Stacked combining marks, which would cover neighbouring lines. */
const PILED_MARKS = /(\p{M}{2})\p{M}+/gu;

/** A name that a client chose for itself, as one line of visible text that cannot imitate other parts of the page. */
export const shownName = (name: string): string => {
  const plain = name
    .toWellFormed()
    .replace(BREAKS, ' ')
    .replace(UNSEEN, '')
    .replace(PILED_MARKS, '$1')
    .trim();
  const characters = [...plain];
  if (characters.length === 0) return NAMELESS;
  if (characters.length <= MAX_CHARACTERS) return plain;
  return `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`;
};

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
