import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FUNCTION_OF, type OperatorCommandName } from '../../../cli/admin/functions.ts';
import { functions } from '../../../lambdas/manifest.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { connectionOf } from '../../support/aws/aws.ts';
import { anIdentityProviderOf } from '../../support/oauth/identity-provider.ts';
import { aMachineFor, type Situation, type TestMachine } from '../../support/cli/command-line.ts';
import { startWholeService, type WholeService } from '../../support/service/whole-service.ts';
import { EVENT_LINE } from '../../support/event-line.ts';

/** Nothing of these may stand in a trace. */
const PASSWORD = 'canary umbrella kestrel';
const CANARY = 'canary-in-a-command';

/** One that people sign in with: without its metadata, which nobody has here. */
const ACME = anIdentityProviderOf({
  email_domains: ['acme.example'],
  sign_in: { client_id: 'mcp', client_auth: 'basic', scopes: ['openid'] },
  endpoints: {
    authorization_endpoint: 'https://idp.acme.example/authorize',
    token_endpoint: 'https://idp.acme.example/token',
    authorization_response_iss_parameter_supported: false,
  },
});

let machine: TestMachine;
let service: WholeService;
beforeAll(async () => {
  machine = await aMachineFor();
  service = await startWholeService(
    {},
    { settings: { CREDENTIAL_STORE_FORMER: 'secrets-manager' } },
  );
  const applied = { operator: 'apply-providers', providers: [ACME], revision: 0 };
  await service.operate(applied, 'maintenance');
  const linked = { email: 'linked@acme.example', plan: 'free', withoutPassword: true };
  await service.operate({ operator: 'provision-account', ...linked }, 'oauth');
  // Something that no function knows, so that there is something to give on.
  const sqs = new SQSClient(connectionOf(service.aws, 'test'));
  const QueueUrl = service.aws.queueUrl('undelivered-commands');
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }));
  sqs.destroy();
});
afterAll(async () => {
  await service.stop();
  await machine.remove();
});

const OPENAPI = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Books', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  paths: { '/books': { get: { operationId: 'list', responses: {} } } },
});

/** What a person types for each command, in an order in which each finds what it needs, and what it is about. */
const LINES: Readonly<Record<OperatorCommandName, readonly [line: string, target: string]>> = {
  'provision-account': ['account Ada@Example.com --password-stdin', 'ada@example.com'],
  'set-plan': ['plan ada@example.com pro', 'ada@example.com'],
  'set-owner-plan': ['plan ada@example.com free', 'ID'],
  'forget-identities': ['forget-identity ada@example.com --yes', 'ada@example.com'],
  'set-provider-secret': ['provider-secret acme --secret-stdin', 'acme'],
  'allow-link': ['link linked@acme.example acme --yes', 'linked@acme.example'],
  'check-provider': ['check-provider acme', 'acme'],
  'prepare-providers': ['apply-providers - --yes', 'the service'],
  'apply-providers': ['apply-providers - --yes', 'the service'],
  'show-providers': ['providers', 'the service'],
  'show-person': ['person ada@example.com', 'ada@example.com'],
  'provider-outlook': ['apply-providers - --yes', 'the service'],
  'ended-people': ['people', 'the service'],
  'prepare-passwords': ['passwords on --yes', 'the service'],
  'apply-passwords': ['passwords on --yes', 'the service'],
  'prepare-break-glass': ['break-glass ada@example.com', 'ada@example.com'],
  'make-operator': ['make-operator ada@example.com', 'ada@example.com'],
  'end-operator': ['end-operator ada@example.com', 'ada@example.com'],
  publish: ['publish - --owner u-1 --slug books --auth jwt', 'books'],
  'mint-token': ['mint books --owner u-1 --json', 'books'],
  'revoke-token': ['revoke books JTI', 'books JTI'],
  'find-person': ['export nobody@example.com', 'HASH'],
  'export-records': ['export nobody@example.com', 'HASH'],
  'export-account': ['export Nobody@example.com', 'HASH'],
  'erase-account': ['erase nobody@example.com --yes', 'HASH'],
  'erase-records': ['erase nobody@example.com --yes', 'HASH'],
  'stop-deployment': ['stop books --yes', 'books'],
  'release-deployment': ['release books --yes', 'books'],
  'prepare-transfer': ['transfer u-2 ada@example.com --yes', 'u-2'],
  'list-blocked': ['blocks', 'the service'],
  'unblock-ip': ['unblock 192.0.2.7', '192.0.2.7'],
  'mail-status': ['mails Ada@example.com', 'ada@example.com'],
  'allow-mails': ['mails ada@example.com --send-again', 'ada@example.com'],
  sweep: ['sweep', 'the service'],
  'restore-check': ['restore-check', 'the service'],
  'move-credentials': ['move-credentials', 'the service'],
  'list-failed': ['redrive unsent-mails --yes', 'unsent-mails'],
  redrive: ['redrive --yes', 'the service'],
  recount: ['recount --since 5m', 'the service'],
  'end-client': ['end-client mcp_1 --yes', 'mcp_1'],
  'end-account': ['end-account ada@example.com --yes', 'ada@example.com'],
  'rotate-signing-key': ['rotate-key', 'the service'],
  'retire-signing-key': ['retire-key --yes', 'the service'],
  'end-tokens': ['end-tokens --yes', 'the service'],
  'end-sessions': ['end-sessions --yes', 'the service'],
  'transfer-deployment': ['transfer u-1 ada@example.com --servers books --yes', 'books'],
};

const admin = (line: string, situation: Situation = {}) =>
  machine.run(['admin', ...line.split(' ')], {
    environment: { HOSTED_MCP_DATA: service.dataFolder },
    ...situation,
  });

/** Standard input of those that read no password there. Each applies another list. */
const INPUTS: ReadonlyMap<OperatorCommandName, string> = new Map([
  ['publish', OPENAPI],
  ['prepare-providers', JSON.stringify([anIdentityProviderOf()])],
  ['apply-providers', JSON.stringify([anIdentityProviderOf({ name: 'Other' })])],
  ['provider-outlook', JSON.stringify([anIdentityProviderOf({ name: 'Third' })])],
]);

type Trace = Readonly<Record<string, unknown>>;

/** Traces in the logs of functions, in their order. */
const lines = async (): Promise<readonly Trace[]> =>
  (await service.kept())
    .filter(([name]) => name.endsWith('.log'))
    .flatMap(([, text]) => text.split('\n'))
    .filter((line) => line.includes('"operator_command"'))
    .map((line) => JSON.parse(line) as Trace);

/** Those in the table. */
const items = async (): Promise<readonly Trace[]> => {
  const kept = new Map(await service.kept());
  const stored = JSON.parse(kept.get('security-events') ?? '[]') as Record<
    string,
    { S?: string }
  >[];
  return stored
    .filter((item) => item['type']?.S === 'operator_command')
    .map((item) => Object.fromEntries(Object.entries(item).map(([name, { S }]) => [name, S])));
};

/** Of a command, what is new since these. */
const since = (all: readonly Trace[], before: readonly Trace[], command: string) => {
  const known = new Set(before.map((one) => JSON.stringify(one)));
  return all.filter((one) => one['command'] === command && !known.has(JSON.stringify(one)));
};

describe('every command of operators', () => {
  const found = { ID: '', JTI: '' };

  test.each(Object.keys(LINES) as OperatorCommandName[])(
    'leaves one line and one event when it is done: %s',
    async (command) => {
      const [logged, stored] = [await lines(), await items()];
      const [line, about] = LINES[command];
      const input = INPUTS.get(command) ?? PASSWORD;
      const said = await admin(line.replace('JTI', found.JTI), { input });
      expect(said.errors).not.toContain('The function failed');
      if (command === 'mint-token') found.JTI = String(said.json()['jti']);
      if (command === 'provision-account') found.ID = / \(id (\S+),/.exec(said.out)?.[1] ?? '';

      const target = about
        .replace('HASH', fingerprint('nobody@example.com'))
        .replace('JTI', found.JTI)
        .replace('ID', found.ID);
      const left = {
        command,
        target,
        outcome: 'done',
        subject: 'operators',
        type: 'operator_command',
      };
      const arn = 'arn:aws:sts::000000000000:assumed-role/operator/operator';
      const id = expect.stringMatching(/^[\da-f]{8}-[\da-f-]{27}$/);
      expect(since(await lines(), logged, command)).toEqual([
        { ...EVENT_LINE, ...left, time: expect.any(String), claimed_actor: arn, request_id: id },
      ]);
      expect(since(await items(), stored, command)).toEqual([
        expect.objectContaining({ ...left, claimedActor: arn, requestId: id }),
      ]);
    },
  );

  test.each(Object.entries(FUNCTION_OF))(
    'leaves one when it fails, without anything of what was sent: %s',
    async (operator, functionName) => {
      const [logged, stored] = [await lines(), await items()];
      const sent = { operator, email: { a: CANARY }, [CANARY]: CANARY, claimedActor: CANARY };
      await expect(service.operate(sent, functionName)).rejects.toThrow('not a command');

      const left = { command: operator, outcome: 'failed', target: 'unknown' };
      expect(since(await lines(), logged, operator)).toMatchObject([
        { ...left, claimed_actor: 'unknown' },
      ]);
      expect(since(await items(), stored, operator)).toMatchObject([
        { ...left, claimedActor: 'unknown' },
      ]);
    },
  );
});

describe('before passwords are off', () => {
  test('an operator hears whom that shuts out', async () => {
    const { revision } = await service.operate({ operator: 'show-providers' }, 'oauth');
    const applied = { operator: 'apply-providers', providers: [ACME], revision };
    await service.operate(applied, 'maintenance');
    for (const name of ['boss', 'team', 'idle']) {
      await admin(`account ${name}@acme.example --password-stdin`, { input: PASSWORD });
    }
    await admin('make-operator boss@acme.example');
    const publish = 'publish - --owner team@acme.example --slug teams --auth jwt';
    await admin(publish, { input: OPENAPI });

    const said = await admin('passwords off --yes');
    await admin('passwords on --yes');

    expect(said.errors).toMatch(/Operators who have no way in any more .*: boss@acme\.example\./);
    expect(said.errors).toContain('team@acme.example (1 server)');
    expect(said.errors).not.toContain('idle@acme.example');
    expect(said.errors).toContain('Acme makes no accounts');
    expect(said.errors).toContain('Opened by a password still: ada@example.com.');
  });
});

describe('a trace of an operator', () => {
  test('says with which code a command was refused', async () => {
    const said = await admin('plan nobody@example.com pro');

    expect(said.code).toBe(4);
    expect((await lines()).filter(({ target }) => target === 'nobody@example.com')).toMatchObject([
      { command: 'set-plan', outcome: 'refused', code: 'not_found' },
    ]);
  });

  test('does not repeat the name of a command that there is not', async () => {
    const [logged] = [await lines()];
    await expect(service.operate({ operator: CANARY }, 'oauth')).rejects.toThrow('unknown');

    expect(since(await lines(), logged, 'unknown')).toHaveLength(1);
  });

  test('names the schedule where a schedule sent the command', async () => {
    for (const schedule of functions.maintenance.schedules ?? []) {
      if (!('command' in schedule)) continue;
      const { command } = schedule;
      await service.operate(command, 'maintenance');
      expect((await lines()).findLast((one) => one['command'] === command.operator)).toMatchObject({
        claimed_actor: 'events.amazonaws.com',
      });
    }
  });

  test('is in the log where the table does not take it, and the answer is given all the same', async () => {
    const on = { operation: 'PutItem', caller: 'maintenance' };
    service.aws.faults.inject({ on, kind: 'fail' });
    const said = await admin('unblock 192.0.2.99');
    service.aws.faults.clear();

    expect(said.code).toBe(0);
    expect((await lines()).filter(({ target }) => target === '192.0.2.99')).toHaveLength(1);
    const logs = (await service.kept()).map(([, text]) => text).join('\n');
    expect(logs).toContain('"events_lost"');
  });

  test('those of a day are read by one query of one partition', async () => {
    const day = new Date().toISOString().slice(0, 10).replaceAll('-', '');

    expect(new Set((await items()).map(({ pk }) => pk))).toEqual(
      new Set([`SUBJECT#operators#${day}`]),
    );
  });

  test('holds no password, no minted token and nothing of what could not be read', async () => {
    const kept = (await service.kept()).filter(([where]) => !where.endsWith('.eml'));
    const texts = kept.map(([, text]) => text).join('\n');

    expect(texts).not.toContain(PASSWORD);
    expect(texts).not.toContain(CANARY);
    const minted = await admin('mint books --owner ada@example.com --json');
    const token = String(minted.json()['token']);
    expect(token).toMatch(/^ey/);
    for (const [, text] of await service.kept()) expect(text).not.toContain(token);
  });
});
