import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listening } from '../support/target/listening.ts';
import { FUNCTION_OF, OUTPUTS, stackNameOf } from '../../cli/admin/functions.ts';
import { COMMANDS } from '../../cli/commands/index.ts';
import { FAILED_QUEUES } from '../../layers/platform/rules/failed-work.ts';
import { startEmbeddedAws, type EmbeddedAws } from '../../local/aws/index.ts';
import { offerOperatorAccess } from '../../local/run/operator-access.ts';
import { aMachineFor, type Situation, type TestMachine } from '../support/cli/command-line.ts';

/** What functions were sent, and what they answer to it. */
const sent: { readonly name: string; readonly payload: Record<string, unknown> }[] = [];
let answer: { readonly payload: object; readonly functionError?: string };

let machine: TestMachine;
let aws: EmbeddedAws;
let withdraw: () => void;
beforeAll(async () => {
  machine = await aMachineFor();
  aws = await startEmbeddedAws({ dataFolder: machine.folder });
  aws.onInvoke(async (name, payload) => {
    sent.push({ name, payload: JSON.parse(payload) as Record<string, unknown> });
    const { functionError } = answer;
    return { payload: JSON.stringify(answer.payload), ...(functionError && { functionError }) };
  });
  withdraw = await offerOperatorAccess(machine.folder, aws);
});
afterAll(async () => {
  await aws.close();
  await machine.remove();
});

/** As the embedded STS names whoever started the service. */
const OPERATOR = 'arn:aws:sts::000000000000:assumed-role/operator/operator';

const environment = () => ({ HOSTED_MCP_DATA: machine.folder });
/** Nothing of what is sent here leaves the machine. */
const here = (): Situation => ({
  environment: { AWS_ENDPOINT_URL_STS: aws.environment('operator')['AWS_ENDPOINT_URL_STS'] ?? '' },
});
const admin = (line: string, situation: Situation = {}) => {
  sent.length = 0;
  return machine.run(['admin', ...line.split(' ')], {
    ...situation,
    environment: { ...environment(), ...situation.environment },
  });
};

describe('the queues of redrive', () => {
  test('are those of the service', async () => {
    const { errors } = await admin('redrive elsewhere');

    expect(errors).toContain(`The queue is ${FAILED_QUEUES.join(', ')}, not`);
  });
});

describe('the table of commands of operators', () => {
  test('names the function of every command that a function takes, and no other', async () => {
    const folder = new URL('../../layers/', import.meta.url);
    const names = (await readdir(folder, { withFileTypes: true })).filter((one) =>
      one.isDirectory(),
    );
    const found: Record<string, string> = {};
    const files = names.map(({ name }) => {
      const its = ['routes/operator.ts', 'routes/server.ts'].map((file) => `${name}/${file}`);
      return [name, its] as const;
    });
    for (const [name, its] of [...files, ['tally', ['activity/routes/tally.ts']] as const]) {
      const texts = its.map((file) => readFile(new URL(file, folder), 'utf8').catch(() => ''));
      const text = (await Promise.all(texts)).join('\n');
      for (const [, one = ''] of text.matchAll(/^ {4}'?([a-z-]+)'?: operatorCommand\(/gm)) {
        found[one] = name;
      }
    }

    // What the schedule sends every hour; people send `sweep`, which goes on as well, and need ask for no care.
    const { 'continue-sweep': _, 'take-care': __, 'check-people': ___, ...offered } = found;
    expect(offered).toEqual(FUNCTION_OF);
  });

  test('names the stack as the app does', async () => {
    const files = ['bin/app.ts', 'lib/service-stack.ts', 'lib/stacks.ts'].map((file) =>
      readFile(new URL(`../../${file}`, import.meta.url), 'utf8').catch(() => ''),
    );

    expect((await Promise.all(files)).join('')).toContain(
      `serviceStack = \`${stackNameOf('${name}')}\`;`,
    );
  });

  test('names outputs that the stack has', async () => {
    const stack = await readFile(new URL('../../lib/service-stack.ts', import.meta.url), 'utf8');

    for (const output of Object.values(OUTPUTS)) {
      expect(stack).toMatch(new RegExp(`this\\.output\\(\\s*'${output}'`));
    }
  });

  test('has a command line for each', async () => {
    const folder = new URL('../../cli/admin/', import.meta.url);
    const files = (await readdir(folder)).filter(
      (file) => file.endsWith('-commands.ts') || file === 'outlook.ts',
    );
    const text = (
      await Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')))
    ).join('');

    for (const command of Object.keys(FUNCTION_OF)) {
      expect(text).toMatch(new RegExp(`(?:operate\\(|sends: )'${command}'`));
    }
  });
});

describe('a command of operators', () => {
  test('goes to the function of the service on this machine', async () => {
    answer = { payload: { ok: true, account: { id: 'u-1', plan: 'pro' }, created: true } };
    const said = await admin('account ada@example.com --plan pro --password-stdin', {
      input: 'kestrel umbrella fog\n',
    });

    expect(said.out).toBe('ada@example.com has an account now (id u-1, plan pro).\n');
    expect(sent).toEqual([
      {
        name: 'oauth',
        payload: {
          operator: 'provision-account',
          claimedActor: OPERATOR,
          email: 'ada@example.com',
          plan: 'pro',
          password: 'kestrel umbrella fog',
        },
      },
    ]);
  });

  test('asks for no password where a mail brings the link', async () => {
    answer = { payload: { ok: true, account: { id: 'u-1', plan: 'free' }, created: true } };
    const said = await admin('account ada@example.com --mail');

    expect(said.out).toContain('A mail with a link to choose the password is on its way');
    expect(sent).toMatchObject([{ payload: { byMail: true } }]);
    expect(sent[0]?.payload).not.toHaveProperty('password');
  });

  test('speaks to both functions where it needs both', async () => {
    answer = { payload: { ok: true, account: { id: 'u-1' }, deployments: 3, changed: 2 } };
    const said = await admin('plan ada@example.com pro');

    expect(said.out).toBe('ada@example.com is on the plan pro; 2 deployments followed.\n');
    expect(sent.map(({ name }) => name)).toEqual(['oauth', 'management']);
    expect(sent[1]?.payload).toEqual({
      operator: 'set-owner-plan',
      claimedActor: OPERATOR,
      ownerId: 'u-1',
      plan: 'pro',
    });
  });

  test.each([
    'end-tokens',
    'end-sessions',
    'end-client mcp_1',
    'end-account a@b.example',
    'forget-identity a@b.example',
    'retire-key',
    'stop books',
    'release books',
  ])('that ends something asks first: %s', async (line) => {
    answer = { payload: { ok: true } };
    const no = await admin(line, { typed: ['no'] });
    const nobody = await admin(line);
    expect([no.code, nobody.code]).toEqual([2, 2]);
    expect(no.errors).toMatch(/Type yes to (end|stop|let) .* the service on this machine/);
    expect(sent).toEqual([]);

    expect((await admin(line, { typed: ['yes'] })).code).toBe(0);
    expect(sent).toHaveLength(1);
  });

  test('prints the whole answer for scripts', async () => {
    answer = { payload: { ok: true, blocked: [{ subject: '192.0.2.7', until: 1_800_000_000 }] } };

    expect((await admin('blocks --json')).json()).toEqual({
      blocked: [{ subject: '192.0.2.7', until: 1_800_000_000 }],
    });
    expect((await admin('blocks')).out).toContain('192.0.2.7  -       2027-01-15T08:00:00.000Z');
  });

  test('gives on what failed once somebody agrees, and says what has to be looked at', async () => {
    const why = 'ses: MessageRejected';
    const samples = [{ what: 'a mail (sign_up)', why, count: 2, since: 1_800_000_000 }];
    const queue = 'unsent-mails';
    const counts = { moved: 2, dropped: 1, left: 3 };
    answer = { payload: { ok: true, queues: [{ queue, waiting: 6, samples, ...counts }] } };
    const no = await admin('redrive', { typed: ['no'] });

    expect(no.errors).toContain('2 x a mail (sign_up), since 2027-01-15 08:00:00Z: ses: Mess');
    expect(sent.map(({ payload }) => payload['operator'])).toEqual(['list-failed']);
    const yes = await admin('redrive unsent-mails --yes --json');
    expect(sent.map(({ payload }) => payload['queue'])).toEqual([queue, queue]);
    expect([yes.code, yes.json()]).toEqual([1, { queues: [{ queue, ...counts }] }]);
  });

  test.each([
    ['rotate-key', { ok: true, step: 'published', nextKeySignsFrom: 'then' }, 'from then on'],
    ['rotate-key', { ok: true, step: 'rotated', formerKeyEndsAt: 'then' }, 'end at then'],
    [
      'sweep',
      { ok: true, deployments: 1, removals: 2, files: 3, failed: 0, complete: true },
      'Removals     2',
    ],
    [
      'mails a@b.example',
      { ok: true, deliverable: false, reason: 'bounce', since: 1_800_000_000 },
      'No mails are sent to a@b.example since 2027-01-15T08:00:00.000Z: bounce.',
    ],
    ['mails a@b.example', { ok: true, deliverable: true }, 'Mails are sent to a@b.example.'],
    [
      'mails a@b.example --send-again',
      { ok: true, lifted: true },
      'Mails are sent to a@b.example again.',
    ],
    ['unblock 192.0.2.7', { ok: true, lifted: true }, '192.0.2.7 is let in again.'],
    ['unblock 192.0.2.7', { ok: true, lifted: false }, '192.0.2.7 was not blocked.'],
    ['mint books --owner u-1 --expires-in 1h', { ok: true, token: 'ey.J.s' }, 'ey.J.s\n'],
    ['revoke books -x7', { ok: true }, 'The token -x7 no longer works.'],
    ['end-tokens --yes', { ok: true, issuedBefore: 'then' }, 'granted before then has ended'],
    ['end-sessions --yes', { ok: true, begunBefore: 'then' }, 'began before then has ended'],
    ['end-client mcp_1 --yes', { ok: true, removed: true }, 'The client mcp_1 is removed'],
    ['end-client -1 --yes', { ok: true, removed: false }, 'There was no registration of -1'],
    ['end-account a@b.example --yes', { ok: true }, 'hosted-mcp password reset a@b.example'],
    [
      'forget-identity a@b.example --yes',
      { ok: true, issuers: ['https://idp.example'] },
      'a@b.example is no longer linked to https://idp.example',
    ],
    [
      'forget-identity a@b.example --issuer https://idp.example --yes',
      { ok: true, issuers: [] },
      'a@b.example was known to no such provider.',
    ],
    ['retire-key --yes', { ok: true, refusedFrom: 'then' }, 'From then on no instance accepts'],
    ['stop books --yes', { ok: true, status: 'stopped' }, 'books is stopped'],
    ['redrive', { ok: true, queues: [{ queue: 'unsent-mails', waiting: 0 }] }, 'Nothing waits.'],
    ['make-operator a@b.example', { ok: true }, 'a@b.example is an operator at the console.'],
    ['end-operator a@b.example', { ok: true }, 'a@b.example is no operator at the console.'],
    ['release books --yes', { ok: true, status: 'paused' }, 'its owner may resume it'],
    [
      'publish https://api.example.com/o.json --owner u-1',
      { ok: true, deployment: { slug: 'o' } },
      'o',
    ],
  ])('says what came of it: %s', async (line, payload, words) => {
    answer = { payload };

    expect((await admin(line)).out).toContain(words);
  });

  test('ends with what the function refuses, and what to do', async () => {
    const findings = [{ where: '/password', what: 'is too short', hint: 'Take 12 characters.' }];
    const description = 'There is no deployment of this name.';
    answer = { payload: { ok: false, code: 'invalid_request', description, findings } };
    const said = await admin('account ada@example.com --password-stdin', { input: 'kestrel' });

    expect(said.code).toBe(1);
    expect(said.errors).toContain('There is no server of this name.');
    answer = { payload: { ok: false, code: 'not_found', description } };
    expect((await admin('stop nope --yes')).errors).not.toContain('hosted-mcp ls');
    expect(said.errors).toContain('at /password: is too short. Take 12 characters.');
  });

  test.each([
    [
      'an older function',
      'not a command of this function: operator: unknown',
      'deployed from this version',
    ],
    ['a fault', 'dynamodb is down', 'Its log group says more.'],
  ])('tells of %s', async (_, errorMessage, hint) => {
    answer = { payload: { errorMessage }, functionError: 'Unhandled' };
    const said = await admin('sweep');

    expect(said.code).toBe(1);
    expect(said.errors).toContain(errorMessage);
    expect(said.errors).toContain(hint);
  });

  test.each([
    ['plan ada@example.com gold', 'The plan is free or pro'],
    ['mails ada', '"ada" is no e-mail address.'],
    ['unblock ', 'ADDRESS is empty.'],
    [
      'account ada@example.com --mail --password-stdin',
      'one of --mail, --password-stdin and --no-password',
    ],
    [
      'account ada@example.com',
      'Not a terminal: pass the secret to --password-stdin (or say --mail).',
    ],
    ['redrive mails', 'The queue is unsent-mails, unstorable-calls, undelivered-commands'],
    ['mint books', '--owner is missing'],
    ['mint books --owner u-1 --expires-in soon', '--expires-in must be a time'],
    ['publish api.yaml', '--owner is missing'],
    ['sweep --stage Prod', '--stage is the name of a file in config/'],
    ['sweep --stage prod --function f', 'either --stage or --function'],
  ])('is refused without asking anybody: %s', async (line, why) => {
    const said = await admin(line);

    expect(said.code).toBe(2);
    expect(said.errors).toContain(why);
    expect(sent).toEqual([]);
  });

  test('finds what only the person who started the service may read', async () => {
    const { mode } = await stat(join(machine.folder, 'operator.json'));

    expect(mode & 0o777).toBe(0o600);
  });

  test('says so where the service has died', async () => {
    const dead = await aMachineFor();
    const access = { endpoint: 'http://127.0.0.1:2', region: 'us-east-1', accessKeyId: 'A' };
    const text = JSON.stringify({ ...access, secretAccessKey: 'S' });
    await writeFile(join(dead.folder, 'operator.json'), text);
    const said = await admin('sweep', { environment: { HOSTED_MCP_DATA: dead.folder } });
    await dead.remove();

    expect(said.errors).toContain('The service on this machine has stopped.');
    expect(said.code).toBe(5);
  });

  test('says so where no service runs', async () => {
    const folder = { HOSTED_MCP_DATA: `${machine.folder}/nowhere` };
    const said = await admin('sweep', { environment: folder });

    expect(said.code).toBe(5);
    expect(said.errors).toContain('Start it with npm start');
  });
});

/** A CloudFormation that knows one stack; Lambda is the embedded one. */
const aStack = async (outputs: Readonly<Record<string, string>>) => {
  const asked: { readonly body: string; readonly authorization: string | undefined }[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    asked.push({ body, authorization: request.headers.authorization });
    if (!body.includes('StackName=HostedMcp-prod-Service')) {
      response.statusCode = 400;
      response.end(
        '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id HostedMcp-dev-Service does not exist</Message></Error></ErrorResponse>',
      );
      return;
    }
    const members = Object.entries(outputs).map(
      ([key, value]) =>
        `<member><Description>A &amp; B</Description><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
    );
    response.end(
      `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><Parameters><member><ParameterKey>BootstrapVersion</ParameterKey></member></Parameters><Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
    );
  });
  const { url, stop } = await listening(server);
  return {
    asked,
    environment: { AWS_ENDPOINT_URL_CLOUDFORMATION: url, ...here().environment },
    close: stop,
  };
};

describe('a command of operators for a stage', () => {
  const before = { ...process.env };
  beforeAll(() => {
    // What a person has in the shell; the SDK finds it there.
    Object.assign(process.env, aws.environment('operator'));
  });
  afterAll(() => {
    for (const name of Object.keys(aws.environment('operator'))) delete process.env[name];
    Object.assign(process.env, before);
  });

  test('goes to the functions that the outputs of the stack name', async () => {
    const stack = await aStack({ AccountsFunction: 'theirs:live', PublishFunction: 'other:live' });
    answer = { payload: { ok: true, account: { id: 'u-1' }, deployments: 0, changed: 0 } };
    const said = await admin('plan ada@example.com pro --stage prod', stack);
    await stack.close();

    expect(said.errors).toBe('');
    expect(sent.map(({ name }) => name)).toEqual(['theirs', 'other']);
    expect(stack.asked).toHaveLength(1);
    expect(stack.asked[0]?.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=LOCAL\w+\/\d{8}\/us-east-1\/cloudformation\/aws4_request, SignedHeaders=.*host.*, Signature=[0-9a-f]{64}$/,
    );
  });

  test('says so where there is no such stack, or no such output', async () => {
    const stack = await aStack({ AccountsFunction: 'theirs:live' });
    const none = await admin('sweep --stage dev', stack);
    const older = await admin('sweep --stage prod', stack);
    await stack.close();

    expect(none.code).toBe(4);
    expect(none.errors).toContain(
      'There is no stack HostedMcp-dev-Service in us-east-1 of this account.',
    );
    expect(older.errors).toContain(
      'The stack HostedMcp-prod-Service has no output MaintenanceFunction.',
    );
  });

  test('may name one function, which takes the commands of one alone', async () => {
    answer = { payload: { ok: true, account: { id: 'u-1', plan: 'pro' }, lifted: true } };

    expect((await admin('unblock 192.0.2.7 --function mine', here())).code).toBe(0);
    expect(sent.map(({ name }) => name)).toEqual(['mine']);
    expect((await admin('plan a@b.example pro --function mine', here())).errors).toContain(
      'This command needs more than one function',
    );
  });
});

describe('who sent a command', () => {
  test('is unknown where STS cannot be asked, and the command goes on', async () => {
    const stack = await aStack({ MaintenanceFunction: 'theirs:live' });
    answer = { payload: { ok: true, lifted: true } };
    Object.assign(process.env, aws.environment('operator'));
    const said = await admin('unblock 192.0.2.7 --stage prod', {
      environment: { ...stack.environment, AWS_ENDPOINT_URL_STS: 'http://127.0.0.1:2' },
    });
    for (const name of Object.keys(aws.environment('operator'))) delete process.env[name];
    await stack.close();

    expect(said.code).toBe(0);
    expect(sent[0]?.payload).toEqual({ operator: 'unblock-ip', subject: '192.0.2.7' });
  });

  test('is asked once, however many functions a command needs', async () => {
    answer = { payload: { ok: true, account: { id: 'u-1' }, deployments: 0, changed: 0 } };
    aws.calls.reset();
    await admin('plan ada@example.com pro');

    expect(aws.calls.count({ operation: 'GetCallerIdentity' })).toBe(1);
    expect(aws.calls.count({})).toBe(3);
  });
});

describe('where AWS says no', () => {
  test('says what to do', async () => {
    Object.assign(process.env, aws.environment('operator'), { AWS_ACCESS_KEY_ID: 'another' });
    const said = await admin('sweep --function mine', here());

    expect(said.code).toBe(1);
    expect(said.errors).toContain('The access key is unknown: check AWS_PROFILE.');
  });

  test('gets the name of the region it needs', async () => {
    for (const name of Object.keys(aws.environment('operator'))) delete process.env[name];
    const said = await admin('sweep --stage prod', {
      environment: {
        AWS_ENDPOINT_URL_CLOUDFORMATION: 'http://127.0.0.1:2',
        AWS_ENDPOINT_URL_STS: 'http://127.0.0.1:2',
      },
    });

    expect(said.errors).toContain('Set AWS_REGION to the region of prod');
  });

  describe('and the file of a stage in a checkout', () => {
    const stages = () => join(machine.folder, 'stages');
    /** Which region the request to CloudFormation is signed for. */
    const regionAsked = async (shell: Readonly<Record<string, string>> = {}) => {
      for (const name of Object.keys(aws.environment('operator'))) delete process.env[name];
      const keys = { AWS_ACCESS_KEY_ID: 'operator', AWS_SECRET_ACCESS_KEY: 'secret' };
      Object.assign(process.env, keys, shell);
      const said = await admin('sweep --stage prod', {
        stages: stages(),
        environment: shell,
        fetch: async (_, request) => {
          const { authorization } = request.headers as Record<string, string>;
          regions.push(String(authorization?.split('/')[2]));
          return new Response('<Code>ValidationError</Code><Message>does not exist</Message>', {
            status: 400,
          });
        },
      });
      for (const name of Object.keys({ ...keys, ...shell })) delete process.env[name];
      return said;
    };
    const regions: string[] = [];
    beforeAll(async () => {
      await mkdir(stages());
      await writeFile(join(stages(), 'prod.json'), '{"region":"eu-west-3"}');
    });

    test('say the region where the shell says none', async () => {
      regions.length = 0;
      const { errors } = await regionAsked();

      expect(new Set(regions)).toEqual(new Set(['eu-west-3']));
      expect(errors).toContain('There is no stack HostedMcp-prod-Service in eu-west-3');
    });

    test('say nothing where the shell says one', async () => {
      regions.length = 0;
      await regionAsked({ AWS_REGION: 'eu-central-1' });

      expect(new Set(regions)).toEqual(new Set(['eu-central-1']));
    });
  });
});

describe('the service on this machine', () => {
  test('takes its access back when it ends', async () => {
    withdraw();

    expect((await admin('sweep')).errors).toContain('No service runs on');
  });
});

describe('the commands of operators', () => {
  test('are all in one group of the help', async () => {
    const said = await machine.run(['admin', '--help']);
    const names = COMMANDS.filter(({ name }) => name.startsWith('admin '));

    for (const { name } of names) expect(said.out).toContain(name);
  });
});
