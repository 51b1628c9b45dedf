import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accountsIn } from '../../cli/accounts.ts';
import { settingsFile } from '../../cli/settings.ts';
import { aMachineFor, type Situation, type TestMachine } from '../support/cli/command-line.ts';

const SERVICE = 'https://mcp.example.com/v1';
const NOON = 1_800_000_000;
const LINK = `${SERVICE}/mcp-oauth-server/open?link=secret`;

let machine: TestMachine;
beforeAll(async () => {
  machine = await aMachineFor(SERVICE);
  const file = settingsFile({
    environment: { HOSTED_MCP_CONFIG: machine.configFile },
    home: machine.folder,
  });
  const session = { token: 't', email: 'ada@example.com', expiresAt: NOON + 1 };
  await accountsIn(file, { now: () => NOON }).keep(SERVICE, session);
});
afterAll(() => machine.remove());

const open = async (args: readonly string[], url = LINK, situation: Situation = {}) => {
  const opened: string[] = [];
  const said = await machine.run(['open', ...args], {
    now: NOON,
    fetch: async () => Response.json({ url, expires_in: 60 }, { status: 201 }),
    browse: (address) => opened.push(address),
    ...situation,
  });
  return { ...said, opened };
};

describe('hosted-mcp open', () => {
  test('shows the link in a browser, and prints it', async () => {
    expect(await open([])).toMatchObject({ code: 0, out: `${LINK}\n`, opened: [LINK] });
  });

  test.each([['--print'], ['--json']])('with %s starts no browser', async (option) => {
    expect(await open([option])).toMatchObject({ code: 0, opened: [] });
  });

  test.each(['https://evil.example/', 'file:///etc/passwd', 'javascript:alert(1)', ''])(
    'sends no browser to %j, whatever the service says',
    async (url) => {
      expect(await open([], url)).toMatchObject({ code: 1, out: '', opened: [] });
    },
  );

  test('says how to sign in where nobody is', async () => {
    const { code, errors, opened } = await open([], LINK, { now: NOON + 2 });

    expect([code, opened]).toEqual([3, []]);
    expect(errors).toContain('hosted-mcp login');
  });
});
