import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EXIT } from '../../cli/failure.ts';
import { offerOperatorAccess } from '../../local/run/operator-access.ts';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';
import { aManagementService, type TestManagement } from '../support/service/management.ts';

let machine: TestMachine;
let service: TestManagement;
beforeAll(async () => {
  machine = await aMachineFor();
  service = await aManagementService();
  const { aws } = service.store;
  // Whoever may do everything: the policies here are of functions alone.
  await offerOperatorAccess(machine.folder, { environment: () => aws.environment('test') });
  aws.onInvoke(async (_, payload) => ({
    payload: JSON.stringify(await service.maintain(JSON.parse(payload) as object)),
  }));
  const as = await service.owner({ id: 'ada', email: 'ada@example.com' });
  const openapi = {
    openapi: '3.1.0',
    info: { title: 'Weather', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: { '/now': { get: { operationId: 'now', responses: {} } } },
  };
  const body = { openapi, slug: 'weather' };
  expect((await service.call('POST', '/deployments', { as, body })).body).not.toHaveProperty(
    'code',
  );
});
afterAll(async () => {
  await service.stop();
  await machine.remove();
});

const check = (...more: readonly string[]) =>
  machine.run(['admin', 'restore-check', ...more], {
    environment: { HOSTED_MCP_DATA: machine.folder },
  });

describe('hosted-mcp admin move-credentials', () => {
  const move = (...more: readonly string[]) =>
    machine.run(['admin', 'move-credentials', ...more], {
      environment: { HOSTED_MCP_DATA: machine.folder },
    });

  test('is refused where the stage names no store before', async () => {
    const said = await move();

    expect(said.code).toBe(EXIT.refused);
    expect(said.errors).toContain('`credential_store_former` does');
  });
});

describe('hosted-mcp admin restore-check', () => {
  test('ends with 0 where everything fits together', async () => {
    const said = await check();

    expect(said).toMatchObject({ code: EXIT.ok, out: 'All that is stored fits together.\n' });
    expect((await check('--json')).json()).toEqual({ items: [] });
  });

  test('ends with 1 where something is missing, and names it', async () => {
    const TableName = service.store.tableName('deployments');
    const Key = { pk: 'OWNER#ada' };
    const dynamo = service.store.instance();
    const { Item } = await dynamo.send(new GetCommand({ TableName, Key }));
    await dynamo.send(new DeleteCommand({ TableName, Key }));
    const [said, json] = [await check(), await check('--json')];
    await dynamo.send(new PutCommand({ TableName, Item }));

    expect(said.code).toBe(EXIT.refused);
    expect(said.out).toMatch(/weather/);
    expect(json.code).toBe(EXIT.refused);
    expect(json.json()['items']).toHaveLength(1);
    expect((await check()).code).toBe(EXIT.ok);
  });

  test('names what several answers say, more than one holds, and ends with 1', async () => {
    const table = service.store.tableName('deployments');
    const orphans = Array.from({ length: 1100 }, (_, index) => ({
      pk: { S: `OWNER#${index}` },
      activeSlugs: { SS: [`gone-${index}`] },
    }));
    await service.store.aws.loadItems(table, orphans);
    service.store.aws.calls.reset();

    const said = await check('--json');

    expect(service.store.aws.calls.count({ operation: 'Invoke' })).toBeGreaterThan(1);
    expect(said.code).toBe(EXIT.refused);
    expect(said.json()['items']).toHaveLength(1100);
  });

  test('ends with 5 where no service runs', async () => {
    const nowhere = await aMachineFor();
    const said = await nowhere.run(['admin', 'restore-check'], {
      environment: { HOSTED_MCP_DATA: nowhere.folder },
    });
    await nowhere.remove();

    expect(said.code).toBe(EXIT.unreachable);
  });
});
