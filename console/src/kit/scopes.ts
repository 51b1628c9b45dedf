import { member } from '../../../layers/platform/rules/json/json.ts';

/** What scopes of OAuth let a client do, for whoever let it in. */
export const SCOPE_WORDS: Readonly<Record<string, string>> = {
  'mcp.tools.read': 'see tools, documents and prompts',
  'mcp.tools.execute': 'call tools',
  openid: 'know the account',
  email: 'know the e-mail address',
  profile: 'know the name',
};

/** `see tools, call tools`; a scope without words as it is. */
export const scopesInWords = (scope: string): string =>
  scope
    .split(' ')
    .map((one) => member(SCOPE_WORDS, one) ?? one)
    .join('; ');
