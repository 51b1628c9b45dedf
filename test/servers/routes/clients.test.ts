import { describe, expect, test } from '@jest/globals';
import { aDescription } from '../../support/openapi/descriptions.ts';
import { BASE_URL } from '../../support/service/management.ts';
import { owner, serveTwoOwners, service, stranger } from '../../support/service/two-owners.ts';

serveTwoOwners();

const clients = (as = owner) => service.call('GET', '/deployments/books/clients', { as });

describe('GET /deployments/{slug}/clients', () => {
  test('tells how each client is connected to it, as it is now', async () => {
    const body = { openapi: aDescription(), slug: 'books', mcp_auth_method: 'jwt' };
    await service.call('POST', '/deployments', { as: owner, body });
    const { status, body: answer } = await clients();

    expect(status).toBe(200);
    const url = `${BASE_URL}/mcp-router/books/messages`;
    expect(answer.items).toContainEqual(
      expect.objectContaining({
        client: 'claude-code',
        name: 'Claude Code',
        paste: `claude mcp add --transport http books ${url} --header "Authorization: Bearer $MCP_TOKEN"`,
      }),
    );
    expect(answer.items).toContainEqual(
      expect.objectContaining({
        client: 'chatgpt',
        obstacle: expect.stringContaining('takes no token'),
      }),
    );

    await service.call('PATCH', '/deployments/books', {
      as: owner,
      body: { mcp_auth_method: 'none' },
    });
    expect(JSON.stringify((await clients()).body)).not.toContain('MCP_TOKEN');
  });

  test('calls a server shorter than its slug where the name of a tool leaves no room for that', async () => {
    const name = 'list_the_measurements_of_all_stations_of_a_coast';
    const openapi = JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Sea', version: '1' },
      servers: [{ url: 'https://api.example.com' }],
      paths: { '/sea': { get: { operationId: name, responses: { 200: { description: 'ok' } } } } },
    });
    const slug = 'weather-of-the-north-sea';
    const body = { openapi, slug, mcp_auth_method: 'none' };
    expect((await service.call('POST', '/deployments', { as: owner, body })).status).toBe(201);
    const { body: answer } = await service.call('GET', `/deployments/${slug}/clients`, {
      as: owner,
    });

    const [claudeCode] = answer.items as { paste: string }[];
    const [, called = ''] = /--transport http (\S+) /.exec(claudeCode?.paste ?? '') ?? [];
    expect(slug.startsWith(called.slice(0, 2))).toBe(true);
    expect(`mcp__${called}__${name}`.length).toBeLessThanOrEqual(64);
    expect(claudeCode?.paste).toContain(`/mcp-router/${slug}/messages`);
  });

  test('is for its owner alone', async () => {
    expect((await clients(stranger)).status).toBe(404);
    expect((await service.call('GET', '/deployments/books/clients')).status).toBe(401);
  });
});
