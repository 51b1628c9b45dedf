import { describe, expect, test } from '@jest/globals';
import { listedNames, serverName } from '../../../../layers/mcp/rules/clients/server-name.ts';
import { brokenLimits } from '../../../../layers/openapi/model-apis/client-limits.ts';

const aName = (characters: number): string => 'list_things_'.padEnd(characters, 'x');

const CLOSED = { type: 'object', properties: {}, additionalProperties: false };

const broken = (server: string, tool: string) =>
  brokenLimits([{ name: tool, description: 'Lists.', inputSchema: CLOSED }], server);

describe('what clients are to call a server', () => {
  test('is its slug, where the names of its tools leave room for that', () => {
    expect(serverName('weather-of-the-north-sea', ['get', aName(33)])).toBe(
      'weather-of-the-north-sea',
    );
  });

  test.each([[34], [40], [48]])(
    'is shorter where a tool has %s characters, and breaks no limit of a client then',
    (characters) => {
      const tool = aName(characters);
      const slug = 'weather-of-the-north-sea';

      expect(broken(slug, tool).map(({ client }) => client)).toContain('Claude Code');
      const called = serverName(slug, ['get', tool]);
      expect(called).toMatch(/^[\w-]{3,}$/);
      expect(slug).toContain(called.slice(0, 2));
      expect(broken(called, tool)).toEqual([]);
    },
  );

  test('keeps what the names of two servers differ in at the end', () => {
    const tools = [aName(38)];

    expect(serverName('acme-company-store-orders', tools)).not.toBe(
      serverName('acme-company-store-invoices', tools),
    );
  });

  test('is never empty, whatever an owner calls a tool', () => {
    expect(serverName('weather-of-the-north-sea', [aName(128)]).length).toBeGreaterThan(2);
    expect(serverName('w'.repeat(63), [aName(128)]).length).toBeGreaterThan(2);
    expect(serverName('weather', [])).toBe('weather');
  });

  test('goes by the tools that are listed: in search mode by its three', () => {
    const tools = [{ name: aName(48) }];

    expect(listedNames({ publication: {} }, tools)).toEqual([aName(48)]);
    const three = listedNames({ publication: { toolMode: 'search' } }, tools);
    expect(three).toHaveLength(3);
    expect(serverName('weather-of-the-north-sea', three)).toBe('weather-of-the-north-sea');
  });
});
