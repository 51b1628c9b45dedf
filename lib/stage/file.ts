import * as z from 'zod';
import { CREDENTIAL_STORES } from '../../layers/credentials/rules/credential-stores.ts';
import {
  DEFAULT_VERSION,
  PROTOCOL_VERSIONS,
} from '../../layers/platform/rules/protocol-versions.ts';
import { LOG_LEVELS } from '../../layers/platform/rules/log-level.ts';
import { nearestName } from '../../layers/platform/rules/nearest-name.ts';
import { VAULT_LOCK_KEYS, VaultLockSetting } from '../data/vault-lock.ts';
import { EDGE_KEYS, EDGE_REGION, EdgeSetting } from '../edge/setting.ts';
import {
  Account,
  AssumableRoles,
  BackupVault,
  Canary,
  CERTIFICATE,
  Concurrency,
  DocumentHosts,
  Domain,
  FUNCTIONS,
  IdentityProviders,
  Limits,
  Mail,
  ModelHosts,
  Region,
  ResourceTags,
  Topic,
} from './fields.ts';

import { EGRESS_KEYS, EgressSetting } from './egress.ts';
import { executionsFault } from './executions.ts';
import { NETWORK_KEYS, Networks } from './networks.ts';

/** Names that nobody can have mails sent from. Source: RFC 2606; RFC 6761, section 6. */
const RESERVED_DOMAIN = /(?:^|[.@])(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)$/i;

/** `config/<stage>.json`. */
export const StageFile = z
  .strictObject({
    account: Account.optional(),
    region: Region.optional(),
    tags: ResourceTags.default({}),
    permissions_boundary: z
      .string()
      .regex(/^[\w+=,.@-]{1,128}$/, 'write the name of a policy of the account, not its ARN')
      .optional(),
    retain_data: z.boolean(),
    backup: z.boolean().optional(),
    backup_copy_to: BackupVault.optional(),
    backup_vault_lock: VaultLockSetting.optional(),
    limits: Limits.default({}),
    mail: Mail,
    credential_store: z.enum(CREDENTIAL_STORES).default(CREDENTIAL_STORES[0]),
    credential_store_former: z.enum(CREDENTIAL_STORES).optional(),
    domain: Domain.optional(),
    edge: EdgeSetting,
    // As the function reads them.
    allowed_redirect_uris: z
      .array(
        z
          .string()
          .regex(
            /^(?!(?:about|blob|data|file|ftp|https?|javascript|mailto|vbscript|wss?):)[a-z][a-z0-9+.-]*:[\x21\x24-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/i,
            'write a URI with a scheme of an app of its own, such as com.example.app:/callback',
          ),
      )
      .default([]),
    new_account_plan: z.enum(['free', 'pro'], 'write "free" or "pro"').default('free'),
    // As the function reads it.
    sign_up: z
      .union(
        [
          z.enum(['open', 'closed']),
          z.strictObject({
            domains: z
              .array(
                z
                  .string()
                  .regex(
                    /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/,
                    'write a domain in lower case',
                  ),
              )
              .min(1),
          }),
        ],
        'write "open", "closed" or {"domains": ["company.example"]}',
      )
      .optional(),
    signing_keys: z
      .array(z.int().min(1))
      .min(1)
      .max(5)
      .refine((numbers) => new Set(numbers).size === numbers.length, 'a number is there twice')
      .default([1, 2]),
    alarm_topic_arn: Topic.optional(),
    notice_topic_arn: Topic.optional(),
    root_authorization_server: z.boolean().default(false),
    // As the function reads them.
    protocol_versions: z
      .array(z.enum(PROTOCOL_VERSIONS, `write versions among ${PROTOCOL_VERSIONS.join(', ')}`))
      .refine((versions) => versions.includes(DEFAULT_VERSION), {
        message: `leave ${DEFAULT_VERSION} in: it is what clients without a version speak`,
      })
      .default([...PROTOCOL_VERSIONS]),
    identity_providers: IdentityProviders.default([]),
    client_document_hosts: DocumentHosts.optional(),
    model_hosts: ModelHosts.default([]),
    assumable_roles: AssumableRoles.default([]),
    server_cards: z.boolean().default(false),
    challenge_mapping: z.boolean().default(false),
    requests_per_second: z.int().min(1).default(1000),
    burst: z.int().min(1).default(2000),
    reserved_concurrency: Concurrency.default({}),
    provisioned_concurrency: Concurrency.default({}),
    account_concurrency: z
      .int()
      .min(
        1,
        'write how many executions the account may run at once, 1,000 if AWS was asked for no more',
      )
      .default(1000),
    metrics: z.boolean().default(true),
    log_level: z
      .enum(
        LOG_LEVELS,
        'write "info", "warn" or "error": what a level below would write must not be in a log',
      )
      .default('info'),
    traces: z.enum(['off', 'xray']).default('off'),
    canary: Canary.optional(),
    networks: Networks.default([]),
    egress: EgressSetting.optional(),
    releases: z.enum(['all_at_once', 'canary']).optional(),
    deployed_release: z.string().optional(),
  })
  .refine(({ retain_data, mail }) => !retain_data || !RESERVED_DOMAIN.test(mail.identity), {
    path: ['mail', 'identity'],
    message:
      'it is a name that nobody owns, so that no mail would ever be sent; write an address or a domain that SES has verified for this account',
  })
  .refine(({ backup, retain_data }) => !backup || retain_data, {
    path: ['backup'],
    message: 'write `"retain_data": true` too: backups would outlive what the stage gives up',
  })
  .refine(({ retain_data, region }) => !retain_data || region !== undefined, {
    path: ['region'],
    message:
      'write the region of the stage, such as eu-central-1: deployed from a shell of another region it would be a second one, without the data',
  })
  .refine(({ edge, retain_data, region }) => !edge || retain_data || region !== undefined, {
    path: ['region'],
    message: `write the region of the service: the stack in ${EDGE_REGION} has it in its name`,
  })
  .refine(({ edge, region }) => !edge || !/^(?:cn|us-gov)-/.test(region ?? ''), {
    path: ['edge'],
    message: `leave it out: the partition of this region has no ${EDGE_REGION}`,
  })
  .refine(({ credential_store: store, credential_store_former: former }) => former !== store, {
    path: ['credential_store_former'],
    message: 'write the other store, which credentials were in before, or leave it out',
  })
  .refine(({ backup_copy_to: to, backup, retain_data }) => !to || (backup ?? retain_data), {
    path: ['backup_copy_to'],
    message: 'write `"backup": true` too: there is nothing to copy',
  })
  .refine(({ backup_copy_to: to, account, region }) => !to?.includes(`:${region}:${account}:`), {
    path: ['backup_copy_to'],
    message:
      'write a vault of another region or account: a copy beside the backup would go with it',
  })
  .refine(({ backup_vault_lock: lock, backup, retain_data }) => !lock || (backup ?? retain_data), {
    path: ['backup_vault_lock'],
    message: 'write `"backup": true` too: there is no vault to lock',
  })
  .refine(({ edge, domain }) => edge === undefined || domain !== undefined, {
    path: ['edge'],
    message: 'write a `domain` too: clients find the service at an address of your own there',
  })
  .refine(
    ({ edge, domain }) =>
      edge === undefined ||
      domain === undefined ||
      CERTIFICATE.exec(domain.certificate_arn)?.[1] === EDGE_REGION,
    {
      path: ['domain', 'certificate_arn'],
      message: `CloudFront takes certificates of ${EDGE_REGION} alone; request one there`,
    },
  )
  .superRefine(({ reserved_concurrency: reserved, provisioned_concurrency: kept }, context) => {
    for (const name of FUNCTIONS) {
      const [most, ready] = [reserved[name], kept[name]];
      // Lambda refuses it in the middle of a deployment.
      if (most === undefined || ready === undefined || ready <= most) continue;
      const message = `write at most ${most}, which \`reserved_concurrency\` has for it`;
      context.addIssue({ code: 'custom', path: ['provisioned_concurrency', name], message });
    }
  })
  .superRefine((file, context) => {
    const message = executionsFault({
      accountConcurrency: file.account_concurrency,
      networks: file.networks,
      provisionedConcurrency: file.provisioned_concurrency,
      reservedConcurrency: file.reserved_concurrency,
    });
    if (message === undefined) return;
    context.addIssue({ code: 'custom', path: ['account_concurrency'], message });
  })
  .transform((file) => ({
    account: file.account,
    region: file.region,
    tags: file.tags,
    permissionsBoundary: file.permissions_boundary,
    retainData: file.retain_data,
    // Where data is kept, what is left out is what is safe.
    backup: file.backup ?? file.retain_data,
    backupCopyTo: file.backup_copy_to,
    backupVaultLock: file.backup_vault_lock,
    limits: file.limits,
    mail: file.mail,
    credentialStore: file.credential_store,
    formerCredentialStore: file.credential_store_former,
    domain: file.domain && {
      name: file.domain.name,
      certificateArn: file.domain.certificate_arn,
    },
    edge: file.edge,
    allowedRedirectUris: file.allowed_redirect_uris,
    signUp: file.sign_up ?? (file.retain_data ? 'closed' : 'open'),
    newAccountPlan: file.new_account_plan,
    signingKeys: file.signing_keys,
    alarmTopic: file.alarm_topic_arn,
    noticeTopic: file.notice_topic_arn,
    rootAuthorizationServer: file.root_authorization_server,
    protocolVersions: file.protocol_versions,
    identityProviders: file.identity_providers,
    clientDocumentHosts: file.client_document_hosts,
    modelHosts: file.model_hosts,
    assumableRoles: file.assumable_roles,
    serverCards: file.server_cards,
    challengeMapping: file.challenge_mapping,
    requestsPerSecond: file.requests_per_second,
    burst: file.burst,
    releases: file.releases ?? (file.retain_data ? 'canary' : 'all_at_once'),
    deployedRelease: file.deployed_release,
    reservedConcurrency: file.reserved_concurrency,
    provisionedConcurrency: file.provisioned_concurrency,
    accountConcurrency: file.account_concurrency,
    metrics: file.metrics,
    logLevel: file.log_level,
    traces: file.traces,
    canary: file.canary,
    networks: file.networks,
    egress: file.egress,
    logRetentionDays: retention(file.limits['log_retention_days']),
  }));

/** CloudWatch knows only some periods: the given number of days is rounded up to the next of them. */
const retention = (days = 90): number =>
  [30, 60, 90, 120, 150, 180, 365, 400, 545, 731].find((known) => known >= days) ?? 731;

/** Each fault once: how long something is says nothing where it is of another kind. */
export const faultsIn = (issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] => {
  const mistaken = new Set(
    issues.flatMap(({ code, path }) => (code === 'invalid_type' ? [path.join('.')] : [])),
  );
  return issues.filter(
    ({ code, path }) => code?.startsWith('too_') !== true || !mistaken.has(path.join('.')),
  );
};

/** What a person reads of a fault: the key, what is wrong with it and what helps. */
export const sentencesOf = (issue: z.core.$ZodIssue): readonly string[] => {
  const meant = meantBy(issue);
  if (meant) return meant.flatMap(sentencesOf);
  const at = issue.path.join('.');
  if (issue.code === 'invalid_key') {
    return issue.issues.map(({ message }) => `\`${at}\` is no key: ${message}`);
  }
  if (issue.code !== 'unrecognized_keys') return [`\`${at || 'the file'}\`: ${issue.message}`];
  return issue.keys.map((key) => {
    const known = at === '' ? Object.keys(StageFile.in.shape) : KEYS[at.replace(/\.\d+$/, '')];
    const nearest = nearestName(key, known ?? []);
    const name = [at, key].filter((part) => part !== '').join('.');
    const owners = Object.keys(KEYS).filter((owner) => owner !== at && KEYS[owner]?.includes(key));
    if (owners.length === 1) return `\`${name}\` is no setting; write it into \`${owners[0]}\``;
    return nearest
      ? `\`${name}\` is no setting; did you mean \`${nearest}\`?`
      : `\`${name}\` is no setting; there are ${(known ?? []).join(', ')}`;
  });
};

/** What is wrong with the one form of several that somebody has begun to write; the others are of another type. */
const meantBy = (issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] | undefined =>
  issue.code !== 'invalid_union'
    ? undefined
    : issue.errors
        .find((issues) => issues.every(({ path }) => path.length > 0))
        ?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));

const KEYS: Readonly<Record<string, readonly string[]>> = {
  mail: ['from', 'identity'],
  domain: ['name', 'certificate_arn'],
  edge: EDGE_KEYS,
  backup_vault_lock: VAULT_LOCK_KEYS,
  canary: ['slug', 'tool', 'arguments'],
  sign_up: ['domains'],
  networks: NETWORK_KEYS,
  egress: EGRESS_KEYS,
  reserved_concurrency: FUNCTIONS,
  provisioned_concurrency: FUNCTIONS,
};
