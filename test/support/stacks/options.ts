import { rootCertificates } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { CREDENTIAL_STORES } from '../../../layers/credentials/rules/credential-stores.ts';
import {
  DEFAULT_VERSION,
  PROTOCOL_VERSIONS,
} from '../../../layers/platform/rules/protocol-versions.ts';
import { LOG_LEVELS } from '../../../layers/platform/rules/log-level.ts';
import type { EgressSetting } from '../../../lib/stage/egress.ts';
import type { EdgeSetting } from '../../../lib/edge/setting.ts';
import type { File } from '../../../lib/stage/file.ts';
import type { Networks } from '../../../lib/stage/networks.ts';

export type { File };
export type Option = keyof File;
export type EdgeFile = Exclude<z.input<typeof EdgeSetting>, boolean | undefined>;
type EgressFile = NonNullable<z.input<typeof EgressSetting>>;
type NetworkFile = NonNullable<z.input<typeof Networks>>[number];

/** A value of an option, with what the file has to say beside it. */
type Form<Key extends Option> = Required<Pick<File, Key>> & Partial<File>;

const STAYS = { retain_data: true, backup: true } as const;

export const AT_THE_EDGE = {
  domain: {
    name: 'mcp.acme.com',
    certificate_arn: 'arn:aws:acm:us-east-1:111122223333:certificate/1',
  },
} as const;

/** Each setting of `edge` in each of its forms. */
export const EDGE: {
  readonly [Key in keyof EdgeFile]-?: readonly Exclude<EdgeFile[Key], undefined>[];
} = {
  requests_per_five_minutes: [600],
  origin_secrets: [[2], [2, 3]],
  managed_rules: [
    { AWSManagedRulesAmazonIpReputationList: 'block', AWSManagedRulesAnonymousIpList: 'count' },
    { AWSManagedRulesAnonymousIpList: 'block' },
  ],
  firewall_log: [false, true],
};

const SHORTEST_ROOT = rootCertificates.toSorted((one, other) => one.length - other.length)[0] ?? '';

/** Each setting of a network in each of its forms. */
const NETWORK: {
  readonly [Key in keyof NetworkFile]-?: readonly Exclude<NetworkFile[Key], undefined>[];
} = {
  name: ['orders'],
  vpc: ['vpc-0123456789abcdef0', 'vpc-01234567'],
  subnets: [['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1']],
  security_groups: [['sg-0123456789abcdef0', 'sg-0123456789abcdef1']],
  hosts: [['*.orders.internal'], ['10.20.0.1', 'fd12:3456::1']],
  ranges: [['10.20.0.0/16'], ['fd12:3456::/32']],
  http: [false, true],
  executions: [50, 5, 'unreserved'],
  emails: [['ann@acme.com']],
  domains: [['acme.com']],
  certificate_authorities: [[SHORTEST_ROOT]],
};

/** Each setting of the way out in each of its forms. */
const EGRESS: {
  readonly [Key in keyof EgressFile]-?: readonly Exclude<EgressFile[Key], undefined>[];
} = {
  vpc: ['vpc-0123456789abcdef2'],
  subnets: [['subnet-0123456789abcdef4', 'subnet-0123456789abcdef5']],
  security_groups: [['sg-0123456789abcdef2']],
  enabled: [true, false],
};

/** The nth form of each, or the last that there is. */
const rowsOf = <Of extends object>(table: {
  readonly [Key in keyof Of]-?: readonly Exclude<Of[Key], undefined>[];
}): readonly Of[] => {
  const columns = Object.entries<readonly unknown[]>(table);
  const most = Math.max(...columns.map(([, forms]) => forms.length));
  return Array.from(
    { length: most },
    (_, row) =>
      Object.fromEntries(
        columns.map(([key, forms]) => [key, forms[Math.min(row, forms.length - 1)]]),
      ) as Of,
  );
};

/**
 * Every option of a stage in each of its forms: what a stage with them is synthesized, bounded, ordered and priced by.
 * The compiler asks for those of a new one.
 */
export const OPTIONS: { readonly [Key in Option]-?: readonly Form<Key>[] } = {
  account: [{ account: '111122223333' }],
  region: [{ region: 'eu-central-1' }],
  tags: [{ tags: { 'cost-center': '42' } }],
  permissions_boundary: [{ permissions_boundary: 'HostedMcpBoundary' }],
  retain_data: [
    STAYS,
    { retain_data: false, backup: false, releases: 'all_at_once', sign_up: 'open' },
  ],
  backup: [STAYS, { backup: false, retain_data: true }],
  backup_copy_to: [
    { ...STAYS, backup_copy_to: 'arn:aws:backup:eu-west-1:111122223333:backup-vault:copies' },
    { ...STAYS, backup_copy_to: 'arn:aws:backup:eu-central-1:444455556666:backup-vault:copies' },
  ],
  backup_vault_lock: [
    { ...STAYS, backup_vault_lock: { min_retention_days: 7 } },
    { ...STAYS, backup_vault_lock: { min_retention_days: 1, max_retention_days: 400 } },
    {
      ...STAYS,
      backup_vault_lock: {
        min_retention_days: 35,
        max_retention_days: 366,
        changeable_for_days: 3,
      },
    },
  ],
  limits: [{ limits: { log_retention_days: 400, target_timeout_seconds: 5 } }],
  mail: [
    { mail: { from: 'hosted-mcp@mail.acme.com', identity: 'mail.acme.com' } },
    { mail: { from: 'mcp@mail.acme.com', identity: 'mcp@mail.acme.com' } },
  ],
  credential_store: CREDENTIAL_STORES.map((store) => ({ credential_store: store })),
  credential_store_former: [
    { credential_store: 'envelope', credential_store_former: 'secrets-manager' },
    { credential_store: 'secrets-manager', credential_store_former: 'envelope' },
  ],
  domain: [
    {
      domain: {
        name: 'mcp.acme.com',
        certificate_arn: 'arn:aws:acm:eu-central-1:111122223333:certificate/1',
      },
      edge: false,
    },
  ],
  edge: [
    { edge: true, ...AT_THE_EDGE },
    ...rowsOf<EdgeFile>(EDGE).map((edge) => ({ edge, ...AT_THE_EDGE })),
  ],
  allowed_redirect_uris: [{ allowed_redirect_uris: ['com.example.app:/callback'] }],
  new_account_plan: [{ new_account_plan: 'free' }, { new_account_plan: 'pro' }],
  sign_up: [
    { sign_up: 'closed' },
    { sign_up: 'open' },
    { sign_up: { domains: ['company.example'] } },
  ],
  signing_keys: [{ signing_keys: [3] }, { signing_keys: [1, 2, 3] }],
  alarm_topic_arn: [{ alarm_topic_arn: 'arn:aws:sns:eu-central-1:111122223333:alarms' }],
  notice_topic_arn: [{ notice_topic_arn: 'arn:aws:sns:eu-central-1:111122223333:notices' }],
  root_authorization_server: [{ root_authorization_server: false }],
  protocol_versions: [
    { protocol_versions: [DEFAULT_VERSION] },
    { protocol_versions: [...PROTOCOL_VERSIONS] },
  ],
  client_document_hosts: [
    { client_document_hosts: { allow: ['apps.example'] } },
    { client_document_hosts: { deny: ['apps.example'] } },
  ],
  model_hosts: [{ model_hosts: [{ name: 'ours', url: 'https://llm.example.com/v1' }] }],
  assumable_roles: [
    { assumable_roles: ['arn:aws:iam::444455556666:role/hosted-mcp/invoices'] },
    { assumable_roles: ['arn:aws:iam::444455556666:role/hosted-mcp/*'] },
    {
      assumable_roles: [
        'arn:aws:iam::111122223333:role/hosted-mcp/prod/*',
        'arn:aws:iam::444455556666:role/hosted-mcp/team/*',
        'arn:aws:iam::444455556666:role/hosted-mcp/invoices',
      ],
    },
  ],
  server_cards: [{ server_cards: true }],
  challenge_mapping: [{ challenge_mapping: false }],
  requests_per_second: [{ requests_per_second: 100 }],
  burst: [{ burst: 200 }],
  reserved_concurrency: [{ reserved_concurrency: { router: 20 } }, { reserved_concurrency: {} }],
  provisioned_concurrency: [{ provisioned_concurrency: { router: 5, activity: 1 } }],
  account_concurrency: [{ account_concurrency: 2000 }],
  metrics: [{ metrics: true }, { metrics: false }, { metrics: 'few' }],
  budget: [{ budget: { monthly_dollars: 50 } }],
  stream: [
    { stream: { to: 'own' } },
    { ...STAYS, stream: { to: 'own', calls: false, keep_days: 400 } },
    {
      stream: {
        to: 'arn:aws:firehose:eu-central-1:111122223333:deliverystream/trail',
        calls: false,
      },
    },
    { stream: { to: 'arn:aws:kinesis:eu-central-1:111122223333:stream/trail' } },
    { stream: { to: 'arn:aws:logs:eu-central-1:444455556666:destination:trail' } },
  ],
  log_level: LOG_LEVELS.map((level) => ({ log_level: level })),
  traces: [{ traces: 'off' }, { traces: 'xray' }],
  canary: [
    { canary: { slug: 'status', tool: 'getStatus' } },
    { canary: { slug: 'status', tool: 'getStatus', arguments: { id: 1 } } },
  ],
  networks: [
    { networks: [] },
    {
      reserved_concurrency: {},
      networks: rowsOf<NetworkFile>(NETWORK).map((network, index) => ({
        ...network,
        name: `${network.name}-${index}`,
      })),
    },
  ],
  egress: rowsOf<EgressFile>(EGRESS).map((egress) => ({ egress })),
  releases: [{ releases: 'canary' }, { releases: 'all_at_once' }],
  deployed_release: [{ deployed_release: '0.1.0' }],
};

/**
 * As few files as have all of these forms, each beside those that do not contradict it.
 */
export const filesOf = (forms: readonly Partial<File>[]): readonly Partial<File>[] => {
  const files: Partial<File>[] = [];
  for (const form of forms) {
    const fitting = files.findIndex((file) => agree(file, form));
    if (fitting === -1) files.push(form);
    else files[fitting] = { ...files[fitting], ...form };
  }
  return files;
};

const agree = (file: Partial<File>, form: Partial<File>): boolean =>
  Object.entries(form).every(
    ([key, value]) => !(key in file) || isDeepStrictEqual(file[key as Option], value),
  );

/** What files say beside what they have to: every form of every option is in one of them. */
export const OPTION_FILES = filesOf(Object.values(OPTIONS).flat());
