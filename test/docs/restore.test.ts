import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { DeleteSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tables } from '../../lambdas/storage-manifest.ts';
import { connectionOf } from '../support/aws/aws.ts';
import { aManagementService, type TestManagement } from '../support/service/management.ts';
import { synthesized } from '../support/stacks/synthesized.ts';
import { readAwsCall } from './aws-cli.ts';

const text = readFileSync(new URL('../../docs/restore.md', import.meta.url), 'utf8');
const THEN = 'HostedMcp-prod-Data-then';
const require = createRequire(import.meta.url);

/** Lines of a section. */
const linesOf = (heading: string): readonly string[] => {
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
    block.trim().split('\n'),
  );
};

/** What commands of the page answer, and what the reader looks for. */
const ANSWERED =
  'CONTINUE_SWEEP_RULE DEPLOYMENT_ID KEY MARKER RECOVERY_POINT RESTORE_JOB SWEEP_RULE TABLE_ARN THEN_BACKUP'.split(
    ' ',
  );

describe('docs/restore.md', () => {
  test('writes nothing in capitals but outputs of the stacks, and what its commands answer', () => {
    const { data, service } = synthesized();
    const outputs = [data, service].flatMap((one) =>
      Object.keys(one.toJSON()['Outputs'] as object),
    );
    const known = outputs.map((key) => key.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase());
    const named = [...text.matchAll(/\$([A-Z_]+)/g)].map(([, name = '']) => name);

    expect(named.filter((name) => !known.includes(name) && !ANSWERED.includes(name))).toEqual([]);
    expect(ANSWERED.filter((name) => !named.includes(name))).toEqual([]);
  });

  test('says of each table which copies it has', () => {
    const section = text.slice(text.indexOf('Not everything has copies'), text.indexOf('## Names'));
    const rows = section.split('\n').filter((line) => line.startsWith('| table'));
    const said = rows.map((row) => {
      const [, what = '', recovery = '', nights = '', months = ''] = row.split('|');
      const names = [...what.split(';', 1)[0]!.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name);
      return [names.toSorted(), [recovery, nights, months].map((cell) => cell.trim().slice(0, 3))];
    });
    const having = (backup: string) =>
      Object.entries(tables)
        .filter(([, table]) => table.backup === backup)
        .map(([name]) => name)
        .toSorted();

    expect(said).toEqual([
      [having('daily-and-monthly'), ['yes', 'yes', 'yes']],
      [having('daily'), ['yes', 'yes', 'no:']],
      [having('none'), ['no', 'no', 'no:']],
    ]);
  });
});

describe('a restore on the local endpoints, by the lines of the page', () => {
  let service: TestManagement;
  let id: string;
  beforeAll(async () => {
    service = await aManagementService();
    const as = await service.owner({ id: 'ada', email: 'ada@example.com' });
    const openapi = {
      openapi: '3.1.0',
      info: { title: 'Weather', version: '1' },
      servers: [{ url: 'https://api.example.com' }],
      paths: { '/now': { get: { operationId: 'now', responses: {} } } },
    };
    const credential = { type: 'bearer', token: 'CANARY-token' };
    const body = { openapi, slug: 'my-api' };
    await service.call('POST', '/deployments', { as, body });
    await service.call('PUT', '/deployments/my-api/credential', { as, body: credential });
    id = (await service.ports.deploymentEditor.read('my-api'))!.id;
    // What point-in-time recovery makes of the table, which no local endpoint has.
    await service.store.aws.createTables({ [THEN]: tables.deployments }, '');
    await copyRow(service.store.tableName('deployments'), THEN);
  });
  afterAll(() => service.stop());

  const Key = { pk: 'SLUG#my-api' };
  const copyRow = async (from: string, to: string) => {
    const dynamo = service.store.instance();
    const { Item } = await dynamo.send(new GetCommand({ TableName: from, Key }));
    await dynamo.send(new PutCommand({ TableName: to, Item }));
  };
  const missing = async () =>
    ((await service.maintain({ operator: 'restore-check' })) as { readonly items: object[] }).items;

  const files = new Map<string, unknown>();
  /** A line as the AWS CLI would send it. */
  const run = async (line: string): Promise<void> => {
    const { store } = service;
    const typed = line
      .replaceAll('$DEPLOYMENTS_TABLE', store.tableName('deployments'))
      .replace('HostedMcp-prod-Data/credentials/', 'test/')
      .replace('$DEPLOYMENT_ID', id);
    const { client, operation, input } = readAwsCall(typed);
    const model = require(client) as Readonly<Record<string, new (with_: object) => Sender>>;
    const Client = Object.entries(model).find(([name]) => /^[A-Z]\w+Client$/.test(name))![1];
    const filled = Object.fromEntries(
      Object.entries(input).map(([name, value]) => [
        name,
        String(value).startsWith('file://') ? files.get(String(value).slice(7)) : value,
      ]),
    );
    const sender = new Client(connectionOf(store.aws, 'test'));
    const answer = await sender.send(new model[`${operation}Command`]!(filled));
    sender.destroy();
    const [, query = '', file] = /--query (\w+) > (\S+)$/.exec(line) ?? [];
    if (file !== undefined) files.set(file, answer[query]);
  };

  test('brings back an item and a secret, after which all fits together', async () => {
    const TableName = service.store.tableName('deployments');
    await service.store.instance().send(new DeleteCommand({ TableName, Key }));
    const lost = await missing();
    const secrets = service.store.client(SecretsManagerClient);
    const SecretId = `test/${id}`;
    await secrets.send(new DeleteSecretCommand({ SecretId, RecoveryWindowInDays: 7 }));

    const ofItems = linesOf('Some items').filter((line) => / (?:get|put)-item /.test(line));
    expect(ofItems).toHaveLength(2);
    for (const line of ofItems) await run(line);
    const withoutSecret = await missing();
    for (const line of linesOf('A secret')) await run(line);

    expect(lost).not.toEqual([]);
    expect(withoutSecret).toMatchObject([{ what: 'its credential is being deleted' }]);
    expect(await missing()).toEqual([]);
  });

  test('writes no item over a newer one', async () => {
    const [get = '', put = ''] = linesOf('Some items').filter((line) =>
      / (?:get|put)-item /.test(line),
    );
    await run(get);

    await expect(run(put)).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
  });
});

interface Sender {
  send(command: object): Promise<Readonly<Record<string, unknown>>>;
  destroy(): void;
}
