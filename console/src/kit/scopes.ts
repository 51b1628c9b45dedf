import { member } from '../../../layers/platform/rules/json/json.ts';

/** What an OAuth scope lets a client do, in words for the person who consented to it. */
export const SCOPE_WORDS: Readonly<Record<string, string>> = {
  'mcp.tools.read': 'see tools, documents and prompts',
  'mcp.tools.execute': 'call tools',
  openid: 'know the account',
  email: 'know the e-mail address',
  profile: 'know the name',
};

/** `see tools; call tools`. A scope without words stays as it is. */
export const scopesInWords = (scope: string): string =>
  scope
    .split(' ')
    .map((one) => member(SCOPE_WORDS, one) ?? one)
    .join('; ');
