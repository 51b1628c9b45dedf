import type { Scope } from '../../../tokens/rules/oauth-records.ts';

const MAX_CHARACTERS = 80;
const NAMELESS = 'An application without a name';

/** Nothing that changes how other text looks, and nothing that cannot be seen. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const BREAKS = /[\s\p{Z}]+/gu;
/** Marks that pile up over the lines around. */
const PILED_MARKS = /(\p{M}{2})\p{M}+/gu;

/** A name that a stranger chose, in one line that cannot pretend to be anything else. */
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

interface NamedClient {
  readonly clientId: string;
  readonly clientName: string;
}

/**
 * A client for who reads events. The id, by which an operator ends it, comes first and has no space: whatever a
 * stranger has chosen for a name, an id within it is no other client's.
 */
export const clientInWords = ({ clientId, clientName }: NamedClient): string =>
  `${clientId} (${shownName(clientName)})`;

/** Where a browser goes after the decision, in words. */
export interface RedirectTarget {
  readonly kind: 'website' | 'this_device';
  /** Host and port, or the scheme of an application on the device. Always ASCII. */
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
 * Whether all of a client's answers end on the device that they are asked for on: then any program there can take
 * its name, and get its answers.
 *
 * Source: MCP 2026-07-28, "Security Considerations", "Client ID Metadata Documents".
 */
export const answersOnDevice = (redirectUris: readonly string[]): boolean =>
  redirectUris.every((uri) => redirectTarget(uri).kind === 'this_device');

/**
 * What a scope allows, as a person would say it. Source: docs/decisions/oauth.md, "Scopes", "Userinfo".
 */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'mcp.tools.read': 'See the tools, documents and prompts of this server',
  'mcp.tools.execute': 'Run its tools, which can read and change data in the service behind it',
  openid: 'Know you by an identifier of your account',
  email: 'See your e-mail address',
  profile: 'See your name',
};
