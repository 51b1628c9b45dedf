import { describe, expect, test } from '@jest/globals';
import type { AccessPolicy } from '../../../layers/deployments/rules/access/access-policy.ts';
import { exposures } from '../../../layers/servers/rules/exposure.ts';

type Exposed = Parameters<typeof exposures>[1];

const tool = (name: string, readOnlyHint?: boolean) => ({
  name,
  listed: JSON.stringify({
    name,
    inputSchema: {},
    annotations: readOnlyHint === undefined ? {} : { readOnlyHint },
  }),
});

const [READS, WRITES, SILENT] = [tool('list', true), tool('remove', false), tool('other')];

const a = (over: Partial<Exposed> = {}): Exposed => ({
  authMethod: 'oauth',
  access: { mode: 'owner' },
  hasCredential: false,
  tools: [READS],
  ...over,
});
const OPEN = { authMethod: 'none' } as const;
const ANY_ACCOUNT = { access: { mode: 'any_user' } } as const;
const allowing = (...domains: readonly string[]): { readonly access: AccessPolicy } => ({
  access: { mode: 'allow_list', emails: [], domains },
});

const said = (before: Partial<Exposed> | undefined, after: Partial<Exposed>) =>
  exposures(before && a(before), a(after)).map(({ where, what }) => `${where}: ${what}`);

describe('what strangers could do after a change', () => {
  test.each<[string, Partial<Exposed> | undefined, Partial<Exposed>, string]>([
    [
      'is said of one that is made for everybody with tools that change something',
      undefined,
      { ...OPEN, tools: [READS, WRITES, SILENT] },
      '/mcp_auth_method: anybody on the internet could call 3 tools, 2 of which change something',
    ],
    [
      'is said of one that is opened with a credential',
      { hasCredential: true },
      { ...OPEN, hasCredential: true },
      '/mcp_auth_method: anybody on the internet could call 1 tool, with its credential',
    ],
    [
      'is said of a credential for one that is open',
      { ...OPEN },
      { ...OPEN, hasCredential: true },
      '/mcp_auth_method: anybody on the internet could call 1 tool, with its credential',
    ],
    [
      'is said of tools that an open one has not had, also where there is a credential already',
      { ...OPEN, hasCredential: true, tools: [READS, SILENT] },
      { ...OPEN, hasCredential: true, tools: [READS, SILENT, WRITES] },
      '/mcp_auth_method: anybody on the internet could call 3 tools, 2 of which change something, with its credential',
    ],
    [
      'is said where a tool of an open one changes something from now on',
      { ...OPEN, tools: [tool('list', true)] },
      { ...OPEN, tools: [tool('list', false)] },
      '/mcp_auth_method: anybody on the internet could call 1 tool, 1 of which changes something',
    ],
    [
      'is said of one for everybody with an account',
      { tools: [WRITES] },
      { ...ANY_ACCOUNT, tools: [WRITES] },
      '/access/mode: everybody with an account here could call 1 tool, 1 of which changes something',
    ],
    [
      'is said anew where those without an account come in',
      { ...ANY_ACCOUNT, tools: [WRITES] },
      { ...OPEN, tools: [WRITES] },
      '/mcp_auth_method: anybody on the internet could call 1 tool, 1 of which changes something',
    ],
    [
      'is said of the domain of a mail provider',
      allowing('example.org'),
      allowing('example.org', 'gmail.com'),
      '/access/domains/1: anybody can have an address of gmail.com, which gives them to everybody',
    ],
  ])('%s', (_, before, after, what) => {
    expect(said(before, after)).toEqual([what]);
  });

  test.each<[string, Partial<Exposed> | undefined, Partial<Exposed>]>([
    ['tools that read alone, without a credential', undefined, { ...OPEN }],
    ['an owner alone', undefined, { hasCredential: true, tools: [WRITES] }],
    ['tokens that the owner mints', {}, { authMethod: 'jwt', ...ANY_ACCOUNT, tools: [WRITES] }],
    [
      'what they could do before',
      { ...OPEN, hasCredential: true, tools: [WRITES] },
      { ...OPEN, hasCredential: true, tools: [WRITES, READS] },
    ],
    [
      'fewer who may call',
      { ...OPEN, hasCredential: true, tools: [WRITES] },
      { ...ANY_ACCOUNT, hasCredential: true, tools: [WRITES] },
    ],
    ['domains that are somebody’s own', undefined, allowing('example.org')],
    ['a domain that was agreed to', allowing('gmail.com'), allowing('gmail.com', 'example.org')],
  ])('is nothing further for %s', (_, before, after) => {
    expect(said(before, after)).toEqual([]);
  });
});
