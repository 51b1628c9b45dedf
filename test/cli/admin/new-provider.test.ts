import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROVIDER_KINDS } from '../../../cli/admin/provider-presets.ts';
import { readWrittenProviders } from '../../../layers/identity/rules/providers.ts';
import { aMachineFor, type TestMachine } from '../../support/cli/command-line.ts';

let machine: TestMachine;
beforeAll(async () => {
  machine = await aMachineFor();
});
afterAll(() => machine.remove());

const ALL = ['--domain', 'acme.example', '--tenant', 'acme.test/x', '--client-id', 'mcp'];
const write = (kind: string, ...more: readonly string[]) =>
  machine.run(['admin', 'new-provider', kind, ...more], {
    fetch: () => Promise.reject(new Error('nothing is sent')),
  });

describe('hosted-mcp admin new-provider', () => {
  test.each(PROVIDER_KINDS)('writes an entry for %s that can be applied', async (kind) => {
    const said = await write(kind, '--id', 'acme', ...ALL);

    expect(said.code).toBe(0);
    expect(readWrittenProviders(JSON.parse(said.out))).toMatchObject({
      providers: [{ id: 'acme', email_domains: ['acme.example'] }],
    });
    expect(said.errors).toContain('/sign-in/acme/callback');
  });

  test.each(PROVIDER_KINDS)('of %s writes none that is applied as it is', async (kind) => {
    const { faults } = readWrittenProviders(JSON.parse((await write(kind)).out));

    expect(faults?.map(({ where }) => where)).toContain('/0/email_domains/0');
  });

  test('says of Entra by what its people are known, and never by their address', async () => {
    const { providers } = (await write('entra', '--json', ...ALL)).json();

    expect(providers).toMatchObject([
      {
        issuer: 'https://login.microsoftonline.com/acme.test/x/v2.0',
        subject_claim: 'oid',
        email_rule: 'edov',
      },
    ]);
  });

  test('asks Google for no scope that it refuses', async () => {
    const { providers } = (await write('google', '--json', ...ALL)).json();

    expect(JSON.stringify(providers)).not.toContain('offline_access');
    expect(providers).toMatchObject([{ sign_in: { authorize: { access_type: 'offline' } } }]);
  });

  test('writes a file, and over none', async () => {
    const file = join(machine.folder, 'providers.json');
    const first = await write('okta', '--out', file);
    const second = await write('okta', '--out', file);

    expect([first.code, second.code]).toEqual([0, 1]);
    expect(JSON.parse(await readFile(file, 'utf8'))).toHaveLength(1);
  });

  test('names the kinds that there are', async () => {
    const said = await write('auth1');

    expect(said.code).toBe(2);
    expect(said.errors).toContain(PROVIDER_KINDS.join(', '));
  });
});
