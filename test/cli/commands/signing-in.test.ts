import { afterAll, describe, expect, test } from '@jest/globals';
import { aMachineFor } from '../../support/cli/command-line.ts';

const SERVICE = 'https://mcp.example.com/v1';
const machine = await aMachineFor(SERVICE);
afterAll(() => machine.remove());

const MAKE = 'npx --no-install hosted-mcp personal-token add NAME --scope SCOPE';

/** A command whose requests are refused so. */
const refused = (code: string, environment: Readonly<Record<string, string>>, typed?: string[]) =>
  machine.run(['ls'], {
    environment,
    ...(typed && { typed }),
    fetch: async (url) =>
      url.endsWith('/sessions/machine')
        ? Response.json({ access_token: 'hmt_machine' })
        : Response.json(
            { code, detail: 'So it is.' },
            { status: code === 'invalid_session' ? 401 : 403 },
          ),
  });

describe('in a pipeline, whose token is refused,', () => {
  test('the variable is named, and what to put into it', async () => {
    const said = await refused('invalid_session', { HOSTED_MCP_TOKEN: 'hmt_old' });

    expect(said.code).toBe(3);
    expect(said.errors).toBe(
      `hosted-mcp: HOSTED_MCP_TOKEN: So it is.\nMake one (${MAKE}), and set HOSTED_MCP_TOKEN to it.\n`,
    );
  });

  test('a text that is none is told apart, and not shown', async () => {
    const said = await refused('invalid_session', { HOSTED_MCP_TOKEN: 'eyJhbGciOi.x.y' });

    expect(said.errors).toContain('It holds no personal access token (hmt_…). Make one');
    expect(said.errors).not.toContain('eyJ');
  });

  test('for its scope, whoever makes another is told', async () => {
    const said = await refused('token_not_allowed', { HOSTED_MCP_TOKEN: 'hmt_read' });

    expect(said.code).toBe(1);
    expect(said.errors).toBe(
      `hosted-mcp: HOSTED_MCP_TOKEN: So it is.\nA person makes one of another scope (${MAKE}) and sets HOSTED_MCP_TOKEN.\n`,
    );
  });

  test('or whose service asks to wait, a machine waits, and shows another token', async () => {
    const shown: unknown[] = [];
    let given = 0;
    const { code } = await machine.run(['ls'], {
      environment: {
        HOSTED_MCP_TRUST: 'one',
        ACTIONS_ID_TOKEN_REQUEST_URL: 'https://github.example/token?version=2',
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'two',
      },
      fetch: async (url, request) => {
        if (url.startsWith('https://github.example/')) {
          return Response.json({ value: `token-${(given += 1)}` });
        }
        if (!url.endsWith('/sessions/machine')) return Response.json({ items: [] });
        shown.push(JSON.parse(String(request?.body)).token);
        return shown.length === 1
          ? Response.json(
              { code: 'rate_limited', detail: 'Too many requests.' },
              { status: 429, headers: { 'retry-after': '1' } },
            )
          : Response.json({ access_token: 'hmt_machine' });
      },
    });

    expect({ code, shown }).toEqual({ code: 0, shown: ['token-1', 'token-2'] });
  });

  test('for the scope of its trust, the trust is named', async () => {
    const said = await refused('token_not_allowed', {
      HOSTED_MCP_TRUST: 'one',
      HOSTED_MCP_ID_TOKEN: 'two',
    });

    expect(said.errors).toContain('hosted-mcp: HOSTED_MCP_TRUST: So it is.');
    expect(said.errors).toContain('trust add NAME --scope SCOPE');
  });

  test('or that is not there, both ways of signing in are named', async () => {
    const said = await machine.run(['ls']);

    expect(said.code).toBe(3);
    expect(said.errors).toContain('Sign in: npx --no-install hosted-mcp login. In CI set');
    expect(said.errors).toContain('HOSTED_MCP_TRUST');
  });
});

test('a person at a terminal is told to sign in, and of no variable', async () => {
  const said = await machine.run(['ls'], { typed: [] });

  expect(said.errors).toContain('Sign in: npx --no-install hosted-mcp login\n');
  expect(said.errors).not.toContain('HOSTED_MCP');
});
