import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { StageFile } from '../../lib/stage/file.ts';
import { shellOf } from '../../lib/stage/place.ts';
import { readStage, stageOf } from '../../lib/stage/stage.ts';
import { warningsOf } from '../../lib/stage/warnings.ts';

const GOOD = {
  retain_data: true,
  region: 'eu-central-1',
  mail: { from: 'mcp@acme.com', identity: 'acme.com' },
};
const withFile = (over: object) => stageOf('prod', JSON.stringify({ ...GOOD, ...over }));
const STREAM = 'arn:aws:firehose:eu-central-1:111122223333:deliverystream/trail';
const VAULT = 'arn:aws:backup:eu-west-1:444455556666:backup-vault:copies';
const CERTIFICATE = 'arn:aws:acm:eu-central-1:111122223333:certificate/4b1f';

describe('the file of a stage', () => {
  test('needs few settings, and has defaults for the others', () => {
    expect(withFile({})).toMatchObject({
      name: 'prod',
      limits: {},
      logRetentionDays: 90,
      credentialStore: 'envelope',
    });
  });

  test('is safe in what it leaves out where data is kept, and may say otherwise', () => {
    const bold = { backup: false, sign_up: 'open', releases: 'all_at_once' };

    expect(withFile({})).toMatchObject({ backup: true, signUp: 'closed', releases: 'canary' });
    expect(withFile(bold)).toMatchObject({
      backup: false,
      signUp: 'open',
      releases: 'all_at_once',
    });
    expect(withFile({ retain_data: false })).toMatchObject({
      backup: false,
      signUp: 'open',
      releases: 'all_at_once',
    });
  });

  test.each<[string, object, string]>([
    [
      'a misspelt setting',
      { sing_up: 'open' },
      'config/prod.json: `sing_up` is no setting; did you mean `sign_up`?',
    ],
    [
      'a misspelt setting of the mails',
      { mail: { ...GOOD.mail, identitty: 'x' } },
      'config/prod.json: `mail.identitty` is no setting; did you mean `identity`?',
    ],
    [
      'a setting like no other',
      { colour: 'red' },
      'config/prod.json: `colour` is no setting; there are account, region, tags,',
    ],
    [
      'an account that is none',
      { account: '1111-2222-3333' },
      'config/prod.json: `account`: write the twelve digits of an AWS account',
    ],
    [
      'a region that is none',
      { region: 'Frankfurt' },
      '`region`: write the name of a region, such as eu-central-1',
    ],
    ['data that stays in no region', { region: undefined }, '`region`: write the region of the'],
    [
      'an edge of a service in no region',
      { retain_data: false, region: undefined, edge: true },
      '`region`: write the region of the service: the stack in us-east-1 has it in its name',
    ],
    [
      'an edge where there is none',
      { region: 'cn-north-1', edge: true },
      '`edge`: leave it out: the partition of this region has no us-east-1',
    ],
    [
      'a topic that keeps an order, which no alarm tells',
      { alarm_topic_arn: 'arn:aws:sns:eu-central-1:111122223333:alarms.fifo' },
      '`alarm_topic_arn`: write the ARN of an SNS topic',
    ],
    ...(
      [
        [
          'a stream to what takes no lines',
          { to: 'arn:aws:sqs:eu-central-1:111122223333:lines' },
          'config/prod.json: `stream.to`: write "own", or the ARN of a stream of Firehose, a stream of Kinesis or a destination of CloudWatch Logs',
        ],
        ['a stream to nowhere', { calls: true }, '`stream.to`: write "own", or the ARN of'],
        [
          'lines that are kept for no day',
          { to: 'own', keep_days: 0 },
          '`stream.keep_days`: write how many days the lines are kept, 1 or more',
        ],
        [
          'lines that are kept for half a day',
          { to: 'own', keep_days: 0.5 },
          '`stream.keep_days`: write how many days the lines are kept, 1 or more',
        ],
        [
          'lines that others keep, for so long',
          { to: STREAM, keep_days: 30 },
          '`stream.keep_days`: leave it out: how long others keep the lines is for them to say',
        ],
        [
          'a stream with and without calls',
          { to: 'own', calls: 'some' },
          '`stream.calls`: write true, or false for events alone',
        ],
        ['a misspelt member of a stream', { to: 'own', keep_day: 3 }, 'did you mean `keep_days`?'],
      ] as const
    ).map(([what, stream, sentence]): [string, object, string] => [what, { stream }, sentence]),
    [
      'a boundary that is an ARN',
      { permissions_boundary: 'arn:aws:iam::111122223333:policy/HostedMcpBoundary' },
      '`permissions_boundary`: write the name of a policy of the account',
    ],
    ["a tag of AWS's own", { tags: { 'aws:x': 'y' } }, '`tags.aws:x`'],
    [
      'a misspelt limit',
      { limits: { target_timeout_second: 5 } },
      'config/prod.json: `limits.target_timeout_second`: unknown limit "target_timeout_second"; did you mean "target_timeout_seconds"?',
    ],
    [
      'a target that may take longer than the function',
      { limits: { target_timeout_seconds: 26 } },
      '`limits.target_timeout_seconds`: limit "target_timeout_seconds" may be 25 at most',
    ],
    [
      'a limit that is no number',
      { limits: { access_token_seconds: '3600' } },
      '`limits.access_token_seconds`: limit "access_token_seconds" must be a whole number',
    ],
    [
      'a limit of 0 that forbids nothing',
      { limits: { gallery_per_hour: 0 } },
      '`limits.gallery_per_hour`: limit "gallery_per_hour" must be a whole number of at least 1',
    ],
    [
      'copies of backups in what is no vault',
      { backup_copy_to: 'arn:aws:s3:::copies' },
      'config/prod.json: `backup_copy_to`: write the ARN of a vault of AWS Backup (arn:aws:backup:REGION:ACCOUNT:backup-vault:NAME)',
    ],
    [
      'copies of backups that there are none of',
      { backup: false, backup_copy_to: VAULT },
      'config/prod.json: `backup_copy_to`: write `"backup": true` too: there is nothing to copy',
    ],
    [
      'copies of backups beside them',
      { account: '444455556666', region: 'eu-west-1', backup_copy_to: VAULT },
      'config/prod.json: `backup_copy_to`: write a vault of another region or account',
    ],
    [
      'mails from a name that nobody owns',
      { mail: { from: 'mcp@example.com', identity: 'example.com' } },
      '`mail.identity`: it is a name that nobody owns',
    ],
    [
      'mails from an address of another domain',
      { mail: { from: 'mcp@other.com', identity: 'acme.com' } },
      '`mail.from`: write the address that `mail.identity` is, or one of the domain',
    ],
    [
      'backups of what is not kept',
      { retain_data: false, backup: true },
      'config/prod.json: `backup`: write `"retain_data": true` too',
    ],
    [
      'a store of credentials that is the one before, too',
      { credential_store: 'secrets-manager', credential_store_former: 'secrets-manager' },
      'config/prod.json: `credential_store_former`: write the other store, which credentials were in before',
    ],
    ['an edge without a domain', { edge: true }, 'config/prod.json: `edge`: write a `domain` too'],
    [
      'an edge with a certificate of another region',
      { edge: true, domain: { name: 'mcp.acme.com', certificate_arn: CERTIFICATE } },
      '`domain.certificate_arn`: CloudFront takes certificates of us-east-1 alone',
    ],
    [
      'a rate that AWS WAF does not take',
      { edge: { requests_per_five_minutes: 99 } },
      '`edge.requests_per_five_minutes`: write how many requests one address may send',
    ],
    [
      'managed rules that look into requests',
      { edge: { managed_rules: { AWSManagedRulesCommonRuleSet: 'count' } } },
      '`edge.managed_rules.AWSManagedRulesCommonRuleSet`: write AWSManagedRulesAmazonIpReputationList or AWSManagedRulesAnonymousIpList: groups that look into requests would refuse arguments of tools',
    ],
    [
      'managed rules that do something else',
      { edge: { managed_rules: { AWSManagedRulesAnonymousIpList: 'deny' } } },
      '`edge.managed_rules.AWSManagedRulesAnonymousIpList`: write "count" or "block"',
    ],
    [
      'a log of the firewall that is neither on nor off',
      { edge: { firewall_log: 'yes' } },
      '`edge.firewall_log`: write true or false',
    ],
    [
      'a setting of the edge that is nearly one',
      { edge: { firewal_log: true } },
      '`edge.firewal_log` is no setting; did you mean `firewall_log`?',
    ],
    ['an edge that is a word', { edge: 'yes' }, '`edge`: write true, false or an object'],
    [
      'a level of the log that would write more',
      { log_level: 'debug' },
      '`log_level`: write "info", "warn" or "error": what a level below would write must not be in a log',
    ],
    [
      'a lock of a vault that is not there',
      { backup: false, backup_vault_lock: { min_retention_days: 7 } },
      '`backup_vault_lock`: write `"backup": true` too: there is no vault to lock',
    ],
    [
      'a lock that AWS does not let anybody change for three days',
      { backup_vault_lock: { min_retention_days: 7, changeable_for_days: 2 } },
      '`backup_vault_lock.changeable_for_days`: write 3 to 36500, after which nobody can take the lock back',
    ],
    [
      'a lock without a least retention',
      { backup_vault_lock: {} },
      '`backup_vault_lock.min_retention_days`: write 1 to 35',
    ],
    [
      'a domain with a path',
      { domain: { name: 'https://mcp.acme.com/', certificate_arn: CERTIFICATE } },
      '`domain.name`: write a host name in lower case',
    ],
    [
      'a certificate that is none',
      { domain: { name: 'mcp.acme.com', certificate_arn: 'arn:aws:iam::1:server-certificate/x' } },
      '`domain.certificate_arn`: write the ARN of a certificate of ACM',
    ],
    [
      'a web address among the redirect URIs of apps',
      { allowed_redirect_uris: ['https://acme.com/callback'] },
      '`allowed_redirect_uris.0`: write a URI with a scheme of an app of its own',
    ],
    [
      'executions that are reserved for no function',
      { reserved_concurrency: { rooter: 5 } },
      'config/prod.json: `reserved_concurrency.rooter` is no setting; did you mean `router`?',
    ],
    [
      'executions that are reserved in words',
      { reserved_concurrency: { router: 'many' } },
      '`reserved_concurrency.router`: write how many executions may run at once, 1 or more',
    ],
    [
      'a function that could never run',
      { reserved_concurrency: { router: 0 } },
      '`reserved_concurrency.router`: write how many executions may run at once, 1 or more',
    ],
    [
      'more instances that are kept started than may run',
      { reserved_concurrency: { router: 5 }, provisioned_concurrency: { router: 6 } },
      '`provisioned_concurrency.router`: write at most 5, which `reserved_concurrency` has for it',
    ],
    [
      'instances of no function that are kept started',
      { provisioned_concurrency: { rooter: 5 } },
      'config/prod.json: `provisioned_concurrency.rooter` is no setting; did you mean `router`?',
    ],
    ['a canary without a tool', { canary: { slug: 'status' } }, 'config/prod.json: `canary.tool`'],
    ['another way to trace', { traces: 'jaeger' }, '`traces`'],
    [
      'a version of MCP that there is not',
      { protocol_versions: ['2024-11-05', '2025-03-26'] },
      '`protocol_versions.0`: write versions among 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26',
    ],
    [
      'versions of MCP without the one that all speak',
      { protocol_versions: ['2026-07-28'] },
      '`protocol_versions`: leave 2025-03-26 in',
    ],
    [
      'hosts of client documents in words',
      { client_document_hosts: { allow: 'example.com' } },
      '`client_document_hosts`: it must be {"allow": ["example.com", "*.example.com"]}',
    ],
    [
      'a host of models over http',
      { model_hosts: [{ name: 'ours', url: 'http://127.0.0.1:11434/v1' }] },
      '`model_hosts`: the url of "ours" must be https, a host name',
    ],
    [
      'a host of models that would write the policy of a page',
      { model_hosts: [{ name: 'ours', url: "https://llm.example.com/v1; script-src 'self'" }] },
      '`model_hosts`: the url of "ours" must be https, a host name',
    ],
    [
      'a host of models in the place of a vendor',
      { model_hosts: [{ name: 'openai', url: 'https://llm.example.com/v1' }] },
      '`model_hosts`: "openai" is offered in any case',
    ],
    [
      'hosts of models that are no list',
      { model_hosts: { ours: 'https://llm.example.com/v1' } },
      '`model_hosts`',
    ],
    [
      'a plan that is none',
      { new_account_plan: 'gold' },
      '`new_account_plan`: write "free" or "pro"',
    ],
    ['a word for who may sign up', { sign_up: 'maybe' }, '`sign_up`: write "open", "closed" or'],
  ])('is refused with %s, in a sentence that says what helps', (_, over, sentence) => {
    expect(() => withFile(over)).toThrow(sentence);
  });

  test('is answered with all of its faults at once', () => {
    expect(() => withFile({ colour: 1, limits: { colour: 1 }, sign_up: 1 })).toThrow(
      /sign_up[^]*\n[^]*colour/,
    );
  });

  test('is refused if it is no JSON', () => {
    expect(() => stageOf('prod', '{')).toThrow(/^config\/prod\.json: no JSON/);
  });

  test('may name a timeout of 25 seconds, the address itself as identity, and forbid by 0', () => {
    expect(
      withFile({
        mail: { from: 'mcp@acme.com', identity: 'mcp@acme.com' },
        limits: { target_timeout_seconds: 25, kept_answer_max_bytes: 0, log_retention_days: 91 },
      }),
    ).toMatchObject({ logRetentionDays: 120 });
  });
});

describe('the files of the repository', () => {
  test('are good, but for the addresses that a production has to write itself', () => {
    expect(readdirSync('config').toSorted()).toEqual(['dev.json', 'prod.json']);
    expect(readStage({ name: 'dev' }).logRetentionDays).toBe(90);
    expect(() => readStage({ name: 'prod' })).toThrow(
      /^config\/prod\.json: `mail\.identity`: it is a name that nobody owns[^\n]*\nconfig\/prod\.json: `region`: write the region[^\n]*$/,
    );
  });

  test('say in production only what is no default, and what an account or a client asks for', () => {
    const {
      mail: _,
      retain_data: __,
      ...shipped
    } = JSON.parse(readFileSync('config/prod.json', 'utf8'));
    const differing = Object.keys(shipped).filter((key) => {
      const without = { ...shipped, [key]: undefined };
      return JSON.stringify(withFile(shipped)) !== JSON.stringify(withFile(without));
    });

    expect(differing).toEqual(['allowed_redirect_uris', 'reserved_concurrency', 'canary']);
  });

  test.each(['nowhere', '../package', 'Prod', ''])('hold no stage named %j', (name) => {
    expect(() => readStage({ name })).toThrow('there is no stage');
  });
});

describe('the table of settings in docs/aws.md', () => {
  const [, table = ''] = readFileSync('docs/aws.md', 'utf8').split('| Key | Default | |');
  const rows = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `([a-z_]+)` \| ([^|]+) \| /gm)].map(
    ([, key = '', documented = '']) => [key, documented] as const,
  );
  /** Values in the cell: one for all stages, or one with `retain_data` and one without. */
  const valuesIn = (cell: string): readonly unknown[] =>
    [...cell.matchAll(/`([^`]+)`/g)]
      .map(([, value = '']) => value)
      .filter((value) => value !== 'retain_data')
      .map((value) => JSON.parse(value));

  test('has every key once', () => {
    expect(rows.map(([key]) => key).toSorted()).toEqual(Object.keys(StageFile.in.shape).toSorted());
  });

  test.each(rows)('says of `%s` what a file without it means: %s', (key, cell) => {
    if (cell.startsWith('required')) {
      expect(() => withFile({ [key]: undefined })).toThrow(`\`${key}\``);
      return;
    }
    expect(cell).toMatch(/^none$|^all$|^the one before$|`/);
    for (const retain of [true, false]) {
      const omitted = withFile({ retain_data: retain });
      const [first, other = first] = cell === 'as `retain_data`' ? [true, false] : valuesIn(cell);
      const documented = retain ? first : other;
      expect(withFile({ retain_data: retain, [key]: documented })).toEqual(omitted);
    }
  });
});

describe('the edge of a stage', () => {
  const AT_THE_EDGE = 'arn:aws:acm:us-east-1:111122223333:certificate/4b1f';
  const edgeOf = (edge: unknown) =>
    withFile({ edge, domain: { name: 'mcp.acme.com', certificate_arn: AT_THE_EDGE } });

  test('is off until it is requested, and differs only in what is said', () => {
    expect(edgeOf(false).edge).toBeUndefined();
    expect(withFile({}).edge).toBeUndefined();
    const on = {
      requestsPerFiveMinutes: 30_000,
      originSecrets: [1, 2],
      managedRules: {},
      firewallLog: false,
    };
    expect(edgeOf(true).edge).toEqual(on);
    expect(edgeOf({ origin_secrets: [2, 3] }).edge).toEqual({ ...on, originSecrets: [2, 3] });
  });
});

describe('the place of a stage', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hosted-mcp-stage-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'stage-of-acme.json');
  const SHELL = { account: '111122223333', region: 'eu-central-1' };
  const domainOf = (arn: string) => ({ name: 'mcp.acme.com', certificate_arn: arn });
  const AT_THE_EDGE = CERTIFICATE.replace('eu-central-1', 'us-east-1');
  const TOPIC = 'arn:aws:sns:eu-central-1:111122223333:alarms';

  /** Read from a file outside the repository, for a shell. */
  const read = (over: object, shell: object = SHELL) => {
    writeFileSync(path, JSON.stringify({ ...GOOD, ...over }));
    return readStage({ name: 'acme', path, ...shell });
  };

  test.each<[string, object, object, string]>([
    [
      'another account',
      { account: '444455556666' },
      SHELL,
      '`account`: the stage is in 444455556666, and you are signed in to 111122223333',
    ],
    [
      'another region',
      { region: 'eu-west-1' },
      SHELL,
      '`region`: the stage is in eu-west-1, and your shell in eu-central-1; `export AWS_REGION=eu-west-1`',
    ],
    [
      'a certificate of another region',
      { domain: domainOf(AT_THE_EDGE) },
      SHELL,
      '`domain.certificate_arn`: it is of the region us-east-1; name one of eu-central-1',
    ],
    [
      'a certificate of another region than that of the shell',
      { retain_data: false, region: undefined, domain: domainOf(AT_THE_EDGE) },
      SHELL,
      '`domain.certificate_arn`: it is of the region us-east-1; name one of eu-central-1',
    ],
    [
      'a certificate of another account',
      { account: '111122223333', domain: domainOf(CERTIFICATE.replace('1111', '9999')) },
      {},
      '`domain.certificate_arn`: it is of the account 999922223333; name one of 111122223333',
    ],
    [
      'a certificate of another account at the edge',
      { edge: true, domain: domainOf(AT_THE_EDGE.replace('1111', '9999')) },
      SHELL,
      '`domain.certificate_arn`: it is of the account 999922223333; name one of 111122223333',
    ],
    [
      'a stream of another region',
      { stream: { to: STREAM.replace('eu-central-1', 'eu-west-1') } },
      SHELL,
      '`stream.to`: it is of the region eu-west-1; name one of eu-central-1',
    ],
    [
      'a destination of another region',
      { stream: { to: 'arn:aws:logs:eu-west-1:444455556666:destination:trail' } },
      SHELL,
      '`stream.to`: it is of the region eu-west-1; name one of eu-central-1',
    ],
    [
      'a stream of another account',
      { stream: { to: STREAM.replace('1111', '9999') } },
      SHELL,
      '`stream.to`: it is of the account 999922223333; name one of 111122223333, or a destination of CloudWatch Logs in the other account',
    ],
    ...['alarm_topic_arn', 'notice_topic_arn'].flatMap(
      (key): [string, object, object, string][] => [
        [
          `a topic of another region as ${key}`,
          { [key]: TOPIC.replace('central', 'west') },
          {},
          `\`${key}\`: it is of the region eu-west-1; name one of eu-central-1`,
        ],
        [
          `a topic of another account as ${key}`,
          { [key]: TOPIC.replace('1111', '9999') },
          SHELL,
          `\`${key}\`: it is of the account 999922223333; name one of 111122223333`,
        ],
        [
          `a topic of another partition as ${key}`,
          { [key]: TOPIC.replace('arn:aws:', 'arn:aws-cn:') },
          {},
          `\`${key}\`: it is of the partition aws-cn; name one of aws`,
        ],
        [
          `a topic that keeps an order as ${key}`,
          { [key]: `${TOPIC}.fifo` },
          {},
          `\`${key}\`: write the ARN of an SNS topic`,
        ],
      ],
    ),
  ])('is refused with %s', (_, over, shell, sentence) => {
    expect(() => read(over, shell)).toThrow(`${path}: ${sentence}`);
  });

  test('is believed where all of it fits, and where nobody is signed in', () => {
    const all = { account: '111122223333', domain: domainOf(CERTIFICATE), alarm_topic_arn: TOPIC };

    expect(read(all)).toMatchObject({ name: 'acme', file: path, region: 'eu-central-1' });
    expect(read(all, {})).toMatchObject({ account: '111122223333' });
    expect(() => read({ edge: true, domain: domainOf(AT_THE_EDGE) })).not.toThrow();
  });

  test.each(['AWS_REGION', 'AMAZON_REGION', 'AWS_DEFAULT_REGION', 'AMAZON_DEFAULT_REGION'])(
    'is held against the region of a shell that says one by %s',
    (variable) => {
      const shell = shellOf({ CDK_DEFAULT_REGION: 'us-east-1', [variable]: 'us-east-1' });

      expect(() => read({}, shell)).toThrow('your shell in us-east-1; `export AWS_REGION=');
    },
  );

  test('is held against a region that the CLI of the CDK has found in a profile', () => {
    const shell = shellOf({ CDK_DEFAULT_REGION: 'eu-west-1' });

    expect(() => read({}, shell)).toThrow('your shell in eu-west-1');
  });

  test('is believed where the CLI of the CDK assumes a region, since nobody has said one', () => {
    const shell = shellOf({
      CDK_DEFAULT_REGION: 'us-east-1',
      CDK_DEFAULT_ACCOUNT: '111122223333',
    });

    expect(read({}, shell)).toMatchObject({ region: 'eu-central-1' });
    expect(() => read({ account: '444455556666' }, shell)).toThrow('`account`');
    // A stage that says none goes there.
    const elsewhere = { region: undefined, retain_data: false, domain: domainOf(CERTIFICATE) };
    expect(() => read(elsewhere, shell)).toThrow('name one of us-east-1');
  });

  test('can be a file outside the repository alone, if it is said of which stage it is', () => {
    expect(() => readStage({ name: undefined, path })).toThrow(
      `${path}: write \`--context stage=NAME\` too`,
    );
    expect(() => readStage({ name: 'Acme', path })).toThrow('"Acme" is no name of a stage');
    expect(() => readStage({ name: 'acme', path: join(folder, 'none.json') })).toThrow(
      /none\.json: it cannot be read \(ENOENT/,
    );
    writeFileSync(path, '{');
    expect(() => readStage({ name: 'acme', path })).toThrow(`${path}: no JSON`);
  });
});

describe('executions that a stage reserves', () => {
  const network = (executions: number | 'unreserved') => ({
    name: 'orders',
    vpc: 'vpc-0123456789abcdef0',
    subnets: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
    security_groups: ['sg-0123456789abcdef0'],
    hosts: ['api.orders.internal'],
    ranges: ['10.20.0.0/16'],
    executions,
  });
  const reserving = (router: number, executions: number) => ({
    reserved_concurrency: { router },
    provisioned_concurrency: { router: 5, oauth: 30 },
    networks: [network(executions)],
  });

  test.each<[string, object]>([
    ['all that an account of 1,000 has to reserve', reserving(820, 50)],
    ['more, in an account that has more', { ...reserving(820, 51), account_concurrency: 1001 }],
    ['nothing, in a new account', { account_concurrency: 10 }],
    [
      'nothing for a network either',
      { account_concurrency: 10, networks: [network('unreserved')] },
    ],
    [
      'all that there is, beside a network that reserves none',
      { ...reserving(870, 50), networks: [network('unreserved')] },
    ],
  ])('may be %s', (_, over) => {
    expect(() => withFile(over)).not.toThrow();
  });

  test.each<[string, object, string]>([
    [
      'one more than an account of 1,000 has to reserve',
      reserving(820, 51),
      '`account_concurrency`: the stage reserves 901 executions, and an account of 1000 has 900 to reserve: lower `reserved_concurrency.router` (820), `networks.0.executions` (51), `provisioned_concurrency.oauth` (30) or others by 1, or ask AWS for more and write how many as `account_concurrency`',
    ],
    [
      'any, in an account that has no more than AWS keeps',
      { account_concurrency: 10, networks: [network(1)] },
      '`account_concurrency`: the stage reserves 1 executions, and an account of 10 has 0 to reserve: write "unreserved" as `networks.0.executions`, or ask AWS for more and write how many as `account_concurrency`',
    ],
    [
      'those of functions, in such an account',
      { ...reserving(5, 1), account_concurrency: 100 },
      'an account of 100 has 0 to reserve: leave `reserved_concurrency.router`, `provisioned_concurrency.oauth` out, and write "unreserved" as `networks.0.executions`, or ask',
    ],
    [
      'none for a network',
      { networks: [network(0)] },
      '`networks.0.executions`: write how many executions may run at once, 1 or more, or "unreserved"',
    ],
  ])('are refused where they are %s', (_, over, sentence) => {
    expect(() => withFile(over)).toThrow(sentence);
  });
});

describe('warnings', () => {
  const network = {
    name: 'orders',
    vpc: 'vpc-0123456789abcdef0',
    subnets: ['subnet-0123456789abcdef0'],
    security_groups: ['sg-0123456789abcdef0'],
    hosts: ['api.orders.internal'],
    ranges: ['10.20.0.0/16'],
  };
  const assumed = 'arn:aws:iam::444455556666:role/team/*';
  const bounded = { permissions_boundary: 'HostedMcpBoundary' };

  test.each<[string, object, readonly string[]]>([
    ['nothing is said', {}, []],
    [
      'a role is below the path of the boundary',
      { ...bounded, assumable_roles: [assumed.replace('team', 'hosted-mcp/team')] },
      [],
    ],
    ['there is no boundary', { assumable_roles: [assumed] }, []],
    [
      'the boundary may deny a role',
      { ...bounded, assumable_roles: [assumed] },
      [
        `see that HostedMcpBoundary allows sts:AssumeRole, sts:SetSourceIdentity and sts:TagSession on ${assumed}`,
      ],
    ],
    [
      'a network has one subnet',
      {
        networks: [
          network,
          { ...network, name: 'two', subnets: [...network.subnets, 'subnet-01234567'] },
        ],
      },
      ['`networks.0.subnets`: name a second one, in another zone'],
    ],
  ])('are what they should be where %s', (_, over, texts) => {
    const warnings = warningsOf(withFile(over));

    expect(warnings.map(({ text }) => text)).toEqual(
      texts.map((text) => expect.stringContaining(text)),
    );
  });
});
