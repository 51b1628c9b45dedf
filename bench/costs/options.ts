import {
  AT_THE_EDGE,
  type EdgeFile,
  type File,
  type Option,
  OPTIONS,
} from '../../test/support/stacks/options.ts';
import { functions } from '../../lambdas/manifest.ts';
import type { Setting } from '../../lib/stage/setting.ts';
import { SETTINGS } from '../../lib/stage/settings.ts';
import {
  edgeMillion,
  egressBill,
  networkBill,
  provisionedMonth,
  stageBill,
  streamBill,
} from './bill.ts';
import { millionOf, type Situation, sumOf } from './model.ts';
import { type PriceName, priceOf } from './prices.ts';
import type { Recording } from './recording.ts';

type Free = {
  [Key in Option]: (typeof SETTINGS)[Key] extends { isFree: true } ? Key : never;
}[Option];

/** Every option of a stage's file that may cost something, and every setting of `edge`, each of which AWS may charge for by itself. */
export type PricedOption =
  | Exclude<Option, Free>
  | 'metrics.few'
  | `edge.${keyof EdgeFile & string}`;

/** What is charged for each month that the stacks of a stage are there, by how many there are of it. */
export type Charged = Readonly<Partial<Record<PriceName, number>>>;

/** What an option adds to the bill. */
export interface OptionCost {
  /** What is priced, as the file says it; the name of the option if omitted. */
  readonly as?: string;
  /**
   * What its templates have more, or less, than without it is counted and charged for. Of an option without this
   * nothing may be.
   */
  readonly counted?: { readonly file: Partial<File>; readonly than?: Partial<File> };
  /** Dollars a month, called or not, beside what is counted. */
  readonly month?: (recording: Recording) => number;
  /** Dollars for a million calls. */
  readonly million?: (recording: Recording) => number;
  /** What is paid for in another way, or why nothing is. */
  readonly why?: string;
}

/** What a million calls cost more, or less, that are so. */
const moreWith = (over: Partial<Situation>) => (recording: Recording) =>
  millionOf(recording, over) - millionOf(recording);

const ofCanary = (recording: Recording): number =>
  sumOf(stageBill(recording).filter(({ what }) => what.includes('the canary')));

const edged = (edge: EdgeFile | true): Partial<File> => ({ edge, ...AT_THE_EDGE });

const [, NETWORKS] = OPTIONS.networks;

/** Of each option of a stage's file that the table of settings does not call free; a test counts all of them again. */
export const OPTION_COSTS: { readonly [Key in PricedOption]-?: OptionCost } = {
  region: { why: 'each region has [prices](#prices) of its own' },
  retain_data: { why: 'what stays of a deleted stage goes on costing what it did' },
  backup: {
    counted: { file: {}, than: { backup: false } },
    why: 'and [what is backed up](#a-whole-month)',
  },
  backup_vault_lock: { why: 'what is locked is kept as long as the plans say in any case' },
  backup_copy_to: {
    counted: { file: OPTIONS.backup_copy_to[0] ?? {} },
    why: 'and in the other region what backups cost here, with what AWS takes for carrying them',
  },
  limits: { why: 'longer `log_retention_days` keep more' },
  log_level: { why: 'lines that are left out are not paid for; their metrics are' },
  mail: { why: '[mails](#prices) are paid for one by one' },
  credential_store: {
    as: '`"credential_store": "secrets-manager"`',
    why: 'a secret, $0.40 a month, for each deployment with a credential',
  },
  credential_store_former: { why: 'reads where a credential is not in the new store yet' },
  domain: { why: 'certificates of ACM are free' },
  edge: {
    counted: { file: edged(true) },
    million: edgeMillion,
    why: 'the ACL, its rule, its alarms and the secrets; CloudFront and its function by request',
  },
  'edge.requests_per_five_minutes': { why: 'a number in the rule' },
  'edge.origin_secrets': {
    as: '`edge.origin_secrets`, one in place of two',
    counted: { file: edged({ origin_secrets: [1] }), than: edged(true) },
  },
  'edge.managed_rules': {
    as: '`edge.managed_rules`, each group',
    counted: {
      file: edged({ managed_rules: { AWSManagedRulesAmazonIpReputationList: 'count' } }),
      than: edged(true),
    },
  },
  'edge.firewall_log': {
    counted: { file: edged({ firewall_log: true }), than: edged(true) },
    why: 'a key; and lines of requests that a rule blocked or counted',
  },
  signing_keys: {
    as: '`signing_keys`, one number more',
    counted: { file: { signing_keys: [1, 2, 3] } },
    why: 'a pair of keys',
  },
  alarm_topic_arn: { why: 'the topic is yours' },
  notice_topic_arn: { why: 'the topic is yours' },
  model_hosts: { why: 'browsers call models with keys of their own' },
  assumable_roles: { why: 'STS is free' },
  requests_per_second: { why: 'what is refused is not paid for' },
  burst: { why: 'what is refused is not paid for' },
  reserved_concurrency: {
    as: '`reserved_concurrency`, as `prod.json` has it',
    counted: { file: {}, than: { reserved_concurrency: {} } },
    why: 'alarms on those that somebody waits for',
  },
  provisioned_concurrency: {
    as: '`"provisioned_concurrency": {"router": 5}`',
    month: () => 5 * provisionedMonth(functions.router.memoryMb),
    million: moreWith({ provisioned: true }),
    why: '[each function](#provisioned-concurrency)',
  },
  metrics: {
    as: '`"metrics": false`',
    counted: { file: { metrics: false } },
    million: moreWith({ metrics: false }),
    why: 'no metrics of ours, no alarms on them, no dashboard',
  },
  'metrics.few': {
    as: '`"metrics": "few"`',
    counted: { file: { metrics: 'few' } },
    million: moreWith({ metrics: false }),
    why: 'and no alarms but [the ones that matter most](operations.md#alarms)',
  },
  stream: {
    as: '`"stream": {"to": "own"}`',
    counted: { file: { stream: { to: 'own' } } },
    million: (recording) => streamBill(recording, 3).million,
    why: '[Firehose](#a-stream-of-calls-and-events), alarms on it and on the filters; the files by the gigabyte',
  },
  traces: {
    as: '`"traces": "xray"`',
    million: () => 1e6 * priceOf('trace'),
    why: 'if each is the first of its second; X-Ray records 5 percent of the others',
  },
  canary: {
    counted: { file: {}, than: { canary: undefined } },
    month: ofCanary,
  },
  networks: {
    as: '`networks`, each',
    counted: {
      file: { networks: NETWORKS?.networks?.slice(0, 1), reserved_concurrency: {} },
      than: { reserved_concurrency: {} },
    },
    million: () => networkBill().own,
    why: 'of calls in it, beside [the wait](#private-networks)',
  },
  egress: {
    counted: { file: OPTIONS.egress[0] ?? {} },
    month: (recording) => egressBill(recording).month,
    million: (recording) => egressBill(recording).million,
    why: 'nothing of ours: two NAT gateways of yours with an address each, and what goes through them to APIs, where endpoints carry what goes to DynamoDB and S3. A firewall costs more',
  },
  releases: {
    as: '`"releases": "canary"`',
    counted: { file: {}, than: { releases: 'all_at_once' } },
    why: 'alarms on each function while it takes over, and what they measure',
  },
};

/** Dollars of what is counted. */
export const monthOf = (charged: Charged = {}): number =>
  Object.entries(charged).reduce(
    (sum, [name, count]) => sum + count * priceOf(name as PriceName),
    0,
  );

/** A row of cells for each option, with those that add nothing and need no word in one. */
export const optionRows = (
  recording: Recording,
  dollars: (amount: number) => string,
): readonly (readonly string[])[] => {
  const all = Object.entries<OptionCost>(OPTION_COSTS);
  const rows = all.map(([name, { as, counted, month, million, why = '' }]) => {
    const idle = monthOf(counted && recording.options[name]) + (month?.(recording) ?? 0);
    return [
      as ?? `\`${name}\``,
      counted || month ? dollars(idle) : '',
      million ? dollars(million(recording)) : '',
      why,
    ];
  });
  const free = Object.entries<Setting>(SETTINGS).filter(([, { isFree }]) => isFree);
  return [...rows, [free.map(([key]) => `\`${key}\``).join(', '), '', '', 'nothing']];
};
