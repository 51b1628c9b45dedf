import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aBigDescription } from '../support/openapi/big-description.ts';
import { CLIENTS, type McpClient } from '../support/mcp/mcp-clients.ts';
import { startTarget, type TestTarget } from '../support/mcp/router-target.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

let service: WholeService;
let target: TestTarget;
let session: string;
let url: string;

const api = async (method: string, path: string, body: object) => {
  const answer = await fetch(`${service.baseUrl}/mcp-management${path}`, {
    method,
    headers: {
      authorization: `Bearer ${session}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

beforeAll(async () => {
  service = await startWholeService({ endpoints_per_deployment: 50 });
  target = await startTarget();
  const { email, password } = await service.person();
  const { body: opened } = await api('POST', '/sessions', { email, password });
  session = String(opened['access_token']);
  const openapi = aBigDescription(1000, `${target.url}/echo`);
  const { body: made } = await api('POST', '/deployments', {
    openapi,
    slug: 'suite',
    mcp_auth_method: 'none',
    tool_mode: 'search',
    overrides: { archiveInvoice: { keywords: ['mothball'] } },
  });
  url = String(made['mcp_url']);
});
afterAll(async () => {
  await service.stop();
  await target.stop();
});

describe.each(CLIENTS)('%s at an API of 1,000 operations', (_client, connect) => {
  let client: McpClient;
  beforeAll(async () => {
    client = await connect(url);
  });
  afterAll(() => client.close());

  const textOf = async (name: string, args: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    expect(isError).not.toBe(true);
    return content.map(({ text = '' }) => text).join('');
  };

  test('lists three tools in less than a thousand tokens', async () => {
    const { tools } = await client.listTools();

    expect(tools.map(({ name }) => name)).toEqual([
      'search_operations',
      'describe_operation',
      'call_operation',
    ]);
    expect(Buffer.byteLength(JSON.stringify({ tools })) / 4).toBeLessThan(1000);
  });

  test('searches, describes and calls an operation', async () => {
    const found = await textOf('search_operations', { query: 'put an invoice into the archive' });
    const name = /^(\w+) {2}POST \/invoices\/\{id\}\/archive/m.exec(found)?.[1] ?? '';
    const told = JSON.parse(await textOf('describe_operation', { name }));
    const answer = JSON.parse(await textOf('call_operation', { name, arguments: { id: 'in 7' } }));

    expect(told).toMatchObject({
      name: 'archiveInvoice',
      method: 'POST',
      inputSchema: { required: ['id'] },
    });
    expect(answer).toMatchObject({ method: 'POST', path: '/echo/invoices/in%207/archive' });
  });

  test('finds an operation by the keywords of its owner', async () => {
    const found = await textOf('search_operations', { query: 'mothball' });

    expect(found).toMatch(/^1 operation matches:\n\narchiveInvoice /);
    expect(found).toContain('Arguments of archiveInvoice (JSON Schema): {');
  });

  test('gets the faults of the arguments of an operation', async () => {
    const result = await client.callTool({
      name: 'call_operation',
      arguments: { name: 'createCustomer', arguments: { amount: -1 } },
    });

    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('/title') }],
    });
  });
});

describe('the owner of a deployment with searchable operations', () => {
  test('can list them as tools only after a choice of fewer operations', async () => {
    const all = await api('PATCH', '/deployments/suite', { tool_mode: 'operations' });
    const few = await api('PATCH', '/deployments/suite', {
      tool_mode: 'operations',
      operations: { include: ['* /orders'] },
    });

    expect(all).toMatchObject({ status: 422, body: { limit: 'endpoints_per_deployment' } });
    expect(few).toMatchObject({
      status: 200,
      body: { tool_mode: 'operations', tools: { mode: { before: 'search', after: 'operations' } } },
    });
  });
});
